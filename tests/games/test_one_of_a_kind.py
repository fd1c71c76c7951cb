"""One of a thing is named by its singular, wherever people read: labels, pictures, lines of the log, stories, prompts.

`CF_WORDED_GAMES` says of how many games (default 1; 20 at full length).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np
import pytest
from at_table import items_of, playing_of
from games_under_test import pick
from long_runs import amount
from scenes import names, words_of

import chocofactory_env as cf
from chocofactory_env.view.views import named, panels_of

GAMES = amount("CF_WORDED_GAMES", 1, 20)
VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("chocofactory", {"num_players": 1}),
    ("chocofactory", {"num_players": 3, "expansion": "master_chocolatier"}),
    ("candyfactory", {"num_players": 3, "game": "full"}),
    ("schoko", {"num_players": 3}),
]
NAMES = ["Ann", "Ben", "Cleo"]  # no digits before verbs
PLURAL_AFTER_ONE = re.compile(r"(?<![\w.,×-])1 (?!less|leaves)[a-z]+s\b")


def read_in(game: Any, seed: int) -> Iterator[str]:
    """All that is read in a game played at random."""
    playing, rng = playing_of(game, seed), np.random.default_rng(seed)
    for seat, name in zip(playing.seats, NAMES, strict=False):
        seat.name = name
    while not playing.over:
        state, mover = playing.state, playing.mover
        panels = panels_of(game, state, mover, names=playing.names)
        yield from (*words_of(panels), *names(panels))
        legal = game.legal_mask(state)
        for action in np.flatnonzero(legal).tolist():
            yield named(game.move_in_words(state, action, mover), playing.names)
        yield from named(game.prompt(state, mover, rules=False), playing.names).splitlines()
        playing.add(pick(legal, rng))
    for viewer in (None, 0):
        yield from (named(line.words, NAMES) for line in playing.log(viewer, len(playing.actions)))
        yield from (named(story.words, NAMES) for story in playing.stories(viewer, len(playing.actions)))
        tree = msgspec.to_builtins(playing.view(viewer, len(playing.actions)))
        yield from (item["name"] for _, item in items_of(tree))


@pytest.mark.long
@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_no_line_says_one_and_a_plural(name: str, options: dict[str, Any]) -> None:
    game = cf.load(name, **options)
    wrong = {words for seed in range(GAMES) for words in read_in(game, seed) if PLURAL_AFTER_ONE.search(words)}
    assert not wrong
