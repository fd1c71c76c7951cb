"""A task done, wherever it is done: what all kinds of workers have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from chocofactory_env.core.messages import shown

T = TypeVar("T")
R = TypeVar("R")


def hides(progress: bool | None) -> bool | None:
    """What tqdm calls `disable`: a bar is drawn if `progress`; None: on a terminal."""
    return None if progress is None else not progress


class WorkersError(ValueError):
    """Workers cannot be started, or were lost: says what is missing, or what happened."""


def done(play: Callable[[T], R], task: T, where: str = "") -> R:
    """What the task gives; an error gets a note that names the task, and where it was done."""
    try:
        return play(task)
    except Exception as error:
        error.add_note(f"The task was {shown(task)}{where}.")
        raise
