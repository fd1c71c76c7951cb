"""What the viewer may know of a position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..actions import ACTIONS
from ..cards import Cards
from ..layout import CATEGORIES
from .position import BIDDING, city_under_way, in_hand, is_secret, task_shown

Position = Mapping[str, Any]
Player = Mapping[str, Any]


@dataclass(frozen=True)
class View:
    """A position of `to_dict`, and its viewer.

    viewer: a seat, or None for a spectator.
    legal: flat numbers of the viewer's legal actions; empty unless the viewer is to move.
    money, ranking: the game's `scores` and `ranking`, by seat.
    moment: the phase under way, in a few words that name nobody.
    """

    position: Position
    cards: Cards
    viewer: int | None
    legal: frozenset[int]
    money: Sequence[int]
    ranking: Sequence[int]
    moment: str

    @property
    def stage(self) -> str:
        """The stage of the month, if it has a panel of its own: "cocoa", "sale", or ""."""
        if self.task in ("announce", *BIDDING):
            return "cocoa"
        return "sale" if self.task in ("attend", "offer", "raise", "card_c", "bank_sale") else ""

    @property
    def players(self) -> Sequence[Player]:
        players: Sequence[Player] = self.position["players"]
        return players

    @property
    def is_mover(self) -> bool:
        return self.viewer is not None and self.viewer == self.position["current"]

    @property
    def mover(self) -> int | None:
        """The seat to move, as far as the viewer may know it (SEE-5)."""
        hidden = is_secret(self.position) and not self.is_mover
        seat: int | None = None if hidden else self.position["current"]
        return seat

    @property
    def task(self) -> str:
        """SEE-5: others see that a window or sealed bids are under way, but not the question."""
        if self.is_mover:
            return str(self.position["task"])
        task = task_shown(self.position, self.cards)
        return BIDDING[0] if task in BIDDING else task

    @property
    def months(self) -> int:
        months = self.position["options"]["months"]
        return int(months or self.cards.record.months[len(self.players)])

    @property
    def city(self) -> int | None:
        """The city that sells now, from 0 on."""
        return city_under_way(self.position)

    @property
    def chairman(self) -> int:
        """The last seat in player order that is not bankrupt."""
        seats = len(self.players)
        order = [(self.position["leader"] + place) % seats for place in range(seats)]
        in_play = (seat for seat in reversed(order) if not self.players[seat]["out"])
        return int(next(in_play, order[0]))

    @property
    def share_price(self) -> int:
        return int(self.cards.record.share_price[self.position["month"] - 1])

    def name(self, card: str) -> str:
        """The name of a card, by its id."""
        return self.cards.names[card]

    def contract(self, contract: str) -> Any:
        """The record of a contract by its id: bars, lowest, highest."""
        return self.cards.record.contracts[self.cards.contracts.index(contract)]

    def hand(self, seat: int) -> Sequence[str]:
        """Ids of the express cards in the viewer's own hand (SEE-2)."""
        return in_hand(self.position, seat) if seat == self.viewer else ()

    # --- legal actions

    def action(self, verb: str, number: int = 0) -> int | None:
        """The flat number of a verb's action `number`, from 0 on, if the viewer may take it."""
        action = ACTIONS.first[verb] + number
        return action if action in self.legal else None

    def numbers(self, verb: str) -> list[int]:
        """The actions of a verb that the viewer may take, from 0 on."""
        return sorted(ACTIONS.decode(action)[1] for action in self.legal if ACTIONS.decode(action)[0] == verb)

    def category(self, category: str) -> int | None:
        return self.action("category", CATEGORIES.index(category))

    def play(self, card: str) -> int | None:
        """The action that plays a card, by its id."""
        return self.action("play", self.cards.express.index(card))

    def target(self, seat: int) -> int | None:
        if self.viewer is None or seat == self.viewer:
            return None
        return self.action("target", (seat - self.viewer) % len(self.players) - 1)


def seat_name(seat: int) -> str:
    return f"Player {seat}"
