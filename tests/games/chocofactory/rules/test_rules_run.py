"""Run factory: shifts, belt, Chute, trading."""

from __future__ import annotations

from typing import Any

import pytest
from chocofactory_games import KINDS, Position, legal, pieces, play, player_of


def running(**player: Any) -> Position:
    return Position(num_players=2).phase("run").player(0, **player)


def test_players_run_their_factories_one_after_the_other_three_shifts_each() -> None:
    """RUN-1"""
    game, state = Position(num_players=3).phase("run").build()
    seats = []
    while game.to_dict(state)["phase"] == "run":
        seats.append((game.current_player(state), game.to_dict(state)["shift"]))
        play(game, state, "end shift")
    assert seats == [(seat, shift) for seat in range(3) for shift in (1, 2, 3)]


def test_a_shift_begins_with_load_and_push() -> None:
    """RUN-2, RUN-3"""
    belt = {0: {"bean": 1}, 1: {"cocoa": 2}, 2: {"nuts": 1}, 3: {"boxed": 1, "bean": 1}}
    game, state = running(belt=belt, store_room={"boxed": 1}).build()
    play(game, state, "end shift")
    assert [pieces(game, state, tile=tile) for tile in range(4)] == [
        {"bean": 1},
        {"bean": 1},
        {"cocoa": 2},
        {"nuts": 1},
    ]
    assert pieces(game, state) == {"bean": 1, "boxed": 2}


def test_parts_work_in_any_order_each_once_a_shift_and_again_in_the_next() -> None:
    """RUN-4"""
    game, state = running(coal=9, belt={0: {"bean": 2}, 1: {"cocoa": 2}}).build()
    play(game, state, "operate slot 1", "make chunks", "operate slot 0")
    assert {"operate slot 0", "operate slot 1"} & legal(game, state) == set()
    assert player_of(game, state)["coal"] == 7
    play(game, state, "end shift")
    assert {"operate slot 0", "operate slot 1"} <= legal(game, state)


@pytest.mark.parametrize("slot", range(8))
def test_a_part_works_on_the_tile_above_or_below_it_only(slot: int) -> None:
    """RUN-5"""
    empty = dict.fromkeys(range(8))
    for tile in range(4):
        game, state = running(coal=9, factory=empty | {slot: "straight-to-box"}, belt={tile: {"cocoa": 1}}).build()
        assert (f"operate slot {slot}" in legal(game, state)) == (slot % 4 == tile)


def test_the_chute_costs_nothing_and_moves_pieces_of_choice_any_number_of_times() -> None:
    """RUN-6"""
    game, state = running(coal=0, belt={2: {"bean": 1, "caramel": 2}, 1: {"nuts": 1}}).build()
    assert {words for words in legal(game, state) if words.startswith("chute")} == {"chute bean", "chute caramel"}
    play(game, state, "chute caramel", "chute bean", "chute caramel")
    assert pieces(game, state) == {"bean": 1, "caramel": 2}
    assert pieces(game, state, tile=2) == {}
    assert player_of(game, state)["coal"] == 0


def test_what_is_in_the_store_room_does_not_return_to_the_belt() -> None:
    """RUN-7: no part, no employee works on it."""
    everything = dict.fromkeys(KINDS, 3)
    for employee in ("operator", "packer", "decorator", "technician"):
        game, state = running(coal=9, store_room=everything, employee=employee).build()
        assert {words.split()[0] for words in legal(game, state)} - {"assign"} == {"trade", "end"}


@pytest.mark.parametrize("kind", KINDS)
def test_any_piece_in_the_store_room_is_traded_for_one_coal_while_running(kind: str) -> None:
    """RUN-8"""
    game, state = running(coal=0, store_room={kind: 2}).build()
    play(game, state, f"trade {kind}", f"trade {kind}")
    assert player_of(game, state)["coal"] == 2
    assert pieces(game, state) == {}


@pytest.mark.parametrize("day", range(1, 7))
def test_the_belt_keeps_its_pieces_over_night_and_is_emptied_on_day_6(day: int) -> None:
    """RUN-9"""
    belt = {0: {"bean": 1}, 1: {"cocoa": 1}, 3: {"boxed": 2}}
    game, state = Position(num_players=2).phase("run", day=day, shift=3).player(0, belt=belt).build()
    play(game, state, "end shift")
    if day < 6:
        assert pieces(game, state, tile=3) == {"boxed": 2}
        assert pieces(game, state) == {}
    else:
        assert not any(pieces(game, state, tile=tile) for tile in range(4))
        assert pieces(game, state) == {"bean": 1, "cocoa": 1, "boxed": 2}
