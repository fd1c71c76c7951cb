"""The oracle of *Schoko & Co.* by itself: the situations of the page of rules, and its clauses."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .oracle import IllegalAnswerError, Oracle
from .oracle_cards import CONTRACTS
from .oracle_position import Banded
from .oracle_tables import asked, borrow, employ, have, numbers, play, table

# --- Situations -------------------------------------------------------------------------------------------------


def test_first_month() -> None:
    """Situation 1: STAFF-1, STAFF-2, STAFF-5"""
    oracle = table(2)
    oracle.start("staff")
    assert numbers(oracle, "staff") == [0, 1, 2]
    play(oracle, "staff 2, staff 1, staff 2, staff 1, staff 2, staff 2, staff 2, staff 2")
    assert [player.cash for player in oracle.players] == [100 - 50, 100 - 72]
    assert [player.salaries for player in oracle.players] == [50, 72]
    assert oracle.box_staff == [16, 13, 12, 7]


def test_severance() -> None:
    """Situation 2: STAFF-5"""
    oracle = table(2, month=2)
    employ(oracle, [3, 2, 0, 0])
    oracle.start("staff")
    play(oracle, "staff 1, staff 2" + ", staff 0" * 6)
    assert oracle.players[0].cash == 100 - 36
    assert oracle.players[0].salaries == 30


def test_severance_that_the_cash_does_not_cover() -> None:
    """Situation 2: STAFF-8"""
    oracle = table(2, month=2)
    employ(oracle, [3, 2, 0, 0])
    have(oracle, "cash", 20, 100)
    oracle.start("staff")
    assert (oracle.players[0].cash, oracle.players[0].loans, oracle.box_loans) == (70, 1, 12)
    assert numbers(oracle, "staff") == [0, 1, 2, 3, 4, 5]


def test_spreading() -> None:
    """Situation 3: COCOA-1, COCOA-2"""
    oracle = table(4)
    oracle.start("cocoa")
    assert numbers(oracle, "bars") == list(range(17))
    play(oracle, "bars 16, bars 9, bars 7, bars 6")
    assert oracle.market == [8, 8, 8, 7, 7]


def test_bids() -> None:
    """Situation 4: COCOA-4, COCOA-5, COCOA-6"""
    oracle = table(4, leader=2)
    oracle.start("cocoa")
    play(oracle, "bars 10, bars 10, bars 10, bars 10, bars 4, price 5, bars 5, price 4, bars 4, price 5, bars 3")
    assert asked(oracle) == (1, "bid_price")
    assert [player.cocoa for player in oracle.players] == [0, 0, 0, 0]
    play(oracle, "price 6")
    assert [player.cocoa for player in oracle.players] == [1, 3, 4, 0]
    assert [player.cash for player in oracle.players] == [95, 82, 80, 100]
    assert [player.bids[0] for player in oracle.players] == [[4, 5], [3, 6], [4, 5], [5, 4]]
    assert oracle.market == [0, 8, 8, 8, 8]


@pytest.mark.parametrize(
    ("absent", "card", "event", "chocolate", "most"),
    [
        (0, None, None, 0, 9),
        (1, "illness", None, 0, 6),
        (0, "slow_shift", None, 0, 6),
        (0, None, "go-slow", 0, 3),
        (0, None, None, 14, 2),
        (0, "slow_shift", "go-slow", 0, 3),
    ],
)
def test_production(absent: int, card: str | None, event: str | None, chocolate: int, most: int) -> None:
    """Situation 5: MAKE-1, MAKE-2"""
    oracle = table(2, month=2)
    employ(oracle, [3, 0, 0, 0])
    player = oracle.players[0]
    player.cocoa, player.chocolate, player.absent[0], player.struck_by = 9, chocolate, absent, card
    oracle.in_force = event
    oracle.start("make")
    assert numbers(oracle, "bars") == list(range(most + 1))
    play(oracle, f"bars {most}")
    assert (player.cocoa, player.chocolate) == (9 - most, chocolate + most)


@pytest.mark.parametrize(
    ("salesmen", "struck", "meetings", "markers"),
    [
        ((3, 1, 0), None, 9, [9, 3, 0]),
        ((3, 1, 0), 0, 9, [7, 3, 0]),
        ((3, 1, 0), 1, 9, [9, 1, 0]),
        ((4, 2, 1, 0), None, 15, [15, 8, 4, 0]),
    ],
)
def test_meetings(salesmen: tuple[int, ...], struck: int | None, meetings: int, markers: list[int]) -> None:
    """Situation 6: SALE-1, SALE-2, XP-MISS"""
    oracle = table(len(salesmen), month=2)
    employ(oracle, *([0, number, 0, 0] for number in salesmen))
    if struck is not None:
        oracle.players[1 - struck].hand = ["missed_meetings"]
    have(oracle, "chocolate", *(1 for _ in salesmen))
    oracle.deck = ["supermarkets", *oracle.deck[:-1]]  # too large for all: the first meeting is over at once
    oracle.deck[1:3] = ["station-kiosk", "school-fete"]
    oracle.start("cards_b")
    if struck is not None:
        play(oracle, "play missed_meetings")
    assert oracle.meetings_left == meetings - 1
    assert asked(oracle) == (1, "attend") if struck != 0 else (0, "attend")
    come = struck is None or struck == 1  # at the meeting without being asked
    assert [player.marker for player in oracle.players] == [markers[0] - come, *markers[1:]]


def auction(*, chocolate: list[int], hands: tuple[list[str], ...] = ()) -> Oracle:
    """At the first meeting of the month about ice-cream-maker: 3 bars, 42 to 78."""
    oracle = table(4, month=2, hands=hands, contracts=["ice-cream-maker"])
    employ(oracle, *[[0, 1, 0, 0]] * 4)
    have(oracle, "chocolate", *chocolate)
    oracle.start("cards_b")
    return oracle


def test_an_auction() -> None:
    """Situation 7: SALE-6, SALE-7, SALE-9"""
    oracle = auction(chocolate=[3, 4, 2, 3])
    assert [player.marker for player in oracle.players] == [3, 3, 4, 3]  # SALE-4, SALE-5
    assert oracle.offer is not None
    for seat in (0, 1, 3):
        assert asked(oracle) == (seat, "offer")
        assert oracle.offer.price == 42
        play(oracle, "pass")
    assert asked(oracle) == (3, "raise")
    play(oracle, "raise 5, pass, accept")
    assert oracle.players[1].open == [Banded("ice-cream-maker", 47)]
    assert [player.chocolate for player in oracle.players] == [3, 1, 2, 3]
    assert oracle.meetings_left == 3


def test_the_chairman_does_not_raise_beyond_the_highest_price() -> None:
    """Situation 7: SALE-7"""
    oracle = auction(chocolate=[3, 4, 2, 3])
    play(oracle, ", ".join(["pass, pass, pass, raise 5"] * 6 + ["pass, pass, pass, raise 4", "pass, pass, pass"]))
    assert oracle.offer is not None
    assert oracle.offer.price == 76
    assert numbers(oracle, "raise") == [1, 2]
    play(oracle, "raise 2, pass, pass, pass")
    assert oracle.held_back == ["ice-cream-maker"]
    assert oracle.meetings_left == 3


@pytest.mark.parametrize("words", ["accept", "pass"])
def test_the_only_one_who_is_eligible(words: str) -> None:
    """Situation 7: SALE-8"""
    oracle = auction(chocolate=[2, 4, 2, 2])
    assert oracle.offer is not None
    assert (asked(oracle), oracle.offer.price) == ((1, "offer"), 78)
    play(oracle, words)
    taken = [Banded("ice-cream-maker", 78)] if words == "accept" else []
    assert oracle.players[1].open == taken
    assert oracle.held_back == ([] if taken else ["ice-cream-maker"])


def test_half_price() -> None:
    """Situation 7: XP-HALF"""
    oracle = auction(chocolate=[2, 4, 2, 2], hands=([], [], ["half_price"]))
    play(oracle, "accept")
    assert asked(oracle) == (2, "card_c")
    play(oracle, "play half_price")
    assert oracle.players[1].open == [Banded("ice-cream-maker", 39)]
    assert oracle.face_up == ["half_price"]


@pytest.mark.parametrize(
    ("secretaries", "bookkeepers", "idle", "paid", "left"),
    [(2, 1, False, 81, (0, 1)), (3, 1, False, 81, (1, 0)), (1, 1, False, 47, (0, 2)), (3, 1, True, 47, (2, 0))],
)
@pytest.mark.parametrize("upset", ["bookkeepers", "all"])
def test_office(secretaries: int, bookkeepers: int, idle: bool, paid: int, left: tuple[int, int], upset: str) -> None:
    """Situation 8: OFFICE-1 to OFFICE-4, EV-1, XP-IDLE; `left`: at the bookkeepers, open"""
    oracle = table(2, month=2, upset=upset)
    employ(oracle, [0, 0, secretaries, bookkeepers])
    player = oracle.players[0]
    player.open = [Banded(oracle.deck.pop(), price) for price in (47, 34, 90)]
    player.struck_by = "idle_books" if idle else None
    oracle.events_dealt[1] = "protest"
    oracle.start("office")
    assert player.cash == 100 + paid
    assert (len(player.at_bookkeepers), len(player.open)) == left
    oracle.events_dealt[1] = "upset"
    oracle.start("event")
    assert (len(player.at_bookkeepers), len(player.open)) == (0, 0 if upset == "all" else left[1])
    assert len(oracle.held_back) == 3 - len(player.open)


@pytest.mark.parametrize(("shares", "loan_this_month"), [(1, False), (0, False), (0, True)])
def test_shock(shares: int, loan_this_month: bool) -> None:
    """Situation 9: EV-3, PAY-2, PAY-3, PAY-4"""
    oracle = table(2, month=4)
    player = oracle.players[0]
    player.cash, player.chocolate, player.loan_this_month = 12, 7, loan_this_month
    player.shares, oracle.box_shares = shares, 10 - shares
    oracle.events_dealt[3] = "shock"
    oracle.start("event")
    assert player.cash == (4 if shares else 0 if loan_this_month else 17)
    assert oracle.box_shares == 10
    assert player.loans == (0 if shares or loan_this_month else 1)
    assert player.out == (oracle.seat is None) == loan_this_month
    assert oracle.bank["store_shock"] == (-12 if loan_this_month else -35)


@pytest.mark.parametrize(
    ("forces", "loans", "to_go"),
    [((9, 7, 7), (1, 0, 0), 2), ((9, 7, 7), (1, 1, 1), 0), ((9, 9, 7), (1, 0, 0), 0), ((9, 7, 7), (0, 1, 1), 0)],
)
def test_loans_and_work_forces(forces: tuple[int, ...], loans: tuple[int, ...], to_go: int) -> None:
    """Situation 10: LOAN-5, LOAN-6"""
    oracle = table(3, month=2)
    employ(oracle, *([force - 3, 1, 1, 1] for force in forces))
    have(oracle, "cash", 200, 200, 200)
    borrow(oracle, *loans)
    oracle.start("staff")
    play(oracle, ", ".join(f"staff {force - 3}, staff 1, staff 1, staff 1" for force in forces))
    for _ in range(to_go):
        assert asked(oracle) == (0, "trim")
        play(oracle, "category worker")
    assert oracle.step == "announce"
    assert oracle.players[0].cash == 200 - (6 * (forces[0] - 3 - to_go) + 3 * to_go + 30)


def test_the_end() -> None:
    """Situation 10: END-1, END-2"""
    oracle = table(2, month=8)
    player = oracle.players[0]
    player.cash, player.shares, player.loans = 150, 2, 1
    player.at_bookkeepers = [Banded(oracle.deck.pop(), 90)]
    assert oracle.scores() == [178, 100]
    assert oracle.standings() == [178 + 90, 100]
    assert oracle.ranking() == [0, 1]
    assert oracle.winners() == [0]


# --- Answers ----------------------------------------------------------------------------------------------------


def test_an_illegal_answer_changes_nothing() -> None:
    oracle = table(3)
    before = oracle.view()
    with pytest.raises(IllegalAnswerError, match="staff 1 of seat 0 in look"):
        oracle.play("staff", 1)
    assert oracle.view() == before


def test_single_legal_answers_are_played() -> None:
    """Nobody has staff, chocolate or cards: of a month without cocoa only LOOK, STAFF and MONEY are left."""
    steps = []
    oracle = table(2, month=2, play_forced=True)
    oracle.in_force = "stuck-cocoa"
    oracle.start()
    while oracle.month == 2:
        steps.append(oracle.step)
        oracle.play(*(("staff", 0) if oracle.step == "staff" else ("pass", 0)))
    assert steps == ["look"] * 2 + ["staff"] * 8 + ["money"] * 2


# --- Phases -----------------------------------------------------------------------------------------------------


def test_a_look_is_offered_to_who_can_pay_it() -> None:
    """LOOK-1, LOOK-2, SEE-2"""
    oracle = table(3)
    have(oracle, "cash", 15, 14, 100)
    oracle.start("look")
    play(oracle, "look")
    assert (oracle.players[0].cash, asked(oracle)) == (0, (2, "look"))
    assert sum(oracle.observable(0)["event_known"]) == 1
    assert sum(oracle.observable(2)["event_known"]) == 0
    assert oracle.observable(2)["looked"] == [0, 1, 0]


@pytest.mark.parametrize("wanted", ["hand_over", None])
def test_a_contract_is_handed_over(wanted: str | None) -> None:
    """XP-HAND, SALE-12: only who is eligible may ask for it, and what was given away is not gained."""
    oracle = auction(chocolate=[3, 4, 2, 3], hands=([], [], ["hand_over"], ["half_price"]))
    play(oracle, "pass, accept")
    assert oracle.step != "card_c"  # seat 2 is not eligible, and half_price wants nobody else to be
    oracle = auction(chocolate=[3, 4, 2, 3], hands=([], [], [], ["hand_over"]))
    play(oracle, "pass, accept")
    assert asked(oracle) == (3, "card_c")
    older = Banded("supermarkets", 80)
    have(oracle, "open", [older], [older, *oracle.players[1].open], [older], [older])
    play(oracle, f"play {wanted}" if wanted else "pass")
    owner = 3 if wanted else 1
    for seat, player in enumerate(oracle.players):
        assert player.open == ([older, Banded("ice-cream-maker", 42)] if seat == owner else [older])
    assert oracle.players[owner].gained == 1
    assert sum(player.gained for player in oracle.players) == 1
    assert [player.chocolate for player in oracle.players] == ([3, 4, 2, 0] if wanted else [3, 1, 2, 3])


class SmallestFirst:
    """The contracts come back with the smallest on top."""

    def contracts(self, held_back: list[str]) -> list[str]:
        assert held_back == ["army-stores", "station-kiosk", "supermarkets"]
        return ["station-kiosk", "supermarkets", "army-stores"]


def test_cancelled_contracts_come_back_when_a_card_is_wanted() -> None:
    """SALE-10, SALE-11"""
    oracle = table(2, month=2)
    employ(oracle, [0, 1, 0, 0])
    have(oracle, "chocolate", 1, 0)
    oracle.deck, oracle.held_back = ["supermarkets"], ["station-kiosk", "army-stores"]
    oracle.chance = SmallestFirst()
    oracle.start("cards_b")
    assert oracle.offer is not None
    assert (asked(oracle), oracle.offer.contract) == ((0, "offer"), "station-kiosk")
    assert (oracle.deck, oracle.held_back) == (["supermarkets", "army-stores"], [])


def test_no_contract_is_wanted_when_there_is_no_chocolate() -> None:
    """SALE-10"""
    oracle = table(2, month=2)
    employ(oracle, [0, 1, 0, 0])
    oracle.start("cards_b")
    assert asked(oracle) == (0, "bank_sale")
    assert len(oracle.deck) == 23


def test_without_contracts_the_meetings_end() -> None:
    """SALE-11, SALE-12"""
    oracle = table(2, month=2)
    employ(oracle, [0, 2, 0, 0])
    have(oracle, "chocolate", 5, 0)
    oracle.players[1].open = [Banded(name, 20) for name in oracle.deck]
    oracle.deck = []
    oracle.start("cards_b")
    assert asked(oracle) == (0, "bank_sale")
    assert numbers(oracle, "bars") == [0, 1, 2]
    play(oracle, "bars 2")
    assert (oracle.players[0].cash, oracle.players[0].chocolate) == (110, 3)


OF_WINDOW_A = ("levy", "gifts", "illness", "holiday", "slow_shift")


def struck(card: str, set_up: Callable[[Oracle], None], num_players: int = 3) -> Oracle:
    """Seat 0 has played the card on seat 1 (the only one who may be struck, or the first to the left)."""
    window = "cards_a" if card in OF_WINDOW_A else "cards_b"
    oracle = table(num_players, month=2, hands=[[card]])
    set_up(oracle)
    oracle.start(window)
    play(oracle, f"play {card}")
    if oracle.step == "target":
        play(oracle, "target 1")
    return oracle


def test_gifts_are_served_in_order_as_far_as_the_cash_goes() -> None:
    """XP-GIFTS, PAY-2, PAY-3"""

    def poor(oracle: Oracle) -> None:
        oracle.players[1].cash, oracle.players[1].loan_this_month = 13, True
        oracle.players[1].hand = ["levy"]

    oracle = struck("gifts", poor, num_players=4)
    assert [player.cash for player in oracle.players] == [103, 0, 105, 105]
    assert oracle.bankrupts == [1]
    assert sorted(oracle.face_up) == ["gifts", "levy"]
    oracle = struck("gifts", lambda oracle: have(oracle, "cash", 100, 13, 100, 100), num_players=4)
    assert [player.cash for player in oracle.players] == [105, 48, 105, 105]


def test_bars_go_to_the_left_while_there_are_any() -> None:
    """XP-SHARE"""
    oracle = struck("bar_each", lambda oracle: have(oracle, "chocolate", 1, 1, 16, 4), num_players=4)
    assert [player.chocolate for player in oracle.players] == [1, 0, 16, 5]


def test_a_third_goes_to_the_bank() -> None:
    """XP-THIRD: from 3 bars on"""
    oracle = struck("third_to_bank", lambda oracle: have(oracle, "chocolate", 9, 8, 2))
    assert [player.chocolate for player in oracle.players] == [9, 6, 2]


def test_a_holiday_is_chosen_by_who_goes_without() -> None:
    """XP-HOLIDAY"""
    oracle = struck("holiday", lambda oracle: employ(oracle, [0] * 4, [2, 0, 1, 0]))
    assert asked(oracle) == (1, "holiday")
    assert oracle.legal() == {("category", 0), ("category", 2)}
    play(oracle, "category secretary")
    assert oracle.players[1].absent == [0, 0, 1, 0]


def test_nobody_plays_two_cards_or_is_struck_twice_in_a_month() -> None:
    """XP-2, XP-3, XP-4"""
    oracle = table(3, month=2, hands=[["levy", "tax_inspection"], ["gifts"], ["third_to_bank"]])
    employ(oracle, *[[1, 0, 0, 0]] * 3)
    have(oracle, "chocolate", 3, 3, 0)
    oracle.start("cards_a")
    play(oracle, "play levy, target 1")
    assert oracle.players[1].cash == 99
    play(oracle, "play gifts, target 2")  # on seat 0, in place of seat 2
    assert [player.cash for player in oracle.players] == [90, 104, 105]
    oracle.start("cards_b")
    assert oracle.step != "card_b"  # seats 0 and 1 are struck already, and seat 0 has played


def test_no_card_is_played_in_the_first_month() -> None:
    """XP-1"""
    oracle = table(3, hands=[["gifts"]])
    oracle.start("cards_a")
    assert oracle.step == "announce"


def may_be_struck_by(card: str, oracle: Oracle) -> bool:
    """Whether seat 0 is asked for the card, on seat 1 alone."""
    oracle.players[0].hand = [card]
    oracle.start("cards_a" if card in OF_WINDOW_A else "cards_b")
    return oracle.step in ("card_a", "card_b")


def with_staff(*staff: int) -> Oracle:
    oracle = table(2, month=2)
    employ(oracle, [0] * 4, staff)
    return oracle


def test_cards_are_played_only_where_they_have_an_effect() -> None:
    """XP-3, the last column of XP-5"""
    nothing, one_of_each = with_staff(0, 0, 0, 0), with_staff(1, 1, 1, 1)
    for card in ("levy", "holiday", "illness", "slow_shift", "missed_meetings", "idle_books"):
        assert may_be_struck_by(card, one_of_each)
        assert not may_be_struck_by(card, nothing)
    one_of_each.players[1].absent = [1, 1, 1, 1]
    for card in ("illness", "missed_meetings", "idle_books"):
        assert not may_be_struck_by(card, one_of_each)
    one_of_each.in_force = "go-slow"
    assert not may_be_struck_by("slow_shift", one_of_each)
    for bars, third, each in ((0, False, False), (1, False, True), (2, False, True), (3, True, True)):
        nothing.players[1].chocolate = bars
        assert may_be_struck_by("third_to_bank", nothing) == third
        assert may_be_struck_by("bar_each", nothing) == each
    for card in ("gifts", "tax_inspection"):
        assert may_be_struck_by(card, nothing)


def test_a_worker_is_ill() -> None:
    """XP-ILL"""
    oracle = struck("illness", lambda oracle: employ(oracle, [0] * 4, [2, 1, 0, 0]))
    assert oracle.players[1].absent == [1, 0, 0, 0]


def test_nobody_plays_a_card_on_the_own_contract() -> None:
    """XP-3"""
    oracle = auction(chocolate=[2, 4, 2, 2], hands=([], ["half_price"]))
    play(oracle, "accept")
    assert oracle.step != "card_c"


def test_the_absent_do_not_work() -> None:
    """OFFICE-2, OFFICE-3, SALE-1"""
    oracle = with_staff(0, 1, 2, 2)
    oracle.players[1].absent = [0, 1, 1, 1]
    oracle.players[1].chocolate = 5
    oracle.players[1].open = [Banded(oracle.deck.pop(), 20) for _ in range(3)]
    oracle.players[1].at_bookkeepers = [Banded(oracle.deck.pop(), 30) for _ in range(3)]
    oracle.events_dealt[1] = "protest"
    oracle.start("cards_b")
    assert oracle.step == "bank_sale"
    play(oracle, "bars 0, bars 0")
    assert oracle.players[1].cash == 160
    assert [banded.price for banded in oracle.players[1].at_bookkeepers] == [30, 20]


def test_without_a_salesman_nobody_is_present() -> None:
    """SALE-4"""
    oracle = table(4, month=2, contracts=["ice-cream-maker"])
    employ(oracle, [0] * 4, [0, 2, 0, 0], [0] * 4, [0, 1, 0, 0])
    have(oracle, "chocolate", 3, 4, 2, 3)
    oracle.start("cards_b")
    assert asked(oracle) == (3, "attend")  # before 1, who comes without being asked, is offered anything
    assert [player.present for player in oracle.players] == [False, True, False, False]


def test_who_has_gained_a_contract_sells_nothing_to_the_bank() -> None:
    """SALE-12"""
    oracle = table(2, month=2, contracts=["station-kiosk"])
    employ(oracle, [0, 1, 0, 0])
    have(oracle, "chocolate", 4, 1)
    oracle.start("cards_b")
    play(oracle, "accept, accept")  # 1 bar and 1 bar
    assert asked(oracle) == (1, "bank_sale")
    assert numbers(oracle, "bars") == [0, 1]


def test_who_refused_is_asked_again() -> None:
    """SALE-7"""
    oracle = auction(chocolate=[3, 4, 2, 3])
    play(oracle, "pass, pass, pass")
    assert [player.refused for player in oracle.players] == [True, True, False, True]
    play(oracle, "raise 1, pass")
    assert [player.refused for player in oracle.players] == [True, False, False, False]


def test_what_nobody_buys_goes_back() -> None:
    """COCOA-6"""
    oracle = table(2)
    oracle.start("cocoa")
    play(oracle, "bars 5, bars 5, bars 0, bars 1, price 3")
    assert (oracle.market, oracle.players[1].cocoa) == ([0, 2, 2, 2, 2], 1)


@pytest.mark.parametrize(("due", "left"), [(35, 3), (36, 2), (62, 2), (63, 1), (89, 1), (90, 0)])
def test_no_more_shares_are_sold_than_needed(due: int, left: int) -> None:
    """PAY-2: at 27 each"""
    oracle = table(2, month=4)
    oracle.players[0].cash, oracle.players[0].shares, oracle.box_shares = 35, 3, 7
    assert oracle.raise_cash(0, due)
    assert (oracle.players[0].shares, oracle.players[0].loans) == (left, 0)


@pytest.mark.parametrize(("event", "lasts"), [("protest", False), ("stuck-cocoa", True)])
def test_only_what_is_announced_lasts(event: str, lasts: bool) -> None:
    """MON-3, EV-5"""
    oracle = table(2, month=2, play_forced=True)
    oracle.events_dealt[1] = event
    oracle.start("event")
    play(oracle, "pass, pass")
    assert (oracle.month, oracle.in_force) == (3, event if lasts else None)


@pytest.mark.parametrize(("salaries", "paid"), [((40, 30, 20), (50, 0, 0)), ((40, 40, 20), (25, 25, 0))])
def test_the_subsidy_goes_to_who_paid_most(salaries: tuple[int, ...], paid: tuple[int, ...]) -> None:
    """EV-4"""
    oracle = table(3, month=4)
    have(oracle, "salaries", *salaries)
    oracle.start("event")
    assert oracle.turned == "subsidy"
    assert [player.cash - 100 for player in oracle.players] == [*paid]


def test_nobody_gets_a_subsidy_without_salaries_and_a_tie_is_rounded_down() -> None:
    """EV-4"""
    oracle = table(3, month=4)
    oracle.start("event")
    assert [player.cash for player in oracle.players] == [100, 100, 100]
    have(oracle, "salaries", 6, 6, 6)
    oracle.start("event")
    assert [player.cash for player in oracle.players] == [116, 116, 116]


@pytest.mark.parametrize(("rivals", "to_go"), [(0, 3), (1, 0)])
def test_an_emergency_loan_counts_at_once(rivals: int, to_go: int) -> None:
    """PAY-2, LOAN-5, LOAN-6"""
    oracle = table(2, month=2)
    employ(oracle, [3, 2, 0, 0])
    have(oracle, "cash", 20, 100)
    borrow(oracle, 0, rivals)
    oracle.start("staff")
    play(oracle, "staff 3, staff 0" + ", staff 0" * 6)
    for _ in range(to_go):
        assert asked(oracle) == (0, "trim")
        play(oracle, "category worker")
    assert oracle.step == "announce"


def test_a_loan_is_left_to_the_largest_if_all_others_have_loans() -> None:
    """LOAN-4, LOAN-6"""
    for loans, may in (((0, 1, 1), True), ((0, 1, 0), False)):
        oracle = table(3, month=2)
        employ(oracle, [2, 0, 0, 0], [1, 0, 0, 0])
        borrow(oracle, *loans)
        oracle.start("money")
        assert (("take_loan", 0) in oracle.legal()) == may


def test_leadership_passes_over_bankrupt_players() -> None:
    """MON-2, PAY-3: so does every order"""
    oracle = table(4, month=2, leader=0)
    oracle.go_bankrupt(1)
    assert list(oracle.player_order()) == [0, 2, 3]
    oracle.begin_month()
    assert (oracle.leader, list(oracle.player_order()), oracle.chairman) == (2, [2, 3, 0], 0)


def test_the_last_who_is_left_wins() -> None:
    """PAY-4, END-3: the game ends within the payment"""
    oracle = table(3, month=3, leader=1)
    have(oracle, "cash", 4, 4, 4)
    have(oracle, "chocolate", 12, 12, 12)
    oracle.start("event")
    assert oracle.turned == "shock"
    assert oracle.seat is None
    assert oracle.bankrupts == [1, 2]
    assert (oracle.ranking(), oracle.scores(), oracle.winners()) == ([0, 2, 1], [4, 0, 0], [0])


def test_ties_go_to_who_comes_later() -> None:
    """END-3: a debt still ranks before a bankruptcy"""
    oracle = table(4, month=8, leader=2)
    have(oracle, "cash", 60, 60, 60, 10)
    borrow(oracle, 0, 0, 0, 1)
    assert oracle.ranking() == [1, 0, 2, 3]
    oracle.go_bankrupt(1)
    assert oracle.ranking() == [0, 3, 1, 2]


def test_windows_and_bids_look_alike_to_the_others() -> None:
    """SEE-5"""
    oracle = table(3, month=2, hands=[["gifts", "levy", "bar_each"]])
    oracle.start("cards_a")
    assert sum(oracle.observable(0)["task"]) == sum(oracle.observable(0)["to_move"]) == 1
    for seat in (1, 2):
        assert sum(oracle.observable(seat)["task"]) == sum(oracle.observable(seat)["to_move"]) == 0
    assert oracle.observable(1)["hand"] == [0] * 12
    assert oracle.observable(1)["hand_size"] == [0, 0, 3]


def test_contracts_of_the_page_keep_its_guidelines() -> None:
    """Cards: highest at least 1.7 times lowest, even highest prices, at least 5 a bar and 13, fewer a bar for more."""
    assert len(CONTRACTS) == 23
    mean = {}
    for bars in range(1, 7):
        of_size = [card for card in CONTRACTS if card["bars"] == bars]
        mean[bars] = sum(card["lowest"] for card in of_size) / bars / len(of_size)
        for card in of_size:
            assert card["highest"] >= 1.7 * card["lowest"]
            assert card["highest"] % 2 == 0
            assert card["lowest"] >= 5 * bars + 13
    assert list(mean.values()) == sorted(mean.values(), reverse=True)
    assert sum(card["bars"] for card in CONTRACTS) == 75
