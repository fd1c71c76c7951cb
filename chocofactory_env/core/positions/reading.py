"""Positions as data: read a dictionary value by value, and report faults with the path to them.

A game reads every field, within its range, with a `Reader`. `core.positions.serial` refuses data that would be lost or
changed. The game's checks of the whole position yield a `Fault` for every field that does not fit.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import ModuleType
from typing import Any, Generic, NamedTuple, Self, TypeVar

import numpy as np

from ..errors import StateError
from ..messages import shown

_LONGEST = 120  # characters of what was expected
NONE = -1  # null in the fields of a record


class Fault(NamedTuple):
    """A field that does not fit: the path to it, what was expected, and what is there."""

    path: str
    expected: str
    got: object


Faults = Iterator[Fault]


def name_or_null(names: Sequence[str], number: int) -> str | None:
    """The name of the number in a field of a record; None for NONE."""
    return None if number == NONE else names[number]


def number_or_null(number: int) -> int | None:
    """The number in a field of a record; None for NONE."""
    return None if number == NONE else number


def refuse(fault: Fault | None, path: str = "") -> None:
    """Raise StateError if there is a fault; `path` is prefixed to the path of the fault."""
    if fault is not None:
        raise StateError(f"{path}{fault.path}: expected {fault.expected}, got {shown(fault.got)}")


def difference(given: Any, understood: Any, path: str = "") -> Fault | None:
    """The first place where `given` differs from what was read, such as an unknown key or a changed number."""
    if isinstance(given, Mapping) and isinstance(understood, dict):
        for key in understood:
            if key not in given:
                return Fault(path, f"a table with {key!r}", given)
        for key in given:
            if key not in understood:
                return Fault(path, "no unknown key", key)
            found = difference(given[key], understood[key], f"{path}.{key}" if path else key)
            if found:
                return found
        return None
    if isinstance(given, list) and isinstance(understood, list) and len(given) == len(understood):
        pairs = enumerate(zip(given, understood, strict=True))
        return next(filter(None, (difference(one, other, f"{path}[{at}]") for at, (one, other) in pairs)), None)
    # Compare types, too: in Python 1, 1.0, and True are equal.
    same = type(given) is type(understood) and given == understood
    return None if same else Fault(path, shown(understood, _LONGEST), given)


def numbered(path: str, values: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    """Path and value of every non-null entry of a list."""
    return ((f"{path}[{at}]", value) for at, value in enumerate(values) if value is not None)


def named(path: str, values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Path and value of every non-null entry of a table."""
    return ((f"{path}.{key}", value) for key, value in values.items() if value is not None)


def repeated(cards: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """The entries whose value occurred earlier."""
    seen = set()
    for path, card in cards:
        if card in seen:
            yield path, card
        seen.add(card)


class Reader:
    """A value of the dictionary, and its path for messages.

    Every method raises StateError if the value does not fit. A game adds methods for its own cards.
    """

    def __init__(self, value: Any, path: str = "state") -> None:
        self.value = value
        self.path = path

    def error(self, expected: str) -> StateError:
        return StateError(f"{self.path}: expected {expected}, got {shown(self.value)}")

    def __getitem__(self, key: str) -> Self:
        if not isinstance(self.value, Mapping) or key not in self.value:
            raise self.error(f"a table with {key!r}")
        return type(self)(self.value[key], f"{self.path}.{key}")

    def items(self, low: int, high: int | None = None) -> list[Self]:
        """The entries of a list with `low` to `high` entries; if `high` is None, exactly `low`."""
        most = low if high is None else high
        if not isinstance(self.value, list) or not low <= len(self.value) <= most:
            raise self.error(f"a list of {low} entries" if high is None else f"a list of at most {high} entries")
        return [type(self)(item, f"{self.path}[{place}]") for place, item in enumerate(self.value)]

    def by(self, names: Sequence[str]) -> list[Self]:
        """The values of a table under these names."""
        return [self[name] for name in names]

    def integer(self, low: int, high: int) -> int:
        if type(self.value) is not int or not low <= self.value <= high:  # `type`, because True is an int
            raise self.error(f"a whole number from {low} to {high}")
        return self.value

    def flag(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.error("true or false")
        return self.value

    def index(self, names: Sequence[str], what: str | None = None) -> int:
        """The number of a word. `what` names the kind of word in messages if there are too many words to list."""
        if not isinstance(self.value, str) or self.value not in names:
            raise self.error(what or f"one of {', '.join(names)}")
        return names.index(self.value)

    def optional(self, read: Callable[[Self], int]) -> int:
        """`read(self)`, or NONE for null."""
        return NONE if self.value is None else read(self)

    def equals(self, expected: Any) -> None:
        refuse(difference(self.value, expected, self.path))


G = TypeVar("G")  # the game
P = TypeVar("P")


class ReadPosition(Generic[G]):
    """A position that was read, for checks: in words (`data`), and as the record that the rules take (`state`).

    Checks take numbers from `data`, because sums of a record's numbers can overflow.
    """

    def __init__(self, game: G, data: Mapping[str, Any], states: np.ndarray) -> None:
        self.game = game
        self.data = data
        self.states = states
        self.state = states.view(np.recarray)[0]
        self.players: Sequence[Mapping[str, Any]] = data["players"]
        self.mover: int | None = data["current_player"]


def checks_in(*modules: ModuleType) -> Iterator[Callable[[Any], Faults]]:
    """The functions `check_...` of these modules that take only a position, in the order of their definitions."""
    for module in modules:
        for name, check in vars(module).items():
            of_module = inspect.isfunction(check) and check.__module__ == module.__name__
            if of_module and name.startswith("check_") and check.__code__.co_argcount == 1:
                yield check


def first_fault(position: P, checks: Iterable[Callable[[P], Faults]]) -> Fault | None:
    """The first fault found; later checks rely on earlier ones."""
    return next(chain.from_iterable(check(position) for check in checks), None)
