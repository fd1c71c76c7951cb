"""What all checks share: the position as it was read."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ....core.positions.reading import ReadPosition
from ....core.text.words import words_of
from ..constants import NUM_CITIES, WINDOW_B, Category, Express, Task

if TYPE_CHECKING:
    from ..game import Schoko

CATEGORIES: Final = words_of(Category)


class Stage(IntEnum):
    """Stages of a month (MON-1). Fields of later stages still have their values of the month's start."""

    LOOK = 0
    STAFF = 1
    TRIM = 2
    WINDOW_A = 3
    ANNOUNCE = 4
    BIDS = 5
    MAKE = 6
    WINDOW_B = 7
    MEETINGS = 8
    BANK_SALE = 9
    MONEY = 10
    OVER = 11  # at any time of a month (PAY-4)


STAGES: Final[Mapping[int, Stage]] = {
    Task.LOOK: Stage.LOOK,
    Task.STAFF: Stage.STAFF,
    Task.TRIM: Stage.TRIM,
    Task.CARD_A: Stage.WINDOW_A,
    Task.HOLIDAY: Stage.WINDOW_A,
    Task.ANNOUNCE: Stage.ANNOUNCE,
    Task.BID_BARS: Stage.BIDS,
    Task.BID_PRICE: Stage.BIDS,
    Task.MAKE: Stage.MAKE,
    Task.CARD_B: Stage.WINDOW_B,
    Task.ATTEND: Stage.MEETINGS,
    Task.OFFER: Stage.MEETINGS,
    Task.RAISE: Stage.MEETINGS,
    Task.CARD_C: Stage.MEETINGS,
    Task.BANK_SALE: Stage.BANK_SALE,
    Task.MONEY: Stage.MONEY,
    Task.OVER: Stage.OVER,
}


class Position(ReadPosition["Schoko"]):
    """A position of this game, as it was read."""

    def __init__(self, game: Schoko, data: Mapping[str, Any], states: np.ndarray) -> None:
        super().__init__(game, data, states)
        self.cards = game.cards
        self.deck = game.tables.view(np.recarray)[0]
        self.task = Task(int(self.state.task))
        self.month: int = data["month"]
        self.turn: int = data["turn"]
        self.meeting: Mapping[str, Any] = data["meeting"]

    @cached_property
    def stage(self) -> Stage:
        if self.task == Task.TARGET:
            return Stage.WINDOW_A if self.state.card < WINDOW_B else Stage.WINDOW_B
        return STAGES[self.task]

    @property
    def active(self) -> list[int]:
        """The seats that are not bankrupt."""
        return [seat for seat, player in enumerate(self.players) if not player["bankrupt"]]

    def place_of(self, seat: int) -> int:
        """The seat's distance from the leader, clockwise."""
        return (seat - int(self.data["leader"])) % len(self.players)

    def is_asked_yet(self, seat: int) -> bool:
        """Whether the seat's turn in the task under way came before that of the seat to move."""
        return self.place_of(seat) < self.turn

    @property
    def is_open(self) -> bool:
        """Whether seats bid at the same time in the city under way (COCOA-4)."""
        return "named" in self.data["under_way"]

    def has_named(self, seat: int) -> bool:
        """Whether the seat has named its bars in the city under way."""
        return seat in self.data["under_way"]["named"] if self.is_open else self.is_asked_yet(seat)

    def is_struck_by(self, seat: int, card: Express) -> bool:
        return bool(self.state.players[seat].struck_by == card)

    def contract(self, name: str) -> Any:
        """The card of a contract."""
        return self.deck.contracts[self.cards.contracts.index(name)]

    def salesmen_at_work(self, seat: int) -> int:
        player = self.players[seat]
        return int(player["staff"]["salesman"] - player["absent"]["salesman"])

    def full_marker(self, seat: int) -> int:
        """SALE-2: the seat's marker before any meeting, without XP-MISS."""
        return min(int(self.deck.last_field), len(self.players) * self.salesmen_at_work(seat))

    @cached_property
    def meetings(self) -> int:
        """SALE-1: the number of meetings this month."""
        return max(self.full_marker(seat) for seat in range(len(self.players)))

    @cached_property
    def offered(self) -> list[int]:
        """COCOA-2: bars put on sale in each city this month."""
        total = sum(player["announced"] for player in self.players)
        return [total // NUM_CITIES + (city < total % NUM_CITIES) for city in range(NUM_CITIES)]
