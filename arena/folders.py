"""Folders that one process at a time works in: a series of games, a dataset, a training run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

LOCK = "lock"  # a file in the folder; the system releases it when the process ends


@contextmanager
def held(folder: Path, error: type[ValueError]) -> Iterator[None]:
    """Make the folder if needed, and keep other processes out of it.

    Raises:
        error: another process holds the folder, or it cannot be made or written.
    """
    try:
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
