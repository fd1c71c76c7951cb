"""What an observation shows: its blocks, the rows of cards in it, and the tables that rules read."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np

from ...core.observation.layout import Block, ObservationLayout, filled_tables, offsets
from ...core.records import Record
from ...core.text.words import words_of
from .cards import CardData
from .constants import (
    BOX_SIZE,
    HIGHEST_BID,
    MAX_CONTRACTS,
    MAX_HAND,
    MAX_LOANS,
    MAX_MARKET,
    MAX_MONTHS,
    MAX_PLAYERS,
    MAX_SHARES,
    MAX_STAFF,
    NUM_CATEGORIES,
    NUM_CITIES,
    NUM_EVENTS,
    NUM_EXPRESS,
    NUM_TASKS,
    STORE_PLACES,
    Category,
    Event,
    Express,
    Task,
)
from .deck_schema import MAX_BARS, MAX_FIELD, MAX_PRICE, MAX_SHARE_PRICE

MOST_SHOWN: Final = 250  # thousands; larger sums show in the tens of thousands
TEN: Final = 10
CONTRACTS_SHOWN: Final = 8  # the oldest
CONTRACT_ENTRIES: Final = ("bars", "price", "at the bookkeepers")
CONTRACT_SIZE: Final = len(CONTRACT_ENTRIES)


CATEGORIES, EVENTS, CARD_NAMES = words_of(Category), words_of(Event), words_of(Express)
BOX: Final = (*CATEGORIES, "loans", "shares")
TASKS: Final = words_of(Task)[:NUM_TASKS]


@lru_cache
def observation_layout(num_players: int) -> ObservationLayout:
    """The blocks for `num_players` players."""
    return ObservationLayout(
        [
            *task_blocks(num_players),
            *seat_blocks(num_players),
            *market_blocks(num_players),
            *sale_blocks(num_players),
            *card_blocks(num_players),
        ]
    )


def task_blocks(players: int) -> list[Block]:
    """Where the game is, and the question under way; other seats see nothing of a secret one (SEE-5)."""
    return [
        Block("month", (1,), MAX_MONTHS, "current month, 1 to 12"),
        Block("months", (1,), MAX_MONTHS, "months of the game"),
        Block(
            "task",
            (NUM_TASKS,),
            1,
            "one-hot: what the seat to move is asked; hidden (0) from other seats in card windows and bids",
            TASKS,
        ),
        Block(
            "task_category",
            (NUM_CATEGORIES,),
            1,
            "one-hot: the current category in staff; in trim the one named last, at first worker",
            CATEGORIES,
        ),
        Block("task_card", (NUM_EXPRESS,), 1, "one-hot: the express card under way", CARD_NAMES),
        Block("task_city", (NUM_CITIES,), 1, "one-hot: the city for which the observer bids", axes=("city",)),
        Block(
            "to_move",
            (players,),
            1,
            "one-hot: the seat to move; hidden (0) from other seats in card windows and bids",
            axes=("seat",),
        ),
        Block("leader", (players,), 1, "one-hot: the seat that is first in player order", axes=("seat",)),
        Block("chairman", (players,), 1, "one-hot: the seat that is last in player order", axes=("seat",)),
        Block("out", (players,), 1, "whether the seat is bankrupt", axes=("seat",)),
    ]


def seat_blocks(players: int) -> list[Block]:
    """What every player has."""
    staff = (players, NUM_CATEGORIES)
    return [
        Block("cash", (players, 2), MOST_SHOWN, "", ("thousands", "tens of thousands"), clipped=True, axes=("seat",)),
        Block("staff", staff, MAX_STAFF, "employees, as far as decided", CATEGORIES, axes=("seat",)),
        Block("staff_before", staff, MAX_STAFF, "employees at the end of last month", CATEGORIES, axes=("seat",)),
        Block("absent", staff, 1, "ill or on holiday", CATEGORIES, axes=("seat",)),
        Block("salaries", (players,), MOST_SHOWN, "thousands paid this month", clipped=True, axes=("seat",)),
        Block("loans", (players,), MAX_LOANS, "loans", axes=("seat",)),
        Block("loan_this_month", (players,), 1, "whether the seat took a loan this month", axes=("seat",)),
        Block("shares", (players,), MAX_SHARES, "shares", axes=("seat",)),
        Block("box", (BOX_SIZE,), MAX_STAFF, "pieces left in the box", BOX),
        Block(
            "share_price",
            (2,),
            MAX_SHARE_PRICE,
            "price of a share; 0 after the last month",
            ("this month", "next month"),
        ),
    ]


def market_blocks(players: int) -> list[Block]:
    """Stores, markets and bids."""
    bid = ("bars", "price")
    return [
        Block("cocoa", (players,), STORE_PLACES, "bars in store", axes=("seat",)),
        Block("chocolate", (players,), STORE_PLACES, "bars in store", axes=("seat",)),
        Block("announced", (players,), STORE_PLACES, "bars announced this month", axes=("seat",)),
        Block(
            "market",
            (NUM_CITIES,),
            MAX_MARKET,
            "bars in each city that has not sold yet; the first of these sells now",
            axes=("city",),
        ),
        Block("bids", (players, NUM_CITIES, 2), HIGHEST_BID, "revealed bids of this month", bid, axes=("seat", "city")),
        Block("bid_made", (players,), 1, "whether the seat has bid in the current city", axes=("seat",)),
        Block("own_bid", (2,), HIGHEST_BID, "the observer's bid in the current city", bid, private=True),
    ]


def sale_blocks(players: int) -> list[Block]:
    """Contracts and meetings."""
    return [
        Block(
            "contracts",
            (players, CONTRACTS_SHOWN, CONTRACT_SIZE),
            MAX_PRICE,
            f"the {CONTRACTS_SHOWN} oldest",
            CONTRACT_ENTRIES,
            axes=("seat", "contract"),
        ),
        Block("contract_counts", (players, 2), MAX_CONTRACTS, "", ("open", "at the bookkeepers"), axes=("seat",)),
        Block(
            "offer",
            (4,),
            MAX_PRICE,
            "the contract on offer; in window C the one just taken",
            ("bars", "lowest", "highest", "price now"),
        ),
        Block("meetings_left", (1,), MAX_FIELD, "meetings left, including the current one"),
        Block("markers", (players,), MAX_FIELD, "meetings that each seat may still attend", axes=("seat",)),
        Block("gained", (players,), MAX_FIELD, "contracts gained this month", axes=("seat",)),
        Block("present", (players,), 1, "whether the seat is at this meeting", axes=("seat",)),
        Block("refused", (players,), 1, "whether the seat has refused this price", axes=("seat",)),
        Block(
            "taker", (players,), 1, "one-hot: the seat that has just taken the contract, in window C", axes=("seat",)
        ),
        Block(
            "unseen",
            (MAX_BARS,),
            MAX_CONTRACTS,
            "contracts face down, by their bars",
            tuple(f"{bars} bar{'s' if bars > 1 else ''}" for bars in range(1, MAX_BARS + 1)),
        ),
    ]


def card_blocks(players: int) -> list[Block]:
    """Events and express cards."""
    events = (NUM_EVENTS,)
    return [
        Block("looked", (players,), 1, "whether the seat has looked at this month's event card", axes=("seat",)),
        Block(
            "event_known",
            events,
            1,
            "one-hot: this month's event, if the observer has looked at it",
            EVENTS,
            private=True,
        ),
        Block("event_in_force", events, 1, "one-hot: the event announced last month", EVENTS),
        Block("event_turned", events, 1, "one-hot: this month's event, once turned up", EVENTS),
        Block("events_left", events, 1, "events not turned up since the last shuffle", EVENTS),
        Block("hand", (NUM_EXPRESS,), 1, "express cards in the observer's hand", CARD_NAMES, private=True),
        Block("hand_size", (players,), MAX_HAND, "express cards in each hand", axes=("seat",)),
        Block("cards_played", (NUM_EXPRESS,), 1, "express cards out of the game, face up", CARD_NAMES),
        Block(
            "struck_by",
            (players, NUM_EXPRESS),
            1,
            "one-hot: the express card that struck each seat this month",
            CARD_NAMES,
            axes=("seat",),
        ),
        Block("has_played", (players,), 1, "whether the seat has played an express card this month", axes=("seat",)),
    ]


class Shown(Record):
    """What every step reads: it comes first, because batches of many decks fetch it ahead (`core.kernel.prefetch`)."""

    at: Any = offsets(observation_layout(MAX_PLAYERS))


class Tables(Shown, CardData):
    """The constant data of a game that rules read: the offsets of blocks, the cards, and their rows in observations."""


def tables_of(cards: np.ndarray, layout: ObservationLayout) -> np.ndarray:
    """(1,) Tables for a deck's cards, (1,) `cards.CardData`, and a variant's observations."""
    return filled_tables(Tables.dtype, cards, layout)
