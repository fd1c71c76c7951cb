"""The public vocabulary of Chocolate Factory: words as numbers, sizes, and readers of positions.

Agents and measurements import only this module of the game, so that they copy no numbers. It has what they use; what a
new one needs is added here.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...core.text.words import words_of
from .constants import NONE, NUM_DAYS, NUM_TILES, Phase
from .rules.end import Source
from .search.draft import NO_EMPLOYEE, NO_PART, Draft

__all__ = [
    "NAME",
    "NONE",
    "NO_EMPLOYEE",
    "NO_PART",
    "NUM_DAYS",
    "NUM_TILES",
    "Draft",
    "Phase",
    "Source",
    "day_of",
    "display_of",
    "has_drafted",
    "phase_of",
    "shift_of",
    "slot_is_free",
    "words_of",
]

NAME: Final = __name__.split(".")[-2]  # for `cf.load`

# Readers of a position, an array (1,) of records.


def day_of(state: Any) -> int:
    """1 to NUM_DAYS."""
    return int(state["day"][0]) + 1


def phase_of(state: Any) -> Phase:
    return Phase(int(state["phase"][0]))


def shift_of(state: Any) -> int:
    """1 to 4 in the phase RUN, else 0."""
    return int(state["shift"][0])


def display_of(state: Any) -> tuple[list[int], list[int]]:
    """The places on the display of the parts, and of the employees, that can still be drafted."""
    parts, employees = state["display_parts"][0], state["display_employees"][0]
    return np.flatnonzero(parts != NONE).tolist(), np.flatnonzero(employees != NONE).tolist()


def has_drafted(state: Any, player: int) -> tuple[bool, bool]:
    """Whether the seat has drafted today's part, and today's employee."""
    seat = state["players"][0, player]
    return bool(seat["part_drafted"]), bool(seat["employee"] != NONE)


def slot_is_free(state: Any, player: int) -> np.ndarray:
    """(NUM_SLOTS,) bool: True where the seat's slot is empty. Slots `tile` and `tile + NUM_TILES` share a tile."""
    free: np.ndarray = state["players"]["factory"][0, player] == NONE
    return free
