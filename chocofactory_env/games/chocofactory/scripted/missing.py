"""What the solo game's cards require and the player still lacks (SOLO-7, SOLO-8), for players and for search."""

from __future__ import annotations

import numpy as np

from ....core.jit import jit
from ..constants import NONE, NUM_SIZES, NUM_STORES, OWN_ORDERS, TRACK_END
from ..layout import Tables
from ..rules.solo import ANY_SIZE, manager_card, money_that_counts
from ..state import State


@jit
def money_missing(state: State) -> int:
    return max(0, state.needed.money - money_that_counts(state))


@jit
def orders_missing(state: State, size: int) -> int:
    """The number of required orders of the size not yet completed."""
    return max(0, state.needed.orders[size] - state.players[0].completed[size])


@jit
def any_orders_missing(state: State) -> int:
    """The number of required orders of any size missing, in addition to those of a size."""
    spare = 0
    for size in range(NUM_SIZES):
        spare += max(0, state.players[0].completed[size] - state.needed.orders[size])
    return max(0, state.needed.orders[ANY_SIZE] - spare)


@jit
def order_is_asked_for(state: State, order: int, size: int) -> bool:
    """Whether the order helps with a requirement; Special Orders always do (SOLO-2)."""
    return order >= OWN_ORDERS or orders_missing(state, size) > 0 or any_orders_missing(state) > 0


@jit
def write_steps_missing(cards: Tables, state: State, known: int, missing: np.ndarray) -> None:
    """Write the steps missing at every store, (NUM_STORES,) float32: for named stores, then for open boxes.

    Boxes are filled greedily, on the fullest tracks. That only estimates; whether the game is won is decided exactly.
    known: the number of cards that count.
    """
    room = missing
    for store in range(NUM_STORES):
        room[store] = state.players[0].track[store] - state.needed.steps[store]
    for steps in range(TRACK_END, 0, -1):
        for card in range(known):
            wanted = manager_card(cards, state, card)
            if wanted.open_boxes > 0 and wanted.open_steps == steps:
                fill_boxes(room, wanted.open_boxes, steps)
    for store in range(NUM_STORES):
        missing[store] = max(0.0, -room[store])


@jit
def fill_boxes(room: np.ndarray, boxes: int, steps: int) -> None:
    """Fill each box from a different track, those with the most room first."""
    taken = 0
    for _ in range(boxes):
        best = NONE
        for store in range(NUM_STORES):
            if (taken >> store) & 1 == 0 and (best == NONE or room[store] > room[best]):
                best = store
        taken |= 1 << best
        room[best] -= steps
