"""The rules to which shared code is bound, and this game's own compiled functions."""

from __future__ import annotations

from typing import Final

import numpy as np

from ...core.binding import bind, rules_in
from ...core.jit import jit_entry
from . import actions, observation
from .records import State
from .rules import end, flow, hidden, together
from .rules.end import write_score_sheet
from .rules.solo import add_up_requirements

RULES: Final = rules_in(actions, observation, end, flow, hidden, together)
KERNEL: Final = bind("chocofactory", RULES)


@jit_entry
def score_sheets(tables: np.ndarray, states: np.ndarray, sheets: np.ndarray) -> None:
    """Write every seat's money by source into `sheets`, (players, 5) int32, as if the game ended now."""
    state: State = states[0]
    for seat in range(state.num_players):
        write_score_sheet(tables[0], state, seat, sheets[seat])


@jit_entry
def count_requirements(tables: np.ndarray, states: np.ndarray) -> None:
    """Update the sums of requirements, after a position of the solo game was written from outside."""
    add_up_requirements(tables[0], states[0])
