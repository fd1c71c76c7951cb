"""Pictures reach a browser as changes to those of the view before: complete, and light."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from at_table import play, table_of
from games_under_test import GAMES_AND_EXPANSION, GameMaker

from chocofactory_env.play.views.changes import Pieces
from chocofactory_env.play.views.sight import Sight


def together(changes: Iterable[str | list[int]], pieces: list[str]) -> str:
    """As docs/play-protocol.md says."""
    parts = [one if isinstance(one, str) else "<".join(pieces[one[0] : sum(one)]) for one in changes]
    return "<".join(parts)


def pictures(view: Mapping[str, Any], before: Mapping[str, str]) -> dict[str, str]:
    """By key; before: those of the view before."""
    pieces = [piece for picture in before.values() for piece in picture.split("<")]
    return {
        panel["key"]: before[panel["key"]] if panel["svg"] is None else together(panel["svg"], pieces)
        for panel in view["panels"]
    }


@pytest.mark.parametrize("make_game", GAMES_AND_EXPANSION)
def test_a_browser_puts_every_picture_together_from_few_words(make_game: GameMaker) -> None:
    rng, table = random.Random(6), table_of(make_game(num_players=2), 6)
    sight, shown = Sight(table, frozenset({0}), host=False), dict[str, str]()
    sent, whole = [], []
    while not table.over and len(table.actions) < 200:
        views = [text for text in sight.news() if json.loads(text)["type"] == "view"]
        for text in views:
            shown = pictures(json.loads(text), shown)
            assert shown == {panel["key"]: panel["svg"] for panel in table.view(0)["panels"]}
            sent.append(len(text))
            whole.append(len(json.dumps(table.view(0))))
        play(table, 1, rng)
    most = 0.2 if table.game.name != "toyrace" else 0.6  # of the toy, words are most
    assert sum(sent[1:]) < most * sum(whole[1:])


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ([], "<a>1<b>2", ["<a>1<b>2"]),
        (["<a>1<b>2"], "<a>1<b>2", [[0, 3]]),
        (["<a>1<b>2<c>"], "<a>1<b>3<c>", [[0, 2], "b>3", [3, 1]]),
        (["<a>1</a>", "<b>2</b>"], "<c>2<b>2</b>", [[0, 1], "c>2", [4, 2]]),
        (["<a><e><b><e>"], "<a><x><y><e>", [[0, 2], "x><y>", [2, 1]]),
    ],
)
def test_what_stays_is_a_run_of_pieces(before: list[str], after: str, changes: list[str | list[int]]) -> None:
    assert Pieces(before).changes_to(after) == changes
    assert together(changes, [piece for picture in before for piece in picture.split("<")]) == after
