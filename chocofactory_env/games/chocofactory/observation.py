"""Observations: blocks declared once, and the kernel that writes them. Secrets are hidden only here.

Observations are egocentric: players are listed clockwise from the observer. Parts, employees, orders, and rules are
written by what they do, not by card number. Face-down cards and the generator are never read.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ...core.jit import jit
from ...core.observation.buffers import clear, copy_row, seat_in_view, write_one_hot
from ...core.observation.layout import Block, ObservationLayout, filled_tables, tables_dtype
from ...core.text.words import words_of
from .cards import CARDS, MAX_MANAGER_CARDS, MAX_ORDERS, MAX_PARTS
from .constants import (
    DAILY_DEMANDS,
    DISPLAY,
    EMPLOYEE_DECKS,
    EXPANSION_DECK,
    MAX_BY_NUMBER,
    MAX_MAKES,
    MAX_OPTIONS,
    MAX_STAGES,
    MAX_TAKES,
    MOST_COAL,
    MOST_MONEY,
    MOST_ORDERS,
    MOST_PIECES,
    MOST_STEPS,
    NONE,
    NUM_EFFECTS,
    NUM_KINDS,
    NUM_SIDES,
    NUM_SIZES,
    NUM_SLOTS,
    NUM_STORES,
    NUM_SYMBOLS,
    NUM_TILES,
    ORDER_SLOTS,
    OWN_ORDERS,
    STORE_ROOM,
    TRACK_END,
    Effect,
    Function,
    Kind,
    Pattern,
    Phase,
    Size,
    Store,
    Symbol,
    Task,
)
from .deck_schema import (
    MAX_AMOUNT,
    MAX_DELIVERY,
    MAX_ORDER_PAY,
    MAX_POUNDS,
    MAX_SPACES,
    MAX_STAGE_PIECES,
    MAX_USES,
)
from .records import Player, State, Tables
from .rules import solo, together

REFINED: Final = NUM_KINDS - Kind.CHUNKS  # orders and stores ask only for the five refined kinds
OPTION_SIZES: Final = (MAX_TAKES + MAX_MAKES, MAX_TAKES + 2)  # pieces of a part's first and second option
PART_SIZE: Final = 3 + sum(OPTION_SIZES)
EMPLOYEE_SIZE: Final = NUM_EFFECTS + NUM_STORES + 1
RULE_SIZE: Final = REFINED + 6
CHOCOLATE_ORDER_SIZE: Final = REFINED + 3
NEW_RULE_SIZE: Final = 2 + 2 * REFINED + 1 + MAX_BY_NUMBER + 1  # additional entries for the expansion's rules
BASE_TASKS: Final = int(Task.BORROW) - 1  # tasks that occur in the base game
MANAGER_ROW_SIZE: Final = 2 + CHOCOLATE_ORDER_SIZE - 1  # open boxes, and a chocolate order without `delivered`
MOST_OF_EFFECT: Final = max(MAX_AMOUNT, MAX_USES)
MOST_OF_RULE: Final = max(len(Pattern), MAX_DELIVERY, MAX_SPACES)
OFFERED_STAGES: Final = 1 + 2 + 3  # FUL-2: a small order has one stage, a medium one two, a large one three


def _orders_shown(num_players: int) -> int:
    """The orders a player can have: Special Orders exist only in the solo game."""
    return ORDER_SLOTS if num_players == 1 else OWN_ORDERS


orders_shown = jit(_orders_shown)


def _pieces_of_option(option: int) -> list[tuple[str, int]]:
    makes = OPTION_SIZES[option] - MAX_TAKES
    return [("take", i) for i in range(MAX_TAKES)] + [("make", i) for i in range(makes)]


KINDS, STORES, SIZES = words_of(Kind), words_of(Store), words_of(Size)
SYMBOL_HIGH: Final = NUM_SYMBOLS  # a part's symbols are written as number + 1, 0 for none
PART_ENTRIES: Final = (
    "cost",
    "function",
    "amount",
    *(f"option {o + 1} {what} {i + 1}" for o in range(MAX_OPTIONS) for what, i in _pieces_of_option(o)),
)
PART_WORDS: Final = {
    "function": words_of(Function)[Function.CONVERTER :],
    **dict.fromkeys(PART_ENTRIES[3:], words_of(Symbol)),
}
PATTERN_WORDS: Final = {"pattern + 1": words_of(Pattern)}
STAGES_OFFERED: Final = tuple(
    f"{size} stage {stage}" for number, size in enumerate(SIZES) for stage in range(number + 1)
)
EMPLOYEE_ENTRIES: Final = (*words_of(Effect), *STORES, "uses left")
RULE_ENTRIES: Final = (
    *KINDS[Kind.CHUNKS :],
    "pattern + 1",
    "number",
    "per",
    "spaces for bars",
    "spaces for wrapped",
    "spaces for boxed",
)
CHOCOLATE_ORDER_ENTRIES: Final = ("number", "pattern + 1", *KINDS[Kind.CHUNKS :], "delivered")
NEW_RULE_ENTRIES: Final = (
    "spaces for fingers",
    "spaces for nuts",
    *(f"set of {kind}" for kind in KINDS[Kind.CHUNKS :]),
    *(f"{kind} in its set" for kind in KINDS[Kind.CHUNKS :]),
    "most of a set",
    "spaces for 1 piece",
    *(f"spaces for {number} pieces" for number in range(2, MAX_BY_NUMBER + 1)),
    "pounds for a space",
)


def observation_layout(
    num_players: int,
    difficulty: int = 0,
    *,
    expanded: bool = False,
    only_completed: bool = False,
    simultaneous: bool = False,
) -> ObservationLayout:
    """The blocks of a variant.

    Blocks for an expansion, for the option `solo_money`, and for simultaneous mode follow those of the base game.
    """
    blocks = [
        *time_blocks(num_players),
        *task_blocks(),
        *display_blocks(),
        *factory_blocks(num_players),
        *order_blocks(num_players),
        *seat_blocks(num_players),
        *table_blocks(),
    ]
    if num_players == 1:
        blocks += solo_blocks(difficulty)
    if expanded:
        blocks += expansion_blocks(num_players)
    if only_completed:
        blocks += completed_blocks()
    if simultaneous:
        blocks += together_blocks(num_players)
    return ObservationLayout(blocks)


def time_blocks(players: int) -> list[Block]:
    """Day, phase, and turn."""
    return [
        Block("day", (1,), 6, "1 to 6"),
        Block("phase", (int(Phase.OVER),), 1, "one-hot", words_of(Phase)[: Phase.OVER]),
        Block("shift", (1,), 4, "1 to 4 in Run factory, else 0"),
        Block("to_move", (players,), 1, "one-hot: the seat to move", axes=("seat",)),
        Block("start_player", (players,), 1, "one-hot: the start player", axes=("seat",)),
        Block("drafted", (players, 2), 1, "what the seat has drafted today", ("part", "employee"), axes=("seat",)),
    ]


def task_blocks() -> list[Block]:
    """The task under way."""
    return [
        Block("task", (BASE_TASKS,), 1, "one-hot: what is under way", words_of(Task)[1 : BASE_TASKS + 1]),
        Block(
            "task_part",
            (PART_SIZE,),
            SYMBOL_HIGH,
            "the drafted part to place",
            PART_ENTRIES,
            words=PART_WORDS,
        ),
        Block("task_slot", (NUM_SLOTS,), 1, "one-hot: the part in use", axes=("slot",)),
        Block("task_tile", (NUM_TILES,), 1, "one-hot: the tile in use", axes=("tile",)),
        Block("task_order", (ORDER_SLOTS,), 1, "one-hot: the order that today's employee works on", axes=("order",)),
        Block("task_store", (NUM_STORES,), 1, "one-hot: the store that is supplied", STORES),
        Block("task_points", (1,), 9, "upgrade points left"),
        Block("task_left", (1,), MAX_STAGE_PIECES, "pieces still to choose"),
        Block(
            "task_last",
            (2,),
            NUM_KINDS,
            "kind + 1 of the last take and make",
            ("take", "make"),
            words={"take": KINDS, "make": KINDS},
        ),
        Block("task_open", (NUM_SYMBOLS,), MAX_MAKES, "symbols still to be matched", words_of(Symbol)),
        Block("task_given", (NUM_KINDS,), MOST_PIECES, "pieces of the delivery so far", KINDS, clipped=True),
    ]


def display_blocks() -> list[Block]:
    """The cards on display."""
    return [
        Block(
            "display_parts",
            (DISPLAY, PART_SIZE),
            SYMBOL_HIGH,
            "parts to draft",
            PART_ENTRIES,
            axes=("part",),
            words=PART_WORDS,
        ),
        Block("part_packets", (DISPLAY,), DISPLAY, "number of its packet + 1; 0 once the card is gone", axes=("part",)),
        Block(
            "display_employees",
            (NUM_STORES, NUM_EFFECTS),
            MOST_OF_EFFECT,
            "employee of each store: amount or uses of each effect, whichever is more",
            words_of(Effect),
            axes=(STORES,),
        ),
        Block(
            "employee_packets",
            (NUM_STORES,),
            DISPLAY,
            "number of its packet + 1; 0 once the card is gone",
            axes=(STORES,),
        ),
    ]


def factory_blocks(players: int) -> list[Block]:
    """Factories, pieces, coal, and money."""
    return [
        Block(
            "operated", (NUM_SLOTS,), 1, "parts that the seat to move operated in its last shift today", axes=("slot",)
        ),
        Block(
            "assigned",
            (NUM_SLOTS,),
            1,
            "one-hot: the Mechanic's or Technician's part of the seat to move",
            axes=("slot",),
        ),
        Block(
            "factories",
            (players, NUM_SLOTS, PART_SIZE),
            SYMBOL_HIGH,
            "the part on each slot; the symbols that an option takes, and those that it makes, are in ascending order",
            PART_ENTRIES,
            axes=("seat", "slot"),
            words=PART_WORDS,
        ),
        Block(
            "belts",
            (players, NUM_TILES, NUM_KINDS),
            MOST_PIECES,
            "pieces on each tile",
            KINDS,
            clipped=True,
            axes=("seat", "tile"),
        ),
        Block(
            "store_rooms",
            (players, NUM_KINDS),
            MOST_PIECES,
            "pieces in the store room",
            KINDS,
            clipped=True,
            axes=("seat",),
        ),
        Block("coal", (players,), MOST_COAL, "coal", clipped=True, axes=("seat",)),
        Block("money", (players,), MOST_MONEY, "pounds from corner-shop orders so far", clipped=True, axes=("seat",)),
    ]


def order_blocks(players: int) -> list[Block]:
    """The orders of every player."""
    orders = _orders_shown(players)
    return [
        Block(
            "orders",
            (players, orders, MAX_STAGES, REFINED),
            MAX_STAGE_PIECES,
            "pieces of each stage",
            KINDS[Kind.CHUNKS :],
            axes=("seat", "order", "stage"),
        ),
        Block(
            "order_pay",
            (players, orders, MAX_STAGES),
            MAX_ORDER_PAY,
            "pounds paid for each stage",
            axes=("seat", "order", "stage"),
        ),
        Block("order_stage", (players, orders), MAX_STAGES, "stages completed", axes=("seat", "order")),
    ]


def seat_blocks(players: int) -> list[Block]:
    """Every player's completed orders, supplied stores, and employee."""
    return [
        Block("completed", (players, NUM_SIZES), MOST_ORDERS, "completed orders by size", SIZES, axes=("seat",)),
        Block("tracks", (players, NUM_STORES), TRACK_END, "space of the marker", STORES, axes=("seat",)),
        Block(
            "arrivals",
            (players, NUM_STORES),
            players,
            "order in which the markers last moved: 1 is the earliest, 0 for a marker that has not moved",
            STORES,
            axes=("seat",),
        ),
        Block("supplied", (players, NUM_STORES), 1, "supplied today", STORES, axes=("seat",)),
        Block(
            "employees",
            (players, EMPLOYEE_SIZE),
            MOST_OF_EFFECT,
            "amount or uses of each effect, whichever is more; store one-hot; uses left",
            EMPLOYEE_ENTRIES,
            axes=("seat",),
        ),
    ]


