"""The types of a deck's tables, and what the rules fix about the deck as a whole.

Words are used as the numbers of `constants.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, ClassVar, Final

from msgspec import UNSET, Meta, UnsetType

from ...core.cards.deck import Card, Table, need_field, need_printable
from ...core.reading import Word, between, entries, need, numbers_of, one_of, text
from .constants import (
    HIGHEST_BID,
    LEAST_MONTHS,
    MAX_CONTRACTS,
    MAX_HAND,
    MAX_LOANS,
    MAX_MONTHS,
    MAX_SHARES,
    MAX_STAFF,
    NUM_CATEGORIES,
    NUM_CITIES,
    STORE_PLACES,
    Event,
    Express,
)

# The largest values of a deck. The widths of records, actions and observation blocks depend on them.
MIN_CONTRACTS: Final = 15  # as many as a month can have meetings (SALE-2)
MAX_BARS: Final = 6
MAX_PRICE: Final = 150
MAX_CASH: Final = 250
MAX_SALARY: Final = 60
MAX_SMALL_SUM: Final = 50  # a payment for each of several things
MAX_WORK: Final = 9  # of one employee
MAX_SHARE_PRICE: Final = 60
MAX_FIELD: Final = 15
MAX_DIVISOR: Final = 9

EVENTS: Final = numbers_of(Event)
EXPRESS: Final = numbers_of(Express)

# --- Contracts

Price = Annotated[int, between(1, MAX_PRICE)]


class Contract(Card):
    bars: Annotated[int, between(1, MAX_BARS)]
    lowest: Price
    highest: Price

    def check(self) -> None:
        """SALE-7"""
        need(self.highest >= self.lowest, f"at least the {self.lowest} of `lowest`", self.highest, "highest")


# --- Events and express cards

# Bounds of `amount`, for effects that have one. At most one employee is absent in a month (XP-3), and an observation
# has only a flag for it in each category.
EVENT_AMOUNTS: Final[Mapping[Event, tuple[int, int]]] = {
    Event.PROTEST: (1, STORE_PLACES),
    Event.STORE_SHOCK: (1, MAX_SMALL_SUM),
    Event.WAGE_SUBSIDY: (1, MAX_CASH),
    Event.SLOW_WORK: (1, MAX_WORK),
}
EXPRESS_AMOUNTS: Final[Mapping[Express, tuple[int, int]]] = {
    Express.LEVY: (1, MAX_SMALL_SUM),
    Express.GIFTS: (1, MAX_CASH),
    Express.ILLNESS: (1, 1),
    Express.HOLIDAY: (1, 1),
    Express.SLOW_SHIFT: (1, MAX_WORK),
    Express.THIRD_TO_BANK: (1, MAX_DIVISOR),
    Express.BAR_EACH: (1, 1),
    Express.MISSED_MEETINGS: (1, MAX_FIELD),
    Express.IDLE_BOOKS: (1, MAX_WORK),
    Express.HALF_PRICE: (1, MAX_DIVISOR),
}


class EventWord(Word, words=EVENTS): ...


class ExpressWord(Word, words=EXPRESS): ...


class EventCard(Card):
    sorted_by: ClassVar[str] = "effect"

    effect: EventWord
    amount: int | UnsetType = UNSET

    def check(self) -> None:
        need_field(self, "amount", EVENT_AMOUNTS.get(Event(self.effect), False), f"the effect {self.effect.word!r}")


class ExpressCard(Card):
    sorted_by: ClassVar[str] = "effect"

    effect: ExpressWord
    amount: int | UnsetType = UNSET

    def check(self) -> None:
        need_field(self, "amount", EXPRESS_AMOUNTS.get(Express(self.effect), False), f"the effect {self.effect.word!r}")


# --- Setup


def months_of(players: int) -> Meta:
    """SET-7"""
    months = [number for number in range(LEAST_MONTHS, MAX_MONTHS + 1) if number % players == 0]
    return between(LEAST_MONTHS, MAX_MONTHS, multiple_of=players, description=one_of(months))


class Months(Table, rename={"two": "2", "three": "3", "four": "4"}):
    two: Annotated[int, months_of(2)]
    three: Annotated[int, months_of(3)]
    four: Annotated[int, months_of(4)]


City = Annotated[str, text(r"\S(.{0,18}\S)?", "a name of 1 to 20 characters")]
Cash = Annotated[int, between(0, MAX_CASH)]
Places = Annotated[int, between(1, STORE_PLACES)]
# STAFF-5
EVEN: Final = f"an even integer 0..{MAX_SALARY}, since half of it is severance"
Salary = Annotated[int, between(0, MAX_SALARY, multiple_of=2, description=EVEN)]
Staff = Annotated[int, between(1, MAX_STAFF)]
Work = Annotated[int, between(1, MAX_WORK)]


class Setup(Card):
    cash: Cash
    look: Cash
    salaries: Annotated[list[Salary], entries(NUM_CATEGORIES)]
    bars_a_worker: Work
    contracts_a_secretary: Work
    contracts_a_bookkeeper: Work
    most_hired: Staff
    cocoa_store: Places
    chocolate_store: Places
    staff: Annotated[list[Staff], entries(NUM_CATEGORIES)]
    loans: Annotated[int, between(0, MAX_LOANS)]
    shares: Annotated[int, between(0, MAX_SHARES)]
    loan: Annotated[int, between(1, MAX_CASH)]
    interest: Cash
    last_field: Annotated[int, between(1, MAX_FIELD)]
    bank_bars: Annotated[int, between(0, STORE_PLACES)]
    bank_price: Annotated[int, between(0, MAX_SMALL_SUM)]
    highest_bid: Annotated[int, between(1, HIGHEST_BID)]
    hand: Annotated[int, between(0, MAX_HAND)]
    months: Months
    cities: Annotated[list[City], entries(NUM_CITIES)]
    share_price: Annotated[list[Annotated[int, between(1, MAX_SHARE_PRICE)]], entries(MAX_MONTHS)]

    def check(self) -> None:
        for number, city in enumerate(self.cities):
            need_printable(city, "cities", number)


# --- The deck as a whole


class Deck(Table):
    contracts: Annotated[list[Contract], entries(MIN_CONTRACTS, MAX_CONTRACTS, of="contracts")]  # SET-4
    events: list[EventCard]
    express: list[ExpressCard]
    setup: Annotated[list[Setup], entries(1, of="table")]


def check(deck: Deck) -> None:
    """What holds between cards: each effect has one card, so that a card's number is that of its effect."""
    check_effects("events", EVENTS, (card.effect.word for card in deck.events))
    check_effects("express", EXPRESS, (card.effect.word for card in deck.express))


def check_effects(table: str, effects: Iterable[str], found: Iterable[str]) -> None:
    """SET-3, SET-5, EV-0"""
    there = list(found)
    for effect in effects:
        cards = there.count(effect)
        need(cards == 1, f"1 card with the effect {effect!r}", cards, table)
