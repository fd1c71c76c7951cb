"""End of the game: prizes, and who has won."""

from __future__ import annotations

from typing import Any

import pytest
from chocofactory_games import STORES, Position, play

SHEET = ("corner shop", "most orders", "stores", "variety", "leftovers")


def ended(markers: list[dict[str, int]], **fields: Any) -> Position:
    """Day 6, the last seat about to finish; markers by seat, those named first came first."""
    players = len(markers)
    position = Position(num_players=players, **fields).phase("fulfil", day=6, current=players - 1)
    moved = 0
    for seat, tracks in enumerate(markers):
        arrivals = {}
        for store in tracks:
            moved += 1
            arrivals[store] = moved
        position.player(seat, coal=0, tracks=tracks, arrivals=arrivals)
    return position


def sheets(position: Position) -> list[dict[str, int]]:
    game, state = position.build()
    play(game, state, "finish orders")
    assert game.is_over(state)
    found = [dict(zip(SHEET, sheet, strict=True)) for sheet in game.score_sheets(state).tolist()]
    assert game.scores(state).tolist() == [sum(sheet.values()) for sheet in found]
    return found


def prizes(*markers: int) -> list[int]:
    position = ended([{"fresh_fancies": marker} if marker else {} for marker in markers])
    return [sheet["stores"] for sheet in sheets(position)]


def with_completed(position: Position, seat: int, number: int) -> Position:
    return position.player(seat, completed={"small": number, "medium": 0, "large": 0})


@pytest.mark.parametrize(
    ("completed", "paid"),
    [((2, 1, 0), (12, 0, 0)), ((2, 2, 1), (12, 12, 0)), ((0, 0, 0), (0, 0, 0)), ((0, 0, 1), (0, 0, 12))],
)
def test_most_completed_orders_pay_12_to_all_who_are_tied_but_not_for_none(
    completed: tuple[int, ...], paid: tuple[int, ...]
) -> None:
    """END-2"""
    position = ended([{}, {}, {}])
    for seat, number in enumerate(completed):
        with_completed(position, seat, number)
    assert tuple(sheet["most orders"] for sheet in sheets(position)) == paid


@pytest.mark.parametrize(
    ("markers", "paid"),
    [
        ((7, 6, 6, 2), [16, 8, 4, 0]),  # the two worked examples of the rulebook
        ((8, 5, 2), [16, 8, 0]),
        ((5, 3, 1), [16, 8, 0]),  # and of the online help
        ((5, 2, 1), [16, 0, 0]),
        ((9, 5, 3, 2), [16, 8, 4, 0]),  # half of 9 is 5, half of 5 is 3
        ((9, 4, 4), [16, 0, 0]),
        ((1, 1, 1, 1), [16, 8, 4, 0]),
        ((3, 0, 0), [16, 0, 0]),
        ((0, 0), [0, 0]),
        ((2, 9), [0, 16]),
        ((4, 2, 1), [16, 8, 4]),
    ],
)
def test_stores_pay_the_first_and_those_who_are_half_as_far_as_the_one_before(
    markers: tuple[int, ...], paid: list[int]
) -> None:
    """END-3"""
    assert prizes(*markers) == paid


@pytest.mark.parametrize(("stores", "paid"), [(0, 0), (1, 0), (2, 0), (3, 6), (4, 12), (5, 24)])
def test_markers_at_several_stores_pay(stores: int, paid: int) -> None:
    """END-4"""
    markers = [dict.fromkeys(STORES[:stores], 1), {}]
    assert [sheet["variety"] for sheet in sheets(ended(markers))] == [paid, 0]


def test_every_piece_and_every_coal_left_pays_one_pound() -> None:
    """END-5"""
    position = ended([{}, {}]).player(0, coal=4, store_room={"bean": 2, "boxed": 3}).player(1, coal=1)
    assert [sheet["leftovers"] for sheet in sheets(position)] == [9, 1]


@pytest.mark.parametrize("start", [0, 1, 2])
def test_most_money_wins_and_a_tie_goes_to_who_came_later_on_day_6(start: int) -> None:
    """END-6"""
    last = (start + 2) % 3
    position = Position(num_players=3, start_player=start).phase("fulfil", day=6, current=last)
    for seat in range(3):
        position.player(seat, coal=10)
    game, state = position.build()
    play(game, state, "finish orders")
    assert game.ranking(state).tolist() == [2 - (seat - start) % 3 for seat in range(3)]
    assert game.won(state).tolist() == [seat == last for seat in range(3)]
    position.player(start, coal=11)
    game, state = position.build()
    play(game, state, "finish orders")
    assert game.ranking(state)[start] == 0
