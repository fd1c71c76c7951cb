"""Bind the shared compiled code to this game's rules, and compile what only this game needs."""

from __future__ import annotations

from typing import Final

from ...core.binding import bind, rules_in
from ...core.jit import jit_entry
from ...core.search.value import judge_dtype
from ...core.signature import OutStateRows, Records, TableRows
from . import actions, features, observation
from .layout import Tables
from .rules import end, hidden, setup
from .rules.derived import derive
from .state import State

RULES: Final = rules_in(actions, features, observation, end, hidden, setup)
RECORDS: Final = Records(Tables.dtype, State.dtype, judge_dtype(len(features.FEATURES), features.STAGES))
KERNEL: Final = bind("candyfactory", RULES, module=__name__, records=RECORDS)


@jit_entry("views")
def write_derived(tables: TableRows, states: OutStateRows) -> None:
    """Write the derived fields of positions that did not come from play."""
    derive(tables[0], states[0])
