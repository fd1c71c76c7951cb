"""The shipped cards are those that the page of rules prints, and say what is published."""

from __future__ import annotations

import pytest
from oracles.schoko.cards import CARDS
from oracles.schoko.view import cards_of
from schoko_decks import shipped

from chocofactory_env.games.schoko.cards import load_cards


def test_the_setup_is_that_of_the_rules() -> None:
    """SET-2, SET-7, SET-8, SET-9, LOOK-1, STAFF-1, STAFF-2, COCOA-4, SALE-2, SALE-12, LOAN-1, LOAN-2, SHARE-1"""
    setup = cards_of(shipped())["setup"]
    assert {name: setup[name] for name in CARDS["setup"]} == CARDS["setup"]


@pytest.mark.parametrize("table", ["events", "express", "contracts"])
def test_the_cards_are_those_of_the_rules(table: str) -> None:
    """SET-3, SET-4, SET-5"""
    for card, printed in zip(shipped()[table], CARDS[table], strict=True):
        numbers = printed.keys() - {"id"}
        assert {name: card[name] for name in numbers} == {name: printed[name] for name in numbers}
        assert card["id"] == printed["id"].replace("_", "-")


def test_every_number_says_whether_it_is_published() -> None:
    cards = load_cards()
    assert {cards.sources[contract] for contract in cards.contracts} == {"reconstructed"}
    assert {cards.sources[card] for card in (*cards.events, *cards.express)} == {"rulebook"}
    assert set(cards.reconstructed[cards.setup]) == {"share_price", "highest_bid", "cities"}
    assert [cards.clauses[event] for event in cards.events] == [f"EV-{number}" for number in range(1, 8)]
