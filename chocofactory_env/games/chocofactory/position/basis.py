"""What all checks of a position share: the position as it was read, and faults with the path to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ..constants import Effect, Size, Store
from ..rules.draft import seat_of_draft_turn
from ..rules.employees import has_effect

if TYPE_CHECKING:
    from ..game import ChocolateFactory

STORES: Final = [store.name.lower() for store in Store]
SIZES: Final = [size.name.lower() for size in Size]


class Fault(NamedTuple):
    """A field that does not fit: the path to it, what was expected, and what is there."""

    path: str
    expected: str
    got: object


Faults = Iterator[Fault]


class Position:
    """What was read, in words (`data`) and as the record that the rules take (`state`).

    Numbers are taken from the words, since sums of a record's numbers are as narrow as its fields.
    """

    def __init__(self, game: ChocolateFactory, data: Mapping[str, Any], states: np.ndarray) -> None:
        self.game = game
        self.data = data
        self.states = states
        self.state = states.view(np.recarray)[0]
        self.cards = game.cards
        self.deck = game.tables.view(np.recarray)[0]
        self.day: int = data["day"]
        self.phase: str = data["phase"]
        self.players: Sequence[Mapping[str, Any]] = data["players"]
        self.mover: int | None = data["current_player"]
        self.task: Mapping[str, Any] | None = data["under_way"]
        self.is_solo: bool = data["solo"] is not None

    @cached_property
    def turns(self) -> list[int]:
        """The seats that have a turn in this phase, one after the other (DRAFT-1, RUN-1)."""
        players = len(self.players)
        if self.phase != "draft":
            return [(int(self.data["start_player"]) + turn) % players for turn in range(players)]
        row, seats = self.states.copy().view(np.recarray)[0], []
        for row.turn in range(2 * players):
            seats.append(int(seat_of_draft_turn(row)))
        return seats

    def has(self, seat: int, effect: Effect) -> bool:
        """Whether the seat's employee of today has this effect."""
        return bool(has_effect(self.deck, self.state.players[seat], int(effect)))

    def employee_of(self, seat: int) -> Any:
        """The card of the seat's employee; None without one."""
        employee = self.players[seat]["employee"]
        return None if employee is None else self.deck.employees[self.cards.employees.index(employee)]

    def part(self, name: str) -> Any:
        """The card of a part."""
        return self.deck.parts[self.cards.parts.index(name)]

    def part_on(self, seat: int, slot: int) -> Any:
        """The card of the part on the seat's slot; None on an empty one."""
        name = self.players[seat]["factory"][slot]
        return None if name is None else self.part(name)

    def order(self, name: str) -> Any:
        """The card of an order."""
        return self.deck.orders[self.cards.orders.index(name)]

    @cached_property
    def sizes(self) -> dict[str, int]:
        """The size of every order."""
        return dict(zip(self.cards.orders, self.deck.orders["deck"].tolist(), strict=False))

    def employees_to_come(self) -> Iterator[tuple[str, str, str]]:
        """Path, id and deck of the employees in the decks and on the display."""
        shown = self.data["display"]["employees"]
        for deck, cards in self.data["decks"]["employees"].items():
            for path, card in [*numbered(f"decks.employees.{deck}", cards), (f"display.employees.{deck}", shown[deck])]:
                if card is not None:
                    yield path, card, deck


Check = Callable[[Position], Faults]


def numbered(path: str, values: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    """Path and value of the entries of a list that are not null."""
    return ((f"{path}[{at}]", value) for at, value in enumerate(values) if value is not None)


def named(path: str, values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Path and value of the entries of a table that are not null."""
    return ((f"{path}.{key}", value) for key, value in values.items() if value is not None)


def repeated(cards: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """The entries whose value was there before."""
    seen = set()
    for path, card in cards:
        if card in seen:
            yield path, card
        seen.add(card)


def difference(given: Any, understood: Any, path: str = "") -> Fault | None:
    """The first place where `given` is not what was understood of it: no number turned into another, no unknown key."""
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
    # The types too: to Python 1, 1.0 and True are equal.
    same = type(given) is type(understood) and given == understood
    return None if same else Fault(path, repr(understood), given)
