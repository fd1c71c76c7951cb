"""What holds in every game of the engine: checks 8 and 9 of the chapter Checks of the rules.

Checks 1 to 6, 11 and 12 are those of the games that are followed beside the oracle, and of positions as data; 7 and 10
are in `tests/properties`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import sqrt
from typing import Any

import numpy as np
import pytest
from candyfactory_games import CARDS, VARIANTS, Position, deck, hand, load, play, specialist_deck, step, steps
from oracles.candyfactory.goods import Rooms, Transport
from oracles.candyfactory.words import HIRED

from chocofactory_env.core.jit import COMPILED

REDEALS = 600 if COMPILED else 200
takes_long = pytest.mark.skipif(not COMPILED, reason="takes long, and shows no more")
HALVES = ("plantation", "candy")
CARRIERS = ("packer", "trucker", "others")


def unforced(state: np.ndarray) -> np.ndarray:
    """A copy in which every single answer is asked."""
    other = state.copy()
    other["play_forced"] = 0
    return other


# --- check 8


def rooms_now(state: np.ndarray, seat: int) -> Rooms:
    row = state[0]["seats"][seat]
    pairs = np.stack([row["goods"], row["stacks"]], axis=-1).tolist()
    return tuple(tuple((goods, stacks) for goods, stacks in room) for room in pairs)


def ends_of_goods(game: Any, state: np.ndarray) -> list[tuple[bytes, Rooms]]:
    """The position and the seat's rooms after every sequence that ends the step; nothing is drawn afterwards."""
    seat, found = game.current_player(state), []
    for action in np.flatnonzero(game.legal_mask(state)).tolist():
        after = state.copy()
        game.apply(after, action)
        if step(after) == "goods":
            found += ends_of_goods(game, after)
        else:
            found.append((after.tobytes(), rooms_now(after, seat)))
    return found


def is_last_turn(state: np.ndarray) -> bool:
    """The transition, which may follow, clears the warehouses (TRANS-1)."""
    return not state[0]["seats"]["hand_size"].any()


def transport(game: Any, state: np.ndarray) -> Transport:
    data, seat = game.to_dict(state), game.current_player(state)
    turn, places = data["turn"], game.cards.record.places.tolist()
    rooms = rooms_now(state, seat)
    return Transport(data["half"], turn["way"], turn["card"], turn["left"], rooms, places, data["supply"])


@takes_long
def test_check_8_one_sequence_for_every_result_of_a_naive_enumeration() -> None:
    """TO-4, TO-5, TO-6, TO-7, FROM-4, FROM-5, ROOM-3, ROOM-5, ROOM-6, SPEC-6, SPEC-8, SPEC-12, SPEC-13"""
    several: set[str] = set()
    for game, state, name in beginnings_of_goods():
        found = ends_of_goods(game, unforced(state))
        assert len({position for position, _ in found}) == len(found)
        assert {rooms for _, rooms in found} == transport(game, state).results()
        several |= {name} if len(found) > 1 else set()
    every = {" ".join(words) for words in product(HALVES, ("bring", "ship"), CARRIERS)}
    assert several == every


def beginnings_of_goods() -> Iterator[tuple[Any, np.ndarray, str]]:
    """Positions with what they are about; those in which goods are stacked or trucks changed are rare."""
    for number, options in enumerate(VARIANTS):
        game, before = load(**options), ""
        for seed in range(30):
            for state, _ in steps(game, 100 * number + seed):
                begins, before = step(state) == "goods" and before != "goods", step(state)
                if not begins or state[0]["turn"]["left"] > 4 or is_last_turn(state):
                    continue
                card = CARDS[state[0]["turn"]["card"]]
                carrier = card if card in CARRIERS else "others"
                if carrier != "others" or seed == 0:
                    turn = game.to_dict(state)["turn"]
                    yield game, state, f"{HALVES[state[0]['half']]} {turn['way']} {carrier}"


# --- check 9


def assert_even(found: Counter[str], expected: dict[str, float]) -> None:
    """Chi-square: at most four standard deviations above its mean; the seeds are fixed. `expected`: weights."""
    assert found.keys() <= expected.keys(), found.keys() - expected.keys()
    scale = found.total() / sum(expected.values())
    distance = sum((found[name] - scale * weight) ** 2 / (scale * weight) for name, weight in expected.items())
    freedom = len(expected) - 1
    assert distance < freedom + 4 * sqrt(2 * freedom), (distance, freedom, found)


