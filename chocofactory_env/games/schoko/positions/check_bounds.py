"""Check that a seat's cash leaves room for all that play can still add.

Play keeps a position inside this bound: what it adds to the cash, it takes from what was still to come.
"""

from __future__ import annotations

from typing import Final

from ....core.positions.reading import Fault, Faults
from ..constants import GONE, MAX_SHARES, Event, Express
from .basis import Position, Stage

MOST_MONEY: Final = 1_000_000  # thousands, including what can still come; a whole game brings some 30,000 at most


def check_cash(p: Position) -> Faults:
    """PAY-1"""
    for seat, player in enumerate(p.players):
        most = MOST_MONEY - still_to_come(p, seat)
        if player["cash"] > most:
            yield Fault(f"players[{seat}].cash", f"at most {most} by now", player["cash"])


def still_to_come(p: Position, seat: int) -> int:
    """The most that the seat can still receive."""
    player, deck = p.players[seat], p.deck
    share = int(max(deck.share_price))
    meetings, bank, subsidy = meetings_to_come(p, seat), bank_sale(p), int(deck.event_amounts[Event.WAGE_SUBSIDY])
    whole_month = int(deck.loan) + MAX_SHARES * share + bank + subsidy + int(deck.last_field) * highest_price(p)
    total = (p.game.months - p.month) * whole_month
    total += player["shares"] * share + sum(entry["price"] for entry in player["contracts"])
    total += 0 if p.state.express[Express.GIFTS] == GONE else int(deck.express_amounts[Express.GIFTS])
    total += 0 if player["loan_this_month"] else int(deck.loan)
    total += meetings * highest_price(p)
    total += bank if is_before_turn(p, seat, Stage.BANK_SALE) else 0
    total += subsidy if p.data["events"]["turned"] is None else 0
    total += MAX_SHARES * share if is_before_turn(p, seat, Stage.MONEY) else 0  # bought now, sold at a higher price
    return int(total)


def highest_price(p: Position) -> int:
    """The highest price of any contract."""
    return int(max(p.deck.contracts["highest"]))


def bank_sale(p: Position) -> int:
    """SALE-12"""
    return int(p.deck.bank_bars) * int(p.deck.bank_price)


def meetings_to_come(p: Position, seat: int) -> int:
    """SALE-1: meetings that can still bring the seat a contract. In window C the taker has its contract already."""
    if p.stage < Stage.MEETINGS:
        return int(p.deck.last_field)
    return int(p.meeting["left"]) - int(seat == p.meeting["taker"])


def is_before_turn(p: Position, seat: int, stage: Stage) -> bool:
    """Whether the seat's turn in this stage is still to come or under way."""
    return p.stage < stage or (p.stage == stage and not p.is_asked_yet(seat))
