"""What an observation shows: its blocks, the rows of cards in it, and the tables that rules read."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np

from ...core.jit import jit
from ...core.observation.layout import Block, ObservationLayout, filled_tables, offsets
from ...core.records import Array, Array2, Record, field
from ...core.text.words import words_of
from .cards import MAX_MANAGER_CARDS, MAX_ORDERS, MAX_PARTS, CardData, Delivery
from .constants import (
    DAILY_DEMANDS,
    DISPLAY,
    EMPLOYEE_DECKS,
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
    NUM_KINDS,
    NUM_SIDES,
    NUM_SLOTS,
    NUM_STORES,
    NUM_SYMBOLS,
    NUM_TILES,
    ORDER_SLOTS,
    OWN_ORDERS,
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

REFINED: Final = NUM_KINDS - Kind.CHUNKS  # orders and stores ask only for the five refined kinds
OPTION_SIZES: Final = (MAX_TAKES + MAX_MAKES, MAX_TAKES + 2)  # pieces of a part's first and second option
PART_SIZE: Final = 3 + sum(OPTION_SIZES)
RULE_SIZE: Final = REFINED + 6
CHOCOLATE_ORDER_SIZE: Final = REFINED + 3
NEW_RULE_SIZE: Final = 2 + 2 * REFINED + 1 + MAX_BY_NUMBER + 1  # additional entries for the expansion's rules
BASE_TASKS: Final = int(Task.BORROW) - 1  # tasks that occur in the base game
MANAGER_ROW_SIZE: Final = 2 + CHOCOLATE_ORDER_SIZE - 1  # open boxes, and a chocolate order without `delivered`
MOST_OF_EFFECT: Final = max(MAX_AMOUNT, MAX_USES)
MOST_OF_RULE: Final = max(len(Pattern), MAX_DELIVERY, MAX_SPACES)


def _orders_shown(num_players: int) -> int:
    """The orders a player can have: Special Orders exist only in the solo game."""
    return ORDER_SLOTS if num_players == 1 else OWN_ORDERS


orders_shown = jit(_orders_shown)


def _pieces_of_option(option: int) -> list[tuple[str, int]]:
    makes = OPTION_SIZES[option] - MAX_TAKES
    return [("take", i) for i in range(MAX_TAKES)] + [("make", i) for i in range(makes)]


SLOTS, TILES = ("slot", NUM_SLOTS), ("tile", NUM_TILES)
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
STAGES_OFFERED: Final = tuple(  # FUL-2: a small order has one stage, a medium one two, a large one three
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


@lru_cache
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
    seats = "seat", players
    return [
        Block.of("day", [], 6, "1 to 6"),
        Block.of("phase", [], 1, "one-hot", words_of(Phase)[: Phase.OVER]),
        Block.of("shift", [], 4, "1 to 4 in Run factory, else 0"),
        Block.of("to_move", [seats], 1, "one-hot: the seat to move"),
        Block.of("start_player", [seats], 1, "one-hot: the start player"),
        Block.of("drafted", [seats], 1, "what the seat has drafted today", ("part", "employee")),
    ]


def task_blocks() -> list[Block]:
    """The task under way."""
    return [
        Block.of("task", [], 1, "one-hot: what is under way", words_of(Task)[1 : BASE_TASKS + 1]),
        Block.of("task_part", [], SYMBOL_HIGH, "the drafted part to place", PART_ENTRIES, words=PART_WORDS),
        Block.of("task_slot", [SLOTS], 1, "one-hot: the part in use"),
        Block.of("task_tile", [TILES], 1, "one-hot: the tile in use"),
        Block.of("task_order", [("order", ORDER_SLOTS)], 1, "one-hot: the order that today's employee works on"),
        Block.of("task_store", [], 1, "one-hot: the store that is supplied", STORES),
        Block.of("task_points", [], 9, "upgrade points left"),
        Block.of("task_left", [], MAX_STAGE_PIECES, "pieces still to choose"),
        Block.of(
            "task_last",
            [],
            NUM_KINDS,
            "kind + 1 of the last take and make",
            ("take", "make"),
            words={"take": KINDS, "make": KINDS},
        ),
        Block.of("task_open", [], MAX_MAKES, "symbols still to be matched", words_of(Symbol)),
        Block.of("task_given", [], MOST_PIECES, "pieces of the delivery so far", KINDS, clipped=True),
    ]


def display_blocks() -> list[Block]:
    """The cards on display."""
    return [
        Block.of("display_parts", [("part", DISPLAY)], SYMBOL_HIGH, "parts to draft", PART_ENTRIES, words=PART_WORDS),
        Block.of("part_packets", [("part", DISPLAY)], DISPLAY, "number of its packet + 1; 0 once the card is gone"),
        Block.of(
            "display_employees",
            [STORES],
            MOST_OF_EFFECT,
            "employee of each store: amount or uses of each effect, whichever is more",
            words_of(Effect),
        ),
        Block.of("employee_packets", [STORES], DISPLAY, "number of its packet + 1; 0 once the card is gone"),
    ]


def factory_blocks(players: int) -> list[Block]:
    """Factories, pieces, coal, and money."""
    seats = "seat", players
    return [
        Block.of("operated", [SLOTS], 1, "parts that the seat to move operated in its last shift today"),
        Block.of("assigned", [SLOTS], 1, "one-hot: the Mechanic's or Technician's part of the seat to move"),
        Block.of(
            "factories",
            [seats, SLOTS],
            SYMBOL_HIGH,
            "the part on each slot; the symbols that an option takes, and those that it makes, are in ascending order",
            PART_ENTRIES,
            words=PART_WORDS,
        ),
        Block.of("belts", [seats, TILES], MOST_PIECES, "pieces on each tile", KINDS, clipped=True),
        Block.of("store_rooms", [seats], MOST_PIECES, "pieces in the store room", KINDS, clipped=True),
        Block.of("coal", [seats], MOST_COAL, "coal", clipped=True),
        Block.of("money", [seats], MOST_MONEY, "pounds from corner-shop orders so far", clipped=True),
    ]


def order_blocks(players: int) -> list[Block]:
    """The orders of every player."""
    seats = "seat", players
    orders = _orders_shown(players)
    return [
        Block.of(
            "orders",
            [seats, ("order", orders), ("stage", MAX_STAGES)],
            MAX_STAGE_PIECES,
            "pieces of each stage",
            KINDS[Kind.CHUNKS :],
        ),
        Block.of(
            "order_pay", [seats, ("order", orders), ("stage", MAX_STAGES)], MAX_ORDER_PAY, "pounds paid for each stage"
        ),
        Block.of("order_stage", [seats, ("order", orders)], MAX_STAGES, "stages completed"),
    ]


def seat_blocks(players: int) -> list[Block]:
    """Every player's completed orders, supplied stores, and employee."""
    seats = "seat", players
    return [
        Block.of("completed", [seats], MOST_ORDERS, "completed orders by size", SIZES),
        Block.of("tracks", [seats], TRACK_END, "space of the marker", STORES),
        Block.of(
            "arrivals",
            [seats],
            players,
            "order in which the markers last moved: 1 is the earliest, 0 for a marker that has not moved",
            STORES,
        ),
        Block.of("supplied", [seats], 1, "supplied today", STORES),
        Block.of(
            "employees",
            [seats],
            MOST_OF_EFFECT,
            "amount or uses of each effect, whichever is more; store one-hot; uses left",
            EMPLOYEE_ENTRIES,
        ),
    ]


