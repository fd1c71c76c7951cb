"""What a seat could have drafted by the end of a draft: a position in which it has."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ....core.jit import jit_entry
from ..constants import NONE
from ..rules.draft import draft_employee, draft_part, place_part


class Draft(NamedTuple):
    """Cards of the display, by their places; NONE: none (DRAFT-3). slot: where the part goes (DRAFT-4)."""

    part: int = NONE
    slot: int = NONE
    employee: int = NONE


@jit_entry
def draft_for(tables: np.ndarray, states: np.ndarray, seat: int, part: int, slot: int, employee: int) -> None:
    """Change `states[0]` as if the seat had drafted these cards, whoever's turn it is. See `Draft`."""
    state = states[0]
    state.current = seat
    if part != NONE:
        draft_part(state, part)
        place_part(state, slot)
    if employee != NONE:
        draft_employee(tables[0], state, employee)
