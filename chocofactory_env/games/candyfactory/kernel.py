"""Bind the shared compiled code to this game's rules."""

from __future__ import annotations

from typing import Final

from ...core.binding import bind, rules_in
from ...core.search.value import judge_dtype
from ...core.signature import Records
from . import actions, features, observation
from .layout import Tables
from .rules import end, hidden, setup
from .state import State

RULES: Final = rules_in(actions, features, observation, end, hidden, setup)
RECORDS: Final = Records(Tables.dtype, State.dtype, judge_dtype(len(features.FEATURES), features.STAGES))
KERNEL: Final = bind("candyfactory", RULES, module=__name__, records=RECORDS)