def table_blocks() -> list[Block]:
    """The stores' rules, and orders on offer."""
    return [
        Block.of("store_rules", [STORES], MOST_OF_RULE, "rule of the side in play", RULE_ENTRIES, words=PATTERN_WORDS),
        Block.of(
            "offer",
            [STAGES_OFFERED],
            MAX_STAGE_PIECES,
            "stages of the small, medium and large order offered",
            KINDS[Kind.CHUNKS :],
        ),
        Block.of("offer_pay", [STAGES_OFFERED], MAX_ORDER_PAY, "pounds paid for each stage offered"),
        Block.of("order_decks", [], MAX_ORDERS, "cards left in each order deck", SIZES),
    ]


def solo_blocks(difficulty: int) -> list[Block]:
    """The solo game's requirements."""
    cards = 1 + 1 + difficulty + DAILY_DEMANDS
    return [
        Block.of("money_needed", [], MOST_MONEY, "pounds that the face-up cards ask for together"),
        Block.of("orders_needed", [], MOST_ORDERS, "completed orders asked for", (*SIZES, "any")),
        Block.of("steps_needed", [], MOST_STEPS, "steps asked for on named stores", STORES),
        Block.of(
            "open_boxes",
            [("card", cards)],
            TRACK_END,
            "of each card: different stores of choice, steps at each",
            ("stores", "steps"),
        ),
        Block.of(
            "chocolate_orders",
            [("card", cards)],
            MOST_OF_RULE,
            "of each card; kinds: accepted, or how many of an exact mix",
            CHOCOLATE_ORDER_ENTRIES,
            words=PATTERN_WORDS,
        ),
        Block.of(
            "satisfied",
            [],
            1,
            "on the face-up cards",
            ("money", "special_orders", "chocolate_orders", "orders", "tracks"),
        ),
    ]


