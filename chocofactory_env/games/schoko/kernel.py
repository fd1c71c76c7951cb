"""Bind the shared compiled code to this game's rules."""

from __future__ import annotations

from typing import Final

from ...core.binding import bind, rules_in
from . import actions, features, observation
from .rules import end, hidden, sealed

RULES: Final = rules_in(actions, features, observation, end, hidden, sealed)
KERNEL: Final = bind("schoko", RULES)
