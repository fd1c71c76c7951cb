"""What a game's own folder notes of the games of a tournament, beside scores and places.

`NOTES` in `arena/<game>/__init__.py` names a class that makes a `Notes` for every game played. `DRAW_NOTES` names a
function that draws the means, `draw(means, folder)`, where `means` are by agent and name of the note.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Final, Protocol

from chocofactory_env import Game
from chocofactory_env.agents.by_game import addition, hook

ARENA: Final = __name__.rpartition(".")[0]  # this package, in the wheel and in a checkout
Means = Mapping[str, Mapping[str, list[float]]]  # by agent and name of the note


class Notes(Protocol):
    """Called after every decision with the position. `lengths`: how many numbers a note has of each seat, by name."""

    lengths: ClassVar[Mapping[str, int]]

    def __call__(self, state: Any) -> None: ...

    def entries(self) -> dict[str, list[list[int]]]:
        """When the game is over: by name of the note and by seat its numbers."""


class NoNotes:
    """Of a game without a folder of its own."""

    lengths: ClassVar[Mapping[str, int]] = {}

    def __init__(self, game: Game) -> None:
        """Nothing is kept."""

    def __call__(self, state: Any) -> None:
        """Nothing is noted."""

    def entries(self) -> dict[str, list[list[int]]]:
        return {}


def notes_of(game: Game) -> Notes:
    """For one game that is played."""
    notes: Notes = (hook(ARENA, game.name, "NOTES") or NoNotes)(game)
    return notes


def draw_notes(game: str, means: Means, folder: Path) -> None:
    """Write the plots that the game of this name has for its notes."""
    draw = hook(ARENA, game, "DRAW_NOTES")
    if draw is not None:
        draw(means, folder)


def score_title(game: str) -> str:
    """What the game calls its scores."""
    title: str = addition(ARENA, game, "SCORE", "score")
    return title


def score_label(game: str) -> str:
    """For an axis, with the unit where there is one."""
    unit = addition(ARENA, game, "UNIT", "")
    return f"{score_title(game)} at the end" + (f", {unit}" if unit else "")
