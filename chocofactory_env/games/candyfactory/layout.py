"""What an observation shows: its blocks, the rows of cards in it, and the tables that rules read."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np

from ...core.observation.layout import Block, ObservationLayout, filled_tables, offsets
from ...core.records import Array, Array2, Record, field
from ...core.text.words import words_of
from .cards import CardData
from .constants import (
    FIRST_HIRED,
    MAX_OPEN_RECIPES,
    MAX_PLAYERS,
    MOST_BERTHS,
    MOST_CAPACITY,
    MOST_COINS,
    MOST_HAND,
    MOST_OF_A_CARD,
    MOST_OF_RECIPE,
    MOST_PLACES,
    MOST_RAW,
    NUM_ABILITIES,
    NUM_HALVES,
    NUM_RECIPES,
    NUM_SPACES,
    NUM_STEPS,
    NUM_TRUCKS,
    SPECIALIST_DECK,
    WORKER_CARDS,
    Ability,
    Half,
    Kind,
    Pile,
    Specialist,
    Step,
    Variety,
)

RECIPE_ENTRIES: Final = ("sugar", "chocolate", "uses", "candies", "points", "tokens left")
RECIPE_SIZE: Final = len(RECIPE_ENTRIES)
TRUCK_ENTRIES: Final = ("places", "berths", "own")
STEPS: Final = words_of(Step)[:NUM_STEPS]
ABILITIES: Final = words_of(Ability)
SPECIALISTS: Final = words_of(Specialist)
NUMBERS: Final = tuple(str(number) for number in range(1, NUM_SPACES + 1))
SPACES: Final = tuple(f"space {number}" for number in NUMBERS)
CARD_NAMES: Final = (*(f"worker {number}" for number in NUMBERS), *SPECIALISTS)
KINDS: Final = (
    *(kind.name.lower() for kind in (Kind.SUGAR, Kind.CACAO, Kind.CHOCOLATE)),
    *(f"{candy} of recipe {place}" for candy in ("plain", "decorated") for place in range(MAX_OPEN_RECIPES)),
)
HOLDS: Final = ("warehouse", *(f"truck {truck}" for truck in range(NUM_TRUCKS)))
MOST_IN_DECK: Final = WORKER_CARDS + MOST_BERTHS - 1  # the first hand takes at least one card
MOST_SURPLUS: Final = SPECIALIST_DECK + 1


@lru_cache
def observation_layout(num_players: int, variety: int = Variety.FULL) -> ObservationLayout:
    """The blocks of a variant. All varieties have the same ones but for `private`: nobody recruits in the candy factory
    alone."""
    return ObservationLayout(
        [
            *time_blocks(num_players),
            *table_blocks(recruits=variety != Variety.CANDY),
            *hand_blocks(),
            *turn_blocks(recruits=variety != Variety.CANDY),
            *seat_blocks(num_players),
        ]
    )


def time_blocks(players: int) -> list[Block]:
    """Where the game is, and whose turn it is."""
    seats = "seat", players
    return [
        Block.of("half", [], 1, "one-hot", words_of(Half)),
        Block.of("step", [], 1, "one-hot: what the seat to move decides", STEPS),
        Block.of("to_move", [seats], 1, "one-hot: the seat to move"),
    ]


def table_blocks(*, recruits: bool) -> list[Block]:
    """The board, the supply and the cards beside it."""
    return [
        Block.of("board", [SPACES], 1, "spaces with a worker"),
        Block.of("die", [NUMBERS], 1, "one-hot: the face of the die"),
        Block.of("abilities", [SPACES], 1, "one-hot: the ability of each space of this half's board", ABILITIES),
        Block.of("supply", [], MOST_RAW, "goods and coins left", words_of(Pile)),
        Block.of("specialist_deck", [], SPECIALIST_DECK, "cards left in the specialist deck"),
        Block.of(
            "known_specialists",
            [],
            MOST_OF_A_CARD,
            "cards of the specialist deck that the observer knows",
            SPECIALISTS[FIRST_HIRED:],
            private=recruits,
        ),
        Block.of(
            "recipes",
            [("recipe", MAX_OPEN_RECIPES)],
            MOST_OF_RECIPE,
            "in play, in the order of the deck; zeros where none lies",
            RECIPE_ENTRIES,
        ),
        Block.of(
            "trucks",
            [("truck", NUM_TRUCKS)],
            MOST_PLACES,
            "places and berths of each truck, the same for all players",
            TRUCK_ENTRIES,
        ),
    ]


def hand_blocks() -> list[Block]:
    """The observer's cards."""
    return [
        Block.of("hand", [], MOST_HAND, "cards in the hand", CARD_NAMES, private=True),
        Block.of(
            "own_deck",
            [],
            MOST_OF_A_CARD,
            "cards in the own deck, without their order and without unseen specialists",
            CARD_NAMES,
            private=True,
        ),
    ]


