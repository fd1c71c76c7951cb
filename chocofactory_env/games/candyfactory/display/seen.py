"""A position as a viewer may know it. Only this module hides secrets from the picture.

OPEN-1 and OPEN-3 are shown to all. What OPEN-2 hides is read only here, for those who may know it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..actions import BRING, SHIP
from ..cards import Cards
from ..constants import (
    FIRST_TRUCK,
    MAX_OPEN_RECIPES,
    NONE,
    NUM_HIRED,
    WAREHOUSE,
    Half,
    Step,
    Way,
)
from ..rules import goods, hands
from ..rules import turn as turns
from ..rules.derived import hired_in_hand


@dataclass(frozen=True)
class Seen:
    """A position and its viewer.

    record: a State, of which the picture and the log read only what lies open.
    viewer: a seat; None for a spectator.
    legal: flat numbers of the viewer's legal actions; empty unless the viewer is to move.
    scores: by seat.
    """

    record: Any
    cards: Cards
    viewer: int | None
    legal: Sequence[int] = ()
    scores: Sequence[int] = ()

    @property
    def half(self) -> Half:
        return Half(int(self.record.half))

    @property
    def step(self) -> Step:
        return Step(int(self.record.step))

    @property
    def turn(self) -> Any:
        return self.record.turn

    @property
    def is_mover(self) -> bool:
        return self.viewer is not None and self.viewer == self.record.current

    def action(self, number: int) -> int | None:
        """`number` if the viewer may take this action, else None."""
        return number if number in self.legal else None

    @cached_property
    def recipes(self) -> list[int]:
        return [recipe for recipe in self.record.recipes.tolist() if recipe != NONE]

    @cached_property
    def kinds(self) -> list[str]:
        """Names of goods, by Kind; "" for candy of places without a recipe."""
        names = [self.cards.names[self.cards.recipes[recipe]] for recipe in self.recipes]
        names += [""] * (MAX_OPEN_RECIPES - len(names))
        decorated = [f"decorated {name}" if name else "" for name in names]
        return ["sugar", "cacao", "chocolate", *names, *decorated]

    @property
    def looks_at(self) -> int:
        """ABIL-8, ABIL-12: the number of cards that a recruit looks at."""
        return int(hands.looked_at(self.cards.record, self.record))

    @property
    def from_supply(self) -> bool:
        """TO-4: goods are being brought from the supply."""
        return self.step == Step.GOODS and bool(goods.from_supply(self.record))

    @property
    def source(self) -> int:
        """The hold that goods are moved from; NONE if nothing is moved, or from the supply."""
        if self.step != Step.GOODS or self.turn.truck == NONE:
            return NONE
        return FIRST_TRUCK + int(self.turn.truck) if self.turn.way == Way.BRING else WAREHOUSE

    @property
    def ways(self) -> dict[int, tuple[int, int]]:
        """The space and the capacity of every legal `bring` and `ship`; see `way_found`."""
        found = {}
        for first, way in ((BRING, Way.BRING), (SHIP, Way.SHIP)):
            for counter in (0, 1):
                if first + counter in self.legal:
                    found[first + counter] = self.way_found(way, counter)
        return found

    def way_found(self, way: int, counter: int) -> tuple[int, int]:
        """TO-1, FROM-1, SPEC-3: the space (1-8) that bringing or shipping would find, and the capacity."""
        lift = int(self.cards.record.lift) if self.turn.card == turns.LIFT_CARD else 0
        tried = turns.tries(self.record, int(self.turn.number), way, counter)
        return int(turns.space_found(self.record, tried, counter)) + 1, int(tried) + lift

    # --- what OPEN-2 hides from others

    def hand(self, seat: int) -> list[int] | None:
        """(NUM_CARDS,) cards, of the viewer's own seat; else None."""
        hand: list[int] = self.record.seats[seat].hand.tolist()
        return hand if seat == self.viewer else None

    def unplayed(self, seat: int) -> list[int]:
        """(NUM_CARDS,) cards in hand or deck that all can name; of the viewer's own seat, those in the deck."""
        unplayed: list[int] = self.record.seats[seat].unplayed.tolist()
        hand = self.hand(seat) or [0] * len(unplayed)
        return [max(0, number - held) for number, held in zip(unplayed, hand, strict=True)]

    def others(self, seat: int) -> int:
        """The number of cards besides `unplayed`."""
        player = self.record.seats[seat]
        others = int(player.unknown)
        return others - int(hired_in_hand(player)) if others and seat == self.viewer else others

    @property
    def knows(self) -> list[int]:
        """(NUM_HIRED,) cards of the specialist deck that the viewer knows, by kind."""
        known: list[int] = [0] * NUM_HIRED if self.viewer is None else self.record.seats[self.viewer].knows.tolist()
        return known

    @property
    def offer(self) -> list[int]:
        """The Specialists that the viewer is looking at."""
        looking = self.is_mover and self.step == Step.HIRE
        offer: list[int] = self.record.specialists[: self.looks_at if looking else 0].tolist()
        return offer
