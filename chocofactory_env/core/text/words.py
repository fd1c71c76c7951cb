"""Numbers as words, and how wide a text may be."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Final

WIDTH = 100
NUMBERS: Final = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip


def words_of(names: type[IntEnum]) -> tuple[str, ...]:
    """The names of the members in lower case, in the order of their numbers: `("plantation", "candy")`."""
    return tuple(member.name.lower() for member in names)


def counted(number: int, word: str, several: str = "") -> str:
    """`1 coin`, `2 coins`; `several`: the plural, if it is not `word + "s"`."""
    return f"{number} {word if number == 1 else several or word + 's'}"


def in_words(number: int) -> str:
    """`two`; from thirteen on the figures."""
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def either(words: Sequence[str]) -> str:
    """`6, 12 or 24`."""
    return " or ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def up_to(number: int) -> str:
    """`1`, `1 or 2`, `1 to 3`."""
    return "1" if number == 1 else f"1 {'or' if number == 2 else 'to'} {number}"
