"""Processing contracts, and the month's event."""

from __future__ import annotations

import pytest
from schoko_games import Position, asked, money, of, play, row_of

from chocofactory_env.games.schoko.constants import NONE, Event

THREE = [("tea-room", 47), ("corner-grocer", 34), ("airline", 90)]


def office(secretaries: int, bookkeepers: int, *, event: str = "stomach_upset", upset: str = "bookkeepers") -> Position:
    """Seat 1 is asked what the bank shall have; then the contracts are processed."""
    firms = (
        Position(2, upset=upset)
        .event(event)
        .player(0, staff=(0, 0, secretaries, bookkeepers), contracts=THREE, gained=1)
    )
    return firms.player(1, chocolate=1).ask("bank_sale", 1)


@pytest.mark.parametrize(
    ("staff", "paid", "booked", "left"),
    [((2, 1), 81, 0, 1), ((3, 1), 81, 1, 1), ((1, 1), 47, 0, 2), ((3, 2), 171, 0, 0), ((0, 2), 0, 0, 3)],
)
def test_office_1_to_4_contracts_are_handled_in_order(
    staff: tuple[int, int], paid: int, booked: int, left: int
) -> None:
    """OFFICE-1, OFFICE-2, OFFICE-3, OFFICE-4; situation 8."""
    game, state = office(*staff, event="protest").build()
    play(game, state, "bars 0")
    assert money(state)[0] == 100 + paid
    assert row_of(game, state, 0) == THREE[3 - left :]
    assert of(state, "num_booked", 0) == booked


@pytest.mark.parametrize(
    ("staff", "upset", "left"),
    [((3, 1), "bookkeepers", 0), ((1, 1), "bookkeepers", 2), ((1, 1), "all", 0), ((2, 0), "bookkeepers", 1)],
)
def test_ev_1_contracts_at_the_bookkeepers_are_cancelled(staff: tuple[int, int], upset: str, left: int) -> None:
    """Situation 8."""
    game, state = office(*staff, upset=upset).build()
    play(game, state, "bars 0")
    assert (of(state, "num_contracts", 0), of(state, "num_booked", 0)) == (left, 0)
    assert row_of(game, state, 0) == THREE[3 - left :]


def test_office_3_an_idle_bookkeeper_pays_out_one() -> None:
    """XP-IDLE; situation 8."""
    firms = office(3, 1, event="protest").player(0, contracts=THREE, struck_by="idle_books").player(1, has_played=1)
    game, state = firms.build()
    play(game, state, "bars 0")
    assert (money(state)[0], of(state, "num_booked", 0), row_of(game, state, 0)) == (147, 2, THREE[1:])


def event_of(name: str, month: int = 3, players: int = 3) -> Position:
    """The last seat is asked what the bank shall have; then the event is turned up."""
    firms = Position(players, month=month).event(name).player(players - 1, chocolate=1)
    return firms.ask("bank_sale", players - 1)


def test_ev_0_the_event_of_the_month_is_turned_up() -> None:
    game, state = event_of("slow_work").build()
    play(game, state, "bars 0")
    assert int(state["event_turned"][0]) == Event.SLOW_WORK


def test_ev_2_everyone_loses_five_bars() -> None:
    firms = event_of("protest").player(0, chocolate=9).player(1, chocolate=5)
    game, state = firms.build()
    play(game, state, "bars 0")
    assert of(state, "chocolate") == [4, 0, 0]


def test_ev_3_everyone_pays_five_a_bar() -> None:
    game, state = event_of("store_shock").player(0, chocolate=7).build()
    play(game, state, "bars 0")
    assert money(state) == [65, 100, 95]


@pytest.mark.parametrize(
    ("bookkeepers", "gained"),
    [((4, 3, 1), [50, 0, 0]), ((4, 4, 1), [25, 25, 0]), ((2, 2, 2), [16] * 3), ((0, 0, 0), [0] * 3)],
)
def test_ev_4_who_paid_most_in_salaries_receives_the_subsidy(bookkeepers: tuple[int, ...], gained: list[int]) -> None:
    firms = event_of("wage_subsidy")
    for seat in range(3):
        firms.player(seat, staff=(0, 0, 0, bookkeepers[seat]))
    game, state = firms.build()
    play(game, state, "bars 0")
    assert money(state) == [100 + more for more in gained]


@pytest.mark.parametrize("name", ["no_cocoa", "slow_work", "no_bookkeepers"])
def test_ev_5_ev_6_and_ev_7_hold_next_month(name: str) -> None:
    game, state = event_of(name).player(0, cash=5).player(1, cash=5).player(2, cash=5).build()
    play(game, state, "bars 0")
    while asked(game, state)[0] == "money":
        play(game, state, "pass")
    assert (int(state["event_in_force"][0]), int(state["month"][0])) == (Event[name.upper()], 3)


def test_ev_8_in_the_last_month_an_announcement_does_nothing() -> None:
    game, state = event_of("no_cocoa", month=9).build()
    play(game, state, "bars 0")
    while not game.is_over(state):
        play(game, state, "pass")
    assert int(state["event_in_force"][0]) == NONE
