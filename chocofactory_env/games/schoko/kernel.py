"""Bind the shared compiled code to this game's rules."""

from __future__ import annotations

from typing import Final

from ...core.binding import bind, rules_in
from ...core.jit import jit_entry
from ...core.search.value import judge_dtype
from ...core.signature import Records, StateRows, TableRows
from . import actions, features, observation, scripted
from .layout import Tables
from .rules import end, hidden, sealed
from .rules.express import only_target
from .state import State

RULES: Final = rules_in(actions, features, observation, end, hidden, scripted, sealed)
RECORDS: Final = Records(Tables.dtype, State.dtype, judge_dtype(len(features.FEATURES), features.STAGES))
KERNEL: Final = bind("schoko", RULES, module=__name__, records=RECORDS)


@jit_entry("views")
def struck_alone(tables: TableRows, states: StateRows, card: int) -> int:
    """The only seat on which the seat to move could play the card; NONE if there are several (XP-3)."""
    state = states[0]
    return only_target(tables[0], state, int(state.current), card)
