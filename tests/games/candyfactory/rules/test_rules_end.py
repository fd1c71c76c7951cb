"""Scoring, and the places."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from candyfactory_games import Position

RECIPES = ["chocolate-peanuts", "chocolate-pretzel", "toffee"]
POINTS = (1, 3, 3)


def test_the_example_of_the_rulebook_gives_23() -> None:
    """SCORE-1, SCORE-2, SCORE-3, SCORE-4, SCORE-5: the third situation."""
    own = {0: {"chocolate": 1, "sugar": 1, "plain 0": 1, "decorated 0": 1}, 1: {"decorated 1": 3}}
    game, state = Position("candy", recipes=RECIPES).player(0, trucks=own, coins=2).build()
    assert game.scores(state)[0] == 23
    assert game.standings(state)[0] == 21
    hired = {0: {"chocolate": 1, "sugar": 1}, 1: {"decorated 1": 3}, 2: {"plain 0": 1, "decorated 0": 1}}
    game, state = Position("candy", recipes=RECIPES).player(0, trucks=hired, coins=2, whistle=1).build()
    assert game.scores(state)[0] == 19  # WHIS-1: the coin on the whistle adds nothing


def places_of(seats: list[dict[str, Any]], half: str = "candy", **options: Any) -> tuple[list[int], list[bool]]:
    """Ranking and winners of a game that ends so, and of one with the seats rotated by one."""
    found = []
    for shift in (0, 1):
        table = Position(half, num_players=len(seats), **options)
        for number, seat in enumerate(seats):
            table.player((number + shift) % len(seats), hand=[], **seat)
        game, state = table.build()
        state["current"], state["step"] = -1, 10
        found.append([np.roll(row, -shift).tolist() for row in (game.ranking(state), game.won(state))])
    assert found[0] == found[1]
    return tuple(found[0])


def test_ties_are_broken_by_coins_then_by_goods_elsewhere() -> None:
    """TIE-1, TIE-2, SCORE-1"""
    same = {"trucks": {0: {"sugar": 2}}, "coins": 1, "warehouse": {}}
    coins = {"trucks": {0: {"sugar": 1}}, "coins": 2, "warehouse": {}}
    more = {"trucks": {0: {"sugar": 2}, 3: {"sugar": 2}}, "coins": 1, "warehouse": {"sugar": 1}}
    stacked = more | {"stacks": {"truck 3": {"sugar": 1}}}
    assert places_of([same, same, coins]) == ([1, 1, 0], [False, False, True])
    assert places_of([same, more, same]) == ([1, 0, 1], [False, True, False])
    assert places_of([more, stacked]) == ([0, 0], [True, True])
    assert places_of([same, same]) == ([0, 0], [True, True])


# --- the plantation alone


@pytest.mark.parametrize("aboard", [{0: {"sugar": 2}, 3: {"chocolate": 3}}, {2: {"sugar": 2, "chocolate": 2}}])
def test_the_plantation_alone_counts_all_trucks(aboard: dict[int, dict[str, int]]) -> None:
    """SHORT-1"""
    game, state = Position(game="plantation").player(0, trucks=aboard, coins=4).build()
    expected = sum(goods.get("sugar", 0) + 2 * goods.get("chocolate", 0) for goods in aboard.values())
    assert game.scores(state)[0] == expected + 4
    assert game.standings(state)[0] == expected


def test_its_ties_are_broken_by_coins_then_by_the_warehouse() -> None:
    """SHORT-2"""
    chocolate = {"trucks": {3: {"chocolate": 1}}, "coins": 1, "warehouse": {}}
    sugar = {"trucks": {2: {"sugar": 2}}, "coins": 1, "warehouse": {}}
    full = sugar | {"warehouse": {"cacao": 1}}
    coins = {"trucks": {2: {"sugar": 1}}, "coins": 2, "warehouse": {}}
    assert places_of([chocolate, sugar], "plantation", game="plantation") == ([0, 0], [True, True])
    assert places_of([chocolate, full], "plantation", game="plantation") == ([1, 0], [False, True])
    assert places_of([coins, full], "plantation", game="plantation") == ([0, 1], [True, False])
