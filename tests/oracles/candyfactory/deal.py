"""Deals of the candy factory for its oracle: START-5 to START-9, SHORT-3, SHORT-4."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .words import HIRED, SPACES, Tables


def workers_of(cards: Tables) -> list[str]:
    """START-3: the worker cards of every player."""
    return [str(number) for number in cards["workers"][0]["numbers"]]


def check_deal(options: Mapping[str, Any], cards: Tables, deal: Mapping[str, Any]) -> None:
    """Raises ValueError for decks or a die that the rules cannot deal."""
    candy = options.get("game") == "candy"
    numbers = cards["setup"][0]
    own = [*workers_of(cards), "temp"] if candy else workers_of(cards)
    unseen_cards = numbers["short_specialists"] if candy else 0
    if len(deal["decks"]) != options["num_players"]:
        raise ValueError(
            f"deal.decks: {len(deal['decks'])} decks, expected one for each of {options['num_players']} seats"
        )
    for seat, deck in enumerate(deal["decks"]):
        seen = sorted(card for card in deck if card in own)
        unseen = [card for card in deck if card not in own]
        if seen != sorted(own) or len(unseen) != unseen_cards or not set(unseen) <= set(HIRED):
            raise ValueError(f"deal.decks[{seat}]: {deck}, expected {own} and {unseen_cards} specialists")
        if not set(deck[: numbers["hand"]]) <= set(own):
            raise ValueError(f"deal.decks[{seat}]: {deck}, expected no specialist but the temp in the first hand")
    if deal["die"] not in SPACES:
        raise ValueError(f"deal.die: {deal['die']}, expected 1 to 8")
