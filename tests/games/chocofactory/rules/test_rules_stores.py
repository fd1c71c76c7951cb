"""Department stores. For every side, all deliveries from many store rooms are compared with a count by brute force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from chocofactory_games import KINDS, STORES, Position, in_a_move, legal, play, player_of

from chocofactory_env.core.jit import COMPILED

EMPLOYEES = ("miner", "clerk", "expert-miner", "engineer", "packer")
Delivery = tuple[int, ...]  # pieces of the five refined kinds


def same_kind(given: Delivery) -> int:
    return sum(given) if sum(number > 0 for number in given) == 1 else 0


def different_kinds(given: Delivery) -> int:
    return sum(given) if max(given) <= 1 else 0


def only(*kinds: int, per: int = 1) -> Callable[[Delivery], int]:
    def spaces(given: Delivery) -> int:
        wanted = sum(given[kind] for kind in kinds)
        return wanted // per if wanted == sum(given) and wanted % per == 0 else 0

    return spaces


def two_of_a_stage(given: Delivery) -> int:
    stages = (given[0] + given[1], given[2] + given[3], given[4])
    return {(2, 0, 0): 2, (0, 2, 0): 3, (0, 0, 2): 4}.get(stages, 0)


def one_three_or_five(given: Delivery) -> int:
    return sum(given) if sum(given) in (1, 3, 5) else 0


def first_kinds(given: Delivery) -> int:
    number = sum(given)
    return (0, 0, 1, 2, 4, 9)[number] if given == tuple(int(kind < number) for kind in range(5)) else 0


def mixed_sets(given: Delivery) -> int:
    chunks, fingers, caramel, nuts, boxed = given
    return chunks + 2 * caramel if (chunks, caramel, boxed) == (fingers, nuts, 0) else 0


def equal_pairs(given: Delivery) -> int:
    return sum(given) // 2 if set(given) <= {0, 2} else 0


CHUNKS, FINGERS, CARAMEL, NUTS, BOXED = range(5)
RULES: dict[tuple[str, str], Callable[[Delivery], int]] = {
    ("palace_boutique", "A"): same_kind,
    ("palace_boutique", "B"): different_kinds,
    ("fresh_fancies", "A"): only(CHUNKS),
    ("fresh_fancies", "B"): only(FINGERS),
    ("salters_emporium", "A"): only(CARAMEL),
    ("salters_emporium", "B"): only(NUTS),
    ("house_of_luxury", "A"): only(BOXED),
    ("house_of_luxury", "B"): only(CHUNKS, FINGERS, per=2),
    ("dunstan_gilberts", "A"): only(CARAMEL, NUTS, BOXED, per=2),
    ("dunstan_gilberts", "B"): two_of_a_stage,
    ("fresh_fancies", "D"): one_three_or_five,
    ("salters_emporium", "D"): first_kinds,
    ("house_of_luxury", "D"): mixed_sets,
    ("dunstan_gilberts", "D"): equal_pairs,
}
BORROWED = [rule for rule in RULES if rule[0] != "palace_boutique"]


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
    return some if COMPILED else some[::4]


@pytest.mark.parametrize(("store", "side"), RULES)
def test_every_delivery_that_fits_has_exactly_one_sequence_and_no_other_has_one(store: str, side: str) -> None:
    """STORE-1, STORE-2, STORE-3, STORE-4, STORE-5, STORE-6, MC-4"""
    for room in rooms():
        found = deliveries(store, side, room)
        assert allowed(RULES[store, side], room) == set(found)
        assert set(found.values()) <= {1}


@pytest.mark.parametrize(("store", "side"), BORROWED)
def test_the_palace_boutique_borrows_exactly_the_other_stores_deliveries(store: str, side: str) -> None:
    """MC-4"""
    sides = "D" + side * 4
    for room in rooms():
        found = deliveries("palace_boutique", sides, room, borrowed=store)
        assert allowed(RULES[store, side], room) == set(found)
        assert set(found.values()) <= {1}


def allowed(spaces: Callable[[Delivery], int], room: Delivery) -> set[tuple[Delivery, int]]:
    """By brute force."""
    given_out = product(*(range(number + 1) for number in room))
    return {(given, min(spaces(given), 9)) for given in given_out if any(given) and spaces(given) > 0}
