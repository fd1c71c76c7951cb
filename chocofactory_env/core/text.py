"""Pictures of a position as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Final

WIDTH: Final = 100  # columns of a picture


def hanging(title: str, words: str) -> Iterator[str]:
    """Words behind a title, broken at the width and indented below it."""
    for number, line in enumerate(wrap(words, WIDTH - len(title)) or [""]):
        yield (title if number == 0 else " " * len(title)) + line


def in_title(word: str) -> str:
    """`Palace Boutique` for `palace_boutique`."""
    return word.replace("_", " ").title()
