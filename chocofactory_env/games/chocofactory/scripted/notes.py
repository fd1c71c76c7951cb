"""What the player notes down while it chooses one action: scratch, because compiled rules allocate nothing."""

from __future__ import annotations

from typing import Final

import numpy as np

from ....core.jit import jit
from ....core.records import Array, Array2, Record, field
from ..constants import MAX_STAGES, NUM_DAYS, NUM_KINDS, NUM_SLOTS, NUM_STORES, NUM_TILES, ORDER_SLOTS
from ..layout import Tables
from ..rules.run import SHIFTS
from ..rules.solo import cards_face_up
from ..state import State
from .missing import write_steps_missing

COAL: Final = 1.5  # the value of a coal
SPARE_COAL: Final = 1.0  # on the last day, or with plenty of coal
PLENTY: Final = 8
MOST_STAGES: Final = ORDER_SLOTS * MAX_STAGES


class Notes(Record):
    """`values` and the next four: of a piece of each kind, while the belt is valued."""

    coal: float = field("f8")  # the value of a coal now
    shifts: int = field("i4")  # that are left in the game
    factory: Array[int] = field("i1", NUM_SLOTS)
    held: Array[int] = field("i4", NUM_KINDS)  # in the store room and on the belt
    expected: Array[int] = field("i4", NUM_KINDS)  # the same with pieces that are made now
    steps: Array[float] = field("f4", NUM_STORES)  # that the solo game's cards still demand
    # offers for pieces: of open stages, sorted from high to low, and of chocolate orders
    num_offers: int = field("i4")
    shares: Array[float] = field("f8", MOST_STAGES)  # pay for a piece worth a pound
    asked: Array2[int] = field("i4", MOST_STAGES, NUM_KINDS)
    asked_by_cards: Array[int] = field("i4", NUM_KINDS)
    of_store: Array[float] = field("f8", NUM_KINDS)  # what today's store gives for a piece
    prices: Array[float] = field("f8", NUM_KINDS)  # in the store room
    there: Array[float] = field("f8", NUM_KINDS)  # on the tile in use
    elsewhere: Array[float] = field("f8", NUM_KINDS)  # on another tile
    spaces: Array[float] = field("f8", NUM_KINDS)
    values: Array[float] = field("f8", NUM_KINDS)
    one: Array[float] = field("f8", NUM_KINDS)
    two: Array[float] = field("f8", NUM_KINDS)
    three: Array[float] = field("f8", NUM_KINDS)
    upgraded: Array[float] = field("f8", NUM_KINDS)


@jit
def begin_notes(cards: Tables, state: State, notes: Notes) -> None:
    """Note what the seat to move has."""
    player, day = state.players[state.current], int(state.day) + 1
    notes.coal = SPARE_COAL if player.coal >= PLENTY or day == NUM_DAYS else COAL
    notes.shifts = SHIFTS * (NUM_DAYS - day) + max(SHIFTS - int(state.shift), 0)
    for slot in range(NUM_SLOTS):
        notes.factory[slot] = player.factory[slot]
    for kind in range(NUM_KINDS):
        notes.held[kind] = 0
        for place in range(NUM_TILES + 1):
            notes.held[kind] += player.pieces[place, kind]
    if state.num_players == 1:
        write_steps_missing(cards, state, cards_face_up(state), notes.steps)


@jit
def copy_values(values: np.ndarray, out: np.ndarray) -> None:
    for kind in range(NUM_KINDS):
        out[kind] = values[kind]


@jit
def last_tile(notes: Notes, tile: int) -> int:
    """The last tile that pieces on this tile can still reach."""
    return min(tile + int(notes.shifts), NUM_TILES - 1)
