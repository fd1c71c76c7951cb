"""Text for streams that cannot take it: stand-ins for characters that they lack, and an end if nobody reads."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import Final
from unicodedata import normalize

STAND_INS: Final = "chocofactory_env.stand_ins"  # for `errors=` of encodings and streams
UNREAD: Final = 141  # the exit status that shells report for a command whose output nobody reads
_ASCII: Final = {
    "─": "-", "═": "=", "–": "-", "—": "-", "·": ".", "→": ">", "▷": ">", "▸": ">", "×": "x",
    "√": "sqrt ", "±": "+-", "≈": "~", "✓": "x", "£": "GBP ", "€": "EUR ",
}  # fmt: skip


def _stand_ins(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_stand_in, error.object[error.start : error.end])), error.end


def _stand_in(character: str) -> str:
    plain = normalize("NFKD", character).encode("ascii", "ignore").decode()  # letters without accents
    return _ASCII.get(character) or plain or "?"


codecs.register_error(STAND_INS, _stand_ins)


class Printed(str):
    """A text that prints wherever stdout goes: `str`, which `print` and f-strings call, uses what its encoding has.

    Everything else sees the text as it is.
    """

    __slots__ = ()

    def __str__(self) -> str:
        return printable(str.__str__(self))

    def __repr__(self) -> str:  # which `print` calls for a tuple of texts
        return printable(str.__repr__(self))


def printable(text: str) -> str:
    """The text, with stand-ins for characters that this process's stdout cannot take."""
    encoding = getattr(sys.stdout, "encoding", None)
    if not isinstance(encoding, str):
        return text  # no stream, or one of text
    try:
        text.encode(encoding, getattr(sys.stdout, "errors", None) or "strict")
    except UnicodeEncodeError:
        return text.encode(encoding, STAND_INS).decode(encoding)
    return text


def print_stand_ins() -> None:
    """Let stdout write stand-ins from now on instead of raising UnicodeEncodeError; for commands."""
    out = sys.stdout
    if not isinstance(out, TextIOWrapper):
        return
    escapes = out.errors == "surrogateescape" and out.encoding != "utf-8"  # without a locale; it raises for the rest
    if out.errors == "strict" or escapes:
        out.reconfigure(errors=STAND_INS)


@contextmanager
def reader_may_leave() -> Iterator[None]:
    """Exit quietly, with status UNREAD, once nobody reads what is printed, as in `... | head`; for commands."""
    try:
        try:
            yield
        finally:
            print(end="", flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes once more at its end
        sys.exit(UNREAD)