def table_blocks() -> list[Block]:
    """The stores' rules, and orders on offer."""
    return [
        Block(
            "store_rules",
            (NUM_STORES, RULE_SIZE),
            MOST_OF_RULE,
            "rule of the side in play",
            RULE_ENTRIES,
            axes=(STORES,),
            words=PATTERN_WORDS,
        ),
        Block(
            "offer",
            (OFFERED_STAGES, REFINED),
            MAX_STAGE_PIECES,
            "stages of the small, medium and large order offered",
            KINDS[Kind.CHUNKS :],
            axes=(STAGES_OFFERED,),
        ),
        Block(
            "offer_pay", (OFFERED_STAGES,), MAX_ORDER_PAY, "pounds paid for each stage offered", axes=(STAGES_OFFERED,)
        ),
        Block("order_decks", (NUM_SIZES,), MAX_ORDERS, "cards left in each order deck", SIZES),
    ]


def solo_blocks(difficulty: int) -> list[Block]:
    """The solo game's requirements."""
    cards = 1 + 1 + difficulty + DAILY_DEMANDS
    return [
        Block("money_needed", (1,), MOST_MONEY, "pounds that the face-up cards ask for together"),
        Block("orders_needed", (NUM_SIZES + 1,), MOST_ORDERS, "completed orders asked for", (*SIZES, "any")),
        Block("steps_needed", (NUM_STORES,), MOST_STEPS, "steps asked for on named stores", STORES),
        Block(
            "open_boxes",
            (cards, 2),
            TRACK_END,
            "of each card: different stores of choice, steps at each",
            ("stores", "steps"),
            axes=("card",),
        ),
        Block(
            "chocolate_orders",
            (cards, CHOCOLATE_ORDER_SIZE),
            MOST_OF_RULE,
            "of each card; kinds: accepted, or how many of an exact mix",
            CHOCOLATE_ORDER_ENTRIES,
            axes=("card",),
            words=PATTERN_WORDS,
        ),
        Block(
            "satisfied",
            (5,),
            1,
            "on the face-up cards",
            ("money", "special_orders", "chocolate_orders", "orders", "tracks"),
        ),
    ]