def expansion_blocks(players: int) -> list[Block]:
    """Blocks for the expansion Master Chocolatier (MC-3 to MC-5)."""
    seats = "seat", players
    return [
        Block.of("task_borrow", [], 1, "1 while the store is chosen whose rule is borrowed; task is then all 0"),
        Block.of("task_rule_of", [], 1, "one-hot: the store whose rule the delivery follows", STORES),
        Block.of(
            "extra_employee",
            [],
            MOST_OF_EFFECT,
            "employee without a store: amount or uses of each effect, whichever is more",
            words_of(Effect),
        ),
        Block.of("extra_packet", [], EMPLOYEE_DECKS, "packet of this employee, number + 1; 0 once the card is gone"),
        Block.of("earned_today", [seats], MOST_MONEY, "pounds that the day's orders have paid", clipped=True),
        Block.of(
            "new_rules",
            [STORES],
            MAX_POUNDS,
            "more about the side in play; sets are numbered from 1 by their lowest kind",
            NEW_RULE_ENTRIES,
        ),
    ]


def completed_blocks() -> list[Block]:
    """Blocks for the solo game with `solo_money="completed"` (SOLO-7)."""
    return [
        Block.of("only_completed", [], 1, "1: the money of an order counts towards money targets once it is completed"),
        Block.of("order_paid", [("order", ORDER_SLOTS)], MOST_MONEY, "pounds of `money` that do not count yet"),
    ]


def together_blocks(players: int) -> list[Block]:
    """Blocks for simultaneous mode: how far the others are (SIM-1)."""
    seats = "seat", players
    return [
        Block.of("shifts", [seats], 4, "the shift of every player, 0 outside Run factory and after the last"),
        Block.of("operated_by", [seats, SLOTS], 1, "parts that every player operated in its last shift today"),
        Block.of("assigned_to", [seats, SLOTS], 1, "one-hot: every player's Mechanic's or Technician's part"),
    ]


class OrderRow(Record):
    pieces: Array[int] = field("u1", MAX_STAGES * REFINED)
    pay: Array[int] = field("u1", MAX_STAGES)  # of all stages


class CardRows(Record):
    """Cards as observations show them, computed once per deck.

    For parts and orders, row 0 is no card, and row n + 1 card n.
    """

    parts: Array2[int] = field("u1", MAX_PARTS + 1, PART_SIZE)
    orders: Array[OrderRow] = field(OrderRow, MAX_ORDERS + 1)
    rules: np.ndarray = field("u1", NUM_SIDES, NUM_STORES, RULE_SIZE)


class RareRows(Record):
    """Further cards, shown only in the solo game and with the expansion."""

    new_rules: np.ndarray = field("u1", NUM_SIDES, NUM_STORES, NEW_RULE_SIZE)
    targets: Array2[int] = field("u1", MAX_MANAGER_CARDS, MANAGER_ROW_SIZE)
    demands: Array2[int] = field("u1", MAX_MANAGER_CARDS, MANAGER_ROW_SIZE)


