"""What code outside the rules may know of the game: names of numbers, sizes, and readers of positions.

Agents and measurements import only this module of the game, so that they copy no numbers and never read a position's
record themselves.
"""

from __future__ import annotations

from typing import Any, Final

from ...core.text.words import words_of
from .constants import (
    MAX_OPEN_RECIPES,
    MAX_PLAYERS,
    MIN_PLAYERS,
    NUM_CARDS,
    NUM_HALVES,
    NUM_HOLDS,
    NUM_KINDS,
    NUM_SPACES,
    NUM_TRUCKS,
    SPECIALIST_CARDS,
    TEMP_CARD,
    WAREHOUSE,
    Ability,
    Half,
    Kind,
    Pile,
    Specialist,
    Step,
    Variety,
)
from .features import FEATURES, STAGES, turns_left
from .layout import RECIPE_ENTRIES, TRUCK_ENTRIES

__all__ = [
    "FEATURES",
    "MAX_OPEN_RECIPES",
    "MAX_PLAYERS",
    "MIN_PLAYERS",
    "NAME",
    "NUM_CARDS",
    "NUM_HALVES",
    "NUM_HOLDS",
    "NUM_KINDS",
    "NUM_SPACES",
    "NUM_TRUCKS",
    "RECIPE_ENTRIES",
    "SPECIALIST_CARDS",
    "STAGES",
    "TEMP_CARD",
    "TRUCK_ENTRIES",
    "WAREHOUSE",
    "Ability",
    "Half",
    "Kind",
    "Pile",
    "Specialist",
    "Step",
    "Variety",
    "half_of",
    "step_of",
    "turns_left",
    "words_of",
]

NAME: Final = __name__.split(".")[-2]  # the game is loaded by it


# Readers of a position, an array (1,) of records


def half_of(state: Any) -> Half:
    return Half(int(state["half"][0]))


def step_of(state: Any) -> Step:
    """The kind of decision to make; Step.OVER at the end."""
    return Step(int(state["step"][0]))
