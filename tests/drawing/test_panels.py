"""Narrow panels, of which small frames are made: legible, complete, and each card says what it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from games_under_test import GAMES_AND_EXPANSION, GameMaker, chocofactory, positions, with_players
from long_runs import amount

import chocofactory_env as cf
from chocofactory_env.core.game import Game, State
from chocofactory_env.drawing.check import faults
from chocofactory_env.view.layout import NARROW
from chocofactory_env.view.tree import Item
from chocofactory_env.view.views import panels_of, view_of

DOCS = Path(__file__).parents[2] / "docs"
GAMES = amount("CF_PANEL_GAMES", 1, 40)
EVERY = 23  # steps of a game
DECKS = [("chocofactory", 1), ("chocofactory", 4), ("candyfactory", 3), ("schoko", 4)]


@pytest.mark.long
@pytest.mark.parametrize(
    ("make_game", "players"),
    [*with_players(GAMES_AND_EXPANSION, [1, 2, 3, 4]), pytest.param(partial(chocofactory, difficulty=4), 1, id="hard")],
)
def test_panels_are_legible_and_hold_every_legal_action(make_game: GameMaker, players: int) -> None:
    game = make_game(num_players=players)
    for state in positions(game, range(GAMES), EVERY):
        mover = game.current_player(state)
        for viewer in {None, 0, mover if mover >= 0 else None}:
            scene = panels_of(game, state, viewer)
            assert faults(scene) == []
            assert all(panel.width == NARROW for panel in scene.panels)
            offered = {thing.action for panel in scene.panels for thing in panel.things} - {None}
            legal = np.flatnonzero(game.legal_mask(state)).tolist() if viewer == mover else []
            assert offered == set(legal)
            owners = [panel.owner for panel in scene.panels if panel.role in ("own", "rival")]
            assert owners in ([None], list(range(game.num_players)))


def items_of(game: Game, state: State) -> Iterator[Item]:
    """What the seat to move sees, before it is drawn."""
    tree = view_of(game, state, max(0, game.current_player(state)))
    left = [item for group in tree.groups for row in group.rows for item in row.items]
    while left:
        item = left.pop()
        left += item.items
        yield item


@pytest.mark.parametrize("name", ["chocofactory", "candyfactory", "schoko"])
def test_every_card_of_the_deck_says_what_it_is_and_by_which_clause(name: str) -> None:
    clauses = set(re.findall(r"\b[A-Z]+-[0-9A-Z]+(?:\.\d+)?\b", (DOCS / name / "rules.md").read_text(encoding="utf-8")))
    sought: set[str] = set()
    for number, num_players in enumerate(players for deck, players in DECKS if deck == name):
        sides = {"sides": "BBBBB"} if name == "chocofactory" and number else {}
        game: Any = cf.load(name, num_players=num_players, **sides)
        kinds = [kind for kind, value in vars(game.cards).items() if isinstance(value, tuple) and value]
        cards = {card for kind in kinds for card in np.ravel(np.array(getattr(game.cards, kind), object)).tolist()}
        names = {game.cards.names[card] for card in cards if card in game.cards.names}
        sought = sought if number else names - never_seen(name)
        for state in positions(game, range(200), 40):
            for item in items_of(game, state):
                if item.rule:
                    assert item.rule.partition(".")[0] in clauses, item  # PART-8.3 is a row of PART-8
                    words = item.name
                    sought -= {card for card in sought if card in words and len(words) > len(card) + 3}
            if not sought:
                return
    assert not sought


@pytest.mark.parametrize("name", ["chocofactory", "candyfactory", "schoko"])
def test_things_of_panels_have_the_clauses_of_their_items(name: str) -> None:
    game = cf.load(name, num_players=3)
    for state in positions(game, [3], 40):
        panels = panels_of(game, state, max(0, game.current_player(state))).panels
        drawn = {(thing.name, thing.rule) for panel in panels for thing in panel.things if thing.rule}
        assert drawn == {(item.name, item.rule) for item in items_of(game, state) if item.rule}


def never_seen(name: str) -> set[str]:
    """What these games do not lay on the table: sides that were not drawn, boards as a whole."""
    return {"Candy Factory", "Plantation Factory", "Worker cards"} if name == "candyfactory" else set()