def expansion_blocks(players: int) -> list[Block]:
    """Blocks for the expansion Master Chocolatier (MC-3 to MC-5)."""
    return [
        Block("task_borrow", (1,), 1, "1 while the store is chosen whose rule is borrowed; task is then all 0"),
        Block("task_rule_of", (NUM_STORES,), 1, "one-hot: the store whose rule the delivery follows", STORES),
        Block(
            "extra_employee",
            (NUM_EFFECTS,),
            MOST_OF_EFFECT,
            "employee without a store: amount or uses of each effect, whichever is more",
            words_of(Effect),
        ),
        Block("extra_packet", (1,), EMPLOYEE_DECKS, "packet of this employee, number + 1; 0 once the card is gone"),
        Block(
            "earned_today",
            (players,),
            MOST_MONEY,
            "pounds that the day's orders have paid",
            clipped=True,
            axes=("seat",),
        ),
        Block(
            "new_rules",
            (NUM_STORES, NEW_RULE_SIZE),
            MAX_POUNDS,
            "more about the side in play; sets are numbered from 1 by their lowest kind",
            NEW_RULE_ENTRIES,
            axes=(STORES,),
        ),
    ]


def completed_blocks() -> list[Block]:
    """Blocks for the solo game with `solo_money="completed"` (SOLO-7)."""
    return [
        Block("only_completed", (1,), 1, "1: the money of an order counts towards money targets once it is completed"),
        Block("order_paid", (ORDER_SLOTS,), MOST_MONEY, "pounds of `money` that do not count yet", axes=("order",)),
    ]


