"""What several fields of a position from `to_dict` say together, and what of it a viewer may know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ....core.text.words import counted
from ..cards import Cards
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
PLURALS: Final = {
    "worker": "workers",
    "salesman": "salesmen",
    "secretary": "secretaries",
    "bookkeeper": "bookkeepers",
}

HIRING: Final = ("staff", "trim")
BIDDING: Final = ("bid_bars", "bid_price")

Position = Mapping[str, Any]
Player = Mapping[str, Any]


def task_shown(position: Position, cards: Cards) -> str:
    """SEE-5: while a card is carried out, only the window is shown."""
    if position["task"] not in AFTER_A_CARD:
        return str(position["task"])
    return f"card_{window_of(cards.express.index(position['card'])).lower()}"


def is_secret(position: Position) -> bool:
    return position["task"] in AFTER_A_CARD or position["task"] in SECRET_TASKS


def category_under_way(position: Position) -> str | None:
    category: str = position["category"]
    return category if position["task"] in HIRING else None


def city_under_way(position: Position) -> int | None:
    """From 0 on."""
    return position["city"] - 1 if position["task"] in BIDDING else None


def in_hand(position: Position, seat: int) -> list[str]:
    """Ids of the express cards in a hand."""
    return [card for card, place in position["express"].items() if place == seat]


def contracts_held(player: Player) -> list[tuple[str, int]]:
    """Contracts with their prices, oldest first."""
    held = list(zip(player["contracts"], player["prices"], strict=True))[: player["num_contracts"]]
    return [(contract, price) for contract, price in held if contract is not None]


def face_down(position: Position) -> list[str]:
    return [contract for contract in position["contracts"][: position["contracts_left"]] if contract is not None]


def number_held_back(position: Position, cards: Cards) -> int:
    """SALE-11: the number of contracts that are nowhere else."""
    held = {contract for player in position["players"] for contract, _ in contracts_held(player)}
    return len(cards.contracts) - len({*face_down(position), *held, position["offer"]} - {None})


def events_left(position: Position, cards: Cards) -> list[str]:
    """EV-0, SEE-3: ids of events not turned up since the last shuffle, in the order of the deck's file."""
    month = position["month"]
    first = (month - 1) // len(cards.events) * len(cards.events)
    turned = month - 1 + (position["event_turned"] is not None)
    return sorted(position["events"][turned : first + len(cards.events)], key=cards.events.index)


def event_known(position: Position, viewer: int | None) -> str | None:
    """SEE-2: the id of this month's event for a viewer that has looked, until it is turned up."""
    if viewer is None or position["event_turned"] is not None or not position["players"][viewer]["looked"]:
        return None
    event: str = position["events"][position["month"] - 1]
    return event


def seats_that_bid(position: Position) -> list[int]:
    """The seats whose bid for the city under way is complete, in player order."""
    players = position["players"]
    order = [(position["leader"] + place) % len(players) for place in range(position["turn"])]
    return [seat for seat in order if not players[seat]["out"]]


def taken(position: Position) -> list[tuple[str, int]]:
    """The contract that was just taken, in window C, with its price."""
    return [] if position["taker"] is None else contracts_held(position["players"][position["taker"]])[-1:]


def counted_staff(number: int, category: str) -> str:
    return counted(number, category, PLURALS[category])
