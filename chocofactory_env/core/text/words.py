"""Numbers as words, and tables as text: lines of at most `WIDTH` columns."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from textwrap import wrap

WIDTH = 100


def words_of(names: type[IntEnum]) -> tuple[str, ...]:
    """The names of the members in lower case, in the order of their numbers: `("plantation", "candy")`."""
    return tuple(member.name.lower() for member in names)


def counted(number: int, word: str, several: str = "") -> str:
    """`1 coin`, `2 coins`; `several`: the plural, if it is not `word + "s"`."""
    return f"{number} {word if number == 1 else several or word + 's'}"


def hanging(title: str, words: str) -> Iterator[str]:
    """A title followed by words, wrapped at `WIDTH` with a hanging indent."""
    for number, line in enumerate(wrap(words, WIDTH - len(title)) or [""]):
        yield (title if number == 0 else " " * len(title)) + line
