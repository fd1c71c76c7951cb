"""What the viewer may know of a position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ....core.text.words import counted
from ..actions import ACTIONS
from ..cards import Cards
from ..constants import Task
from ..words import MOMENTS
from .describe_cards import window_of

TASKS: Final = {
    "look": "Look: who pays to see the event card",
    "staff": "Staff: hiring and laying off",
    "trim": "Staff: laying off because of a loan",
    "announce": "Cocoa: announcing",
    "make": "Production",
    "attend": "Sale: who comes to the meeting",
    "offer": "Sale: a contract on offer",
    "raise": "Sale: the chairman raises the price",
    "bank_sale": "Sale: bars for the bank",
    "money": "Loans and shares",
    "over": "End of the game",
}
# SEE-5: these tasks do not show the seat to move.
SECRET_TASKS: Final = {
    "card_a": "Express cards, before the markets",
    "card_b": "Express cards, before the meetings",
    "card_c": "Express cards, on the contract just taken",
    "bid_bars": "Cocoa: sealed bids",
    "bid_price": "Cocoa: sealed bids",
}
AFTER_A_CARD: Final = ("target", "holiday")
HIRING: Final = ("staff", "trim")
BIDDING: Final = ("bid_bars", "bid_price")
PLURALS: Final = {
    "worker": "workers",
    "salesman": "salesmen",
    "secretary": "secretaries",
    "bookkeeper": "bookkeepers",
}

Player = Mapping[str, Any]


@dataclass(frozen=True)
class View:
    """A position of `to_dict`, and its viewer.

    viewer: a seat, or None for a spectator.
    legal: flat numbers of the viewer's legal actions; empty unless the viewer is to move.
    """

    position: Mapping[str, Any]
    cards: Cards
    viewer: int | None
    legal: Sequence[int]

    def action(self, verb: str, number: int = 0) -> int | None:
        """The flat number of a verb's action `number`, from 0 on, if the viewer may take it."""
        action = ACTIONS.first[verb] + number
        return action if action in self.legal else None

    def name(self, card: str) -> str:
        """The name of a card, by its id."""
        return self.cards.names[card]

    # --- the question under way

    @property
    def is_mover(self) -> bool:
        return self.viewer is not None and self.viewer == self.position["current"]

    @property
    def mover(self) -> int | None:
        """The seat to move, as far as the viewer may know it (SEE-5)."""
        secret = self.position["task"] in (*AFTER_A_CARD, *SECRET_TASKS)
        seat: int | None = None if secret and not self.is_mover else self.position["current"]
        return seat

    @property
    def task(self) -> str:
        """SEE-5: others see that a window or sealed bids are under way, but not the question."""
        task: str = self.position["task"]
        if self.is_mover:
            return task
        if task in AFTER_A_CARD:
            return f"card_{window_of(self.cards.express.index(self.position['card'])).lower()}"
        return BIDDING[0] if task in BIDDING else task

    @property
    def moment(self) -> str:
        """The phase under way, in a few words that name nobody."""
        return MOMENTS[Task[self.position["task"].upper()]]

    @property
    def city(self) -> int | None:
        """The city that sells now, from 0 on."""
        return self.position["city"] - 1 if self.position["task"] in BIDDING else None

    # --- the players

    @property
    def players(self) -> Sequence[Player]:
        players: Sequence[Player] = self.position["players"]
        return players

    @property
    def in_order(self) -> list[int]:
        """The seats in player order."""
        seats = len(self.players)
        return [(self.position["leader"] + place) % seats for place in range(seats)]

    @property
    def chairman(self) -> int:
        """The last seat in player order that is not bankrupt."""
        in_play = (seat for seat in reversed(self.in_order) if not self.players[seat]["out"])
        return next(in_play, self.in_order[0])

    @property
    def seats_that_bid(self) -> list[int]:
        """The seats whose bid for the city under way is complete."""
        return [seat for seat in self.in_order[: self.position["turn"]] if not self.players[seat]["out"]]

    def hand(self, seat: int) -> list[str]:
        """Ids of the express cards in a hand, of which others see only the number (SEE-2)."""
        return [card for card, place in self.position["express"].items() if place == seat]

    # --- contracts and events

    def contract(self, contract: str) -> Any:
        """The record of a contract by its id: bars, lowest, highest."""
        return self.cards.row("contracts", contract)

    @property
    def taken(self) -> list[tuple[str, int]]:
        """The contract that was just taken, in window C, with its price."""
        taker = self.position["taker"]
        return [] if taker is None else contracts_held(self.players[taker])[-1:]

    @property
    def face_down(self) -> list[str]:
        """Ids of the contracts still to come."""
        down = self.position["contracts"][: self.position["contracts_left"]]
        return [contract for contract in down if contract is not None]

    @property
    def number_held_back(self) -> int:
        """SALE-11: the number of contracts that are nowhere else."""
        held = {contract for player in self.players for contract, _ in contracts_held(player)}
        return len(self.cards.contracts) - len({*self.face_down, *held, self.position["offer"]} - {None})

    @property
    def months(self) -> int:
        months = self.position["options"]["months"]
        return int(months or self.cards.record.months[len(self.players)])

    @property
    def events_left(self) -> list[str]:
        """EV-0, SEE-3: ids of events not turned up since the last shuffle."""
        turned = self.position["month"] - 1
        end = (turned // len(self.cards.events) + 1) * len(self.cards.events)
        events: list[str] = self.position["events"][turned + (self.position["event_turned"] is not None) : end]
        return events

    @property
    def event_known(self) -> str | None:
        """SEE-2: the id of this month's event for a viewer that has looked, until it is turned up."""
        turned, viewer = self.position["event_turned"] is not None, self.viewer
        if viewer is None or turned or not self.players[viewer]["looked"]:
            return None
        event: str = self.position["events"][self.position["month"] - 1]
        return event


def contracts_held(player: Player) -> list[tuple[str, int]]:
    """Contracts with their prices, oldest first."""
    held = list(zip(player["contracts"], player["prices"], strict=True))[: player["num_contracts"]]
    return [(contract, price) for contract, price in held if contract is not None]


def counted_staff(number: int, category: str) -> str:
    return counted(number, category, PLURALS[category])
