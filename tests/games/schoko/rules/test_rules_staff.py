"""Looking at the event; hiring and laying off."""

from __future__ import annotations

import pytest
from schoko_games import Position, asked, legal, money, most, of, play


def test_look_1_everyone_is_asked_and_pays() -> None:
    game, state = Position(3, leader=1).ask("look", 1).build()
    assert legal(game, state) == ["look", "pass"]
    play(game, state, "look")
    assert asked(game, state) == ("look", 2)
    play(game, state, "pass", "look")
    assert asked(game, state) == ("staff", 1)
    assert (money(state), of(state, "looked")) == ([85, 85, 100], [1, 1, 0])


def test_look_2_it_is_offered_to_who_can_pay() -> None:
    """PAY-1"""
    game, state = Position(3).player(1, cash=14).player(2, cash=15).ask("look", 0).build()
    play(game, state, "pass")
    assert asked(game, state) == ("look", 2)


def test_staff_1_salaries_are_those_of_the_categories() -> None:
    for category, salary in enumerate((6, 12, 8, 10)):
        game, state = Position(2).ask("staff", 0).build()
        play(game, state, *(f"staff {int(each == category)}" for each in range(4)), *["staff 0"] * 4)
        assert money(state) == [100 - salary, 100]


def test_staff_2_two_more_at_most_than_at_the_end_of_last_month() -> None:
    """Situation 1."""
    game, state = Position(2, month=1).ask("staff", 0).build()
    assert most(game, state) == 2
    play(game, state, "staff 2", "staff 1", "staff 2", "staff 1", *["staff 0"] * 4)
    assert money(state)[0] == 50
    assert of(state, "salaries") == [50, 0]
    game, state = Position(2, month=1).ask("staff", 0).build()
    play(game, state, *["staff 2"] * 4, *["staff 0"] * 4)
    assert money(state)[0] == 100 - 72
    game, state = Position(2).player(0, staff=(3, 0, 0, 0)).ask("staff", 0).build()
    assert most(game, state) == 5


def test_staff_3_a_category_has_one_number_and_absent_employees_count() -> None:
    """MON-3"""
    firms = Position(2).player(0, staff=(3, 0, 0, 0), absent=(1, 0, 0, 0), struck_by="illness", cash=10)
    game, state = firms.player(1, has_played=1, cash=30).ask("money", 1).build()
    while asked(game, state)[0] != "staff":
        play(game, state, "pass")
    assert (of(state, "staff_before", 0), of(state, "absent", 0)) == ([3, 0, 0, 0], [0] * 4)


def test_staff_4_later_players_find_what_earlier_ones_left() -> None:
    firms = Position(2).player(0, staff=(0, 0, 0, 5), cash=200).player(1, staff=(0, 0, 0, 5), cash=200)
    game, state = firms.ask("staff", 0, category=3).build()
    assert most(game, state) == 5
    play(game, state, "staff 3", *["staff 0"] * 3)
    assert most(game, state) == 7


def test_staff_5_who_is_laid_off_gets_half() -> None:
    """Situation 2."""
    game, state = Position(2).player(0, staff=(3, 2, 0, 0)).ask("staff", 0).build()
    play(game, state, "staff 1", "staff 2", "staff 0", "staff 0", *["staff 0"] * 4)
    assert (money(state)[0], of(state, "salaries", 0)) == (100 - 36, 30)


def test_staff_6_all_pay_after_the_last_decision_what_they_can() -> None:
    game, state = Position(2).player(0, cash=29).ask("staff", 0).build()
    assert most(game, state) == 2
    play(game, state, "staff 2")
    assert most(game, state) == 1  # 12 and 12 of 29
    play(game, state, "staff 1")  # 5 are left, for nobody
    assert money(state)[0] == 29
    play(game, state, *["staff 0"] * 4)
    assert money(state)[0] == 5


def test_staff_7_no_more_bookkeepers_than_last_month() -> None:
    """EV-7"""
    firms = Position(2).in_force("no_bookkeepers").player(0, staff=(0, 0, 0, 3), cash=200)
    game, state = firms.ask("staff", 0, category=2).build()
    assert most(game, state) == 2
    play(game, state, "staff 0")
    assert most(game, state) == 3


def test_staff_8_who_cannot_lay_off_everyone_raises_cash_first() -> None:
    """Situation 2, PAY-2"""
    game, state = Position(2).player(0, cash=100).player(1, cash=20, staff=(3, 2, 0, 0)).ask("staff", 0).build()
    play(game, state, *["staff 0"] * 4)
    assert asked(game, state) == ("staff", 1)
    assert (money(state)[1], of(state, "loans", 1)) == (70, 1)


@pytest.mark.parametrize(
    ("forces", "loans", "laid_off"),
    [
        ((9, 7, 7), (1, 0, 0), 2),  # situation 10
        ((9, 7, 7), (1, 1, 1), 0),  # LOAN-6
        ((9, 9, 7), (1, 0, 0), 0),  # tied
        ((9, 7, 7), (0, 1, 1), 0),
    ],
)
def test_loan_5_and_loan_6(forces: tuple[int, ...], loans: tuple[int, ...], laid_off: int) -> None:
    firms = Position(3)
    for seat in range(3):
        firms.player(seat, staff=(forces[seat], 0, 0, 0) if seat else (4, 0, 5, 0), loans=loans[seat], cash=200)
    game, state = firms.ask("staff", 2, category=3).build()
    before = money(state)[0]
    play(game, state, "staff 0")
    if laid_off:
        assert asked(game, state) == ("trim", 0)
        assert legal(game, state) == ["category worker", "category secretary"]
        play(game, state, "category worker", "category secretary")
    assert asked(game, state) == ("announce", 0)
    paid = 4 * 6 + 5 * 8 if not laid_off else 3 * 6 + 3 + 4 * 8 + 4
    assert money(state)[0] == before - paid
    assert sum(of(state, "staff", 0)) == 9 - laid_off


def trimming(staff: tuple[int, ...], before: tuple[int, ...], other: int) -> Position:
    firms = (
        Position(2, play_forced=False).player(0, staff=staff, before=before, loans=1).player(1, staff=(other, 0, 0, 0))
    )
    return firms.ask("trim", 0)


def test_loan_5_categories_are_named_in_order_and_enough_remains() -> None:
    game, state = trimming((2, 1, 0, 1), (2, 1, 0, 1), 1).build()
    assert legal(game, state) == ["category worker"]  # three of four have to go
    play(game, state, "category worker")
    assert legal(game, state) == ["category worker", "category salesman"]
    play(game, state, "category salesman")
    assert legal(game, state) == ["category bookkeeper"]
    play(game, state, "category bookkeeper")
    assert (asked(game, state), of(state, "staff", 0)) == (("announce", 0), [1, 0, 0, 0])


def test_loan_5_half_salaries_that_were_lent_do_not_keep_the_largest_firm() -> None:
    """STAFF-8, PAY-2"""
    game, state = Position(2).player(0, cash=25, staff=(3, 1, 3, 2)).player(1, cash=100).ask("look", 1).build()
    play(game, state, "pass")
    assert (asked(game, state), money(state)[0]) == (("staff", 0), 75)
    play(game, state, "staff 3", "staff 1", "staff 3", "staff 2", *["staff 0"] * 4)
    assert (asked(game, state), of(state, "staff", 0)) == (("announce", 0), [0, 0, 0, 0])
