"""Ways and results of the oracle of *Schoko & Co.*, compared with a list of all numbers that the rules allow."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from .oracle import Oracle
from .oracle_cards import CARDS
from .oracle_tables import all_ways, borrow, employ, have, numbers, play, table


@pytest.mark.parametrize("event", [None, "no-books"])
@pytest.mark.parametrize("cash", [30, 45, 200])
def test_every_staff_that_can_be_paid_is_reached_once(cash: int, event: str | None) -> None:
    """STAFF-2, STAFF-4 to STAFF-7"""
    held, box, salaries = (1, 2, 0, 1), (5, 1, 16, 9), (6, 12, 8, 10)

    def make() -> Oracle:
        oracle = table(2, month=2)
        employ(oracle, held)
        oracle.box_staff = list(box)
        oracle.in_force = event
        have(oracle, "cash", cash, 100)
        oracle.start("staff")
        return oracle

    def may_be(staff: tuple[int, ...]) -> bool:
        due = sum(n * salary + max(0, h - n) * salary // 2 for n, h, salary in zip(staff, held, salaries, strict=True))
        within = all(n - h <= min(2, there) for n, h, there in zip(staff, held, box, strict=True))
        return due <= cash and within and (event is None or staff[3] <= held[3])

    expected = [staff for staff in product(range(8), repeat=4) if may_be(staff)]
    assert sorted(all_ways(make, lambda oracle: tuple(oracle.players[0].staff))) == expected


@pytest.mark.parametrize("other", [4, 7, 8])
def test_every_way_to_lay_off_is_reached_once(other: int) -> None:
    """LOAN-5"""
    held = (3, 0, 2, 4)

    def make() -> Oracle:
        oracle = table(2, month=2)
        employ(oracle, held, [other, 0, 0, 0])
        have(oracle, "cash", 200, 200)
        borrow(oracle, 1, 0)
        oracle.start("staff")
        play(oracle, ", ".join(f"staff {number}" for number in (*held, other, 0, 0, 0)))
        return oracle

    left = product(*(range(number + 1) for number in held))
    expected = [staff for staff in left if sum(staff) == other]
    assert sorted(all_ways(make, lambda oracle: tuple(oracle.players[0].staff))) == expected


@pytest.mark.parametrize("month", [5, 8])
@pytest.mark.parametrize(("cash", "shares", "loans"), [(130, 3, 2), (49, 1, 1), (70, 0, 0), (3, 2, 3)])
@pytest.mark.parametrize("largest", [False, True])
def test_every_result_with_loans_and_shares_is_reached_once(
    month: int, cash: int, shares: int, loans: int, largest: bool
) -> None:
    """LOAN-1, LOAN-3, LOAN-4, LOAN-7, SHARE-1"""
    price, in_box = CARDS["setup"]["share_price"][month - 1], 4

    def make() -> Oracle:
        oracle = table(2, month=month)
        employ(oracle, [largest, 0, 0, 0])
        oracle.players[0].cash = cash + 10 * loans  # interest
        oracle.players[0].shares, oracle.box_shares = shares, in_box
        borrow(oracle, loans, 0)
        oracle.start("money")
        return oracle

    expected = []
    for sold, repaid, taken, bought in product(range(shares + 1), range(loans + 1), range(2), range(in_box + 1)):
        allowed = not (sold and bought) and not (repaid and taken) and not (taken and (largest or month == 8))
        rest = cash + sold * price - 50 * repaid
        if allowed and rest >= 0 and rest + 50 * taken >= bought * price:
            left = rest + 50 * taken - bought * price
            expected.append((left, shares - sold + bought, loans - repaid + taken))
    results = all_ways(make, lambda o: (o.players[0].cash, o.players[0].shares, o.players[0].loans))
    assert sorted(results) == sorted(expected)


@pytest.mark.parametrize(("cash", "cocoa"), [(100, 0), (9, 0), (100, 14), (0, 0)])
def test_every_bid_that_can_be_paid_and_stored_is_reached_once(cash: int, cocoa: int) -> None:
    """COCOA-4"""

    def make() -> Oracle:
        oracle = table(2, month=2)
        have(oracle, "cash", cash, 100)
        have(oracle, "cocoa", cocoa, 0)
        oracle.start("cocoa")
        play(oracle, "bars 0, bars 16")
        return oracle

    bids = [[n, p] for n, p in product(range(1, 5), range(1, 31)) if n <= 16 - cocoa and n * p <= cash]
    found: list[list[int]] = []
    for _, bars in sorted(make().legal()):
        oracle = make()
        play(oracle, f"bars {bars}")
        for words in [f"price {price}" for price in numbers(oracle, "price")]:
            oracle = make()
            play(oracle, f"bars {bars}, {words}")
            found.append(oracle.players[0].bid or [])
    assert found == bids


def test_bids_are_served_bar_by_bar() -> None:
    """COCOA-5: each bar goes to the best bid that is not yet served in full."""
    random = Random(1)
    for _ in range(200):
        oracle = table(4, leader=random.randrange(4))
        have(oracle, "cash", *[480] * 4)
        oracle.market = [random.randrange(1, 14), 0, 0, 0, 0]
        bids = [[random.randrange(9), random.randrange(1, 5)] for _ in range(4)]
        bids = [bid if bid[0] else [0, 0] for bid in bids]
        have(oracle, "bid", *bids)
        order = list(oracle.player_order())
        wanted = [bars for bars, _ in bids]
        for _ in range(oracle.market[0]):
            waiting = [seat for seat in order if wanted[seat]]
            if waiting:
                best = max(bids[seat][1] for seat in waiting)
                wanted[next(seat for seat in waiting if bids[seat][1] == best)] -= 1
        oracle.settle(0)
        bought = [bars - rest for (bars, _), rest in zip(bids, wanted, strict=True)]
        assert [player.cocoa for player in oracle.players] == bought
        spent = [480 - player.cash for player in oracle.players]
        assert spent == [bars * price for bars, (_, price) in zip(bought, bids, strict=True)]
