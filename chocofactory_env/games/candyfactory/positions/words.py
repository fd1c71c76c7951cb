"""The words that positions are written in, each list in the order of its numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ....core.text.words import words_of
from ..cards import Cards
from ..constants import NONE, NUM_RAW, NUM_SPACES, Half, Kind, Pile, Specialist, Step, Way

HALVES, STEPS, PILES, WAYS, SPECIALISTS = (
    words_of(Half),
    words_of(Step),
    words_of(Pile),
    words_of(Way),
    words_of(Specialist),
)
RAW: Final = words_of(Kind)[:NUM_RAW]
TEMP: Final = SPECIALISTS[Specialist.TEMP]
NUMBERS: Final = [str(number) for number in range(1, NUM_SPACES + 1)]  # worker cards
CARDS: Final = [*NUMBERS, *SPECIALISTS]  # of hands and decks


def kinds_of(cards: Cards, recipes: Iterable[int]) -> list[str]:
    """The words of all kinds of goods, by Kind, with these recipes in play; "" for candy of places without one."""
    names = ["" if recipe == NONE else cards.recipes[recipe] for recipe in recipes]
    return [*RAW, *(f"{candy} {name}" if name else "" for candy in ("plain", "decorated") for name in names)]
