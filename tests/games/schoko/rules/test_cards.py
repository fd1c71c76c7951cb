"""The shipped cards: what the sources publish, and the guidelines of what is reconstructed."""

from __future__ import annotations

import numpy as np
import pytest

from chocofactory_env.games.schoko.cards import Cards, load_cards
from chocofactory_env.games.schoko.constants import Category, Event, Express


@pytest.fixture(scope="module")
def cards() -> Cards:
    return load_cards()


def amounts(names: type[Event | Express], values: np.ndarray) -> dict[str, int]:
    return {names(number).name: int(value) for number, value in enumerate(values) if value}


def test_set_3_and_xp_5_there_are_twelve_express_cards(cards: Cards) -> None:
    """XP-LEVY, XP-GIFTS, XP-SLOW, XP-THIRD, XP-MISS, XP-IDLE, XP-HALF: with these numbers."""
    assert len(cards.express) == len(Express) == 12
    assert cards.record.hand == 3
    assert amounts(Express, cards.record.express_amounts) == {
        "LEVY": 1,
        "GIFTS": 5,
        "ILLNESS": 1,
        "HOLIDAY": 1,
        "SLOW_SHIFT": 2,
        "THIRD_TO_BANK": 3,
        "BAR_EACH": 1,
        "MISSED_MEETINGS": 2,
        "IDLE_BOOKS": 1,
        "HALF_PRICE": 2,
    }


def test_set_5_there_are_seven_events(cards: Cards) -> None:
    """EV-1 to EV-7; EV-2, EV-3, EV-4 and EV-6 with a number."""
    assert len(cards.events) == len(Event) == 7
    expected = {"PROTEST": 5, "STORE_SHOCK": 5, "WAGE_SUBSIDY": 50, "SLOW_WORK": 1}
    assert amounts(Event, cards.record.event_amounts) == expected
    assert [cards.clauses[event] for event in cards.events] == [f"EV-{number}" for number in range(1, 8)]


def test_staff_1_salaries_and_set_9_the_box(cards: Cards) -> None:
    record = cards.record
    assert record.salaries[Category.SALESMAN] == 12
    assert record.salaries.tolist() == [6, 12, 8, 10]
    assert record.staff.tolist() == [20, 16, 16, 10]
    assert (record.loans, record.shares) == (13, 10)
    assert (record.bars_a_worker, record.contracts_a_secretary, record.contracts_a_bookkeeper) == (3, 1, 2)


def test_numbers_of_the_game(cards: Cards) -> None:
    """SET-2, SET-7, SET-8, LOOK-1, STAFF-2, COCOA-4, SALE-2, SALE-12, LOAN-1, LOAN-2"""
    record = cards.record
    assert (record.cash, record.look, record.most_hired) == (100, 15, 2)
    assert (record.cocoa_store, record.chocolate_store, record.last_field) == (16, 16, 15)
    assert (record.bank_bars, record.bank_price, record.highest_bid) == (2, 5, 30)
    assert (record.loan, record.interest) == (50, 10)
    assert record.months.tolist() == [0, 0, 8, 9, 8]
    assert cards.cities[0] == "New York"


def test_share_1_the_price_rises_by_a_tenth(cards: Cards) -> None:
    prices = cards.record.share_price.tolist()
    exact = 20.0
    for price in prices:
        assert price == round(exact)
        exact *= 1.1


def test_set_4_contracts_are_of_one_to_six_bars(cards: Cards) -> None:
    contracts = cards.record.contracts
    assert len(cards.contracts) == cards.record.num_contracts == 23
    assert np.bincount(contracts["bars"]).tolist() == [0, 3, 4, 7, 4, 3, 2]
    assert contracts["bars"].sum() == 75


def test_prices_of_contracts_follow_the_guidelines(cards: Cards) -> None:
    """SALE-7, SALE-8, XP-HALF: half of every highest price is whole."""
    contracts = cards.record.contracts
    bars, lowest, highest = (contracts[key].astype(float) for key in ("bars", "lowest", "highest"))
    assert (highest >= 1.7 * lowest).all()
    assert (highest % 2 == 0).all()
    assert (lowest >= 5 * bars + 13).all()
    means = [(lowest[bars == number] / number).mean() for number in range(1, 7)]
    assert means == sorted(means, reverse=True)


def test_every_number_says_whether_it_is_published(cards: Cards) -> None:
    assert {cards.sources[contract] for contract in cards.contracts} == {"reconstructed"}
    assert {cards.sources[card] for card in (*cards.events, *cards.express)} == {"rulebook"}
    assert set(cards.reconstructed[cards.setup]) == {"share_price", "highest_bid", "cities"}
