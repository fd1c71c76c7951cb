"""Express cards."""

from __future__ import annotations

import pytest
from schoko_games import Position, asked, gone, legal, money, of, play, row_of

from chocofactory_env.games.schoko.constants import NONE, Express

WORKERS = (2, 0, 0, 0)


def window_a(*hand: str, players: int = 3) -> Position:
    """Seat 0 is asked for a card before the markets."""
    firms = Position(players).player(0, hand=hand)
    for seat in range(1, players):
        firms.player(seat, staff=WORKERS)
    return firms.ask("card_a", 0)


def window_b(*hand: str, players: int = 3) -> Position:
    """Seat 0 is asked for a card before the meetings: the last seat decides what it makes."""
    firms = Position(players).player(0, hand=hand)
    return firms.player(players - 1, staff=(1, 0, 0, 0), cocoa=1).ask("make", players - 1)


def window_c(*hand: str, present: tuple[int, ...] = (0, 1), holder: int = 0, price: int = 42) -> Position:
    """Seat 1 is offered a contract."""
    firms = Position(4).meeting("ice-cream-maker", price, left=3, present=present).player(holder, hand=hand)
    for seat in present:
        firms.player(seat, chocolate=3, marker=2)
    return firms.having(refused=sum(1 << seat for seat in present if seat < 1)).ask("offer", 1)


def test_xp_1_no_card_in_the_first_month() -> None:
    game, state = Position(2, month=1).ask("staff", 1, category=3).build()
    play(game, state, "staff 1")
    assert asked(game, state) == ("announce", 0)


def test_xp_2_a_player_plays_one_card_a_month() -> None:
    game, state = window_a("levy", "gifts", "tax_inspection").build()
    play(game, state, "play levy", "target 1")
    while asked(game, state)[0] != "bank_sale" and asked(game, state)[0] != "money":
        assert asked(game, state)[0] not in ("card_a", "card_b")
        play(game, state, "bars 0")
    assert gone(state) >= {"levy"}


def test_xp_3_a_player_is_struck_once_a_month() -> None:
    firms = window_a("levy").player(1, hand=["gifts"], staff=WORKERS).player(2, hand=["illness"], staff=WORKERS)
    game, state = firms.build()
    play(game, state, "play levy", "target 1")
    assert of(state, "struck_by") == [NONE, Express.LEVY, NONE]
    assert asked(game, state) == ("card_a", 1)
    play(game, state, "play gifts")
    assert asked(game, state) == ("target", 1)
    assert legal(game, state) == ["target 1", "target 2"]
    play(game, state, "target 1")
    assert asked(game, state)[0] == "announce"  # a worker could be ill at seat 1 only, who has been struck


def test_xp_4_asked_is_only_who_holds_a_card_that_may_be_played() -> None:
    firms = window_a("tax_inspection", "levy").player(1, hand=["slow_shift"], staff=WORKERS)
    game, state = firms.build()
    assert legal(game, state) == ["play levy", "pass"]
    play(game, state, "pass")
    assert asked(game, state) == ("card_a", 1)
    play(game, state, "pass")
    assert asked(game, state) == ("announce", 0)


def test_xp_5_a_played_card_leaves_the_game() -> None:
    game, state = window_a("levy", "gifts").build()
    play(game, state, "play levy", "target 2")
    assert "levy" in gone(state)
    assert of(state, "has_played") == [1, 0, 0]
    assert int(state["express"][0, Express.GIFTS]) == 0


def test_xp_levy_a_player_pays_one_for_each_employee() -> None:
    """XP-LEVY"""
    game, state = window_a("levy").player(2, staff=(3, 1, 0, 2)).build()
    play(game, state, "play levy", "target 2")
    assert money(state) == [100, 100, 94]


def test_xp_gifts_a_player_pays_five_to_each_other() -> None:
    """XP-GIFTS"""
    game, state = window_a("gifts").build()
    play(game, state, "play gifts", "target 1")
    assert money(state) == [105, 90, 105]


def test_xp_ill_one_worker_is_absent() -> None:
    """XP-ILL"""
    game, state = window_a("illness").player(1, cocoa=9).build()
    play(game, state, "play illness", "target 1")
    assert of(state, "absent") == [[0] * 4, [1, 0, 0, 0], [0] * 4]
    play(game, state, "bars 0", "bars 0", "bars 0")
    assert legal(game, state)[-1] == "bars 3"


def test_xp_holiday_the_struck_player_chooses_the_category() -> None:
    """XP-HOLIDAY"""
    game, state = window_a("holiday").player(1, staff=(2, 0, 1, 0)).build()
    play(game, state, "play holiday", "target 1")
    assert (asked(game, state), legal(game, state)) == (("holiday", 1), ["category worker", "category secretary"])
    play(game, state, "category secretary")
    assert (asked(game, state)[0], of(state, "absent", 1)) == ("announce", [0, 0, 1, 0])


