"""One of a thing is named by its singular, wherever people read: labels, pictures, lines of the log, stories, prompts.

`CF_WORDED_GAMES` says of how many games (default 1; 20 at full length).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from at_table import table_of
from games_under_test import pick
from long_runs import amount

import chocofactory_env as cf
from chocofactory_env.drawing.names import named, with_names
from chocofactory_env.drawing.plain import panels_of
from chocofactory_env.drawing.scene import Scene, Text

GAMES = amount("CF_WORDED_GAMES", 1, 20)
VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("chocofactory", {"num_players": 1}),
    ("chocofactory", {"num_players": 3, "expansion": "master_chocolatier"}),
    ("candyfactory", {"num_players": 3, "game": "full"}),
    ("schoko", {"num_players": 3}),
]
NAMES = ["Ann", "Ben", "Cleo"]  # no digits before verbs
PLURAL_AFTER_ONE = re.compile(r"(?<![\w.,×-])1 (?!less|leaves)[a-z]+s\b")


def words_of(scene: Scene) -> Iterator[str]:
    for panel in scene.panels:
        yield from (panel.name, *panel.summary)
        for thing in panel.things:
            yield thing.name
            yield from (part.words for part in thing.parts if isinstance(part, Text))


def read_in(game: Any, seed: int) -> Iterator[str]:
    """All that is read in a game played at random."""
    table, rng = table_of(game, seed), np.random.default_rng(seed)
    for seat, name in zip(table.seats, NAMES, strict=False):
        seat.name = name
    while not table.over:
        state, mover = table.state, table.mover
        yield from words_of(with_names(panels_of(game, state, mover), table.names))
        legal = game.legal_mask(state)
        for action in np.flatnonzero(legal).tolist():
            yield named(game.move_in_words(state, action, mover), table.names)
        yield from named(game.prompt(state, mover, rules=False), table.names).splitlines()
        table._apply(pick(legal, rng))
    for viewer in (None, 0):
        yield from (line.words for line in table.log(viewer))
        yield from (story.words for story in table.stories(viewer))


@pytest.mark.long
@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_no_line_says_one_and_a_plural(name: str, options: dict[str, Any]) -> None:
    game = cf.load(name, **options)
    wrong = {words for seed in range(GAMES) for words in read_in(game, seed) if PLURAL_AFTER_ONE.search(words)}
    assert not wrong
