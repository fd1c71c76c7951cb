"""A position of the game: one flat NumPy record, a few hundred bytes, copied as memory.

Packed, so that equal positions are equal bytes. `NONE` (-1) marks an empty slot, place or card.
"""

from __future__ import annotations

from ...core.kernel.rng import WORDS
from ...core.records import Array, Array2, Record, field
from .cards import MAX_ORDERS, MAX_PARTS
from .constants import (
    DISPLAY,
    EMPLOYEE_DECKS,
    EXPANSION_DECK,
    MANAGER_CARDS,
    MAX_DEMANDS,
    MAX_OPTIONS,
    MAX_PLAYERS,
    MAX_STAGES,
    NONE,
    NUM_DAYS,
    NUM_KINDS,
    NUM_PLACES,
    NUM_SIZES,
    NUM_SLOTS,
    NUM_STORES,
    NUM_SYMBOLS,
    NUM_TILES,
    ORDER_SLOTS,
    OWN_ORDERS,
    SPECIAL_ORDERS,
    TRACK_END,
)
from .deck_schema import EMPLOYEES_PER_STORE, MAX_NEW_PARTS, MAX_USES, PARTS_PER_DECK

EMPLOYEE_DECK_SIZES = (*[EMPLOYEES_PER_STORE] * NUM_STORES, NUM_DAYS)  # SET-4, MC-5
MOST_HELD = 1000  # pieces of a kind at a place, of a position from outside
MAX_DECK_PARTS = 2 * (PARTS_PER_DECK + MAX_NEW_PARTS)  # SET-2, MC-1


class Options(Record):
    """The variant, which `begin_game` keeps."""

    num_players: int = field("i1")
    variant: int = field("i8")  # a hash of options and cards: checked, because other positions would be read wrongly
    play_forced: int = field("i1")
    simultaneous: int = field("i1")  # the mode: 1 if all seats act at once where possible (SIM-1)
    difficulty: int = field("i1")
    only_completed: int = field("i1")  # 1 if only the money of completed orders counts towards money targets (SOLO-7)
    start_option: int = field("i1")  # seat, or NONE to draw it
    side_options: Array[int] = field("i1", NUM_STORES)  # Side, or NONE to draw it


class Player(Record):
    """SET-9: supplies are unlimited.

    Sixteen bits are ample for pieces, coal, and money: a day makes at most 4 shifts x 8 parts x 5 pieces, doubled once
    on one tile.
    """

    coal: int = field("i2")
    money: int = field("i2")  # earned from corner-shop orders; prizes at the end are computed, never stored
    earned_today: int = field("i2")  # part of `money` (MC-3)
    pieces: Array2[int] = field("i2", NUM_PLACES, NUM_KINDS, most=MOST_HELD)  # tiles 0-3, then the store room
    factory: Array[int] = field("i1", NUM_SLOTS, least=NONE)  # part
    operated: Array[int] = field("i1", NUM_SLOTS)  # in the last shift today
    assigned: int = field("i1", least=NONE, most=NUM_SLOTS - 1)  # slot of the Mechanic's or Technician's part
    part_drafted: int = field("i1")  # today
    employee: int = field("i1", least=NONE)
    uses: int = field("i1", most=MAX_USES)  # the employee's uses left today
    orders: Array[int] = field("i1", ORDER_SLOTS, least=NONE)  # own orders, then Special Orders
    stage: Array[int] = field("i1", ORDER_SLOTS, most=MAX_STAGES - 1)  # stages completed
    completed: Array[int] = field("i1", NUM_SIZES, most=MAX_ORDERS)
    special_completed: int = field("i1", most=SPECIAL_ORDERS)
    to_replace: int = field("i1", most=OWN_ORDERS)
    pile: int = field("i8")  # bits of the completed orders
    track: Array[int] = field("i1", NUM_STORES, most=TRACK_END)
    arrival: Array[int] = field("i2", NUM_STORES)  # number of the marker's last move among all moves (FUL-6)
    supplied: Array[int] = field("i1", NUM_STORES)  # today


