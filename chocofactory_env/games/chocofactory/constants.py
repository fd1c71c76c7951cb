"""The rulebook's words as numbers, shared by the rules, the card tables, and the observation.

For card contents see `data/*.toml`; for flat action numbers, `actions.py`.
"""

from enum import IntEnum
from typing import Final

import numpy as np

MAX_PLAYERS: Final = 4
NUM_DAYS: Final = 6
DAYS_OF_A_DECK: Final = 3  # SET-2: days 1-3 the A parts, days 4-6 the B parts
NUM_TILES: Final = 4
NUM_SLOTS: Final = 8  # 0-3 above tiles 0-3, 4-7 below them
NUM_STORES: Final = 5
NUM_SIZES: Final = 3
DISPLAY: Final = 5  # parts dealt per day; also employees, one per store deck
EMPLOYEE_DECKS: Final = NUM_STORES + 1  # one per store, and the expansion's (MC-5)
EXPANSION_DECK: Final = NUM_STORES  # the index of the expansion's deck, and of its employee on the display
TRACK_END: Final = 9  # FUL-5
OWN_ORDERS: Final = 3
SPECIAL_ORDERS: Final = 3
ORDER_SLOTS: Final = OWN_ORDERS + SPECIAL_ORDERS
MAX_STAGES: Final = 3
MAX_OPTIONS: Final = 2  # PART-3
MAX_TAKES: Final = 2  # PART-4
MAX_MAKES: Final = 5
MAX_BY_NUMBER: Final = 5  # pieces of a delivery whose spaces depend on the number of pieces
MAX_DEMANDS: Final = 18
MANAGER_CARDS: Final = 1 + MAX_DEMANDS  # 0 is the Weekly Target, then the Demands as dealt
DAILY_DEMANDS: Final = 5

# Upper bounds in observations, on which layouts and trained networks depend. A deck whose cards alone exceed one is
# rejected; amounts that exceed one in play are clipped.
MOST_COAL: Final = 60
MOST_MONEY: Final = 250
MOST_PIECES: Final = 20  # of one kind at one place
MOST_ORDERS: Final = 20  # of one size
MOST_STEPS: Final = 20  # at a store

NONE: Final = -1  # an empty slot, place or seat

# Places of a player's pieces: tiles 0-3 of the belt, then the store room.
STORE_ROOM: Final = NUM_TILES
NUM_PLACES: Final = NUM_TILES + 1


class Kind(IntEnum):
    BEAN = 0
    COCOA = 1
    CHUNKS = 2
    FINGERS = 3
    CARAMEL = 4
    NUTS = 5
    BOXED = 6


NUM_KINDS: Final = len(Kind)


class Symbol(IntEnum):
    """An icon on a part: one kind, or a class of kinds (PART-2). The first seven are the kinds."""

    BEAN = 0
    COCOA = 1
    CHUNKS = 2
    FINGERS = 3
    CARAMEL = 4
    NUTS = 5
    BOXED = 6
    BAR = 7
    WRAPPED = 8
    REFINED = 9
    ANY = 10


NUM_SYMBOLS: Final = len(Symbol)

# The kinds of each Symbol, as a bit mask. Classes are nested (any > refined > bar, wrapped > one kind) and listed
# from narrow to wide; `rules/parts.py` relies on both.
SYMBOL_KINDS: Final = np.array([1, 2, 4, 8, 16, 32, 64, 12, 48, 124, 127])
ANY_KINDS: Final = 127
REFINED_KINDS: Final = 124
UPGRADABLE_KINDS: Final = 63  # all but boxed

# PART-5: the kinds that one upgrade point can make of each kind, as a bit mask.
UPGRADES: Final = np.array([2, 12, 48, 48, 64, 64, 0])
# bean, cocoa, bar, wrapped, boxed
STAGE_OF_REFINEMENT: Final = np.array([0, 1, 2, 2, 3, 3, 4])


class Store(IntEnum):
    PALACE_BOUTIQUE = 0
    FRESH_FANCIES = 1
    SALTERS_EMPORIUM = 2
    HOUSE_OF_LUXURY = 3
    DUNSTAN_GILBERTS = 4


