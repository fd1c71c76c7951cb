"""The schema of a deck: the fields of every table, and what the rules fix about the deck as a whole.

With it, `check_tables` turns parsed TOML into plain dictionaries of numbers, one list per table in the order of card
numbers: it replaces words by the numbers of `constants.py` and fills in defaults.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ...core.cards.checks import Card, Check, Field, Fields, Place, integer, numbers_of, sequence, table, tagged, text
from ...core.cards.deck import COMMON, TableCheck, TableChecks, check_provenance, check_single
from .constants import (
    HIGHEST_BID,
    LEAST_MONTHS,
    MAX_CONTRACTS,
    MAX_HAND,
    MAX_LOANS,
    MAX_MONTHS,
    MAX_PLAYERS,
    MAX_SHARES,
    MAX_STAFF,
    MIN_PLAYERS,
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


def check_prices(contract: Card, place: Place) -> None:
    """SALE-7"""
    if contract["highest"] < contract["lowest"]:
        raise place.at("highest").error(f"at least the {contract['lowest']} of `lowest`", contract["highest"])


PRICE = Field(integer(1, MAX_PRICE))
CONTRACT = table(
    {**COMMON, "bars": Field(integer(1, MAX_BARS)), "lowest": PRICE, "highest": PRICE}, check_provenance, check_prices
)

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


def card_with_effect(effects: Mapping[str, int], amounts: Mapping[Any, tuple[int, int]]) -> Check:
    by_effect: dict[str, Fields] = {
        key: {"amount": Field(integer(*amounts[number]))} if number in amounts else {}
        for key, number in effects.items()
    }
    return tagged("effect", effects, COMMON, by_effect, check_provenance)


def each_effect_once(effects: Mapping[str, int]) -> Callable[[list[Card], Place], None]:
    """Check that each effect has one card, so that a card's number is that of its effect."""

    def check(cards: list[Card], place: Place) -> None:
        """SET-3, SET-5, EV-0"""
        found = [card["effect"] for card in cards]
        for key, number in effects.items():
            if found.count(number) != 1:
                raise place.error(f"1 card with the effect {key!r}", found.count(number))

    return check


# --- Setup


def even(check_number: Check) -> Check:
    """STAFF-5: half a salary must be a whole number."""

    def check(value: object, place: Place) -> int:
        number: int = check_number(value, place)
        if number % 2:
            raise place.error("an even number, since half of it is severance", number)
        return number

    return check


def months_of(players: int) -> Check:
    """SET-7"""
    lengths = [months for months in range(LEAST_MONTHS, MAX_MONTHS + 1) if months % players == 0]

    def check(value: object, place: Place) -> int:
        if type(value) is not int or value not in lengths:
            raise place.error(f"one of {', '.join(map(str, lengths))}", value)
        return value

    return check


def by_category(check: Check) -> Field:
    return Field(sequence(check, NUM_CATEGORIES, NUM_CATEGORIES))


CITY = text(r"\S(.{0,18}\S)?", "a name of 1 to 20 characters")
STORE = Field(integer(1, STORE_PLACES))
WORK = Field(integer(1, MAX_WORK))
SETUP = table(
    {
        **COMMON,
        "cash": Field(integer(0, MAX_CASH)),
        "look": Field(integer(0, MAX_CASH)),
        "salaries": by_category(even(integer(0, MAX_SALARY))),
        "bars_a_worker": WORK,
        "contracts_a_secretary": WORK,
        "contracts_a_bookkeeper": WORK,
        "most_hired": Field(integer(1, MAX_STAFF)),
        "cocoa_store": STORE,
        "chocolate_store": STORE,
        "staff": by_category(integer(1, MAX_STAFF)),
        "loans": Field(integer(0, MAX_LOANS)),
        "shares": Field(integer(0, MAX_SHARES)),
        "loan": Field(integer(1, MAX_CASH)),
        "interest": Field(integer(0, MAX_CASH)),
        "last_field": Field(integer(1, MAX_FIELD)),
        "bank_bars": Field(integer(0, STORE_PLACES)),
        "bank_price": Field(integer(0, MAX_SMALL_SUM)),
        "highest_bid": Field(integer(1, HIGHEST_BID)),
        "hand": Field(integer(0, MAX_HAND)),
        "months": Field(table({str(n): Field(months_of(n)) for n in range(MIN_PLAYERS, MAX_PLAYERS + 1)})),
        "cities": Field(sequence(CITY, NUM_CITIES, NUM_CITIES)),
        "share_price": Field(sequence(integer(1, MAX_SHARE_PRICE), MAX_MONTHS, MAX_MONTHS)),
    },
    check_provenance,
)

# --- The deck as a whole


def check_contracts(contracts: list[Card], place: Place) -> None:
    """SET-4"""
    if not MIN_CONTRACTS <= len(contracts) <= MAX_CONTRACTS:
        raise place.error(f"{MIN_CONTRACTS} to {MAX_CONTRACTS} contracts", len(contracts))


CHECKS: TableChecks = {
    "contracts": TableCheck(CONTRACT, check_contracts),
    "events": TableCheck(card_with_effect(EVENTS, EVENT_AMOUNTS), each_effect_once(EVENTS), sorted_by="effect"),
    "express": TableCheck(card_with_effect(EXPRESS, EXPRESS_AMOUNTS), each_effect_once(EXPRESS), sorted_by="effect"),
    "setup": TableCheck(SETUP, check_single),
}
