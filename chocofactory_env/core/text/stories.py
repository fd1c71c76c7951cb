"""Turns as stories: one line for what a seat did in a row, put together from the lines of its moves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .words import counted

Phrase = tuple[str, str, str]  # pattern of a line without its name, with `n` and `what`; the verb; what follows it


@dataclass(frozen=True)
class StoryWords:
    """How a game tells a turn.

    phrases: what of a move is told; the first that fits counts, and equal ones are added up. Moves that none fits are
        told only by themselves. In what follows a verb, `{n:bar}` is a number of bars, as `counted` says it.
    amount: what was earned or paid, in words. purse: what a seat has, as all may see it.
    """

    phrases: tuple[Phrase, ...]
    amount: Callable[[int], str]
    purse: Callable[[Any, int], int]
    counted: Callable[[int, str], str] = counted


class Story(NamedTuple):
    """first, last: places of its lines. words: without a name."""

    first: int
    last: int
    seat: int
    words: str


def turns_of(seats: Sequence[int]) -> Iterator[tuple[int, int]]:
    """(first, last) places of lines of the same seat in a row."""
    first = 0
    for place in range(1, len(seats) + 1):
        if place == len(seats) or seats[place] != seats[first]:
            yield first, place - 1
            first = place


def told(lines: Sequence[str], words: StoryWords, earned: int) -> str:
    """What is told of lines without their names: "built Nut Coater, made 3 nuts; 7 coins more"."""
    sums: dict[tuple[str, str, str], int] = {}
    for line in lines:
        found = _phrase(line, words.phrases)
        if found is not None:
            verb, rest, what, number = found
            sums[verb, rest, what] = sums.get((verb, rest, what), 0) + number
    by_verb: dict[str, list[str]] = {}
    for (verb, rest, what), number in sums.items():
        times = f" ×{number}" if "{n" not in rest and number > 1 else ""
        by_verb.setdefault(verb, []).append(rest.format(n=_Number(number, words), what=what) + times)
    parts = [f"{verb} {_joined(things)}".rstrip() for verb, things in by_verb.items()]
    said = ", ".join(parts) or lines[-1]
    amount = words.amount(abs(earned))
    return said + (f"; {amount} more" if earned > 0 else f"; {amount} less" if earned else "")


class _Number:
    """`{n}` in words that follow a verb, and `{n:bar}`."""

    def __init__(self, number: int, words: StoryWords) -> None:
        self._number, self._counted = number, words.counted

    def __format__(self, word: str) -> str:
        return self._counted(self._number, word) if word else str(self._number)


def _phrase(line: str, phrases: Sequence[Phrase]) -> tuple[str, str, str, int] | None:
    for pattern, verb, rest in phrases:
        found = re.match(pattern, line)
        if found:
            groups = found.groupdict()
            return verb, rest, groups.get("what", ""), int(groups.get("n", 1))
    return None


def _joined(things: Sequence[str]) -> str:
    return things[0] if len(things) == 1 else f"{', '.join(things[:-1])} and {things[-1]}"