def together_blocks(players: int) -> list[Block]:
    """Blocks for simultaneous mode: how far the others are (SIM-1)."""
    return [
        Block(
            "shifts",
            (players,),
            4,
            "the shift of every player, 0 outside Run factory and after the last",
            axes=("seat",),
        ),
        Block(
            "operated_by",
            (players, NUM_SLOTS),
            1,
            "parts that every player operated in its last shift today",
            axes=("seat", "slot"),
        ),
        Block(
            "assigned_to",
            (players, NUM_SLOTS),
            1,
            "one-hot: every player's Mechanic's or Technician's part",
            axes=("seat", "slot"),
        ),
    ]


# Cards as observations show them, computed once per deck. For parts and orders, row 0 is no card, and row n + 1 card n.
ORDER_ROW = np.dtype([("pieces", "u1", MAX_STAGES * REFINED), ("pay", "u1", MAX_STAGES)])  # of all stages
CARD_ROWS = np.dtype(
    [
        ("parts", "u1", (MAX_PARTS + 1, PART_SIZE)),
        ("orders", ORDER_ROW, MAX_ORDERS + 1),
        ("rules", "u1", (NUM_SIDES, NUM_STORES, RULE_SIZE)),
    ]
)
# Further cards, shown only in the solo game and with the expansion.
RARE_ROWS = np.dtype(
    [
        ("new_rules", "u1", (NUM_SIDES, NUM_STORES, NEW_RULE_SIZE)),
        ("targets", "u1", (MAX_MANAGER_CARDS, MANAGER_ROW_SIZE)),
        ("demands", "u1", (MAX_MANAGER_CARDS, MANAGER_ROW_SIZE)),
    ]
)


