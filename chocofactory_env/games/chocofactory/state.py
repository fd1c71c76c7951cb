"""A position of the game: one flat NumPy record, a few hundred bytes, copied as memory.

Packed, so that equal positions are equal bytes. `NONE` (-1) marks an empty slot, place or card.
"""

from __future__ import annotations

import numpy as np

from ...core.kernel.rng import WORDS
from .cards import MAX_ORDERS
from .constants import (
    DISPLAY,
    EMPLOYEE_DECKS,
    MANAGER_CARDS,
    MAX_DEMANDS,
    MAX_PLAYERS,
    NUM_DAYS,
    NUM_KINDS,
    NUM_PLACES,
    NUM_SIZES,
    NUM_SLOTS,
    NUM_STORES,
    NUM_SYMBOLS,
    ORDER_SLOTS,
)
from .deck_schema import EMPLOYEES_PER_STORE, MAX_NEW_PARTS, PARTS_PER_DECK

EMPLOYEE_DECK_SIZES = (*[EMPLOYEES_PER_STORE] * NUM_STORES, NUM_DAYS)  # SET-4, MC-5
MAX_DECK_PARTS = 2 * (PARTS_PER_DECK + MAX_NEW_PARTS)  # SET-2, MC-1

# SET-9: supplies are unlimited. Sixteen bits are ample for pieces, coal, and money: a day makes at most
# 4 shifts x 8 parts x 5 pieces, doubled once on one tile.
PLAYER = np.dtype(
    [
        ("coal", "i2"),
        ("money", "i2"),  # earned from corner-shop orders; prizes at the end are computed, never stored
        ("earned_today", "i2"),  # part of `money` (MC-3)
        ("pieces", "i2", (NUM_PLACES, NUM_KINDS)),  # tiles 0-3, then the store room
        ("factory", "i1", NUM_SLOTS),  # part
        ("operated", "i1", NUM_SLOTS),  # in the last shift today
        ("assigned", "i1"),  # slot of the Mechanic's or Technician's part
        ("part_drafted", "i1"),  # today
        ("employee", "i1"),
        ("uses", "i1"),  # the employee's uses left today
        ("orders", "i1", ORDER_SLOTS),  # own orders, then Special Orders
        ("stage", "i1", ORDER_SLOTS),  # stages completed
        ("completed", "i1", NUM_SIZES),
        ("special_completed", "i1"),
        ("to_replace", "i1"),
        ("pile", "i8"),  # bit mask of the completed orders
        ("track", "i1", NUM_STORES),
        ("arrival", "i2", NUM_STORES),  # number of the marker's last move among all moves of the game (FUL-6)
        ("supplied", "i1", NUM_STORES),  # today
    ]
)
# The task under way. `open` counts the symbols still to match, `given` the pieces delivered so far.
UNDER_WAY = np.dtype(
    [
        ("kind", "i1"),  # Task
        ("slot", "i1"),
        ("tile", "i1"),
        ("option", "i1"),
        ("order", "i1"),
        ("store", "i1"),
        ("rule_of", "i1"),  # the store whose rule the delivery follows; another store's if borrowed (MC-4)
        ("card", "i1"),
        ("points", "i1"),
        ("last_take", "i1"),
        ("last_make", "i1"),
        ("left", "i1"),  # pieces still to choose
        ("count", "i2"),  # pieces given
        ("open", "i1", NUM_SYMBOLS),
        ("given", "i2", NUM_KINDS),
    ]
)
ABSENT = (
    "slot",
    "tile",
    "option",
    "order",
    "store",
    "rule_of",
    "card",
    "last_take",
    "last_make",
)  # NONE without a value
ORDER_DECK = np.dtype(
    [
        ("cards", "i1", MAX_ORDERS),  # a ring: `count` cards from `top`
        ("top", "i1"),
        ("count", "i1"),
        ("returned", "i1"),  # the number of cards at the bottom that everybody saw being returned
    ]
)
# SOLO-8: the sum of what the solo game's face-up cards require, cached.
REQUIREMENTS = np.dtype([("money", "i2"), ("orders", "i2", NUM_SIZES + 1), ("steps", "i2", NUM_STORES)])
# Scratch for the solo game's feasibility search, zero outside it: the kernel allocates nothing.
FEASIBILITY = np.dtype([("room", "i2", NUM_STORES), ("card", "i1", MANAGER_CARDS), ("chosen", "i1", MANAGER_CARDS)])
STATE = np.dtype(
    [
        # the variant
        ("num_players", "i1"),
        ("variant", "i8"),  # a hash of options and cards: checked, because other positions would be read wrongly
        ("play_forced", "i1"),
        ("simultaneous", "i1"),  # the mode: 1 if all seats act at once where possible (SIM-1)
        ("difficulty", "i1"),
        ("only_completed", "i1"),  # 1 if only the money of completed orders counts towards money targets (SOLO-7)
        ("start_option", "i1"),  # seat, or NONE to draw it
        ("side_options", "i1", NUM_STORES),  # Side, or NONE to draw it
        # where the game is
        ("seed", "i8"),
        ("rng", "u4", WORDS),
        ("day", "i1"),
        ("phase", "i1"),
        ("start_player", "i1"),
        ("turn", "i1"),
        ("current", "i1"),
        ("shift", "i1"),  # 1-4, 0 outside Run factory
        ("marker_moves", "i2"),
        ("task", UNDER_WAY),
        # simultaneous mode, in Run factory and Fulfil orders; see rules/together.py
        ("finished", "i1"),  # bit mask of the seats that have ended the phase; else 0
        ("shifts", "i1", MAX_PLAYERS),  # of the seats not being asked; else 0
        ("tasks", UNDER_WAY, MAX_PLAYERS),  # theirs, too
        ("players", PLAYER, MAX_PLAYERS),
        # the table
        ("sides", "i1", NUM_STORES),
        ("display_parts", "i1", DISPLAY),
        ("part_packets", "i1", DISPLAY),
        ("display_employees", "i1", EMPLOYEE_DECKS),  # by store, then the expansion's
        ("employee_packets", "i1", EMPLOYEE_DECKS),
        ("offer", "i1", NUM_SIZES),
        # face down
        ("part_deck", "i1", MAX_DECK_PARTS),  # A, then B; five per day, so the day tells which are left
        ("employee_decks", "i1", (EMPLOYEE_DECKS, EMPLOYEES_PER_STORE)),  # one per day
        ("mix", "i1", (NUM_DAYS, EMPLOYEE_DECKS)),  # per day, the order of decks in which employees are laid out
        ("order_decks", ORDER_DECK, NUM_SIZES),
        # the solo game
        ("target", "i1"),
        ("demands", "i1", MAX_DEMANDS),
        ("num_demands", "i1"),
        ("face_up", "i1"),
        ("delivered", "i1", MANAGER_CARDS),
        ("paid", "i2", ORDER_SLOTS),  # pounds that the open orders have paid, if they do not count yet; else 0
        ("needed", REQUIREMENTS),
        ("search", FEASIBILITY),
    ]
)


def blank() -> np.ndarray:
    """(1,) STATE, zeroed. A position is an array of one record, a batch an array of many."""
    return np.zeros(1, STATE)
