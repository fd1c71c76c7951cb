"""Warehouse and trucks; what stacks are and are not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from candyfactory_games import Position, finish_turn, free, goods, legal, play, stacks, step


def test_a_warehouse_has_seven_places() -> None:
    """ROOM-1: the whistle is none of them."""
    game, state = Position().workers(*range(1, 8)).player(0, hand=["1"], warehouse={}, coins=0, whistle=1).build()
    assert free(state) == 7
    play(game, state, "play 1", "bring clockwise", *["move sugar"] * 7)
    assert goods(game, state) == {"sugar": 7}
    assert step(state) == "play"


def test_trucks_have_the_places_of_their_placard_berths_included() -> None:
    """ROOM-2, ROOM-4"""
    game, state = Position().player(0, trucks={0: {"sugar": 4}, 2: {"sugar": 4}}).build()
    assert [free(state, 0, f"truck {truck}") for truck in range(4)] == [1, 3, 0, 3]
    assert game.cards.record.berths.tolist() == [0, 1, 1, 1, 1]


def test_one_truck_a_turn() -> None:
    """ROOM-3"""
    game, state = Position().workers(8).player(0, hand=["1"], warehouse={"sugar": 5}, coins=0).build()
    play(game, state, "play 1", "ship clockwise")
    assert legal(game, state) == {"truck 0", "truck 1", "truck 2", "truck 3", "stop"}
    play(game, state, "truck 1")
    assert legal(game, state) == {"move sugar", "stop"}  # one is moved by itself


def test_identical_goods_leave_single_ones_first() -> None:
    """ROOM-5"""
    table = (
        Position().workers(8).player(0, hand=["1"], warehouse={"sugar": 3}, stacks={"warehouse": {"sugar": 1}}, coins=0)
    )
    game, state = table.build()
    assert free(state) == 5
    play(game, state, "play 1", "ship clockwise", "truck 0")  # the first sugar goes by itself
    assert (goods(game, state), stacks(game, state), free(state)) == ({"sugar": 2}, {"sugar": 1}, 6)
    play(game, state, "move sugar")
    assert (goods(game, state), stacks(game, state), free(state)) == ({"sugar": 1}, {}, 6)  # ROOM-6
    play(game, state, "move sugar")
    assert (goods(game, state), free(state)) == ({}, 7)


def test_turning_a_good_of_a_stack_needs_a_free_place() -> None:
    """ROOM-6, ABIL-6"""
    stacked = {"sugar": 2, "cacao": 1, "chocolate": 1}
    for chocolate, places in ((4, 1), (5, 0)):
        warehouse = {"sugar": 4, "cacao": 2, "chocolate": chocolate}
        table = Position(play_forced=False).player(0, hand=["3"], warehouse=warehouse, stacks={"warehouse": stacked})
        game, state = table.player(0, coins=0).build()
        play(game, state, "play 3", "bring clockwise", "stop")
        assert free(state) == places
        assert ("mix" in legal(game, state)) == (places > 0)
    # Paying a single sugar makes the place that the turned cacao needs.
    stacked = {"cacao": 1, "chocolate": 1}
    table = Position(play_forced=False).player(0, hand=["3"], stacks={"warehouse": stacked}, coins=0)
    game, state = table.player(0, warehouse={"sugar": 5, "cacao": 2, "chocolate": 2}).build()
    play(game, state, "play 3", "bring clockwise", "stop")
    assert free(state) == 0
    play(game, state, "mix")
    assert goods(game, state) == {"sugar": 4, "cacao": 1, "chocolate": 3}
    assert free(state) == 0


def test_stacks_hold_a_moved_good_and_capacity_counts_every_good() -> None:
    """SPEC-8, SPEC-10, SPEC-12, SPEC-13, SPEC-15"""
    warehouse = {"sugar": 3, "plain 0": 1, "decorated 0": 2}
    table = (
        Position("candy", play_forced=False).workers(8).die(3).player(0, hand=["packer"], warehouse=warehouse, coins=0)
    )
    game, state = table.player(0, trucks={0: {"sugar": 3, "plain 0": 1, "decorated 0": 1}}).build()
    assert free(state, 0, "truck 0") == 0
    play(game, state, "play packer", "keep die", "ship clockwise", "stop")
    assert state[0]["turn"]["left"] == 6
    play(game, state, "truck 0", "move sugar", "move sugar", "move sugar")
    assert legal(game, state) == {"move plain 0", "move decorated 0", "stop"}  # three single sugars took three
    play(game, state, "move plain 0", "move decorated 0")
    assert legal(game, state) == {"stop"}  # the second decorated one has no single one to lie on
    assert stacks(game, state, 0, "truck 0") == {"sugar": 3, "plain 0": 1, "decorated 0": 1}
    assert goods(game, state) == {"decorated 0": 1}


def test_stacks_stay_stacks_in_trucks() -> None:
    """SPEC-14: through the transition."""
    table = Position().player(0, hand=[], trucks={0: {"sugar": 2}}, stacks={"truck 0": {"sugar": 1}})
    game, state = table.player(1, hand=["4"]).build()
    state["current"] = 1
    play(game, state, "play 4")
    finish_turn(game, state)
    assert state[0]["half"] == 1
    assert stacks(game, state, 0, "truck 0") == {"sugar": 1}


# --- one result, one sequence


def results(game: Any, state: np.ndarray) -> Iterator[bytes]:
    """The goods after every sequence of actions to the end of the step, in which nothing else is decided."""
    if step(state) != "goods":
        yield goods_of(state)
        return
    for action in np.flatnonzero(game.legal_mask(state)).tolist():
        after = game.clone(state)
        game.apply(after, action)
        yield from results(game, after)


def goods_of(state: np.ndarray) -> bytes:
    return bytes(np.asarray(state[0]["seats"][0]["goods"]).tobytes())


def naive_results(state: np.ndarray, places: list[int], trucks: int, ship: bool) -> set[bytes]:
    """Every way to move goods one after the other, in any order, between the warehouse and so many trucks."""
    start = np.asarray(state[0]["seats"][0]["goods"]).astype(int)
    found: set[bytes] = set()

    def search(now: np.ndarray, left: int, used: frozenset[int]) -> None:
        key = now.astype(np.int8).tobytes()
        found.add(key)
        if (key, left, used) in seen or left == 0:
            return
        seen.add((key, left, used))
        for truck in range(1, 5):
            if len(used | {truck}) > trucks:
                continue
            source, target = (0, truck) if ship else (truck, 0)
            for kind in range(13):
                if now[source, kind] and kind != 1 and now[target].sum() < places[target]:
                    after = now.copy()
                    after[source, kind] -= 1
                    after[target, kind] += 1
                    search(after, left - 1, used | {truck})

    seen: set[tuple[bytes, int, frozenset[int]]] = set()
    search(start, int(state[0]["turn"]["left"]), frozenset())
    return found


@pytest.mark.parametrize("card", ["temp", "trucker"])
@pytest.mark.parametrize("direction", ["bring clockwise", "ship clockwise"])
def test_every_result_of_a_transport_is_reached_by_one_sequence(card: str, direction: str) -> None:
    """ROOM-3, SPEC-6, TO-5, FROM-4"""
    aboard = {0: {"sugar": 2, "plain 1": 1}, 1: {"sugar": 1, "chocolate": 2}, 3: {"decorated 0": 1}}
    table = Position("candy", play_forced=False).player(0, hand=[card], coins=0, trucks=aboard)
    table.player(0, warehouse={"sugar": 1, "plain 0": 2, "decorated 0": 1})
    game, state = table.workers(1, 2).die(1 if direction.startswith("bring") else 7).build()
    play(game, state, f"play {card}", "keep die", direction, *["stop"] * direction.startswith("ship"))
    assert state[0]["turn"]["left"] == 3
    reached = list(results(game, state))
    places = game.cards.record.places.tolist()
    assert len(reached) == len(set(reached))
    assert set(reached) == naive_results(
        state, places, 4 if card == "trucker" else 1, ship=direction.startswith("ship")
    )
