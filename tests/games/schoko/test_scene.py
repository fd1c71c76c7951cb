"""The picture of a position: nothing cut or covered, every legal action on a thing, nothing hidden; and the log."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from firms import Firms, asked, load, play
from schoko_decks import any_deck, card, setup, write
from schoko_games import VARIANTS, moves, variant_name
from schoko_hidden import RARE, scrambled

from chocofactory_env.core.jit import COMPILED
from chocofactory_env.drawing.check import faults
from chocofactory_env.drawing.scene import Scene, Text, Thing
from chocofactory_env.games.schoko.actions import ACTIONS
from chocofactory_env.games.schoko.game import Schoko
from chocofactory_env.games.schoko.scene.pieces import ELLIPSIS
from chocofactory_env.games.schoko.vocabulary import Task, task_of

EVERY = pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
GAMES = 2 if COMPILED else 1
STRIDE = 11  # of positions, but for rare tasks


def positions(game: Schoko, games: int = GAMES, wild: float = 0.05) -> Iterator[tuple[np.ndarray, np.ndarray, int]]:
    """Some of the positions of some games, masks and the action that is played."""
    for seed in range(games):
        for number, (state, mask, action) in enumerate(moves(game, seed, wild)):
            if number % STRIDE == 0 or action < 0 or (task_of(state) in RARE and number % 2):
                yield state, mask, action


def viewers(game: Schoko) -> list[int | None]:
    return [None, *range(game.num_players)]


def things(scene: Scene) -> Iterator[Thing]:
    for panel in scene.panels:
        yield from panel.things


def words(scene: Scene) -> Iterator[str]:
    yield scene.title
    for panel in scene.panels:
        yield panel.name
    for thing in things(scene):
        yield from (part.words for part in thing.parts if isinstance(part, Text))


def actions_of(scene: Scene) -> set[int]:
    return {thing.action for thing in things(scene) if thing.action is not None}


@EVERY
def test_nothing_is_cut_or_covered(options: dict[str, Any]) -> None:
    game = load(**options)
    for number, (state, _, _) in enumerate(positions(game)):
        mover = game.current_player(state)
        for viewer in {None if mover < 0 else mover, (None, *range(game.num_players))[number % game.num_players]}:
            scene = game.scene(state, viewer)
            assert faults(scene) == []
            assert not [line for line in words(scene) if ELLIPSIS in line]


@EVERY
def test_every_legal_action_stands_on_a_thing_of_who_moves(options: dict[str, Any]) -> None:
    game = load(**options)
    for state, mask, _ in positions(game):
        for viewer in viewers(game):
            legal = set(np.flatnonzero(mask).tolist()) if viewer == game.current_player(state) else set()
            assert actions_of(game.scene(state, viewer)) == legal


@EVERY
def test_nothing_is_shown_that_the_viewer_cannot_know(options: dict[str, Any]) -> None:
    """SEE-2 to SEE-5: byte for byte, pictures and text; who is asked for a card, too."""
    game, rng = load(**options), np.random.default_rng(1)
    for state, _, _ in positions(game):
        for seat in range(game.num_players):
            for other in (scrambled(game, state, seat, rng), game.redeal(state, seat, int(rng.integers(1 << 60)))):
                for viewer in (None, seat):
                    if viewer is None and game.current_player(state) == seat and task_of(state) in RARE:
                        continue  # its own hand is not scrambled
                    assert game.scene(other, viewer) == game.scene(state, viewer)
                    assert game.render(other, viewer) == game.render(state, viewer)


@EVERY
def test_log_lines_say_nothing_that_the_viewer_cannot_know(options: dict[str, Any]) -> None:
    """SEE-4, SEE-5"""
    game = load(**options)
    for number, (state, _, action) in enumerate(positions(game)):
        if action < 0:
            continue
        for seat in range(game.num_players):
            other = game.redeal(state, seat, number)
            for viewer in (None, seat):
                line = game.move_in_words(state, action, viewer)
                assert game.move_in_words(other, action, viewer) == line
                assert "\n" not in line
        assert game.move_in_words(state, action, game.current_player(state))
