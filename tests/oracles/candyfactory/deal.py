"""Deals of the candy factory for its oracle: START-5 to START-9, SHORT-3, SHORT-4."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .words import HIRED, SPACES, Tables


def workers_of(cards: Tables) -> list[str]:
    """START-3: the worker cards of every player."""
    return [str(number) for number in cards["workers"][0]["numbers"]]


def check_deal(options: Mapping[str, Any], cards: Tables, deal: Mapping[str, Any]) -> None:
    """Decks and a die that the rules can deal."""
    candy = options.get("game") == "candy"
    numbers = cards["setup"][0]
    own = [*workers_of(cards), "temp"] if candy else workers_of(cards)
    unseen_cards = numbers["short_specialists"] if candy else 0
    assert len(deal["decks"]) == options["num_players"]
    for deck in deal["decks"]:
        unseen = [card for card in deck if card not in own]
        assert sorted(card for card in deck if card in own) == sorted(own)
        assert len(unseen) == unseen_cards
        assert set(unseen) <= set(HIRED)
        assert set(deck[: numbers["hand"]]) <= set(own), "no specialist but the temp in the first hand"
    assert deal["die"] in SPACES
