"""Scoring, and the places."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from candyfactory_games import KINDS, Position

RECIPES = ["chocolate-peanuts", "chocolate-pretzel", "toffee"]
POINTS = (1, 3, 3)


def naive_points(aboard: dict[str, int], coins: int) -> int:
    """The scoring chapter, read once more."""
    points = coins
    types = set()
    for kind, number in aboard.items():
        name, _, place = kind.partition(" ")
        types.add(place or name)
        points += number * ((POINTS[int(place)] if place else 1) + (name == "decorated"))
    return points + len(types)


def test_the_example_of_the_rulebook_gives_23() -> None:
    """SCORE-1, SCORE-2, SCORE-3, SCORE-4, SCORE-5: the third situation."""
    own = {0: {"chocolate": 1, "sugar": 1, "plain 0": 1, "decorated 0": 1}, 1: {"decorated 1": 3}}
    game, state = Position("candy", recipes=RECIPES).player(0, trucks=own, coins=2).build()
    assert game.scores(state)[0] == 23
    assert game.standings(state)[0] == 21
    hired = {0: {"chocolate": 1, "sugar": 1}, 1: {"decorated 1": 3}, 2: {"plain 0": 1, "decorated 0": 1}}
    game, state = Position("candy", recipes=RECIPES).player(0, trucks=hired, coins=2, whistle=1).build()
    assert game.scores(state)[0] == 19  # WHIS-1: the coin on the whistle adds nothing


def test_scores_are_those_of_a_naive_count() -> None:
    """SCORE-1, SCORE-2, SCORE-3, SCORE-4"""
    draw = Random(1)
    kinds = [kind for kind in KINDS if kind != "cacao" and not kind.endswith(("3", "4"))]
    for _ in range(60):
        aboard: dict[str, int] = {}
        trucks: dict[int, dict[str, int]] = {}
        for truck, places in enumerate((5, 3, 4, 3)):
            trucks[truck] = dict.fromkeys(draw.sample(kinds, draw.randint(0, places)), 1)
            for kind in trucks[truck] if truck < 2 else ():
                aboard[kind] = aboard.get(kind, 0) + 1
        coins = draw.randint(0, 5)
        game, state = Position("candy", recipes=RECIPES).player(0, trucks=trucks, coins=coins).build()
        assert game.scores(state)[0] == naive_points(aboard, coins)
        assert game.standings(state)[0] == naive_points(aboard, 0)


def test_each_token_of_a_stack_counts() -> None:
    """SCORE-1"""
    trucks, stacks = {1: {"plain 1": 4}}, {"truck 1": {"plain 1": 2}}
    game, state = Position("candy", recipes=RECIPES).player(0, trucks=trucks, stacks=stacks, coins=0).build()
    assert game.scores(state)[0] == 4 * 3 + 1


def test_standings_are_0_at_the_start() -> None:
    """SCORE-4"""
    game, state = Position(num_players=4).build()
    assert game.standings(state).tolist() == [0] * 4
    assert game.scores(state).tolist() == [1] * 4


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


def test_points_come_before_coins() -> None:
    """TIE-1"""
    rich = {"trucks": {}, "coins": 3, "warehouse": {"sugar": 4}}
    ahead = {"trucks": {0: {"sugar": 3}}, "coins": 0, "warehouse": {}}
    assert places_of([rich, ahead]) == ([1, 0], [False, True])


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
