"""Turns as stories: sum up a seat's consecutive moves in one line, from the lines of the moves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .words import counted

Phrase = tuple[str, str, str]  # pattern of a line without the seat's name, with groups `n` and `what`; verb; object


class News(NamedTuple):
    """A line about a step that is nobody's move, such as a payment of several seats. It may tell only what all may see.

    words: with seats as "Player 0". gains: what the words say that each seat gains, (P,), or () for nothing.
    """

    words: str
    gains: tuple[int, ...] = ()


def no_news(_game: Any, _before: Any, _action: int, _after: Any) -> Iterable[News]:
    return ()


@dataclass(frozen=True)
class StoryWords:
    """How a game tells a turn.

    phrases: for each move the first that fits is used, and equal ones are summed. A move that none fits is told only if
        the turn has no other. One whose phrase has the verb "" is told only if the turn has nothing else and changed
        the seat's purse. In an object, `{n:bar}` is a number of bars, in the words of `counted`.
    amount: puts an amount earned or paid into words. purse: the public amount that a seat has.
    news: of a game, a position, a legal action in it, and the position that follows (no forced move in between).
        A change of a purse that is in no news is told with the turn.
    """

    phrases: tuple[Phrase, ...]
    amount: Callable[[int], str]
    purse: Callable[[Any, int], int]
    counted: Callable[[int, str], str] = counted
    news: Callable[[Any, Any, int, Any], Iterable[News]] = no_news

    def change(self, gained: int) -> str:
        """ "7 coins more" """
        return f"{self.amount(abs(gained))} {'more' if gained > 0 else 'less'}"


class Story(NamedTuple):
    """first, last: the places of its lines. seat: None for news. words: with the seat's name."""

    first: int
    last: int
    seat: int | None
    words: str


def turns_of(seats: Sequence[int | None]) -> Iterator[tuple[int, int]]:
    """The (first, last) places of consecutive lines of the same seat; every line without a seat stands alone."""
    first = 0
    for place in range(1, len(seats) + 1):
        if place == len(seats) or seats[place] != seats[first] or seats[place] is None:
            yield first, place - 1
            first = place


def told(lines: Sequence[str], words: StoryWords, earned: int) -> str:
    """Sum up lines, without the seat's name: "built Nut Coater, made 3 nuts; 7 coins more"; "" if none is told."""
    sums: dict[tuple[str, str, str], int] = {}
    unfitting = ""  # the last line that no phrase fits
    for line in lines:
        found = _phrase(line, words.phrases)
        if found is None:
            unfitting = line
        elif found[0]:
            verb, rest, what, number = found
            sums[verb, rest, what] = sums.get((verb, rest, what), 0) + number
    by_verb: dict[str, list[str]] = {}
    for (verb, rest, what), number in sums.items():
        times = f" ×{number}" if "{n" not in rest and number > 1 else ""
        by_verb.setdefault(verb, []).append(rest.format(n=_Number(number, words), what=what) + times)
    parts = [f"{verb} {_joined(things)}".rstrip() for verb, things in by_verb.items()]
    said = ", ".join(parts) or unfitting or (lines[-1] if earned else "")
    return said + (f"; {words.change(earned)}" if earned else "")


class _Number:
    """Formats `{n}` and `{n:bar}` in an object."""

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
