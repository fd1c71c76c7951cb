"""Game-specific numbers noted in a tournament, beside scores and places.

In `arena/<game>/__init__.py`, `NOTES` names what makes a `Notes` for every game played, and `DRAW_NOTES` a
function `draw(means, folder)` that draws the means by agent and name of the note.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Protocol

from chocofactory_env import Game
from chocofactory_env.agents.by_game import addition, hook

ARENA: Final = __name__.rpartition(".")[0]
Means = Mapping[str, Mapping[str, list[float]]]  # by agent and name of the note


class Notes(Protocol):
    """Called with the position after every decision. `lengths`: the count of numbers per seat in each named note."""

    @property
    def lengths(self) -> Mapping[str, int]:
        return {}

    def __call__(self, state: Any) -> None:
        return None

    def entries(self) -> dict[str, list[list[int]]]:
        """The numbers by note and seat, once the game is over."""
        return {}


class NoNotes(Notes):
    """For games without notes."""


def notes_of(game: Game) -> Notes:
    """Make the notes for one game."""
    make = hook(ARENA, game.name, "NOTES")
    return NoNotes() if make is None else make(game)


def draw_notes(game: str, means: Means, folder: Path) -> None:
    """Draw the game's plots of its notes."""
    draw = hook(ARENA, game, "DRAW_NOTES")
    if draw is not None:
        draw(means, folder)


def score_title(game: str) -> str:
    """The game's word for scores."""
    title: str = addition(ARENA, game, "SCORE", "score")
    return title


def score_label(game: str) -> str:
    """The label of an axis of scores, with the unit if there is one."""
    unit = addition(ARENA, game, "UNIT", "")
    return f"{score_title(game)} at the end" + (f", {unit}" if unit else "")
