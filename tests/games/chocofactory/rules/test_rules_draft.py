"""Expand and recruit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from chocofactory_games import STORES, Position, legal, load, play, player_of


def draft(game: Any, state: np.ndarray, parts_first: bool) -> list[int]:
    """Draft the first cards there are; returns the seats in the order of their turns."""
    seats = []
    turn = -1
    while game.to_dict(state)["phase"] == "draft":
        if game.to_dict(state)["turn"] != turn:
            turn = game.to_dict(state)["turn"]
            seats.append(game.current_player(state))
        offered = sorted(legal(game, state), key=lambda words: (not words.startswith("place"), words))
        wanted = "draft part" if parts_first else "draft employee"
        play(game, state, next((words for words in offered if words.startswith(wanted)), offered[0]))
    return seats


@pytest.mark.parametrize("parts_first", [True, False])
@pytest.mark.parametrize(
    ("players", "seats"), [(2, [1, 0, 0, 1]), (3, [1, 2, 0, 0, 2, 1]), (4, [1, 2, 3, 0, 0, 3, 2, 1])]
)
def test_turns_go_clockwise_and_back_and_everyone_gets_one_of_each(
    players: int, seats: list[int], parts_first: bool
) -> None:
    """DRAFT-1, DRAFT-3"""
    game = load(num_players=players, start_player=1)
    state = game.new(4)
    assert draft(game, state, parts_first) == seats
    for seat in range(players):
        player = player_of(game, state, seat)
        assert player["part_drafted"]
        assert player["employee"] is not None
        assert len([part for part in player["factory"] if part]) in (3, 4)


def test_the_rest_of_a_packet_leaves_the_game() -> None:
    """DRAFT-2"""
    game = load(num_players=2, start_player=0)
    state = game.new(4)
    table = game.to_dict(state)
    play(game, state, "draft part 1", "place part slot 3")
    after = game.to_dict(state)
    assert after["display_parts"] == [None] * 3 + table["display_parts"][3:]
    assert player_of(game, state)["factory"][3] == table["display_parts"][1]


@pytest.mark.parametrize("slot", range(8))
def test_a_new_part_goes_on_any_slot_and_covers_what_is_there(slot: int) -> None:
    """DRAFT-4"""
    game = load(num_players=2, start_player=0)
    state = game.new(4)
    part = game.to_dict(state)["display_parts"][0]
    before = player_of(game, state)
    play(game, state, "draft part 0")
    assert legal(game, state) == {f"place part slot {number}" for number in range(8)}
    play(game, state, f"place part slot {slot}")
    after = player_of(game, state)
    assert after["factory"] == [part if place == slot else old for place, old in enumerate(before["factory"])]
    assert after["coal"] == before["coal"]


def recruited(employee: str) -> tuple[Any, np.ndarray]:
    """Seat 0 recruits this employee on day 1 (the display is made up)."""
    position = Position(num_players=2)
    record = position.game.cards.record
    store = STORES[record.employees[position.game.cards.employees.index(employee)].store]
    position.data["display_employees"][store] = employee
    game, state = position.build()
    play(game, state, f"draft employee {store}")
    return game, state


@pytest.mark.parametrize(("employee", "coal"), [("miner", 2), ("expert-miner", 4), ("salesman", 0)])
def test_a_gift_is_taken_at_once(employee: str, coal: int) -> None:
    """DRAFT-5, EMP-2, EMP-9"""
    game, state = recruited(employee)
    assert player_of(game, state)["coal"] == 5 + coal


def test_only_the_store_of_todays_employee_may_be_supplied() -> None:
    """DRAFT-6"""
    everything = {"chunks": 2, "caramel": 2, "boxed": 2}
    for employee, store in (("miner", 0), ("clerk", 1), ("expert-miner", 2), ("engineer", 3), ("packer", 4)):
        game, state = Position().phase("fulfil").player(0, employee=employee, store_room=everything).build()
        supplies = {words for words in legal(game, state) if words.startswith("supply")}
        assert supplies == {f"supply {STORES[store]}"}
