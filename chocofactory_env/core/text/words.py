"""Numbers as words, and tables as text: lines of at most `WIDTH` columns."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from textwrap import wrap

WIDTH = 100


def words_of(names: type[IntEnum]) -> tuple[str, ...]:
    """The members in lower case, in the order of their numbers: `("plantation", "candy")`."""
    return tuple(member.name.lower() for member in names)


def counted(number: int, word: str, several: str = "") -> str:
    """`1 coin`, `2 coins`; `several`: the word for them, where it is no "s" longer."""
    return f"{number} {word if number == 1 else several or word + 's'}"


def hanging(title: str, words: str) -> Iterator[str]:
    """Words behind a title, broken at the width and indented below it."""
    for number, line in enumerate(wrap(words, WIDTH - len(title)) or [""]):
        yield (title if number == 0 else " " * len(title)) + line
