"""Helpers for error messages: show any value in short, and suggest the name that was meant.

What a message quotes may come from a stranger and end on a terminal, so characters that are not printable, such as
those of escape sequences and those that reverse the direction of text, are shown as Python writes them in a string.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_LONGEST_NAME = 120  # characters of a name that are compared


def printable(text: str) -> str:
    """The text in printable characters: others are escaped, as `\\x1b`."""
    return text if text.isprintable() else "".join(one if one.isprintable() else repr(one)[1:-1] for one in text)


def shortened(text: str, length: int = 200) -> str:
    """The text in printable characters, cut to `length` of them."""
    text = printable(text[: length + 1])
    return text if len(text) <= length else text[: length - 3] + "..."


def shown(value: object, length: int = 60) -> str:
    """The value as a message shows it, cut to `length` characters."""
    try:
        return shortened(repr(value), length)
    except (ValueError, RecursionError):  # Python refuses to print very long integers and very deep lists
        if isinstance(value, int):
            return f"an integer of {value.bit_length():,} bits"
        return f"a value of type {type(value).__name__} that is too large to show"


def said(error: BaseException) -> str:
    """The message of an error; of the operating system's, the file and the reason."""
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"{shortened(str(error.filename))}: {error.strerror}"
    return str(error)


def hint(name: object, known: Iterable[str]) -> str:
    """`" (did you mean 'reward'?)"`, or nothing if no name resembles this one."""
    close = get_close_matches(str(name)[:_LONGEST_NAME].lower(), tuple(known), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""