class Side(IntEnum):
    A = 0
    B = 1
    C = 2  # this one and the next belong to the expansion
    D = 3


NUM_SIDES: Final = len(Side)
BASE_SIDES: Final = 2
LEAST_NEW_SIDES: Final = 1  # MC-7: if sides are drawn with the expansion


class Size(IntEnum):
    SMALL = 0
    MEDIUM = 1
    LARGE = 2


class Deck(IntEnum):
    PRINTED = 0
    A = 1
    B = 2


class Function(IntEnum):
    """What a factory part does. The part's `amount` is its number of upgrade points or copies."""

    NOTHING = 0
    CONVERTER = 1
    UPGRADER = 2
    REPEATER = 3
    CHUTE = 4


class Effect(IntEnum):
    """What an employee does. The employee's `amount` and `uses` say how much and how often."""

    DOUBLE_SUPPLY = 0  # EMP-1 Director: spaces from this store count `amount` times
    COAL = 1  # EMP-2 Miner, EMP-9 Expert Miner: a gift of `amount` coal
    MOVE_PIECE = 2  # EMP-3 Operator, EMP-10 Expert Operator
    STAGE_PAY = 3  # EMP-4 Salesman: `amount` more pounds per stage
    SKIP_STAGE = 4  # EMP-5 Clerk
    UPGRADE_PIECE = 5  # EMP-6 Decorator
    HALF_COST = 6  # EMP-7 Mechanic
    ANY_PIECES = 7  # EMP-8 Corner Shop Agent
    FEWER_PIECES = 8  # EMP-11 Dealer
    MORE_SHIFTS = 9  # EMP-12 Engineer: `amount` more shifts
    MORE_BEANS = 10  # EMP-13 Supervisor: `amount` more beans per load
    OTHER_STORE = 11  # EMP-14 Department Store Agent
    DOUBLE_TILE = 12  # EMP-15 Packer
    REACH = 13  # EMP-16 Technician: `amount` coal for a neighbouring tile


NUM_EFFECTS: Final = len(Effect)


class Pattern(IntEnum):
    """How the pieces of a delivery must match (stores, chocolate orders, the Corner Shop Agent)."""

    ANY_MIX = 0
    ONE_KIND = 1
    ALL_DIFFERENT = 2
    ONE_STAGE = 3  # all of one stage of refinement
    EXACT_MIX = 4  # exactly the pieces in `set_pieces`
    DAY_MONEY = 5  # no pieces: the money that today's orders have paid counts (MC-3)
    OTHER_STORE = 6  # by another store's rule (MC-4)
    IN_ORDER = 7  # one each of the first accepted kinds
    SETS = 8  # complete sets: kinds with the same `first_of_set`, `set_pieces` of each


class Phase(IntEnum):
    DRAFT = 0
    RUN = 1
    FULFIL = 2
    AGENTS = 3
    CLEANUP = 4
    REPLACE = 5
    OVER = 6


class Task(IntEnum):
    """The choice that the current player must make to continue a composite move."""

    NOTHING = 0
    PLACE_PART = 1
    OPERATE_TILE = 2
    OPTION = 3
    CONVERT_TAKE = 4
    CONVERT_MAKE = 5
    UPGRADE_TAKE = 6
    UPGRADE_MAKE = 7
    REPEAT_TAKE = 8
    REACH_TILE = 9  # the Technician's Chute
    REACH_TAKE = 10
    MOVE_FROM = 11
    MOVE_TAKE = 12
    MOVE_TO = 13
    DECORATE_TILE = 14
    DOUBLE_TILE = 15
    EMPLOYEE_ORDER = 16  # Clerk, Corner Shop Agent, Dealer choose an order
    LEAVE_OUT = 17
    GIVE_STAGE = 18  # pieces of the Corner Shop Agent's stage
    GIVE_STORE = 19
    GIVE_CARD = 20  # a chocolate order
    BORROW = 21  # choose the store whose rule is borrowed (MC-4)
