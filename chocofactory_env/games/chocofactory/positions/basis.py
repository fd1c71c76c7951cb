"""The position that all checks share, as it was read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.positions.reading import ReadPosition, numbered
from ....core.text.words import words_of
from ..constants import Effect, Size, Store
from ..rules.draft import seat_of_draft_turn
from ..rules.employees import has_effect

if TYPE_CHECKING:
    from ..game import ChocolateFactory

STORES, SIZES = words_of(Store), words_of(Size)


class Position(ReadPosition["ChocolateFactory"]):
    """A position of this game as it was read."""

    def __init__(self, game: ChocolateFactory, data: Mapping[str, Any], states: np.ndarray) -> None:
        super().__init__(game, data, states)
        self.cards = game.cards
        self.deck = game.tables.view(np.recarray)[0]
        self.day: int = data["day"]
        self.phase: str = data["phase"]
        self.task: Mapping[str, Any] | None = data["under_way"]
        self.all_act: bool = "together" in data and self.phase in ("run", "fulfil")  # SIM-1
        self.is_solo: bool = data["solo"] is not None

    @cached_property
    def turns(self) -> list[int]:
        """The seats with a turn in this phase, in order (DRAFT-1, RUN-1)."""
        players = len(self.players)
        if self.phase != "draft":
            return [(int(self.data["start_player"]) + turn) % players for turn in range(players)]
        row, seats = self.states.copy().view(np.recarray)[0], []
        for row.turn in range(2 * players):
            seats.append(int(seat_of_draft_turn(row)))
        return seats

    def alone(self, seat: int) -> Position:
        """The same position in turns, with this seat to move; for phases in which all seats act at once (SIM-1)."""
        states, blank = self.states.copy(), self.game.blank_state()
        if seat != self.mover:
            states["task"], states["shift"] = states["tasks"][:, seat], states["shifts"][:, seat]
            states["current"], states["turn"] = seat, self.turns.index(seat)
        for name in ("finished", "shifts", "tasks"):
            states[name] = blank[name]
        states["simultaneous"] = 0
        return Position(self.game, self.game.to_dict(states), states)

    def task_of(self, seat: int) -> Mapping[str, Any] | None:
        """The seat's task under way."""
        if seat == self.mover:
            return self.task
        task: Mapping[str, Any] | None = self.data["together"]["under_way"][seat] if self.all_act else None
        return task

    def shift_of(self, seat: int) -> int:
        """The seat's shift while it runs its factory."""
        return int(self.data["shift"] if seat == self.mover else self.data["together"]["shifts"][seat])

    def still_acts(self, seat: int) -> bool:
        """Whether the seat's turn in the phase has not ended."""
        if self.all_act:
            return seat not in self.data["together"]["finished"]
        return self.turns.index(seat) >= int(self.data["turn"])

    def is_running(self, seat: int) -> bool:
        """Whether the seat is in the middle of its run."""
        return self.phase == "run" and (self.still_acts(seat) if self.all_act else seat == self.mover)

    def has(self, seat: int, effect: Effect) -> bool:
        """Whether the seat's employee today has this effect."""
        return bool(has_effect(self.deck, self.state.players[seat], int(effect)))

    def employee_of(self, seat: int) -> Any:
        """The card of the seat's employee; None if it has none."""
        employee = self.players[seat]["employee"]
        return None if employee is None else self.deck.employees[self.cards.employees.index(employee)]

    def part(self, name: str) -> Any:
        """The card of a part."""
        return self.deck.parts[self.cards.parts.index(name)]

    def part_on(self, seat: int, slot: int) -> Any:
        """The card of the part on the seat's slot; None if the slot is empty."""
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
