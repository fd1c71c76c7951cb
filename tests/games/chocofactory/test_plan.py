"""Plans of a day: they can be played, and nothing better is overlooked where all is listed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from chocofactory_games import VARIANTS, Position, load, play, steps, variant_name

from chocofactory_env.core.jit import COMPILED
from chocofactory_env.core.library import plain
from chocofactory_env.games.chocofactory.search.day_end import value_at_day_end
from chocofactory_env.games.chocofactory.search.evaluation import write_prices
from chocofactory_env.games.chocofactory.search.weights import Prices, evaluation_weights

EVERY = pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
WIDTH = 24 if COMPILED else 2
OWN_PHASES = (1, 2, 3)


def starts_of_days(game: Any, seed: int) -> list[np.ndarray]:
    """Positions in which a seat begins to run its factory, from a random game."""
    found = []
    for state, action in steps(game, seed):
        row = state[0]
        at_shift_1 = action >= 0 and row["phase"] == 1 and row["shift"] == 1
        if at_shift_1 and not row["players"][row["current"]]["operated"].any():
            found.append(state.copy())
    return found


@plain
def value_of_end(
    tables: np.ndarray,
    weight_rows: np.ndarray,
    prices: np.ndarray,
    roots: np.ndarray,
    ends: np.ndarray,
    seat: int,
    whose: int,
) -> float:
    write_prices(tables[0], weight_rows[0], roots[0], seat, prices[0])
    return value_at_day_end(tables[0], weight_rows[0], prices[0], ends[0], whose)


def end_value(game: Any, root: np.ndarray, end: np.ndarray, seat: int, whose: int | None = None) -> float:
    """The value of an end of the seat's day, to itself or to another seat."""
    whose = seat if whose is None else whose
    value: float = value_of_end(game.tables, evaluation_weights(), np.zeros(1, Prices.dtype), root, end, seat, whose)
    return value


def for_lead() -> np.ndarray:
    weights = evaluation_weights()
    weights["lead"] = 1
    return weights


@EVERY
def test_a_plan_can_be_played_to_the_end_of_the_seats_day(options: dict[str, Any]) -> None:
    game = load(**options)
    planner = game.planner(WIDTH)
    for root in starts_of_days(game, 3)[:: 1 if COMPILED else 5]:
        seat, before = game.current_player(root), root.tobytes()
        plan = planner.plan(root, seat)
        assert root.tobytes() == before
        state = root.copy()
        for action in plan.actions:
            while game.current_player(state) != seat or int(state["phase"][0]) not in OWN_PHASES:
                game.apply(state, int(np.flatnonzero(game.legal_mask(state))[-1]))  # others hurry on
            game.apply(state, action)
        row = state[0]
        assert row["current"] != seat or row["phase"] not in OWN_PHASES or game.num_players > 1
        assert plan.tried > 0


def test_where_all_can_be_listed_no_better_end_is_overlooked() -> None:
    """A store room with several orders and a store to share it out to."""
    position = Position(num_players=2, sides="B").phase("fulfil", current=1, day=4)
    orders: list[tuple[str, int] | None] = [("tea-room", 0), ("harbour-store", 0), ("winter-garden", 0)]
    room = {"chunks": 3, "fingers": 2, "caramel": 2, "nuts": 2, "boxed": 1}
    game, root = position.player(1, store_room=room, orders=orders, employee="dealer").build()

    own, lead, ends = -np.inf, -np.inf, 0
    seen: set[bytes] = set()
    waiting = [root]
    while waiting:
        state = waiting.pop()
        if state[0]["current"] != 1 or state[0]["phase"] != 2:
            value, ends = end_value(game, root, state, 1), ends + 1
            own, lead = max(own, value), max(lead, value - end_value(game, root, state, 1, whose=0))
            continue
        for action in np.flatnonzero(game.legal_mask(state)).tolist():
            after = game.clone(state)
            game.apply(after, action)
            if after.tobytes() not in seen:
                seen.add(after.tobytes())
                waiting.append(after)
    assert ends > 20
    assert game.planner(400).plan(root, 1).value == pytest.approx(own, rel=1e-5)
    assert game.planner(400, for_lead()).plan(root, 1).value == pytest.approx(lead, rel=1e-5)


def test_a_plan_for_the_lead_looks_at_the_best_other_seat() -> None:
    """With one player a plan for the lead is the same as for its own value."""
    position = Position(num_players=3).phase("fulfil", current=1, day=6)
    for seat, money in enumerate((90, 50, 20)):
        position.player(seat, money=money)
    game, root = position.build()
    end = game.clone(root)
    play(game, end, "finish orders")
    lead = end_value(game, root, end, 1) - end_value(game, root, end, 1, whose=0)
    assert game.planner(WIDTH, for_lead()).plan(root, 1).value == pytest.approx(lead, rel=1e-5)
    alone = load(num_players=1)
    for root in starts_of_days(alone, 3)[:2]:
        assert alone.planner(WIDTH, for_lead()).plan(root, 0) == alone.planner(WIDTH).plan(root, 0)


def engineers_third_shift(belt: dict[int, dict[str, int]], **player: Any) -> tuple[Any, np.ndarray]:
    position = Position(num_players=2).phase("run", day=5, shift=3)
    return position.player(0, employee="engineer", belt=belt, **player).build()


@pytest.mark.parametrize("width", [1, WIDTH])
def test_a_plan_leaves_out_a_shift_that_only_costs(width: int) -> None:
    """DRAFT-5: the belt keeps four pieces over night, and the store room two."""
    game, root = engineers_third_shift({3: {"chunks": 4}}, factory={3: "gift-packer"}, coal=0)
    plan = game.planner(width).plan(root, 0)
    assert [game.describe(action) for action in plan.actions] == ["stop", "finish orders"]
    after = game.clone(root)
    play(game, after, "stop")
    assert plan.value == pytest.approx(end_value(game, root, after, 0))


def test_a_plan_runs_a_shift_that_it_can_pay_for() -> None:
    """EMP-12"""
    factory = {0: "straight-to-box", 1: "twin-mould"}
    game, root = engineers_third_shift({0: {"cocoa": 2}, 1: {"cocoa": 2}}, factory=factory, coal=9)
    plan = game.planner(WIDTH).plan(root, 0)
    words = [game.describe(action) for action in plan.actions]
    assert words.count("end shift") == 2
    assert "stop" not in words


def test_which_parts_were_operated_is_no_difference_once_the_run_is_over() -> None:
    """Two parts roast the same bean: two moves and an end of the shift, then two ends of it, then two of orders."""
    factory = {0: "roaster", 1: None, 2: None, 4: "roast-or-mould"}
    position = Position(num_players=2).phase("run", day=5, shift=3)
    position.player(0, employee="miner", belt={0: {"bean": 1}}, store_room={}, factory=factory, coal=1)
    game, root = position.build()
    assert game.planner(WIDTH).plan(root, 0).tried == 3 + 2 + 2


@pytest.mark.skipif(not COMPILED, reason="plays many days")
def test_a_wider_beam_finds_better_days() -> None:
    game = load(num_players=2)
    roots = [root for seed in range(4) for root in starts_of_days(game, seed)]
    value = [
        np.mean([planner.plan(root, game.current_player(root)).value for root in roots])
        for planner in map(game.planner, (1, 8, 64, 512))
    ]
    assert value == sorted(value)
    assert value[-1] > value[0] + 1.5