# The cards, their rows in observations, and the offsets of blocks.
TABLES = tables_dtype(
    CARDS,
    observation_layout(1, expanded=True, only_completed=True, simultaneous=True),
    {"rows": CARD_ROWS},
    {"rare_rows": RARE_ROWS},
)


def tables_of(cards: np.ndarray, layout: ObservationLayout) -> np.ndarray:
    """(1,) TABLES for a deck, `cards` (1,) `cards.CARDS`, and a variant's observations."""
    tables = filled_tables(TABLES, cards, layout)
    fill_card_rows(cards[0], tables[0]["rows"], tables[0]["rare_rows"])
    return tables


def fill_card_rows(deck: np.void, row: np.void, rare: np.void) -> None:
    """Write the rows that show a deck's cards in observations."""
    for number in range(deck["num_parts"]):
        row["parts"][number + 1] = part_row(deck["parts"][number])
    for number in range(deck["num_orders"]):
        stages = deck["orders"][number]["stages"]
        row["orders"][number + 1] = stages["pieces"][:, Kind.CHUNKS :].ravel(), stages["pay"]
    for store in range(NUM_STORES):
        for side in range(deck["num_sides"]):
            row["rules"][side, store] = rule_row(deck["stores"][store, side])
            rare["new_rules"][side, store] = new_rule_row(deck["stores"][store, side])
    for cards_of in ("targets", "demands"):
        for number in range(deck[f"num_{cards_of}"]):
            rare[cards_of][number] = manager_row(deck[cards_of][number])


def part_row(part: np.void) -> np.ndarray:
    """What a part does, (PART_SIZE,): PART_ENTRIES."""
    row = np.zeros(PART_SIZE, np.uint8)
    row[:3] = part["cost"], part["function"], part["amount"]
    at = 3
    for option, size in zip(part["options"][: part["num_options"]], OPTION_SIZES, strict=False):
        takes, makes = option["takes"][: option["num_takes"]], option["makes"][: option["num_makes"]]
        row[at : at + len(takes)] = takes + 1
        row[at + MAX_TAKES : at + MAX_TAKES + len(makes)] = makes + 1
        at += size
    return row


def rule_row(rule: np.void) -> np.ndarray:
    """What a store accepts and gives, (RULE_SIZE,): RULE_ENTRIES."""
    accepted = [int(rule["kinds"]) >> kind & 1 for kind in range(Kind.CHUNKS, NUM_KINDS)]
    spaces = [rule["spaces"][kind] for kind in (Kind.CHUNKS, Kind.CARAMEL, Kind.BOXED)]
    per = 0 if rule["pattern"] == Pattern.DAY_MONEY else rule["per"]
    return np.array([*accepted, rule["pattern"] + 1, rule["number"], per, *spaces], np.uint8)


def new_rule_row(rule: np.void) -> np.ndarray:
    """What only the expansion's stores accept and give, (NEW_RULE_SIZE,): NEW_RULE_ENTRIES."""
    row = np.zeros(NEW_RULE_SIZE, np.uint8)
    row[:2] = rule["spaces"][Kind.FINGERS], rule["spaces"][Kind.NUTS]
    firsts = sorted({int(first) for first in rule["first_of_set"] if first != NONE})
    for kind in range(Kind.CHUNKS, NUM_KINDS):
        if rule["first_of_set"][kind] != NONE:
            row[2 + kind - Kind.CHUNKS] = 1 + firsts.index(rule["first_of_set"][kind])
            row[2 + REFINED + kind - Kind.CHUNKS] = rule["set_pieces"][kind]
    at = 2 + 2 * REFINED
    row[at] = rule["most_of_a_set"]
    row[at + 1 : at + 1 + MAX_BY_NUMBER] = rule["by_number"]
    row[at + 1 + MAX_BY_NUMBER] = rule["per"] if rule["pattern"] == Pattern.DAY_MONEY else 0
    return row


def manager_row(card: np.void) -> np.ndarray:
    """The open boxes (2) and the chocolate order (MANAGER_ROW_SIZE - 2) of a target or demand; 0 if it has none."""
    row = np.zeros(MANAGER_ROW_SIZE, np.uint8)
    order = card["order"]
    row[:2] = card["open_boxes"], card["open_steps"]
    if order["number"] > 0:
        row[2:4] = order["number"], order["pattern"] + 1
        exact = order["pattern"] == Pattern.EXACT_MIX
        for kind in range(Kind.CHUNKS, NUM_KINDS):
            row[4 + kind - Kind.CHUNKS] = order["set_pieces"][kind] if exact else int(order["kinds"]) >> kind & 1
    return row


