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
    HIGHEST_BID,
    MAX_CONTRACTS,
    MAX_HAND,
    MAX_LOANS,
    MAX_MARKET,
    MAX_MONTHS,
    MAX_PLAYERS,
    MAX_SHARES,
    MAX_STAFF,
    NUM_CITIES,
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
    seats = "seat", players
    return [
        Block.of("month", [], MAX_MONTHS, "current month, 1 to 12"),
        Block.of("months", [], MAX_MONTHS, "months of the game"),
        Block.of(
            "task",
            [],
            1,
            "one-hot: what the seat to move is asked; hidden (0) from other seats in card windows and bids",
            TASKS,
        ),
        Block.of(
            "task_category",
            [],
            1,
            "one-hot: the current category in staff; in trim the one named last, at first worker",
            CATEGORIES,
        ),
        Block.of("task_card", [], 1, "one-hot: the express card under way", CARD_NAMES),
        Block.of("task_city", [("city", NUM_CITIES)], 1, "one-hot: the city for which the observer bids"),
        Block.of(
            "to_move", [seats], 1, "one-hot: the seat to move; hidden (0) from other seats in card windows and bids"
        ),
        Block.of("leader", [seats], 1, "one-hot: the seat that is first in player order"),
        Block.of("chairman", [seats], 1, "one-hot: the seat that is last in player order"),
        Block.of("out", [seats], 1, "whether the seat is bankrupt"),
    ]


def seat_blocks(players: int) -> list[Block]:
    """What every player has."""
    seats = "seat", players
    return [
        Block.of("cash", [seats], MOST_SHOWN, "", ("thousands", "tens of thousands"), clipped=True),
        Block.of("staff", [seats], MAX_STAFF, "employees, as far as decided", CATEGORIES),
        Block.of("staff_before", [seats], MAX_STAFF, "employees at the end of last month", CATEGORIES),
        Block.of("absent", [seats], 1, "ill or on holiday", CATEGORIES),
        Block.of("salaries", [seats], MOST_SHOWN, "thousands paid this month", clipped=True),
        Block.of("loans", [seats], MAX_LOANS, "loans"),
        Block.of("loan_this_month", [seats], 1, "whether the seat took a loan this month"),
        Block.of("shares", [seats], MAX_SHARES, "shares"),
        Block.of("box", [], MAX_STAFF, "pieces left in the box", BOX),
        Block.of(
            "share_price", [], MAX_SHARE_PRICE, "price of a share; 0 after the last month", ("this month", "next month")
        ),
    ]


def market_blocks(players: int) -> list[Block]:
    """Stores, markets and bids."""
    seats = "seat", players
    bid = ("bars", "price")
    return [
        Block.of("cocoa", [seats], STORE_PLACES, "bars in store"),
        Block.of("chocolate", [seats], STORE_PLACES, "bars in store"),
        Block.of("announced", [seats], STORE_PLACES, "bars announced this month"),
        Block.of(
            "market",
            [("city", NUM_CITIES)],
            MAX_MARKET,
            "bars in each city that has not sold yet; the first of these sells now",
        ),
        Block.of("bids", [seats, ("city", NUM_CITIES)], HIGHEST_BID, "revealed bids of this month", bid),
        Block.of("bid_made", [seats], 1, "whether the seat has bid in the current city"),
        Block.of("own_bid", [], HIGHEST_BID, "the observer's bid in the current city", bid, private=True),
    ]


def sale_blocks(players: int) -> list[Block]:
    """Contracts and meetings."""
    seats = "seat", players
    return [
        Block.of(
            "contracts",
            [seats, ("contract", CONTRACTS_SHOWN)],
            MAX_PRICE,
            f"the {CONTRACTS_SHOWN} oldest",
            CONTRACT_ENTRIES,
        ),
        Block.of("contract_counts", [seats], MAX_CONTRACTS, "", ("open", "at the bookkeepers")),
        Block.of(
            "offer",
            [],
            MAX_PRICE,
            "the contract on offer; in window C the one just taken",
            ("bars", "lowest", "highest", "price now"),
        ),
        Block.of("meetings_left", [], MAX_FIELD, "meetings left, including the current one"),
        Block.of("markers", [seats], MAX_FIELD, "meetings that each seat may still attend"),
        Block.of("gained", [seats], MAX_FIELD, "contracts gained this month"),
        Block.of("present", [seats], 1, "whether the seat is at this meeting"),
        Block.of("refused", [seats], 1, "whether the seat has refused this price"),
        Block.of("taker", [seats], 1, "one-hot: the seat that has just taken the contract, in window C"),
        Block.of(
            "unseen",
            [],
            MAX_CONTRACTS,
            "contracts face down, by their bars",
            tuple(f"{bars} bar{'s' if bars > 1 else ''}" for bars in range(1, MAX_BARS + 1)),
        ),
    ]


def card_blocks(players: int) -> list[Block]:
    """Events and express cards."""
    seats = "seat", players
    return [
        Block.of("looked", [seats], 1, "whether the seat has looked at this month's event card"),
        Block.of(
            "event_known", [], 1, "one-hot: this month's event, if the observer has looked at it", EVENTS, private=True
        ),
        Block.of("event_in_force", [], 1, "one-hot: the event announced last month", EVENTS),
        Block.of("event_turned", [], 1, "one-hot: this month's event, once turned up", EVENTS),
        Block.of("events_left", [], 1, "events not turned up since the last shuffle", EVENTS),
        Block.of("hand", [], 1, "express cards in the observer's hand", CARD_NAMES, private=True),
        Block.of("hand_size", [seats], MAX_HAND, "express cards in each hand"),
        Block.of("cards_played", [], 1, "express cards out of the game, face up", CARD_NAMES),
        Block.of("struck_by", [seats], 1, "one-hot: the express card that struck each seat this month", CARD_NAMES),
        Block.of("has_played", [seats], 1, "whether the seat has played an express card this month"),
    ]


class Shown(Record):
    """What every step reads: it comes first, because batches of many decks fetch it ahead (`core.kernel.prefetch`)."""

    at: Any = offsets(observation_layout(MAX_PLAYERS))


class Tables(Shown, CardData):
    """The constant data of a game that rules read: the offsets of blocks, the cards, and their rows in observations."""


def tables_of(cards: np.ndarray, layout: ObservationLayout) -> np.ndarray:
    """(1,) Tables for a deck's cards, (1,) `cards.CardData`, and a variant's observations."""
    return filled_tables(Tables.dtype, cards, layout)
