"""The mini-expansion Master Chocolatier. Deliveries of sides D are in `test_rules_stores.py`, by brute force."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest
from chocofactory_games import Position, flagged, in_a_move, legal, load, pieces, play, player_of

from chocofactory_env.core.jit import COMPILED

NAME = "master_chocolatier"
SEEDS = range(200 if COMPILED else 20)
PLAYERS = pytest.mark.parametrize("players", [1, 2, 3, 4])
EMPTY = dict.fromkeys(range(8))


def table(players: int = 2, seed: int = 3, **options: Any) -> dict[str, Any]:
    """A first position."""
    game = load(num_players=players, expansion=NAME, **options)
    found: dict[str, Any] = game.to_dict(game.new(seed))
    return found


def fulfilling(sides: str = "A", *, current: int = 0, **player: Any) -> tuple[Any, np.ndarray]:
    position = Position(expansion=NAME, sides=sides).phase("fulfil", current=current, day=2)
    return position.player(current, **player).build()


def track(game: Any, state: np.ndarray, store: str, seat: int = 0) -> int:
    place: int = player_of(game, state, seat)["track"][store]
    return place


# --- setup


@pytest.mark.skipif(not COMPILED, reason="deals 4,000 games")
def test_every_part_leaves_as_often_as_any_other() -> None:
    """MC-1: of 17 parts two leave; five standard deviations to either side."""
    game, deals = load(num_players=2, expansion=NAME), 4000
    removed: Counter[int] = Counter()
    for seed in range(deals):
        deck = game.new(seed)["part_deck"][0]
        removed.update([*deck[15:17].tolist(), *deck[32:34].tolist()])
    assert len(removed) == 34
    expected = deals * 2 / 17
    assert max(abs(number - expected) for number in removed.values()) < 5 * (expected * 15 / 17) ** 0.5


@pytest.mark.skipif(not COMPILED, reason="deals 4,000 games")
def test_drawn_sides_are_even_over_all_that_are_allowed() -> None:
    """MC-3, MC-7: 243 - 32 ways without a side C, 405 with one, 270 with two; each of them in one of 886 deals."""
    game, deals = load(num_players=2, expansion=NAME, sides="random"), 20_000
    drawn = Counter(tuple(game.new(seed)["sides"][0].tolist()) for seed in range(deals))
    allowed = [sides for sides in product(range(4), repeat=5) if max(sides) >= 2 and sides.count(2) <= 2]
    assert len(allowed) == 886
    assert set(drawn) == set(allowed)
    expected = deals / 886
    assert sum((drawn[sides] - expected) ** 2 / expected for sides in allowed) < 885 + 5 * (2 * 885) ** 0.5
    with_c = Counter(sides.count(2) for sides in drawn.elements())
    for number, ways in enumerate((211, 405, 270)):
        share = ways / 886
        assert abs(with_c[number] - deals * share) < 5 * (deals * share * (1 - share)) ** 0.5


def test_the_extra_employee_is_mixed_into_any_packet() -> None:
    """MC-5"""
    assert {table(3, seed)["employee_packets"]["extra"] for seed in SEEDS} == {0, 1, 2}


# --- sides


@PLAYERS
def test_one_or_more_new_sides_are_in_play_unless_sides_are_named(players: int) -> None:
    """MC-7"""
    game, base = load(num_players=players, expansion=NAME), load(num_players=players)
    assert (game.options["sides"], base.options["sides"]) == ("random", "A")
    assert load.__wrapped__(num_players=players, expansion=NAME, sides=None).options["sides"] == "random"
    for seed in range(100 if COMPILED else 10):
        state = game.new(seed)
        assert {"C", "D"} & set(game.to_dict(state)["sides"].values())
        assert state.tobytes() == load(num_players=players, expansion=NAME, sides="random").new(seed).tobytes()
        assert set(base.to_dict(base.new(seed))["sides"].values()) == {"A"}


# --- side C: the day's money


@pytest.mark.parametrize(("earned", "spaces"), [(25, 2), (9, 1), (17, 1), (18, 2), (200, 9)])
def test_side_c_moves_by_the_days_money_divided_by_its_number(earned: int, spaces: int) -> None:
    """MC-3: the example of fresh_fancies is published."""
    game, state = fulfilling("C", employee="clerk", earned_today=earned, store_room={"chunks": 3})
    play(game, state, "supply fresh_fancies")
    assert not in_a_move(game.to_dict(state))
    assert track(game, state, "fresh_fancies") == spaces
    assert pieces(game, state) == {"chunks": 3}
    assert flagged(player_of(game, state)["supplied"]) == ["fresh_fancies"]
    assert "supply fresh_fancies" not in legal(game, state), "FUL-4"


# --- side D of the Palace Boutique: another store's rule


# --- employees without a store


def test_the_prodigy_upgrades_four_times_a_day() -> None:
    """MC-6, EMP-6"""
    position = Position(expansion=NAME).phase("run")
    game, state = position.player(0, employee="prodigy", belt={0: {"bean": 1}, 2: {"cocoa": 1}}).build()
    play(game, state, "use employee", "tile 2", "make fingers", "use employee", "tile 2", "make nuts")
    play(game, state, "use employee", "tile 2", "use employee")  # single answers follow by themselves
    assert [pieces(game, state, tile=tile) for tile in (0, 2)] == [{"cocoa": 1}, {"boxed": 1}]
    assert "use employee" not in legal(game, state)


# --- parts that carry


def carrying(part: str, belt: dict[int, dict[str, int]], slot: int = 5, **player: Any) -> tuple[Any, np.ndarray]:
    position = Position(expansion=NAME, play_forced=False).phase("run")
    player = {"coal": 9, "factory": {**EMPTY, slot: part}, **player}
    return position.player(0, belt=belt, **player).build()


@pytest.mark.parametrize(("part", "cost"), [("carrier", 1), ("free-carrier", 0)])
def test_a_carrier_moves_one_piece_of_any_kind_to_any_other_tile(part: str, cost: int) -> None:
    """MC-2, RUN-4"""
    belt = {1: {"bean": 1, "boxed": 2}, 2: {"nuts": 1}}
    game, state = carrying(part, belt)
    play(game, state, "operate slot 5")
    assert legal(game, state) == {"take bean", "take boxed"}
    play(game, state, "take boxed")
    assert legal(game, state) == {"tile 0", "tile 2", "tile 3"}
    play(game, state, "tile 2")
    assert [pieces(game, state, tile=tile) for tile in (1, 2)] == [{"bean": 1, "boxed": 1}, {"boxed": 1, "nuts": 1}]
    assert player_of(game, state)["coal"] == 9 - cost
    assert "operate slot 5" not in legal(game, state), "once a shift"
    assert not in_a_move(game.to_dict(state))


# --- what agents see