def turn_blocks(*, recruits: bool) -> list[Block]:
    """The turn under way."""
    return [
        Block.of("task_card", [], 1, "one-hot: the card in play, or the one dismissed last", CARD_NAMES),
        Block.of("task_number", [NUMBERS], 1, "one-hot: the number, once it is settled"),
        Block.of(
            "task_way",
            [],
            1,
            "bring or ship, and whether the search went counter-clockwise",
            ("bring", "ship", "counter"),
        ),
        Block.of(
            "task_space", [SPACES], 1, "one-hot: the space where the worker was placed, or from which it is taken"
        ),
        Block.of("task_left", [], MOST_CAPACITY, "goods that may still be moved"),
        Block.of("task_truck", [("truck", NUM_TRUCKS)], 1, "one-hot: the truck accessed, or loaded last"),
        Block.of("task_last", [], 1, "one-hot: the kind moved last", KINDS),
        Block.of("task_open", [], 1, "ability uses still to come", ("space", "machinist")),
        Block.of("task_recipe", [("recipe", MAX_OPEN_RECIPES)], 1, "one-hot: the recipe in use"),
        Block.of("task_uses", [], MOST_OF_RECIPE, "uses of the recipe left"),
        Block.of(
            "offer",
            [],
            MOST_OF_A_CARD,
            "specialists shown to the observer for hire",
            SPECIALISTS[FIRST_HIRED:],
            private=recruits,
        ),
        Block.of("to_load", [], MOST_PLACES, "goods still to be loaded", ("sugar", "chocolate")),
        Block.of("surplus", [], MOST_SURPLUS, "specialist cards still to be given up"),
    ]


def seat_blocks(players: int) -> list[Block]:
    """What every player has."""
    seats = "seat", players
    return [
        Block.of("coins", [seats], MOST_COINS, "coins, without the one on the whistle"),
        Block.of("whistle", [seats], 1, "whether the seat has called a shift change in this half"),
        Block.of("hand_size", [seats], MOST_HAND, "cards in the hand"),
        Block.of("deck_size", [seats], MOST_IN_DECK, "cards in the seat's deck"),
        Block.of("unplayed", [seats], MOST_OF_A_CARD, "cards in hand or deck that everyone can infer", CARD_NAMES),
        Block.of("unknown_specialists", [seats], SPECIALIST_DECK, "other cards in hand or deck"),
        Block.of(
            "played_specialists",
            [seats],
            MOST_OF_A_CARD,
            "specialists played in this half, or still kept at its end",
            SPECIALISTS,
        ),
        Block.of("goods", [seats, HOLDS], 2 * MOST_PLACES, "goods by place and kind", KINDS),
        Block.of("stacks", [seats, HOLDS], MOST_PLACES, "stacks of two among these goods", KINDS),
        Block.of("free", [seats], MOST_PLACES, "free places", HOLDS),
    ]


class CardRows(Record):
    """Cards as an observation shows them, made once for a deck.

    In `recipes`, row 0 is no recipe, row n + 1 recipe n.
    """

    abilities: Array2[int] = field("u1", NUM_HALVES, NUM_SPACES * NUM_ABILITIES)
    recipes: Array2[int] = field("u1", NUM_RECIPES + 1, RECIPE_SIZE - 1)
    trucks: Array[int] = field("u1", NUM_TRUCKS * len(TRUCK_ENTRIES))


class Shown(Record):
    """What every step reads: it comes first, because batches of many decks fetch it ahead (`core.kernel.prefetch`)."""

    at: Any = offsets(observation_layout(MAX_PLAYERS))
    rows: CardRows = field(CardRows)


class Tables(Shown, CardData):
    """The constant data of a game that rules read: the offsets of blocks, the cards, and their rows in observations."""


def tables_of(cards: np.ndarray, layout: ObservationLayout) -> np.ndarray:
    """(1,) Tables for a deck's cards, (1,) `cards.CardData`, and a variant's observations."""
    tables = filled_tables(Tables.dtype, cards, layout)
    fill_card_rows(cards[0], tables[0]["rows"])
    return tables


def fill_card_rows(deck: np.void, rows: np.void) -> None:
    """Write the rows that show a deck's cards in an observation."""
    rows["abilities"] = np.eye(NUM_ABILITIES, dtype=np.uint8)[deck["abilities"]].reshape(NUM_HALVES, -1)
    for entry, name in enumerate(("sugar", "chocolate", "uses", "candies", "points")):
        rows["recipes"][1:, entry] = deck["recipes"][name]
    rows["trucks"] = np.stack([deck[name][1:] for name in TRUCK_ENTRIES], axis=1).ravel()