def over_redeals(game: Any, state: np.ndarray, seat: int, read: Callable[[np.ndarray], Sequence[str]]) -> Counter[str]:
    return Counter(word for seed in range(REDEALS) for word in read(game.redeal(state, seat, seed)))


def test_check_9_faces_of_the_next_roll_are_equally_frequent() -> None:
    """TURN-3"""
    game, state = Position(play_forced=False).player(0, hand=["temp"]).build()
    play(game, state, "play temp")

    def face(dealt: np.ndarray) -> list[str]:
        play(game, dealt, "roll die")
        return [str(dealt[0]["die"])]

    assert_even(over_redeals(game, state, 0, face), dict.fromkeys(map(str, range(1, 9)), 1))


def at_plantation() -> tuple[Any, np.ndarray]:
    """Seat 1 holds a recruit, and has seen two cards; seat 0 another one, and knows two others."""
    table = Position(num_players=3).player(0, hand=["1", "temp", "packer"], deck=["2", "3", "4", "5"])
    table.player(1, hand=["3", "4", "runner"], deck=["5", "6", "7", "8"])
    table.player(2, hand=["temp", "1", "8"], deck=["2", "3", "4"])
    names = ["packer", "sorter", "trucker", "machinist", "sorter", "lift_operator", "packer", "runner", "runner"]
    names += ["lift_operator", "lift_operator", "sorter", "trucker", "trucker", "machinist", "machinist"]
    known: list[list[int]] = [[]] * 12 + [[0], [0], [1], [1]]
    return table.deck_of_specialists(*names).known(*known).build()


# What seat 0 cannot place there: three of each kind less its packer and the two truckers that it knows.
UNPLACED = {"lift_operator": 3, "sorter": 3, "runner": 3, "trucker": 1, "machinist": 3, "packer": 2}


def test_check_9_hands_of_others_vary_evenly_at_the_plantation() -> None:
    """OPEN-3: the temp and as many recruits as were made are in the hand; the rest are worker cards."""
    game, state = at_plantation()
    recruits = over_redeals(game, state, 0, lambda dealt: [card for card in hand(dealt, 1) if card in HIRED])
    assert recruits.total() == REDEALS
    assert_even(recruits, dict(UNPLACED))
    workers = over_redeals(game, state, 0, lambda dealt: [card for card in hand(dealt, 1) if card not in HIRED])
    assert workers.total() == 2 * REDEALS
    assert_even(workers, dict.fromkeys("345678", 1))
    for seat, cards in ((0, "2345"), (2, "12348")):
        tops = [deck(game.redeal(state, 0, seed), seat)[0] for seed in range(REDEALS)]
        assert_even(Counter(tops), dict.fromkeys(cards, 1))
    assert over_redeals(game, state, 0, lambda dealt: [c for c in hand(dealt, 2) if c == "temp"])["temp"] == REDEALS


@pytest.mark.parametrize("place", [0, 15])
def test_check_9_the_specialist_deck_varies_evenly(place: int) -> None:
    """OPEN-2, OPEN-4"""
    game, state = at_plantation()
    cards = over_redeals(game, state, 0, lambda dealt: specialist_deck(dealt)[place : place + 1])
    assert_even(cards, dict(UNPLACED))
    for seed in range(20):
        assert specialist_deck(game.redeal(state, 0, seed))[12:14] == ["trucker", "trucker"]
        assert specialist_deck(game.redeal(state, 1, seed))[14:] == ["machinist", "machinist"]


def test_check_9_cards_vary_evenly_at_the_candy_factory() -> None:
    """OPEN-3: what was kept is named, and lies anywhere in hand and deck."""
    table = (
        Position("candy")
        .player(0, hand=["1", "2", "3"], deck=["4", "5"])
        .player(1, hand=["6", "7"], deck=["8", "runner"])
    )
    game, state = table.build()
    named = dict.fromkeys(("6", "7", "8", "runner"), 1)
    assert_even(over_redeals(game, state, 0, lambda dealt: hand(dealt, 1)), dict(named))
    assert_even(over_redeals(game, state, 0, lambda dealt: deck(dealt, 1)[:1]), dict(named))
    assert_even(over_redeals(game, state, 1, lambda dealt: deck(dealt, 1)[:1]), {"8": 1, "runner": 1})