@jit
def write_observation(cards: Tables, state: State, seat: int, out: np.ndarray) -> None:
    """Write what the seat sees, unscaled, into `out`, (layout.raw_size,) uint8. Every entry is overwritten."""
    write_time(cards, state, seat, out)
    write_task(cards, state, seat, out)
    write_display(cards, state, out)
    write_parts_in_use(cards, state, seat, out)
    write_factories(cards, state, seat, out)
    write_pieces(cards, state, seat, out)
    write_orders(cards, state, seat, out)
    write_tracks(cards, state, seat, out)
    write_employees(cards, state, seat, out)
    write_store_rules(cards, state, out)
    write_offer(cards, state, out)
    if state.num_players == 1:
        write_manager_cards(cards, state, out)
    if cards.expanded:
        write_expansion(cards, state, seat, out)
    if state.only_completed != 0:
        write_order_paid(cards, state, out)
    if state.simultaneous != 0:
        write_together(cards, state, seat, out)


@jit
def write_time(cards: Tables, state: State, seat: int, out: np.ndarray) -> None:
    at, players = cards.at, int(state.num_players)
    out[at.day] = state.day + 1
    write_one_hot(state.phase if state.phase != Phase.OVER else NONE, Phase.OVER, out, at.phase)
    out[at.shift] = together.shift_of(state, seat)
    asked = together.seats_asked(cards, state)
    for other in range(players):
        out[at.to_move + other] = (asked >> seat_in_view(state.num_players, seat, other)) & 1
    clear(out, at.start_player, players)
    out[at.start_player + int(state.start_player - seat) % players] = 1
    drafted = int(at.drafted)
    for other in range(players):
        player = state.players[seat_in_view(state.num_players, seat, other)]
        out[drafted] = player.part_drafted
        out[drafted + 1] = player.employee != NONE
        drafted += 2


@jit
def write_task(cards: Tables, state: State, seat: int, out: np.ndarray) -> None:
    at, task = cards.at, together.task_of(state, seat)
    clear(out, at.task, BASE_TASKS)
    clear(out, at.task_part, PART_SIZE)
    clear(out, at.task_slot, NUM_SLOTS)
    clear(out, at.task_tile, NUM_TILES)
    clear(out, at.task_order, ORDER_SLOTS)
    clear(out, at.task_store, NUM_STORES)
    clear(out, at.task_points, 1)
    clear(out, at.task_left, 1)
    clear(out, at.task_last, 2)
    clear(out, at.task_open, NUM_SYMBOLS)
    clear(out, at.task_given, NUM_KINDS)
    if task.kind == Task.NOTHING:
        return
    if task.kind <= BASE_TASKS:
        out[at.task + int(task.kind) - 1] = 1
    if task.kind == Task.PLACE_PART:
        write_part(cards, task.card, out, at.task_part)
    write_one_hot(task.slot, NUM_SLOTS, out, at.task_slot)
    write_one_hot(task.tile, NUM_TILES, out, at.task_tile)
    write_one_hot(task.order, ORDER_SLOTS, out, at.task_order)
    write_one_hot(task.store, NUM_STORES, out, at.task_store)
    out[at.task_points] = task.points
    out[at.task_left] = task.left
    out[at.task_last] = task.last_take + 1
    out[at.task_last + 1] = task.last_make + 1
    copy_row(task.open, out, at.task_open)
    write_counts(task.given, out, at.task_given)


@jit
def write_part(cards: Tables, number: int, out: np.ndarray, at: int) -> int:
    """Write what a part does; zeros for NONE. Like all functions that write consecutive rows, it returns the end."""
    return copy_row(cards.rows.parts[number + 1], out, at)


@jit
def write_display(cards: Tables, state: State, out: np.ndarray) -> None:
    at = cards.at
    part, employee, packet = int(at.display_parts), int(at.display_employees), int(at.part_packets)
    for place in range(DISPLAY):
        part = write_part(cards, state.display_parts[place], out, part)
        out[packet + place] = packet_shown(state.display_parts[place], state.part_packets[place])
    packet = int(at.employee_packets)
    for store in range(NUM_STORES):
        number = state.display_employees[store]
        employee = write_effect(cards, number, out, employee)
        out[packet + store] = packet_shown(number, state.employee_packets[store])


