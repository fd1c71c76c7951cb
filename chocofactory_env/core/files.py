"""Read untrusted files, write files atomically, and reserve folders for one process."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from fnmatch import fnmatch
from pathlib import Path
from typing import BinaryIO

from .messages import shortened

LOCK = "lock"  # the lock file in a held folder; the system releases the lock when the process ends
UNFINISHED = ".unfinished"  # suffix of the name of a file being written
KINDS_OF_FILE = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


class UnfitFileError(OSError):
    """A file that cannot be read; `expected` and `got` give the reason."""

    def __init__(self, expected: str, got: str) -> None:
        super().__init__(None, f"expected {expected}, got {got}")
        self.expected = expected
        self.got = got

    def __str__(self) -> str:
        return str(self.strerror)


# --- reading


@contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a regular file for reading. This never waits for input, as opening a pipe would.

    Raises:
        UnfitFileError: a folder, pipe, socket or device.
        OSError: the file cannot be opened.
        ValueError: the name is impossible.
    """
    _check_regular(Path(path).stat())  # before opening, because opening a device may have effects
    with open(path, "rb", opener=_open_at_once) as file:
        _check_regular(os.fstat(file.fileno()))  # by now the name may refer to another file
        yield file


def read_file(path: str | os.PathLike[str], most_bytes: int) -> bytes:
    """Read a regular file of at most `most_bytes`; no more than that is read.

    Raises:
        UnfitFileError: a folder, pipe, socket or device, or a file that is too large.
        OSError: the file cannot be opened or read.
        ValueError: the name is impossible.
    """
    with opened(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > most_bytes:
            raise UnfitFileError(f"at most {most_bytes:,} bytes", f"{size:,}")
        content = file.read(size + 1)
    if len(content) > size:  # for example, files that the system generates while they are read
        raise UnfitFileError(f"{size:,} bytes, which is the file's size", "more")
    return content


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _check_regular(status: os.stat_result) -> None:
    for is_kind, name in KINDS_OF_FILE:
        if is_kind(status.st_mode):
            raise UnfitFileError("a regular file", name)


def newest_first(paths: Iterable[Path]) -> list[tuple[float, Path]]:
    """The files with their times, without those that somebody has removed since they were listed."""
    found = []
    for path in paths:
        with suppress(OSError):
            found.append((path.stat().st_mtime, path))
    return sorted(found, key=lambda one: one[0], reverse=True)


# --- writing


@contextmanager
def whole(target: Path) -> Iterator[Path]:
    """Yield a temporary path whose file replaces `target` when the block ends.

    The file is flushed to disk before it replaces `target`. If the block raises, the file is removed.
    """
    unfinished = target.with_name(target.name + UNFINISHED)
    try:
        yield unfinished
        with unfinished.open("r+b") as file:
            os.fsync(file.fileno())
        unfinished.replace(target)
    except BaseException as error:
        unfinished.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename == str(unfinished):
            error.filename = str(target)  # the name that the caller knows
        raise


def check_writable(target: Path) -> None:
    """OSError or ValueError if `whole` cannot write this file. Nothing is left behind."""
    unfinished = target.with_name(target.name + UNFINISHED)
    with suppress(FileExistsError):  # a killed process's, or one that is being written: the name is possible
        os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        unfinished.unlink()


def write_text(target: Path, text: str) -> None:
    """Write the text as UTF-8, whole or not at all."""
    with whole(target) as path:
        path.write_text(text, encoding="utf-8")


# --- folders


@contextmanager
def held(folder: Path, error: type[ValueError], own: Sequence[str] = ("*",)) -> Iterator[None]:
    """Make the folder if needed, and keep other processes out: a series of games, a training run, saved tables.

    own: patterns of file names; a folder whose files match none of them belongs to somebody else.

    Raises:
        error: another process holds the folder, it cannot be made or written, or it belongs to somebody else.
    """
    from filelock import FileLock, Timeout  # not a dependency of reading files

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
        raise error(f"{folder}: expected a folder to write to, got: {problem.strerror}") from problem
    try:
        yield
    finally:
        lock.release()


def _check_own(folder: Path, error: type[ValueError], own: Sequence[str]) -> None:
    """Raise `error` if the folder is somebody else's. Locks and unfinished files of killed processes do not count."""
    names = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    there = sorted(name for name in names if name != LOCK and not name.endswith(UNFINISHED))
    if there and not any(fnmatch(name, pattern) for name in there for pattern in own):
        more = "; ..." if len(there) > 3 else ""
        raise error(
            f"{folder} holds {'; '.join(map(shortened, there[:3]))}{more};"
            f" expected an empty or new folder, or one with {' or '.join(own)}"
        )
