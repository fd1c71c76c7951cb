"""The end of the game."""

from __future__ import annotations

from typing import Any

import pytest
from schoko_games import Position, play


def ended(players: int = 3, leader: int = 0, **last: Any) -> Position:
    """The last month's last decision."""
    months = 9 if players == 3 else 8
    seat = (leader - 1) % players
    firms = Position(players, month=months, leader=leader).player(seat, **{"cash": 100, **last})
    return firms.ask("money", seat)


def test_end_1_cash_and_shares_less_loans() -> None:
    """END-2, situation 10."""
    firms = ended(2).player(0, cash=150, shares=2, loans=1, contracts=[("airline", 90)], chocolate=3)
    game, state = firms.build()
    play(game, state, "pass")
    assert game.is_over(state)
    assert game.scores(state).tolist() == [178, 100]


def test_end_2_contracts_that_are_not_paid_out_are_void_but_standings_count_those_at_the_bookkeepers() -> None:
    contracts = [("airline", 90), ("tea-room", 30)]
    game, state = Position(2).player(0, contracts=contracts, num_booked=1, cocoa=4).ask("look", 0).build()
    assert game.scores(state).tolist() == [100, 100]
    assert game.standings(state).tolist() == [190, 100]


@pytest.mark.parametrize(
    ("leader", "cash", "places"),
    [
        (0, (90, 120, 100), [2, 0, 1]),
        (0, (100, 100, 100), [2, 1, 0]),
        (1, (100, 100, 100), [0, 2, 1]),
        (2, (100, 100, 90), [1, 0, 2]),
    ],
)
def test_end_3_most_money_wins_and_of_equals_the_later_one(
    leader: int, cash: tuple[int, ...], places: list[int]
) -> None:
    firms = ended(leader=leader)
    for seat in range(3):
        firms.player(seat, cash=cash[seat])
    game, state = firms.build()
    play(game, state, "pass")
    assert game.ranking(state).tolist() == places
    assert game.won(state).tolist() == [place == 0 for place in places]