@jit
def write_effect(cards: Tables, number: int, out: np.ndarray, at: int) -> int:
    """Write the amount or the uses of each effect of an employee, whichever is more; zeros for NONE."""
    clear(out, at, NUM_EFFECTS)
    if number != NONE:
        employee = cards.employees[number]
        out[at + int(employee.effect)] = max(employee.amount, employee.uses)
    return at + NUM_EFFECTS


@jit
def packet_shown(card: int, packet: int) -> int:
    """The packet's number + 1; 0 without a card."""
    return (packet + 1) * (card != NONE)


@jit
def write_parts_in_use(cards: Tables, state: State, seat: int, out: np.ndarray) -> None:
    """Write the parts in use of the seat to move; if all seats act at once, of the observer."""
    at = cards.at
    if state.current == NONE:
        clear(out, at.operated, NUM_SLOTS)
        clear(out, at.assigned, NUM_SLOTS)
    else:
        player = state.players[seat if together.all_act(state) else int(state.current)]
        copy_row(player.operated, out, at.operated)
        write_one_hot(player.assigned, NUM_SLOTS, out, at.assigned)


@jit
def write_factories(cards: Tables, state: State, seat: int, out: np.ndarray) -> None:
    part = int(cards.at.factories)
    for other in range(state.num_players):
        player = state.players[seat_in_view(state.num_players, seat, other)]
        for slot in range(NUM_SLOTS):
            part = write_part(cards, player.factory[slot], out, part)


@jit
def write_pieces(cards: Tables, state: State, seat: int, out: np.ndarray) -> None:
    at = cards.at
    tiles, rooms, coal, money = int(at.belts), int(at.store_rooms), int(at.coal), int(at.money)
    for other in range(state.num_players):
        player = state.players[seat_in_view(state.num_players, seat, other)]
        for tile in range(NUM_TILES):
            tiles = write_counts(player.pieces[tile], out, tiles)
        rooms = write_counts(player.pieces[STORE_ROOM], out, rooms)
        out[coal + other] = min(player.coal, MOST_COAL)
        out[money + other] = min(player.money, MOST_MONEY)


@jit
def write_counts(pieces: np.ndarray, out: np.ndarray, at: int) -> int:
    """Write the number of pieces of each kind, (NUM_KINDS,)."""
    place = out[at : at + NUM_KINDS]
    for kind in range(NUM_KINDS):
        place[kind] = min(pieces[kind], MOST_PIECES)
    return at + NUM_KINDS


@jit
def write_orders(cards: Tables, state: State, seat: int, out: np.ndarray) -> None:
    at, rows = cards.at, cards.rows
    stages, pay, place, completed = int(at.orders), int(at.order_pay), int(at.order_stage), int(at.completed)
    for other in range(state.num_players):
        player = state.players[seat_in_view(state.num_players, seat, other)]
        for order in range(orders_shown(state.num_players)):
            row = rows.orders[player.orders[order] + 1]
            stages = copy_row(row.pieces, out, stages)
            pay = copy_row(row.pay, out, pay)
            out[place] = player.stage[order]
            place += 1
        completed = copy_row(player.completed, out, completed)


@jit
def write_tracks(cards: Tables, state: State, seat: int, out: np.ndarray) -> None:
    tracks, arrivals, supplied = int(cards.at.tracks), int(cards.at.arrivals), int(cards.at.supplied)
    for other in range(state.num_players):
        player = state.players[seat_in_view(state.num_players, seat, other)]
        for store in range(NUM_STORES):
            out[arrivals + store] = order_of_arrival(state, player, store)
        arrivals += NUM_STORES
        tracks = copy_row(player.track, out, tracks)
        supplied = copy_row(player.supplied, out, supplied)


@jit
def order_of_arrival(state: State, player: Player, store: int) -> int:
    """FUL-6: the rank of the marker by its last move, 1 for the earliest; 0 if it has not moved."""
    if player.arrival[store] == 0:
        return 0
    order = 1
    for other in range(state.num_players):
        arrival = state.players[other].arrival[store]
        if 0 < arrival < player.arrival[store]:
            order += 1
    return order


@jit
def write_employees(cards: Tables, state: State, seat: int, out: np.ndarray) -> None:
    employee = int(cards.at.employees)
    for other in range(state.num_players):
        player = state.players[seat_in_view(state.num_players, seat, other)]
        employee = write_effect(cards, player.employee, out, employee)
        store = cards.employees[player.employee].store if player.employee != NONE else NONE
        write_one_hot(store, NUM_STORES, out, employee)
        employee += NUM_STORES
        out[employee] = player.uses
        employee += 1