def test_xp_slow_each_worker_makes_two_bars() -> None:
    """XP-SLOW"""
    game, state = window_a("slow_shift").player(1, cocoa=9).build()
    play(game, state, "play slow_shift", "target 1", "bars 0", "bars 0", "bars 0")
    assert legal(game, state)[-1] == "bars 4"
    firms = Position(3).in_force("slow_work").player(0, hand=["slow_shift"]).player(1, staff=WORKERS)
    game, state = firms.ask("staff", 2, category=3).build()
    play(game, state, "staff 0")
    assert asked(game, state)[0] == "announce"


def test_xp_tax_may_be_played_on_anybody_and_changes_no_money() -> None:
    """XP-TAX, SEE-1"""
    game, state = window_b("tax_inspection").build()
    play(game, state, "bars 1")
    assert asked(game, state) == ("card_b", 0)
    play(game, state, "play tax_inspection")
    assert legal(game, state) == ["target 1", "target 2"]
    play(game, state, "target 1")
    assert (of(state, "struck_by"), money(state)) == ([NONE, Express.TAX_INSPECTION, NONE], [100] * 3)


@pytest.mark.parametrize(("bars", "left"), [(3, 2), (8, 6), (2, None)])
def test_xp_third_of_the_chocolate_is_lost(bars: int, left: int | None) -> None:
    """XP-THIRD"""
    game, state = window_b("third_to_bank").player(1, chocolate=bars).build()
    play(game, state, "bars 1")
    if left is None:
        assert asked(game, state)[0] == "bank_sale"
    else:
        play(game, state, "play third_to_bank")
        assert of(state, "chocolate", 1) == left


def test_xp_share_every_other_player_gets_a_bar() -> None:
    """XP-SHARE"""
    firms = window_b("bar_each", players=4).player(1, chocolate=2).player(2, chocolate=16)
    game, state = firms.player(3, staff=(1, 0, 0, 0), cocoa=1).build()
    play(game, state, "bars 1", "play bar_each", "target 1")
    assert of(state, "chocolate") == [1, 0, 16, 2]


def test_xp_miss_the_marker_goes_down_by_two_and_the_meetings_stay() -> None:
    """XP-MISS. Situation 6."""
    firms = window_b("missed_meetings").player(1, staff=(0, 3, 0, 0), chocolate=6)
    game, state = firms.player(2, staff=(1, 1, 0, 0), cocoa=1, chocolate=6).build()
    play(game, state, "bars 1", "play missed_meetings", "target 1")
    assert (int(state["meetings_left"][0]), of(state, "marker")) == (9, [0, 7, 3])
    assert asked(game, state) == ("attend", 1)


def test_xp_idle_may_be_played_where_a_bookkeeper_is_at_work() -> None:
    """XP-IDLE"""
    game, state = window_b("idle_books").player(1, staff=(0, 0, 0, 1)).build()
    play(game, state, "bars 1")
    assert legal(game, state) == ["play idle_books", "pass"]
    play(game, state, "play idle_books")
    assert of(state, "struck_by", 1) == Express.IDLE_BOOKS


def test_xp_hand_the_contract_goes_to_who_played_the_card() -> None:
    """XP-HAND, SALE-12: what is given away is not gained. XP-6: the phase goes on with the next meeting."""
    firms = window_c("hand_over", holder=0).player(1, contracts=[("tea-room", 30)], chocolate=3)
    game, state = firms.build()
    left = int(state["meetings_left"][0])
    play(game, state, "accept", "play hand_over")
    assert row_of(game, state, 0) == [("ice-cream-maker", 42)]
    assert row_of(game, state, 1) == [("tea-room", 30)]
    assert (of(state, "chocolate")[:2], of(state, "gained")[:2]) == ([0, 3], [1, 0])
    assert int(state["meetings_left"][0]) == left - 1


def test_xp_half_only_if_nobody_else_was_there() -> None:
    """XP-HALF. Situation 7."""
    game, state = window_c("half_price", present=(1,), holder=2, price=78).build()
    play(game, state, "accept")
    assert asked(game, state) == ("card_c", 2)
    play(game, state, "play half_price")
    assert row_of(game, state, 1) == [("ice-cream-maker", 39)]
    game, state = window_c("half_price", holder=2).build()
    play(game, state, "accept")
    assert asked(game, state)[0] != "card_c"


def test_xp_gifts_and_pay_3_who_is_bankrupt_gets_none() -> None:
    game, state = window_a("gifts", players=4).player(3, cash=0, out=1).build()
    play(game, state, "play gifts", "target 1")
    assert money(state) == [105, 90, 105, 0]


def test_xp_6_a_player_who_cannot_pay_the_levy_is_bankrupt_and_the_month_goes_on() -> None:
    """PAY-3"""
    firms = window_a("levy").player(1, cash=0, loans=1, loan_this_month=1)
    game, state = firms.build()
    play(game, state, "play levy", "target 1")
    assert (of(state, "out"), asked(game, state)) == ([0, 1, 0], ("announce", 0))
    play(game, state, "bars 0")
    assert asked(game, state) == ("announce", 2)
