"""Read and check `data/*.toml`, and lay the cards out as one record that the compiled rules take as an argument."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from msgspec.structs import asdict, astuple

from ...core.cards.deck import CheckedDeck, about
from ...core.records import Array, Array2, Record, field
from .constants import (
    FIRST_TRUCK,
    MAX_PLAYERS,
    MIN_PLAYERS,
    NUM_HALVES,
    NUM_HOLDS,
    NUM_RECIPES,
    NUM_SPACES,
    NUM_SPECIALISTS,
    WAREHOUSE,
    Specialist,
)
from .deck_schema import Deck, Setup, check
from .generated import GENERATOR

NUMBERED: Final = ("boards", "trucks", "recipes", "specialists", "workers")


class Recipe(Record):
    sugar: int = field("i1")  # cost of one use
    chocolate: int = field("i1")
    uses: int = field("i1")  # CANDY-3
    candies: int = field("i1")  # made by one use
    points: int = field("i1")  # of one candy (SCORE-2)
    tokens: int = field("i1")  # CANDY-1


class CardData(Record):
    abilities: Array2[int] = field("i1", NUM_HALVES, NUM_SPACES)  # Ability of every space (ABIL-1)
    outlet_coins: Array[int] = field("i1", NUM_HALVES)  # ABIL-7, ABIL-11
    places: Array[int] = field("i1", NUM_HOLDS)  # of the warehouse (ROOM-1) and of trucks 0-3, berths included (ROOM-2)
    berths: Array[int] = field("i1", NUM_HOLDS)  # 0 of the warehouse
    own: Array[int] = field("i1", NUM_HOLDS)  # 1 for trucks whose goods score (SCORE-1), 0 for the warehouse
    recipes: Array[Recipe] = field(Recipe, NUM_RECIPES)
    numbers: Array[int] = field("i1", NUM_SPACES)  # START-3: how many worker cards of each number a player has
    specialists: Array[int] = field(
        "i1", NUM_SPECIALISTS
    )  # START-2: cards of each kind in the specialist deck, by Specialist
    lift: int = field("i1")  # SPEC-3: the Lift Operator's addition to the capacity
    turn: int = field("i1")  # SPEC-5: by how much the Runner may turn the die
    # START-2, START-4
    sugar: int = field("i1")
    cacao: int = field("i1")
    coins: int = field("i1")
    pawns: int = field("i1")
    hand: int = field("i1")  # TURN-1
    look: int = field("i1")  # ABIL-8
    open_recipes: Array[int] = field("i1", MAX_PLAYERS + 1)  # START-7, by number of players
    start_sugar: int = field("i1")
    start_cacao: int = field("i1")
    start_coins: int = field("i1")
    # shorter games
    load: Array[int] = field("i1", 2)  # SHORT-5: sugar, chocolate
    short_specialists: int = field("i1")  # SHORT-4
    short_points: Array[int] = field("i1", 2)  # SHORT-1: a sugar, a chocolate


@dataclass(frozen=True, eq=False)
class Cards(CheckedDeck):
    """A checked deck. Card numbers are places in the id lists."""

    boards: tuple[str, ...]  # ids by number: plantation, candy
    trucks: tuple[str, ...]  # in the file's order
    recipes: tuple[str, ...]  # in the file's order
    specialists: tuple[str, ...]  # by Specialist
    workers: tuple[str, ...]  # one, the set of a player's worker cards


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
    for half, board in enumerate(deck.boards):
        row["abilities"][half] = board.spaces
        row["outlet_coins"][half] = board.outlet_coins
    for hold, truck in enumerate(deck.trucks, start=FIRST_TRUCK):
        for key in ("places", "berths", "own"):
            row[key][hold] = getattr(truck, key)
    for number, recipe in enumerate(deck.recipes):
        for key in Recipe.dtype.names or ():
            row["recipes"][key][number] = getattr(recipe, key)
    fill_cards(row, deck)
    fill_setup(row, deck.setup[0])
    array.flags.writeable = False
    tables = asdict(deck)
    ids: dict[str, Any] = {name: tuple(card.id for card in tables[name]) for name in NUMBERED}
    return Cards(array=array, **ids, **about(tables))


def fill_cards(row: np.void, deck: Deck) -> None:
    """Worker cards and specialist cards."""
    row["numbers"] = np.bincount(deck.workers[0].numbers, minlength=NUM_SPACES + 1)[1:]
    row["specialists"] = [card.count for card in deck.specialists]
    row["lift"] = deck.specialists[Specialist.LIFT_OPERATOR].amount
    row["turn"] = deck.specialists[Specialist.RUNNER].amount


def fill_setup(row: np.void, setup: Setup) -> None:
    for key in ("sugar", "cacao", "coins", "pawns", "hand", "look", "short_specialists"):
        row[key] = getattr(setup, key)
    row["places"][WAREHOUSE] = setup.warehouse
    row["open_recipes"][MIN_PLAYERS:] = astuple(setup.recipes)
    row["start_sugar"], row["start_cacao"], row["start_coins"] = astuple(setup.start)
    row["load"] = astuple(setup.short_load)
    row["short_points"] = astuple(setup.short_points)
