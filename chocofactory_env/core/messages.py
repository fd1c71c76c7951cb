"""Values in error messages: whatever they are, a message stays short."""

from __future__ import annotations


def shortened(text: str, length: int = 200) -> str:
    """The text, cut to `length` characters."""
    return text if len(text) <= length else text[: length - 3] + "..."


def shown(value: object, length: int = 60) -> str:
    """The value as a reader of the message sees it, cut to `length` characters."""
    try:
        return shortened(repr(value), length)
    except (ValueError, RecursionError):  # Python refuses to print very long numbers and very deep lists
        if isinstance(value, int):
            return f"an integer of {value.bit_length():,} bits"
        return f"a value of type {type(value).__name__} that is too large to show"
