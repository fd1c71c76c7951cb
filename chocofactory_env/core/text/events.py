"""What moves do, before it is English: lines of a log, and turns summed up in one line, are both made of events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .words import counted


class Event(NamedTuple):
    """What a move does, as one viewer may know it.

    words: its line of the log, without the seat's name: "makes 2 nuts". verb, thing, number, rest: how its turn is
    told, as "made", "nut", 2, "": equal ones are summed. number 0: the thing is not counted. A move without a verb is
    told only if its turn has no other, and an `aside` only if it changed the seat's purse, too.
    """

    words: str
    verb: str = ""
    thing: str = ""
    number: int = 0
    rest: str = ""
    aside: bool = False


def line_of(seat: int, event: Event | None) -> str:
    """The line of the log; "" for a move that the viewer may not know of."""
    return "" if event is None else f"Player {seat} {event.words}"


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

    amount: puts an amount earned or paid into words. purse: the public amount that a seat has. counted: a number of
    things in words.
    news: of a game, a position, a legal action in it, and the position that follows (no forced move in between).
        A change of a purse that is in no news is told with the turn.
    """

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


def told(events: Sequence[Event], words: StoryWords, earned: int) -> str:
    """Sum up a turn, without the seat's name: "built Nut Coater, made 3 nuts; 7 coins more"; "" if none is told."""
    sums: dict[tuple[str, str, str, bool], tuple[int, int]] = {}
    for event in events:
        if event.verb:
            key = (event.verb, event.thing, event.rest, event.number > 0)
            times, number = sums.get(key, (0, 0))
            sums[key] = times + 1, number + event.number
    by_verb: dict[str, list[str]] = {}
    for (verb, thing, rest, is_counted), (times, number) in sums.items():
        said = words.counted(number, thing) if is_counted else thing + f" ×{times}" * (times > 1)
        by_verb.setdefault(verb, []).append(said + rest)
    parts = [f"{verb} {_joined(things)}".rstrip() for verb, things in by_verb.items()]
    others = [event.words for event in events if earned or not event.aside]
    said = ", ".join(parts) or (others[-1] if others else "")
    return said + (f"; {words.change(earned)}" if earned else "")


def _joined(things: Sequence[str]) -> str:
    return things[0] if len(things) == 1 else f"{', '.join(things[:-1])} and {things[-1]}"
