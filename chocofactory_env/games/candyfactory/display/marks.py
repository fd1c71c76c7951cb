"""Pictograms and names: each type of goods and each specialist has its own shape and hue."""

from __future__ import annotations

from typing import Final

from ....drawing.scene import Look, Shape
from ..cards import Cards
from ..constants import SPECIALIST_CARDS, Specialist
from .describe_cards import EFFECT_WORDS

# By type (SCORE-3): sugar, cacao, chocolate, candy of recipe places 0-4
GOODS: Final[tuple[tuple[Shape, Look], ...]] = (
    ("square", "hue-7"),
    ("drop", "hue-1"),
    ("bar", "hue-0"),
    ("circle", "hue-2"),
    ("diamond", "hue-3"),
    ("triangle", "hue-4"),
    ("hexagon", "hue-5"),
    ("pentagon", "hue-8"),
)
SPECIALISTS: Final[tuple[tuple[Shape, Look], ...]] = (
    ("person", "hue-7"),
    ("arrow", "hue-2"),
    ("wedge", "hue-5"),
    ("star", "hue-8"),
    ("house", "hue-3"),
    ("cross", "hue-9"),
    ("square", "hue-1"),
)
OTHERS: Final[dict[str, tuple[Shape, Look]]] = {
    "coin": ("ring", "hue-6"),
    "worker": ("person", "ink"),
    "decoration": ("star", "hue-9"),
    "candy": ("circle", "hue-4"),  # of any recipe
    "recruit": ("person", "hue-2"),
}


def card_name(cards: Cards, card: int) -> str:
    """A card of a hand or a deck: "worker card 4", "Sorter"."""
    if card < SPECIALIST_CARDS:
        return f"worker card {card + 1}"
    return specialist_name(cards, card - SPECIALIST_CARDS)


def specialist_name(cards: Cards, specialist: int) -> str:
    return cards.names[cards.specialists[specialist]]


def effect_of(cards: Cards, specialist: int) -> str:
    """The effect of a specialist card, in words."""
    record = cards.record
    return EFFECT_WORDS[Specialist(specialist)].format(lift=record.lift, turn=record.turn)
