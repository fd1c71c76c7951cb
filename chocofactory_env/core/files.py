"""Reading files that others may have written, writing files whole or not at all, and folders that one process holds."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path
from typing import BinaryIO

from .messages import shortened

LOCK = "lock"  # a file in a folder that is held; the system releases it when the process ends
UNFINISHED = ".unfinished"  # at the end of the name of a file that is being written
KINDS_OF_FILE = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


class UnfitFileError(OSError):
    """A file that cannot be read: `expected` and `got` give the reason."""

    def __init__(self, expected: str, got: str) -> None:
        super().__init__(None, f"expected {expected}, got {got}")
        self.expected = expected
        self.got = got

    def __str__(self) -> str:
        return str(self.strerror)


# --- reading


@contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A regular file, for reading; it never waits for input, as opening a pipe would.

    Raises:
        UnfitFileError: a folder, pipe, socket or device.
        OSError: the file cannot be opened.
        ValueError: no file can have this name.
    """
    _check_regular(Path(path).stat())  # before opening: to open a device may already do something
    with open(path, "rb", opener=_open_at_once) as file:
        _check_regular(os.fstat(file.fileno()))  # the name may mean another file by now
        yield file


def read_file(path: str | os.PathLike[str], most_bytes: int) -> bytes:
    """The content of a regular file of at most `most_bytes`; no more than that is read.

    Raises:
        UnfitFileError: a folder, pipe, socket or device, or a file that is too large.
        OSError: the file cannot be opened or read.
        ValueError: no file can have this name.
    """
    with opened(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > most_bytes:
            raise UnfitFileError(f"at most {most_bytes:,} bytes", f"{size:,}")
        content = file.read(size + 1)
    if len(content) > size:  # as of files that the system makes up while they are read
        raise UnfitFileError(f"{size:,} bytes, which is the file's size", "more")
    return content


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _check_regular(status: os.stat_result) -> None:
    for is_kind, name in KINDS_OF_FILE:
        if is_kind(status.st_mode):
            raise UnfitFileError("a regular file", name)


# --- writing


@contextmanager
def whole(target: Path) -> Iterator[Path]:
    """Where to write what becomes `target` when it is whole, and not before.

    The file is on the disk before it takes the place of what `target` held. If the block raises, it is removed.
    """
    unfinished = target.with_name(target.name + UNFINISHED)
    try:
        yield unfinished
        with unfinished.open("r+b") as file:
            os.fsync(file.fileno())
        unfinished.replace(target)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def write_text(target: Path, text: str) -> None:
    """UTF-8, whole or not at all."""
    with whole(target) as path:
        path.write_text(text, encoding="utf-8")


# --- folders


@contextmanager
def held(folder: Path, error: type[ValueError], own: Sequence[str] = ("*",)) -> Iterator[None]:
    """Make the folder if needed, and keep other processes out of it: a series of games, a training run, saved tables.

    own: patterns of names; a folder that holds files, but none of these, is somebody else's.

    Raises:
        error: another process holds the folder, or it cannot be made or written, or is somebody else's.
    """
    from filelock import FileLock, Timeout  # not everybody who reads files has it

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
        more = "; ..." if len(there) > 3 else ""
        raise error(
            f"{folder} holds {'; '.join(map(shortened, there[:3]))}{more};"
            f" expected an empty or new folder, or one with {' or '.join(own)}"
        )
