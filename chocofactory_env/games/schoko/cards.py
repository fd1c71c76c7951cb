"""Read and check `data/*.toml`, and lay the cards out as one record that the compiled rules take as an argument."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final

import numpy as np
from msgspec.structs import asdict, astuple

from ...core.cards.deck import CheckedDeck, about
from ...core.records import Array, Record, field
from .constants import MAX_CONTRACTS, MAX_MONTHS, MAX_PLAYERS, MIN_PLAYERS, NUM_CATEGORIES, Event, Express
from .deck_schema import Deck, Setup, check
from .generated import GENERATOR


class Contract(Record):
    bars: int = field("i1")
    lowest: int = field("i2")
    highest: int = field("i2")  # bars 1-6, thousands 1-150


class CardData(Record):
    num_contracts: int = field("i1")  # 15-23
    contracts: Array[Contract] = field(Contract, MAX_CONTRACTS)
    # by effect, of which each has one card; 0 for effects without an amount
    event_amounts: Array[int] = field("i2", len(Event))
    express_amounts: Array[int] = field("i2", len(Express))
    # the numbers of the table `setup`, which are on no card; money in thousands
    cash: int = field("i2")  # SET-2
    look: int = field("i2")  # LOOK-1
    salaries: Array[int] = field("i2", NUM_CATEGORIES)  # STAFF-1; even, so that severance is whole
    bars_a_worker: int = field("i1")  # MAKE-1
    contracts_a_secretary: int = field("i1")  # OFFICE-2
    contracts_a_bookkeeper: int = field("i1")  # OFFICE-3
    most_hired: int = field("i1")  # STAFF-2
    cocoa_store: int = field("i1")  # SET-8: 1-16
    chocolate_store: int = field("i1")
    staff: Array[int] = field("i1", NUM_CATEGORIES)  # SET-9: in the box
    loans: int = field("i1")
    shares: int = field("i1")
    loan: int = field("i2")  # LOAN-1
    interest: int = field("i2")  # LOAN-2
    last_field: int = field("i1")  # SALE-2
    bank_bars: int = field("i1")  # SALE-12
    bank_price: int = field("i2")
    highest_bid: int = field("i1")  # COCOA-4: 1-30
    hand: int = field("i1")  # SET-3: 0-3
    months: Array[int] = field("i1", MAX_PLAYERS + 1)  # SET-7: default of the option, by number of players
    share_price: Array[int] = field("i2", MAX_MONTHS)  # SHARE-1


OF_CARDS: Final = ("num_contracts", "contracts", "event_amounts", "express_amounts")


@dataclass(frozen=True, eq=False)
class Cards(CheckedDeck):
    """A checked deck. Card numbers are places in the id lists."""

    contracts: tuple[str, ...]  # ids by number, in the file's order
    events: tuple[str, ...]  # by Event
    express: tuple[str, ...]  # by Express
    setup: str  # the id of the table `setup`
    cities: tuple[str, ...]  # names


def load_cards(path: str | os.PathLike[str] | None = None) -> Cards:
    """The shipped deck, or the TOML file at `path`, or the generated deck of this name; its tables replace the shipped.

    Raises:
        DeckError: the file cannot be read, or what is in it cannot be played.
        TypeError: `path` is no path.
    """
    return GENERATOR.cards(Cards, CardData.dtype, read_cards, path)


def read_cards(path: str | os.PathLike[str] | None) -> Cards:
    """`load_cards`, reading files or drawing the deck anew."""
    return build_cards(GENERATOR.checked(Deck, check, path))


def build_cards(deck: Deck) -> Cards:
    """Lay out a checked deck."""
    array = np.zeros(1, CardData.dtype)
    row = array[0]
    row["num_contracts"] = len(deck.contracts)
    for target, contract in zip(row["contracts"], deck.contracts, strict=False):
        for key in ("bars", "lowest", "highest"):
            target[key] = getattr(contract, key)
    row["event_amounts"] = [card.amount or 0 for card in deck.events]
    row["express_amounts"] = [card.amount or 0 for card in deck.express]
    fill_setup(row, deck.setup[0])
    array.flags.writeable = False
    return Cards(
        array=array,
        contracts=tuple(card.id for card in deck.contracts),
        events=tuple(card.id for card in deck.events),
        express=tuple(card.id for card in deck.express),
        setup=deck.setup[0].id,
        cities=tuple(deck.setup[0].cities),
        **about(asdict(deck)),
    )


def fill_setup(row: np.void, setup: Setup) -> None:
    for key in CardData.dtype.names or ():
        if key not in (*OF_CARDS, "months"):
            row[key] = getattr(setup, key)
    row["months"][MIN_PLAYERS:] = astuple(setup.months)
