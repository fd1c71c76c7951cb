"""A position of the game: one flat NumPy record of about 0.9 kB.

The record is packed, so that equal positions are equal bytes. `NONE` (-1) marks an empty place, truck, kind or card.
Fields marked *derived* follow from the rest and are stored so that no step recomputes them; see `rules/derived.py`.
"""

from __future__ import annotations

import numpy as np

from ...core.kernel.rng import WORDS
from ...core.records import Array, Array2, Record, field
from .constants import (
    MAX_DECK,
    MAX_OPEN_RECIPES,
    MAX_PLAYERS,
    NUM_CARDS,
    NUM_HIRED,
    NUM_HOLDS,
    NUM_KINDS,
    NUM_PILES,
    NUM_SPACES,
    NUM_SPECIALISTS,
    SPECIALIST_DECK,
)


class Seat(Record):
    coins: int = field("i1")  # COIN-1, without the one on the whistle
    whistle: int = field("i1")  # WHIS-1: 1 if a shift change was called in this half; a coin then lies there
    hand: Array[int] = field("i1", NUM_CARDS)  # how many of each card
    hand_size: int = field("i1")  # derived: their sum
    deck: Array[int] = field(
        "i1", MAX_DECK
    )  # cards from the bottom to the top, which is drawn next; NONE beyond `deck_size`
    deck_size: int = field("i1")
    # derived (OPEN-3): the cards in hand or deck that everybody can name (worker cards, an unplayed temp, and all
    # in the candy half of the full game), and the number of others (recruited ones, or those of SHORT-4)
    unplayed: Array[int] = field("i1", NUM_CARDS)
    unknown: int = field("i1")
    played: Array[int] = field(
        "i1", NUM_SPECIALISTS
    )  # Turn.dtype-8: specialist cards of this half; at the transition those still kept
    knows: Array[int] = field(
        "i1", NUM_HIRED
    )  # derived (OPEN-4): cards of the specialist deck that the seat knows, by kind
    goods: Array2[int] = field("i1", NUM_HOLDS, NUM_KINDS)  # warehouse, trucks 0-3: how many of each kind
    stacks: Array2[int] = field("i1", NUM_HOLDS, NUM_KINDS)  # SPEC-8: how many stacks of two they form
    free: Array[int] = field("i1", NUM_HOLDS)  # derived (ROOM-1, ROOM-2): places - goods + stacks


class Turn(Record):
    """The turn under way, and the rest of a loading (SHORT-5) or of a surplus (TRANS-2)."""

    card: int = field("i1")  # in play; in a dismissal, the card dismissed last
    number: int = field("i1")  # 1-8 once it is settled (Turn.dtype-2), else 0
    way: int = field("i1")  # Way
    counter: int = field("i1")  # SPEC-4: 1 if the search went counter-clockwise
    space: int = field("i1")  # 0-7: where the worker was placed, or from where it is taken
    left: int = field("i1")  # capacity left (TO-2, FROM-2)
    truck: int = field("i1")  # 0-3: the truck accessed (ROOM-3); in a loading, the last one for this kind
    last: int = field("i1")  # the Kind moved last, into or out of the truck accessed
    open: Array[int] = field("i1", 2)  # ABIL-1, SPEC-7: the space's ability and the Machinist's use are still to come
    recipe: int = field("i1")  # the recipe place that the machine uses
    uses: int = field("i1")  # CANDY-3: uses of it left
    recruited: int = field("i1")  # Turn.dtype-5: no cards are drawn this turn
    to_load: Array[int] = field("i1", 2)  # SHORT-5: sugar and chocolate
    surplus: int = field("i1")  # TRANS-2: specialist cards still to be given up


class State(Record):
    # the variant
    num_players: int = field("i1")
    variant: int = field("i8")  # a hash of options and cards: checked, because other positions would be read wrongly
    variety: int = field("i1")  # Variety: the option `game`
    play_forced: int = field("i1")
    start_option: int = field("i1")  # a seat, or NONE to draw one (START-8)
    # where the game is
    seed: int = field("i8")
    rng: Array[int] = field("u4", WORDS)
    half: int = field("i1")  # Half
    step: int = field("i1")  # Step
    current: int = field("i1")  # seat to move, NONE when the game is over
    start_player: int = field("i1")  # of this half: START-8, then TRANS-5
    turn: Turn = field(Turn)
    # the table
    board: Array[int] = field("i1", NUM_SPACES)  # 1 where a worker is
    workers: int = field("i1")  # derived: workers on the board; the others are in the supply
    die: int = field("i1")  # 1-8, the face that lies up (Turn.dtype-3)
    supply: Array[int] = field("i1", NUM_PILES)
    recipes: Array[int] = field(
        "i1", MAX_OPEN_RECIPES
    )  # START-7: recipe of every place, in the order of the deck; then NONE
    tokens: Array[int] = field("i1", MAX_OPEN_RECIPES)  # CANDY-1: left on the card
    seats: Array[Seat] = field(Seat, MAX_PLAYERS)
    # face down
    specialists: Array[int] = field(
        "i1", SPECIALIST_DECK
    )  # START-6: Specialist cards from the top; NONE beyond the last
    known_to: Array[int] = field(
        "u1", SPECIALIST_DECK
    )  # OPEN-4: bit mask of the seats that know the card in this place
    specialists_left: int = field("i1")
    pool: Array[int] = field("i1", NUM_HIRED)  # scratch for a redeal, else zero: compiled rules allocate nothing


def blank() -> np.ndarray:
    """A zeroed position, (1,) State.dtype. A batch is an array of many."""
    return np.zeros(1, State.dtype)
