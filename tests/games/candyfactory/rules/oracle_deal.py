"""Deals of the candy factory for its oracle: START-5 to START-9, SHORT-3, SHORT-4, and chance drawn during play."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING, Any

from .oracle_words import EFFECTS, HIRED, SPACES, Tables

if TYPE_CHECKING:
    from .oracle import Oracle


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


def shuffled(random: Random, cards: list[str]) -> list[str]:
    return random.sample(cards, len(cards))


def random_deal(options: Mapping[str, Any], cards: Tables, random: Random) -> dict[str, Any]:
    """A deal with the keys that `Oracle` wants."""
    numbers = cards["setup"][0]
    seats = range(options["num_players"])
    names = [EFFECTS[row["effect"]] for row in cards["specialists"] for _ in range(row["count"])]
    specialists = shuffled(random, names)
    if options.get("game") == "candy":
        decks = [candy_deck(random, cards, specialists) for _ in seats]
    else:
        decks = [shuffled(random, workers_of(cards)) for _ in seats]
    ids = [recipe["id"] for recipe in cards["recipes"]]
    return {
        "decks": decks,
        "specialists": specialists,
        "recipes": random.sample(ids, numbers["recipes"][str(len(seats))]),
        "start_player": random.choice(seats),
        "die": random.choice(SPACES),
    }


def candy_deck(random: Random, cards: Tables, specialists: list[str]) -> list[str]:
    """SHORT-4: takes three specialists off the top."""
    numbers = cards["setup"][0]
    own = shuffled(random, [*workers_of(cards), "temp"])
    unseen = [specialists.pop(0) for _ in range(numbers["short_specialists"])]
    return own[: numbers["hand"]] + shuffled(random, own[numbers["hand"] :] + unseen)


class RandomChance:
    """Chance of a random game."""

    def __init__(self, oracle: Oracle, random: Random) -> None:
        self.oracle, self.random = oracle, random

    def die(self) -> int:
        return self.random.choice(SPACES)

    def deck(self, seat: int) -> list[str]:
        """TRANS-4: all that this seat has played and not dismissed."""
        return shuffled(self.random, self.oracle.players[seat].played)