class UnderWay(Record):
    """The task under way. `open` counts the symbols still to match, `given` the pieces delivered so far."""

    kind: int = field("i1")  # Task
    slot: int = field("i1", least=NONE, most=NUM_SLOTS - 1)
    tile: int = field("i1", least=NONE, most=NUM_TILES - 1)
    option: int = field("i1", least=NONE, most=MAX_OPTIONS - 1)
    order: int = field("i1", least=NONE, most=ORDER_SLOTS - 1)
    store: int = field("i1", least=NONE)
    rule_of: int = field("i1", least=NONE)  # whose rule the delivery follows; another store's if borrowed (MC-4)
    card: int = field("i1", least=NONE, most=MAX_PARTS - 1)  # PLACE_PART: a part; GIVE_CARD: 0 is the Weekly Target
    points: int = field("i1")
    last_take: int = field("i1", least=NONE)
    last_make: int = field("i1", least=NONE)
    left: int = field("i1")  # pieces still to choose
    count: int = field("i2")  # pieces given
    open: Array[int] = field("i1", NUM_SYMBOLS)
    given: Array[int] = field("i2", NUM_KINDS)


class OrderDeck(Record):
    cards: Array[int] = field("i1", MAX_ORDERS, least=NONE)  # a ring: `count` cards from `top`
    top: int = field("i1", most=MAX_ORDERS - 1)
    count: int = field("i1", most=MAX_ORDERS)
    returned: int = field("i1", most=MAX_ORDERS)  # cards at the bottom that everybody saw being returned


class Requirements(Record):
    """SOLO-8: the sum of what the solo game's face-up cards require, cached."""

    money: int = field("i2")
    orders: Array[int] = field("i2", NUM_SIZES + 1)
    steps: Array[int] = field("i2", NUM_STORES)


class Feasibility(Record):
    """Scratch for the solo game's feasibility search, zero outside it: the kernel allocates nothing."""

    room: Array[int] = field("i2", NUM_STORES, most=0)
    card: Array[int] = field("i1", MANAGER_CARDS, most=0)
    chosen: Array[int] = field("i1", MANAGER_CARDS, most=0)


class State(Options):
    # where the game is
    seed: int = field("i8")
    rng: Array[int] = field("u4", WORDS)
    day: int = field("i1")
    phase: int = field("i1")
    start_player: int = field("i1")
    turn: int = field("i1", most=2 * MAX_PLAYERS)
    current: int = field("i1", least=NONE)
    shift: int = field("i1")  # 1-4, 0 outside Run factory
    marker_moves: int = field("i2")
    task: UnderWay = field(UnderWay)
    # simultaneous mode, in Run factory and Fulfil orders; see rules/together.py
    finished: int = field("i1")  # bits of the seats that have ended the phase; else 0
    shifts: Array[int] = field("i1", MAX_PLAYERS)  # of the seats not being asked; else 0
    tasks: Array[UnderWay] = field(UnderWay, MAX_PLAYERS)  # theirs, too
    players: Array[Player] = field(Player, MAX_PLAYERS)
    # the table
    sides: Array[int] = field("i1", NUM_STORES)
    display_parts: Array[int] = field("i1", DISPLAY, least=NONE)
    part_packets: Array[int] = field("i1", DISPLAY, least=NONE, most=EXPANSION_DECK)
    display_employees: Array[int] = field("i1", EMPLOYEE_DECKS, least=NONE)  # by store, then the expansion's
    employee_packets: Array[int] = field("i1", EMPLOYEE_DECKS, least=NONE, most=EXPANSION_DECK)
    offer: Array[int] = field("i1", NUM_SIZES, least=NONE)
    # face down
    part_deck: Array[int] = field(
        "i1", MAX_DECK_PARTS, least=NONE
    )  # A, then B; five per day: the day tells what is left
    employee_decks: Array2[int] = field("i1", EMPLOYEE_DECKS, EMPLOYEES_PER_STORE, least=NONE)  # one per day
    mix: Array2[int] = field("i1", NUM_DAYS, EMPLOYEE_DECKS)  # per day, the order of decks of the employees laid out
    order_decks: Array[OrderDeck] = field(OrderDeck, NUM_SIZES)
    # the solo game
    target: int = field("i1", least=NONE)
    demands: Array[int] = field("i1", MAX_DEMANDS, least=NONE)
    num_demands: int = field("i1", most=MAX_DEMANDS)
    face_up: int = field("i1", most=MAX_DEMANDS)
    delivered: Array[int] = field("i1", MANAGER_CARDS)
    paid: Array[int] = field("i2", ORDER_SLOTS)  # pounds of the open orders, if they do not count yet; else 0
    needed: Requirements = field(Requirements)
    search: Feasibility = field(Feasibility)
