"""Department stores: for every side, all deliveries from many store rooms are those that the oracle lists."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest
from chocofactory_games import KINDS, STORES, Position, in_a_move, legal, play, player_of
from oracles.chocofactory import oracle

from chocofactory_env.core.jit import COMPILED

EMPLOYEES = ("miner", "clerk", "expert-miner", "engineer", "packer")
Delivery = tuple[int, ...]  # pieces of the five refined kinds


SIDES = [*product(STORES, "AB"), *((store, "D") for store in STORES[1:])]  # with rules of their own
BORROWED = [(store, side) for store, side in SIDES if store != "palace_boutique"]


def supplying(store: str, side: str, room: Delivery, *, play_forced: bool = False, **player: Any) -> tuple[Any, Any]:
    expansion = "master_chocolatier" if set(side) & set("CD") else None
    position = Position(num_players=2, sides=side, play_forced=play_forced, expansion=expansion).phase("fulfil")
    held = {"bean": 2, "cocoa": 1} | dict(zip(KINDS[2:], room, strict=True))
    employee = EMPLOYEES[STORES.index(store)]
    return position.player(0, store_room=held, **{"employee": employee, **player}).build()


def deliveries(store: str, side: str, room: Delivery, borrowed: str | None = None) -> Counter[tuple[Delivery, int]]:
    """Every (delivery, spaces) that the engine offers, with the number of its sequences.

    borrowed: the other store whose rule is chosen.
    """
    game, state = supplying(store, side, room)
    found: Counter[tuple[Delivery, int]] = Counter()
    first = f"supply {store}"
    if first not in legal(game, state):
        return found
    if borrowed:
        play(game, state, first)
        first = f"supply {borrowed}"
        if first not in legal(game, state):
            return found

    def walk(position: np.ndarray, words: str) -> None:
        after = game.clone(position)
        play(game, after, words)
        player = player_of(game, after)
        if not in_a_move(game.to_dict(after)):
            given = tuple(
                before - player["pieces"]["store room"][kind] for kind, before in zip(KINDS[2:], room, strict=True)
            )
            found[given, player["track"][store]] += 1
            return
        going_on = legal(game, after)
        assert going_on, "a dead end"
        for onward in going_on:
            walk(after, onward)

    walk(state, first)
    return found


def rooms() -> list[Delivery]:
    rng = np.random.default_rng(2)
    some = [tuple(room) for room in rng.integers(0, 4, (12, 5)).tolist()]
    some += [(2, 0, 0, 0, 0), (1, 1, 0, 0, 0), (0, 0, 1, 0, 1), (0, 0, 0, 0, 3), (0, 0, 0, 0, 0)]
    return some if COMPILED else some[::6]


@pytest.mark.parametrize(("store", "side"), SIDES)
def test_every_delivery_that_fits_has_exactly_one_sequence_and_no_other_has_one(store: str, side: str) -> None:
    """STORE-1, STORE-2, STORE-3, STORE-4, STORE-5, STORE-6, MC-4"""
    for room in rooms():
        found = deliveries(store, side, room)
        assert allowed(store, side, room) == set(found)
        assert set(found.values()) <= {1}


@pytest.mark.parametrize(("store", "side"), BORROWED)
def test_the_palace_boutique_borrows_exactly_the_other_stores_deliveries(store: str, side: str) -> None:
    """MC-4"""
    sides = "D" + side * 4
    for room in rooms():
        found = deliveries("palace_boutique", sides, room, borrowed=store)
        assert allowed(store, side, room) == set(found)
        assert set(found.values()) <= {1}


def allowed(store: str, side: str, room: Delivery) -> set[tuple[Delivery, int]]:
    """All that the oracle lists."""
    listed = oracle.deliveries(store, side, dict(zip(KINDS[2:], room, strict=True)))
    return {(tuple(map(pieces.count, KINDS[2:])), min(spaces, 9)) for pieces, spaces in listed}
