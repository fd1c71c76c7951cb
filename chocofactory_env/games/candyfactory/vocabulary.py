"""What code outside the rules may know of the game: names of numbers, sizes, and readers of positions.

Agents and measurements import only this module of the game, so that they copy no numbers and never read a position's
record themselves. It has what they use; what a new one needs is added here.
"""

from __future__ import annotations

from typing import Any, Final

from ...core.text.words import words_of
from .constants import Half, Step
from .features import FEATURES, STAGES, turns_left

__all__ = ["FEATURES", "NAME", "STAGES", "Half", "Step", "half_of", "step_of", "turns_left", "words_of"]

NAME: Final = __name__.split(".")[-2]  # the game is loaded by it


# Readers of a position, an array (1,) of records


def half_of(state: Any) -> Half:
    return Half(int(state["half"][0]))


def step_of(state: Any) -> Step:
    """The kind of decision to make; Step.OVER at the end."""
    return Step(int(state["step"][0]))