@jit
def write_store_rules(cards: Tables, state: State, out: np.ndarray) -> None:
    rule = int(cards.at.store_rules)
    for store in range(NUM_STORES):
        rule = copy_row(cards.rows.rules[state.sides[store], store], out, rule)


@jit
def write_offer(cards: Tables, state: State, out: np.ndarray) -> None:
    at, rows = cards.at, cards.rows
    stages, pay, left = int(at.offer), int(at.offer_pay), int(at.order_decks)
    for size in range(NUM_SIZES):
        row = rows.orders[state.offer[size] + 1]
        for entry in range((size + 1) * REFINED):
            out[stages + entry] = row.pieces[entry]
        for stage in range(size + 1):
            out[pay + stage] = row.pay[stage]
        stages += (size + 1) * REFINED
        pay += size + 1
        out[left + size] = state.order_decks[size].count


@jit
def write_manager_cards(cards: Tables, state: State, out: np.ndarray) -> None:
    at, rows = cards.at, cards.rare_rows
    out[at.money_needed] = state.needed.money
    for size in range(NUM_SIZES + 1):
        out[at.orders_needed + size] = state.needed.orders[size]
    for store in range(NUM_STORES):
        out[at.steps_needed + store] = state.needed.steps[store]
    dealt = 1 + int(state.num_demands)
    clear(out, at.open_boxes, dealt * 2)
    clear(out, at.chocolate_orders, dealt * CHOCOLATE_ORDER_SIZE)
    write_manager_card(cards, rows.targets[state.target], state, 0, out)
    for card in range(1, solo.cards_face_up(state)):
        write_manager_card(cards, rows.demands[state.demands[card - 1]], state, card, out)
    out[at.satisfied] = solo.enough_money(state)
    out[at.satisfied + 1] = solo.special_orders_completed(cards, state)
    out[at.satisfied + 2] = solo.chocolate_orders_delivered(cards, state)
    out[at.satisfied + 3] = solo.orders_satisfied(state)
    out[at.satisfied + 4] = solo.tracks_satisfied(cards, state)


@jit
def write_manager_card(cards: Tables, row: np.ndarray, state: State, card: int, out: np.ndarray) -> None:
    """Write the card's open boxes and chocolate order."""
    order = cards.at.chocolate_orders + card * CHOCOLATE_ORDER_SIZE
    copy_row(row[:2], out, cards.at.open_boxes + 2 * card)
    copy_row(row[2:], out, order)
    out[order + CHOCOLATE_ORDER_SIZE - 1] = state.delivered[card]


@jit
def write_expansion(cards: Tables, state: State, seat: int, out: np.ndarray) -> None:
    at, rows = cards.at, cards.rare_rows
    task = together.task_of(state, seat)
    out[at.task_borrow] = task.kind == Task.BORROW
    write_one_hot(task.rule_of, NUM_STORES, out, at.task_rule_of)
    employee = state.display_employees[EXPANSION_DECK]
    write_effect(cards, employee, out, at.extra_employee)
    out[at.extra_packet] = packet_shown(employee, state.employee_packets[EXPANSION_DECK])
    for other in range(state.num_players):
        player = state.players[seat_in_view(state.num_players, seat, other)]
        out[at.earned_today + other] = min(player.earned_today, MOST_MONEY)
    rule = int(at.new_rules)
    for store in range(NUM_STORES):
        rule = copy_row(rows.new_rules[state.sides[store], store], out, rule)


@jit
def write_order_paid(cards: Tables, state: State, out: np.ndarray) -> None:
    out[cards.at.only_completed] = 1
    for order in range(ORDER_SLOTS):
        out[cards.at.order_paid + order] = state.paid[order]


@jit
def write_together(cards: Tables, state: State, seat: int, out: np.ndarray) -> None:
    at = cards.at
    operated, assigned = int(at.operated_by), int(at.assigned_to)
    for other in range(state.num_players):
        of = seat_in_view(state.num_players, seat, other)
        player = state.players[of]
        out[at.shifts + other] = together.shift_of(state, of)
        operated = copy_row(player.operated, out, operated)
        write_one_hot(player.assigned, NUM_SLOTS, out, assigned)
        assigned += NUM_SLOTS
