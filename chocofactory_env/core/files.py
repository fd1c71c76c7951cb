"""Reading files that others may have written, and writing files whole or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

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
