"""Do a task: shared by all kinds of workers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from chocofactory_env.core.messages import shown

T = TypeVar("T")
R = TypeVar("R")


def hides(progress: bool | None) -> bool | None:
    """The argument `disable` of tqdm. progress: whether to show a progress bar; None: on a terminal."""
    return None if progress is None else not progress


class WorkersError(ValueError):
    """Workers cannot be started, or were lost."""


def done(play: Callable[[T], R], task: T, where: str = "") -> R:
    """Do a task, and return its result. An error gets a note that names the task and the place."""
    try:
        return play(task)
    except Exception as error:
        error.add_note(f"The task was {shown(task)}{where}.")
        raise
