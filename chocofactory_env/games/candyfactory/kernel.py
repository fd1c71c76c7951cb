"""Bind the shared compiled code to this game's rules, and compile what only this game needs."""

from __future__ import annotations

from typing import Final

import numpy as np

from ...core.binding import bind, rules_in
from ...core.jit import jit_entry
from . import actions, features, observation
from .rules import end, hidden, setup
from .rules.derived import derive

RULES: Final = rules_in(actions, features, observation, end, hidden, setup)
KERNEL: Final = bind("candyfactory", RULES)


@jit_entry
def write_derived(tables: np.ndarray, states: np.ndarray) -> None:
    """Write the derived fields of positions that did not come from play."""
    derive(tables[0], states[0])
