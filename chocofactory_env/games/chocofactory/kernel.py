"""The rules to which shared code is bound, and this game's own compiled functions."""

from __future__ import annotations

from typing import Final

from ...core.binding import bind, entries_of, rules_in
from ...core.jit import jit_entry
from ...core.search.value import judge_dtype
from ...core.signature import OutI4_2, Records, StateRows, TableRows
from . import actions, observation
from .constants import NUM_DAYS
from .feature_names import FEATURES
from .layout import Tables
from .rules import end, flow, hidden, together
from .rules.end import write_score_sheet
from .scripted import moves
from .scripted.notes import Notes
from .state import State

RULES: Final = rules_in(actions, observation, end, flow, hidden, moves, together)
RECORDS: Final = Records(Tables.dtype, State.dtype, judge_dtype(len(FEATURES), NUM_DAYS), Notes.dtype)
KERNEL: Final = bind(
    "chocofactory",
    RULES,
    module=__name__,
    records=RECORDS,
    symbols={name: name for name in entries_of(RULES) if name != "grow"},  # `search.tree` has it
)


@jit_entry("views")
def score_sheets(tables: TableRows, states: StateRows, sheets: OutI4_2) -> None:
    """Write every seat's money by source into `sheets`, (players, 5) int32, as if the game ended now."""
    state: State = states[0]
    for seat in range(state.num_players):
        write_score_sheet(tables[0], state, seat, sheets[seat])