class Shown(Record):
    """What every step reads: it comes first, because batches of many decks fetch it ahead (`core.kernel.prefetch`)."""

    at: Any = offsets(observation_layout(1, expanded=True, only_completed=True, simultaneous=True))
    rows: CardRows = field(CardRows)


class Rare(Record):
    """What only the solo game and the expansion show."""

    rare_rows: RareRows = field(RareRows)


class Tables(Shown, CardData, Rare):
    """The constant data of a game that rules read: the offsets of blocks, the cards, and their rows in observations."""


def tables_of(cards: np.ndarray, layout: ObservationLayout) -> np.ndarray:
    """(1,) Tables for a deck, `cards` (1,) `cards.CardData`, and a variant's observations."""
    tables = filled_tables(Tables.dtype, cards, layout)
    fill_card_rows(cards[0], tables[0]["rows"], tables[0]["rare_rows"])
    return tables


def fill_card_rows(deck: np.void, row: np.void, rare: np.void) -> None:
    """Write the rows that show a deck's cards in observations."""
    parts, orders = deck["parts"][: deck["num_parts"]], deck["orders"][: deck["num_orders"]]
    row["parts"][1 : len(parts) + 1] = part_rows(parts)
    for number, stages in enumerate(orders["stages"], start=1):
        row["orders"][number] = stages["pieces"][:, Kind.CHUNKS :].ravel(), stages["pay"]
    sides = int(deck["num_sides"])
    row["rules"][:sides], rare["new_rules"][:sides] = rows_of_rules(deck["stores"].tobytes(), sides)
    for cards_of in ("targets", "demands"):
        cards = deck[cards_of][: deck[f"num_{cards_of}"]]
        rare[cards_of][: len(cards)] = manager_rows(cards)


def part_rows(parts: np.ndarray) -> np.ndarray:
    """What n parts do, (n, PART_SIZE): PART_ENTRIES."""
    rows = np.zeros((len(parts), PART_SIZE), np.uint8)
    rows[:, :3] = np.stack([parts["cost"], parts["function"], parts["amount"]], axis=1)
    at = 3
    for number, size in enumerate(OPTION_SIZES):
        option = parts["options"][:, number]
        for symbols, most in (("takes", MAX_TAKES), ("makes", size - MAX_TAKES)):
            there = np.arange(most) < option[f"num_{symbols}"][:, None]
            rows[:, at : at + most] = np.where(there, option[symbols][:, :most] + 1, 0)
            at += most
    return rows


@lru_cache  # few decks have stores of their own
def rows_of_rules(stores: bytes, sides: int) -> tuple[np.ndarray, np.ndarray]:
    """The rows of all stores by side and store, and those with what only the expansion's have."""
    rules = np.frombuffer(stores, Delivery.dtype).reshape(NUM_STORES, NUM_SIDES).T[:sides]
    rows = [[[row_of(rule) for rule in of_side] for of_side in rules] for row_of in (rule_row, new_rule_row)]
    return np.array(rows[0]), np.array(rows[1])


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


def manager_rows(cards: np.ndarray) -> np.ndarray:
    """The open boxes (2) and the chocolate order (MANAGER_ROW_SIZE - 2) of n targets or demands; 0 if it has none."""
    rows, order = np.zeros((len(cards), MANAGER_ROW_SIZE), np.uint8), cards["order"]
    rows[:, 0], rows[:, 1] = cards["open_boxes"], cards["open_steps"]
    rows[:, 2], rows[:, 3] = order["number"], order["pattern"] + 1
    kinds = order["kinds"][:, None] >> np.arange(Kind.CHUNKS, NUM_KINDS) & 1
    exact = order["pattern"] == Pattern.EXACT_MIX
    rows[:, 4:] = np.where(exact[:, None], order["set_pieces"][:, Kind.CHUNKS :], kinds)
    rows[order["number"] == 0, 2:] = 0
    return rows
