"""Files that others may have written: read whole, and only if they are plain files of a sensible size."""

from __future__ import annotations

import os
import stat
from pathlib import Path

KINDS_OF_FILE = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


class UnfitFileError(ValueError):
    """A file that is not read: `expected` and `got` say why."""

    def __init__(self, expected: str, got: str) -> None:
        super().__init__(expected, got)
        self.expected = expected
        self.got = got

    def __str__(self) -> str:
        return f"expected {self.expected}, got {self.got}"


def read_file(path: str | os.PathLike[str], most_bytes: int) -> bytes:
    """The content of a regular file. Never waits for input, and reads no more than `most_bytes`.

    Raises:
        UnfitFileError: a folder, pipe, socket or device, or a file that is too large.
        OSError: the file cannot be opened or read.
        ValueError: no file can have this name.
    """
    check_regular(Path(path).stat(), most_bytes)  # before opening: to open a device may already do something
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(descriptor, "rb") as file:
        check_regular(os.fstat(descriptor), most_bytes)  # the name may mean another file by now
        content = file.read(most_bytes + 1)
    check_size(len(content), most_bytes)  # some files are longer than they say
    return content


def check_regular(status: os.stat_result, most_bytes: int) -> None:
    for is_kind, name in KINDS_OF_FILE:
        if is_kind(status.st_mode):
            raise UnfitFileError("a regular file", name)
    check_size(status.st_size, most_bytes)


def check_size(size: int, most_bytes: int) -> None:
    if size > most_bytes:
        raise UnfitFileError(f"at most {most_bytes:,} bytes", f"{size:,} or more")
