"""Do a task: shared by all kinds of workers."""

from __future__ import annotations

import sys
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


def say_where(stop: KeyboardInterrupt) -> None:
    """Print the notes of what stopped a series to stderr: an agent may have raised it."""
    for note in getattr(stop, "__notes__", ()):
        print(note, file=sys.stderr)


def done(play: Callable[[T], R], task: T, where: str = "") -> R:
    """Do a task, and return its result. An error gets a note that names the task and the place."""
    try:
        return play(task)
    except Exception as error:
        error.add_note(f"The task was {shown(task)}{where}.")
        raise


def done_apart(play: Callable[[T], R], task: T, where: str = "") -> R:
    """Like `done`, in a process that Ctrl-C does not end: what would end it is raised as RuntimeError, with notes."""

    def played(task: T) -> R:
        try:
            return play(task)
        except Exception:
            raise
        except BaseException as end:
            error = RuntimeError(f"it raised {end!r}, which would end the process")
            for note in getattr(end, "__notes__", ()):
                error.add_note(note)
            raise error from end

    return done(played, task, where)
