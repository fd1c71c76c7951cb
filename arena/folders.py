"""Folders that one process at a time works in: a series of games, a dataset, a training run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path

from filelock import FileLock, Timeout

from agents.files import listed
from chocofactory_env.core.files import UNFINISHED
from chocofactory_env.core.messages import shortened

LOCK = "lock"  # a file in the folder; the system releases it when the process ends


@contextmanager
def held(folder: Path, error: type[ValueError], own: Sequence[str] = ("*",)) -> Iterator[None]:
    """Make the folder if needed, and keep other processes out of it.

    own: patterns of names; a folder that holds files, but none of these, is somebody else's.

    Raises:
        error: another process holds the folder, or it cannot be made or written, or is somebody else's.
    """
    try:
        _check_own(folder, error, own)
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / LOCK)
        lock.acquire(blocking=False)
    except Timeout as timeout:
        raise error(
            f"{folder}: another process is at work in it; wait for its end, or choose another folder"
        ) from timeout
    except OSError as problem:
        raise error(f"{folder} cannot be worked in: {problem.strerror}") from problem
    try:
        yield
    finally:
        lock.release()


def _check_own(folder: Path, error: type[ValueError], own: Sequence[str]) -> None:
    """A lock and unfinished files are left by a process that was killed; they say nothing about a folder."""
    names = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    there = sorted(name for name in names if name != LOCK and not name.endswith(UNFINISHED))
    if there and not any(fnmatch(name, pattern) for name in there for pattern in own):
        raise error(
            f"{folder} holds {listed([shortened(name) for name in there], most=3)};"
            f" expected an empty or new folder, or one with {' or '.join(own)}"
        )
