"""What code outside the rules may know of Schoko & Co.: names of numbers, sizes, and readers of positions.

Agents and measurements import only this module of the game, so that they copy no numbers and never read a position's
record themselves.
"""

from __future__ import annotations

from typing import Any, Final

from ...core.text.words import words_of
from .constants import (
    BOX_SIZE,
    HIGHEST_BID,
    LOANS,
    MAX_CONTRACTS,
    MAX_HAND,
    MAX_LOANS,
    MAX_MONTHS,
    MAX_PLAYERS,
    MAX_RAISE,
    MAX_SHARES,
    MAX_STAFF,
    MIN_PLAYERS,
    NONE,
    NUM_CATEGORIES,
    NUM_CITIES,
    NUM_EVENTS,
    NUM_EXPRESS,
    NUM_TASKS,
    SHARES,
    STORE_PLACES,
    WINDOW_A,
    WINDOW_B,
    WINDOW_C,
    Category,
    Event,
    Express,
    Task,
)
from .features import FEATURES, STAGES, months_left
from .layout import CONTRACT_ENTRIES, CONTRACTS_SHOWN

__all__ = [
    "BOX_SIZE",
    "CONTRACTS_SHOWN",
    "CONTRACT_ENTRIES",
    "FEATURES",
    "HIGHEST_BID",
    "LOANS",
    "MAX_CONTRACTS",
    "MAX_HAND",
    "MAX_LOANS",
    "MAX_MONTHS",
    "MAX_PLAYERS",
    "MAX_RAISE",
    "MAX_SHARES",
    "MAX_STAFF",
    "MIN_PLAYERS",
    "NAME",
    "NONE",
    "NUM_CATEGORIES",
    "NUM_CITIES",
    "NUM_EVENTS",
    "NUM_EXPRESS",
    "NUM_TASKS",
    "SHARES",
    "STAGES",
    "STORE_PLACES",
    "WINDOW_A",
    "WINDOW_B",
    "WINDOW_C",
    "Category",
    "Event",
    "Express",
    "Task",
    "leader_of",
    "month_of",
    "months_left",
    "task_of",
    "words_of",
]

NAME: Final = __name__.split(".")[-2]  # the game is loaded by it


# Readers of a position, an array (1,) of records


def month_of(state: Any) -> int:
    """The month, from 1 on."""
    return int(state["month"][0]) + 1


def leader_of(state: Any) -> int:
    """The seat that leads the month."""
    return int(state["leader"][0])


def task_of(state: Any) -> Task:
    """The question to the seat to move."""
    return Task(int(state["task"][0]))
