"""Interest, loans, shares, and who cannot pay."""

from __future__ import annotations

from typing import Any

import pytest
from schoko_games import Position, asked, gone, legal, money, of, play


def paying(players: int = 3, event: str = "stomach_upset", month: int = 3) -> Position:
    """The last seat is asked what the bank shall have; then come the event and the interest."""
    firms = Position(players, month=month).event(event).player(players - 1, chocolate=1, cash=200)
    return firms.ask("bank_sale", players - 1)


def test_loan_1_a_loan_is_fifty_and_one_a_month() -> None:
    """SET-9"""
    game, state = Position(2).player(0, cash=0).player(1, staff=(1, 0, 0, 0)).ask("money", 0, event_turned=0).build()
    play(game, state, "take_loan")
    assert (money(state)[0], of(state, "loans", 0), state["box"][0, 4]) == (50, 1, 12)
    assert "take_loan" not in legal(game, state)
    firms = Position(2).player(0, loans=1, loan_this_month=1).player(1, staff=(1, 0, 0, 0))
    game, state = firms.ask("money", 0).build()
    assert "take_loan" not in legal(game, state)


def test_loan_2_interest_is_due_for_every_loan_before_anyone_decides() -> None:
    game, state = paying().player(0, loans=2).player(1, loans=1).build()
    play(game, state, "bars 0")
    assert (asked(game, state), money(state)) == (("money", 0), [80, 90, 200])


def borrower(**fields: Any) -> Position:
    values: dict[str, Any] = {"cash": 120, "loans": 2, "shares": 2} | fields
    return Position(3).player(0, **values).player(1, staff=(1, 0, 0, 0)).ask("money", 0)


def test_loan_3_first_shares_are_sold_then_loans_repaid_or_taken_then_shares_bought() -> None:
    game, state = borrower().build()
    buying = [f"buy_shares {number}" for number in range(1, 6)]
    assert legal(game, state) == ["take_loan", "repay", "sell_shares 1", "sell_shares 2", *buying, "pass"]
    play(game, state, "sell_shares 1")
    assert (money(state)[0], legal(game, state)) == (144, ["take_loan", "repay", "pass"])
    play(game, state, "repay")
    assert (money(state)[0], legal(game, state)) == (94, ["repay", "pass"])
    play(game, state, "repay")
    assert asked(game, state) == ("money", 1)


@pytest.mark.parametrize(
    ("forces", "loans", "may"),
    [
        ((5, 4, 4), (0, 0, 0), False),
        ((5, 5, 4), (0, 0, 0), True),
        ((5, 4, 4), (0, 1, 1), True),  # LOAN-6
        ((5, 4, 4), (0, 1, 0), False),
        ((0, 0, 0), (0, 0, 0), True),
    ],
)
def test_loan_4_the_largest_firm_takes_no_loan(forces: tuple[int, ...], loans: tuple[int, ...], may: bool) -> None:
    """LOAN-4, LOAN-6"""
    firms = Position(3)
    for seat in range(3):
        firms.player(seat, staff=(forces[seat], 0, 0, 0), loans=loans[seat])
    game, state = firms.ask("money", 0).build()
    assert ("take_loan" in legal(game, state)) == may


def test_loan_7_no_loan_in_the_last_month_but_in_an_emergency() -> None:
    firms = Position(2, month=8).player(0, shares=1).player(1, staff=(1, 0, 0, 0))
    game, state = firms.ask("money", 0).build()
    assert "take_loan" not in legal(game, state)
    game, state = paying(2, "store_shock", month=8).player(0, chocolate=5, cash=0).build()
    play(game, state, "bars 0")
    assert (of(state, "loans", 0), money(state)[0]) == (1, 50 - 25 - 10)


@pytest.mark.parametrize(
    ("month", "price"), list(zip(range(1, 13), (20, 22, 24, 27, 29, 32, 35, 39, 43, 47, 52, 57), strict=True))
)
def test_share_1_the_price_is_that_of_the_month(month: int, price: int) -> None:
    game, state = Position(2, months=12, month=month).player(0, shares=3).ask("money", 0).build()
    play(game, state, "sell_shares 2")
    assert (money(state)[0], of(state, "shares", 0)) == (100 + 2 * price, 1)
    game, state = Position(2, months=12, month=month).ask("money", 0).build()
    play(game, state, "buy_shares 1")
    assert (money(state)[0], of(state, "shares", 0), state["box"][0, 5]) == (100 - price, 1, 9)


def shock(**fields: Any) -> Position:
    """Situation 9: month 4, 7 bars in store, 35 due."""
    return paying(3, "store_shock", month=4).player(0, chocolate=7, **{"cash": 12, **fields})


def test_pay_2_as_few_shares_as_needed_are_sold() -> None:
    game, state = shock(shares=1).build()
    play(game, state, "bars 0")
    assert (money(state)[0], of(state, "shares", 0), of(state, "loans", 0)) == (4, 0, 0)
    game, state = shock(shares=3).build()
    play(game, state, "bars 0")
    assert (money(state)[0], of(state, "shares", 0)) == (4, 2)


def test_pay_2_then_an_emergency_loan_which_costs_interest_in_this_month() -> None:
    game, state = shock().build()
    play(game, state, "bars 0")
    assert (money(state)[0], of(state, "loans", 0), of(state, "loan_this_month", 0)) == (17, 1, 1)


def test_pay_3_and_bankruptcy_where_that_is_not_enough() -> None:
    firms = shock(loan_this_month=1, loans=1, cocoa=2).player(0, staff=(1, 0, 2, 0), contracts=[("tea-room", 30)])
    game, state = firms.player(0, hand=["levy"], contracts=[("tea-room", 30)], chocolate=7, cash=12).build()
    play(game, state, "bars 0")
    assert of(state, "out") == [1, 0, 0]
    for field in ("cash", "loans", "shares", "cocoa", "chocolate", "num_contracts"):
        assert of(state, field, 0) == 0, field
    assert state["box"][0].tolist() == [20, 16, 16, 10, 13, 10]
    assert "levy" in gone(state)
    assert asked(game, state) == ("money", 1)


def test_pay_4_the_last_player_left_wins_at_once() -> None:
    firms = paying(2, "store_shock").player(0, chocolate=16, cash=0, loans=1, loan_this_month=1)
    game, state = firms.build()
    play(game, state, "bars 0")
    assert game.is_over(state)
    assert game.won(state).tolist() == [False, True]
    assert game.scores(state).tolist() == [0, 200]  # the game is over before seat 1 pays for its bar
