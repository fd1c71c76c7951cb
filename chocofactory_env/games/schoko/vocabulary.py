"""What code outside the rules may know of Schoko & Co.: names of numbers, and readers of positions.

Agents and measurements import only this module of the game, so that they copy no numbers and never read a position's
record themselves. It has what they use; what a new one needs is added here.
"""

from __future__ import annotations

from typing import Any, Final

from .constants import Task

__all__ = ["NAME", "Task", "task_of"]

NAME: Final = __name__.split(".")[-2]  # the game is loaded by it


def task_of(state: Any) -> Task:
    """The question to the seat to move, of a position, an array (1,) of records."""
    return Task(int(state["task"][0]))
