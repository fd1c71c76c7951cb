"""What pieces are worth to the observer, by fixed sets of prices: computed once for each observation.

A price says what one more piece in the store room is good for. It is linear in what orders, stores and chocolate orders
give for it (`demands`), and `prices.json` holds the weights, which `training.chocofactory.prices` fitted. From prices
follow what a piece is worth on each tile, and what each part adds (`piece_values`). H = sets of prices, K = kinds,
R = refined kinds, N = own orders, D = parts on display.

Values are bytes: 32nds of a price's unit, at most 255.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import torch

from chocofactory_env import Block, Game, ObservationLayout
from chocofactory_env.core.jit import jit, jit_entry
from chocofactory_env.games.chocofactory.vocabulary import (
    CHOCOLATE_ORDER_ENTRIES,
    EMPLOYEE_ENTRIES,
    MAX_STAGES,
    NUM_DAYS,
    NUM_SLOTS,
    NUM_STORES,
    NUM_TILES,
    PART_ENTRIES,
    REFINED,
    RULE_ENTRIES,
    SHIFTS,
    TRACK_END,
    Effect,
    Pattern,
    Phase,
    Store,
    words_of,
)

from ..networks.threads import fill_shares, shares_of
from .demands import POUNDS
from .piece_values import KINDS, find_values, use

STEPS: Final = 32.0  # of a value's unit
MOST: Final = 255
MOST_PIECES: Final = 9
OF_DEMAND: Final = 9
PART_SIZE: Final = len(PART_ENTRIES)
RULE_SIZE: Final = len(RULE_ENTRIES)
CARD_SIZE: Final = len(CHOCOLATE_ORDER_ENTRIES)
NUM_REFINED: Final = len(REFINED)
FIRST_REFINED: Final = KINDS - NUM_REFINED
FIRST_STORE: Final = EMPLOYEE_ENTRIES.index(words_of(Store)[0])
EMPLOYEE_SIZE: Final = len(EMPLOYEE_ENTRIES)
DOUBLE_SUPPLY, MORE_SHIFTS = int(Effect.DOUBLE_SUPPLY), int(Effect.MORE_SHIFTS)
PER: Final = RULE_ENTRIES.index("per")
SPACES: Final = np.array(
    [RULE_ENTRIES.index(f"spaces for {name}") for name in ("bars", "bars", "wrapped", "wrapped", "boxed")]
)
NUMBER, PATTERN, DELIVERED = (CHOCOLATE_ORDER_ENTRIES.index(name) for name in ("number", "pattern + 1", "delivered"))
EXACT_MIX: Final = int(Pattern.EXACT_MIX) + 1
DRAFT, RUN = int(Phase.DRAFT), int(Phase.RUN)
MOST_COAL, MOST_SHIFT = 60.0, 4.0  # by which the network that fitted the prices divides
PRICES: Final = Path(__file__).with_name("prices.json")


class Places(NamedTuple):
    """Where the blocks that are read begin; -1 of those that the variant lacks. And how many there are of some."""

    phase: int
    shift: int
    day: int
    task_part: int
    task_slot: int
    task_tile: int
    display_parts: int
    operated: int
    factories: int
    belts: int
    store_rooms: int
    coal: int
    orders: int
    order_pay: int
    order_stage: int
    tracks: int
    supplied: int
    employees: int
    store_rules: int
    steps_needed: int
    chocolate_orders: int
    num_orders: int
    num_cards: int
    num_display: int


class Prices(NamedTuple):
    """Weights of H sets of prices; row 2 h is for what gets to the store room today, row 2 h + 1 for later."""

    kinds: np.ndarray  # (2 H, OF_DEMAND + K + 2) float32: of what is given, of each kind, of day and shift
    kinds_bias: np.ndarray  # (2 H,)
    coal: np.ndarray  # (H, 3): of coal, day and shift
    coal_bias: np.ndarray  # (H,)


@cache
def fitted_prices() -> Prices:
    """Those of `prices.json`."""
    file = json.loads(PRICES.read_text(encoding="utf-8"))
    return Prices(*(np.array(file[name], np.float32) for name in Prices._fields))


def places_of(layout: ObservationLayout) -> Places:
    shapes = {block.name: block.shape for block in layout.blocks}
    counts = {
        "num_orders": shapes["orders"][1],
        "num_cards": shapes.get("chocolate_orders", (0,))[0],
        "num_display": shapes["display_parts"][0],
    }
    return Places(*(counts.get(name, layout.offset_of.get(name, -1)) for name in Places._fields))


def blocks_of(layout: ObservationLayout) -> list[Block]:
    """What `worth_of` fills, in this order."""
    at, sets = places_of(layout), len(fitted_prices().coal)
    return [
        Block("worth_of_slots", (NUM_SLOTS, sets, 2 * KINDS + 2), MOST, "what the part, and the one in hand, add"),
        Block("worth_of_display", (at.num_display, sets, NUM_TILES, KINDS), MOST, "what the part adds on each tile"),
        Block("worth_of_kinds", (KINDS, sets, NUM_TILES + 5), MOST, "on each tile, in the store room, in the task"),
        Block("worth_of_tiles", (NUM_TILES, sets, KINDS + 1), MOST, "of each kind there, and of what lies there"),
        Block("demand", (KINDS, OF_DEMAND), MOST, "what orders, stores and cards give for one more piece"),
        Block("order_needs", (at.num_orders, 2 * NUM_REFINED + 2), MOST_PIECES, "pieces lacking for two stages"),
        Block("order_worth", (at.num_orders, 2), MOST, "what two stages pay"),
    ]


def worth_of(game: Game) -> Callable[[np.ndarray], np.ndarray]:
    """A function that computes `blocks_of`, (B, bytes) uint8, from raw observations, (B, R)."""
    at, prices = places_of(game.observation_layout), fitted_prices()
    shapes = [block.shape for block in blocks_of(game.observation_layout)]

    def compute(raw: np.ndarray) -> np.ndarray:
        worth = [np.empty((len(raw), *shape), np.uint8) for shape in shapes]
        shares = shares_of(len(raw), torch.get_num_threads())
        fill_shares(worth_of_rows, [[raw[share], at, *prices, *(each[share] for each in worth)] for share in shares])
        return np.concatenate([each.reshape(len(raw), -1) for each in worth], 1)

    return compute


@jit
def steps(value: np.float32) -> int:
    """As it is kept in a byte."""
    scaled = float(STEPS * value + 0.5)
    return int(min(max(scaled, 0.0), 255.0))


@jit
def fill_demand(seen: np.ndarray, at: Places, demand: np.ndarray, needs: np.ndarray, paid: np.ndarray) -> None:
    """Fill `demand`, (K, 9), see `demands`; `needs`, (N, 2 R + 2) pieces; `paid`, (N, 2), tens of pounds."""
    demand[:] = 0
    room = seen[at.store_rooms + FIRST_REFINED : at.store_rooms + KINDS]
    for order in range(at.num_orders):
        done = seen[at.order_stage + order]
        needs[order], paid[order] = 0, 0
        for ahead in range(min(2, MAX_STAGES - done)):
            stage = order * MAX_STAGES + done + ahead
            paid[order, ahead] = seen[at.order_pay + stage] / POUNDS
            for kind in range(NUM_REFINED):
                wanted = seen[at.orders + stage * NUM_REFINED + kind]
                needs[order, 2 * NUM_REFINED + ahead] += wanted
                needs[order, ahead * NUM_REFINED + kind] = wanted
        lacking = 0.0
        for kind in range(NUM_REFINED):
            first, both = needs[order, kind], needs[order, kind] + needs[order, NUM_REFINED + kind]
            needs[order, kind] = max(0.0, first - room[kind])
            needs[order, NUM_REFINED + kind] = max(0.0, both - room[kind]) - needs[order, kind]
            lacking += needs[order, kind]
        for kind in range(NUM_REFINED):
            of_kind = demand[FIRST_REFINED + kind]
            if needs[order, kind] > 0:
                of_kind[0] = max(of_kind[0], paid[order, 0] / needs[order, 2 * NUM_REFINED])
                of_kind[1] = max(of_kind[1], paid[order, 0] / lacking)
                of_kind[2] += needs[order, kind] / POUNDS
            if needs[order, NUM_REFINED + kind] > 0:
                of_kind[3] = max(of_kind[3], paid[order, 1] / needs[order, 2 * NUM_REFINED + 1])
    fill_demand_of_stores(seen, at, demand)
    fill_demand_of_cards(seen, at, room, demand)


@jit
def fill_demand_of_stores(seen: np.ndarray, at: Places, demand: np.ndarray) -> None:
    """[4] spaces for a piece at today's stores, [5] of these where steps are still asked for, [6] anywhere."""
    for store in range(NUM_STORES):
        rule = seen[at.store_rules + store * RULE_SIZE : at.store_rules + (store + 1) * RULE_SIZE]
        goal = TRACK_END if at.steps_needed < 0 else seen[at.steps_needed + store]
        asked = goal > seen[at.tracks + store]
        today = 0
        if seen[at.supplied + store] == 0:
            today = seen[at.employees + FIRST_STORE + store] * max(1, seen[at.employees + DOUBLE_SUPPLY])
        for kind in range(NUM_REFINED):
            spaces = rule[kind] * rule[SPACES[kind]] / max(1, rule[PER])
            of_kind = demand[FIRST_REFINED + kind]
            of_kind[4] += today * spaces
            if asked:
                of_kind[5] += today * spaces
                of_kind[6] = max(of_kind[6], spaces)


@jit
def fill_demand_of_cards(seen: np.ndarray, at: Places, room: np.ndarray, demand: np.ndarray) -> None:
    """[7], [8]: of the pieces that a chocolate order asks for, the share that one more piece would be; most and sum."""
    for number in range(at.num_cards):
        card = seen[at.chocolate_orders + number * CARD_SIZE : at.chocolate_orders + (number + 1) * CARD_SIZE]
        if card[DELIVERED] > 0 or card[NUMBER] == 0:
            continue
        held = 0
        for kind in range(NUM_REFINED):
            if card[PATTERN + 1 + kind] > 0:
                held += room[kind]
        for kind in range(NUM_REFINED):
            wanted = card[PATTERN + 1 + kind]
            lacks = room[kind] < wanted if card[PATTERN] == EXACT_MIX else held < card[NUMBER]
            if wanted > 0 and lacks:
                of_kind = demand[FIRST_REFINED + kind]
                of_kind[7] = max(of_kind[7], 1.0 / card[NUMBER])
                of_kind[8] += 1.0 / card[NUMBER]


@jit
def softplus(value: float) -> float:
    return float(np.log1p(np.exp(value)))


@jit
def fill_prices(
    seen: np.ndarray, at: Places, demand: np.ndarray, weights: np.ndarray, bias: np.ndarray, prices: np.ndarray
) -> None:
    """Fill `prices`, (H, 2, K): of a piece that gets to the store room today, and later."""
    day, shift = seen[at.day] / NUM_DAYS, seen[at.shift] / MOST_SHIFT
    for row in range(len(weights)):
        of_row = weights[row]
        for kind in range(KINDS):
            price = bias[row] + of_row[OF_DEMAND + kind] + of_row[OF_DEMAND + KINDS] * day
            price += of_row[OF_DEMAND + KINDS + 1] * shift
            for column in range(OF_DEMAND):
                price += of_row[column] * demand[kind, column]
            prices[row // 2, row % 2, kind] = softplus(price)


@jit
def price_of_coal(seen: np.ndarray, at: Places, weights: np.ndarray, bias: float) -> float:
    """weights: (3,)"""
    price = weights[0] * (seen[at.coal] / MOST_COAL)
    price += weights[1] * (seen[at.day] / NUM_DAYS) + weights[2] * (seen[at.shift] / MOST_SHIFT)
    return softplus(price + bias - 1)


@jit
def fill_clock(seen: np.ndarray, at: Places, clock: np.ndarray) -> None:
    """(3,): pushes left today, whether parts may be operated, whether it is the last day."""
    running = int(seen[at.phase + RUN])
    shifts = SHIFTS + seen[at.employees + MORE_SHIFTS]
    clock[0] = (shifts - int(seen[at.shift])) * (running | int(seen[at.phase + DRAFT]))
    clock[1] = running
    clock[2] = int(seen[at.day] == NUM_DAYS)


@jit
def fill_worth(
    seen: np.ndarray,
    at: Places,
    parts: np.ndarray,
    ways: np.ndarray,
    prices: np.ndarray,
    coal: float,
    slots: np.ndarray,
    display: np.ndarray,
    kinds: np.ndarray,
    tiles: np.ndarray,
) -> None:
    """Fill what one set of prices gives: (slots, 2 K + 2), (D, tiles, K), (K, tiles + 5), (tiles, K + 1).

    parts: (slots + D + 1, F), the last one is the part in hand; ways: see `find_values`.
    """
    used = np.empty(KINDS, np.float32)
    kinds[:] = 0
    for kind in range(KINDS):
        kinds[kind, NUM_TILES], kinds[kind, NUM_TILES + 1] = steps(prices[0, kind]), steps(prices[1, kind])
    for tile in range(NUM_TILES):
        kept, best = ways[tile, 0, 0], ways[tile, 0, 5]
        lying = seen[at.belts + tile * KINDS : at.belts + (tile + 1) * KINDS]
        total = np.float32(0)
        for kind in range(KINDS):
            total += best[kind] * lying[kind]
            tiles[tile, kind] = kinds[kind, tile] = steps(best[kind])
            if seen[at.task_tile + tile] != 0:
                kinds[kind, NUM_TILES + 2], kinds[kind, NUM_TILES + 3] = steps(kept[kind]), steps(best[kind])
        tiles[tile, KINDS] = steps(total / 4)
        for part in range(NUM_SLOTS, len(parts)):
            use(parts[part], kept, coal, used)
            for kind in range(KINDS):
                gain = steps(used[kind] - kept[kind])
                if part < len(parts) - 1:
                    display[part - NUM_SLOTS, tile, kind] = gain
                else:
                    slots[tile, KINDS + kind] = slots[tile + NUM_TILES, KINDS + kind] = gain
        for side in range(2):
            fill_slot(seen, at, ways[tile, 0], tile, side, lying, slots[tile + side * NUM_TILES], kinds)


@jit
def fill_slot(
    seen: np.ndarray,
    at: Places,
    way: np.ndarray,
    tile: int,
    side: int,
    lying: np.ndarray,
    to: np.ndarray,
    kinds: np.ndarray,
) -> None:
    """What the part on the slot adds: for each kind, the most for a piece that lies there, and for all of these."""
    slot = tile + side * NUM_TILES
    may = seen[at.phase + RUN] == 0 or seen[at.operated + slot] == 0
    most, total = np.float32(0), np.float32(0)
    for kind in range(KINDS):
        gain = max(np.float32(0), way[3 + side, kind] - way[0, kind]) if may else np.float32(0)
        to[kind] = steps(gain)
        total += gain * lying[kind]
        if lying[kind] > 0:
            most = max(most, gain)
        if seen[at.task_slot + slot] != 0:
            kinds[kind, NUM_TILES + 4] = to[kind]
    to[2 * KINDS], to[2 * KINDS + 1] = steps(most), steps(total / 4)


@jit
def fill_parts(seen: np.ndarray, at: Places, parts: np.ndarray) -> None:
    """(slots + D + 1, F): those of the own factory, on display, and in hand."""
    for part in range(len(parts)):
        if part < NUM_SLOTS:
            first = at.factories + part * PART_SIZE
        elif part < len(parts) - 1:
            first = at.display_parts + (part - NUM_SLOTS) * PART_SIZE
        else:
            first = at.task_part
        parts[part] = seen[first : first + PART_SIZE]


@jit_entry
def worth_of_rows(
    raw: np.ndarray,
    at: Places,
    of_kinds: np.ndarray,
    bias_of_kinds: np.ndarray,
    of_coal: np.ndarray,
    bias_of_coal: np.ndarray,
    slots: np.ndarray,
    display: np.ndarray,
    kinds: np.ndarray,
    tiles: np.ndarray,
    demand: np.ndarray,
    order_needs: np.ndarray,
    order_worth: np.ndarray,
) -> None:
    """Fill the blocks of `blocks_of`, (B, ...) each, for raw observations, (B, R), by `Prices`."""
    given = np.empty((KINDS, OF_DEMAND), np.float32)
    needs = np.empty((at.num_orders, 2 * NUM_REFINED + 2), np.float32)
    paid = np.empty((at.num_orders, 2), np.float32)
    prices = np.empty((len(of_coal), 2, KINDS), np.float32)
    clock = np.empty(3, np.int32)
    ways = np.empty((NUM_TILES, NUM_TILES, 6, KINDS), np.float32)
    parts = np.empty((NUM_SLOTS + at.num_display + 1, PART_SIZE), np.uint8)
    for row in range(len(raw)):
        seen = raw[row]
        fill_demand(seen, at, given, needs, paid)
        fill_prices(seen, at, given, of_kinds, bias_of_kinds, prices)
        fill_clock(seen, at, clock)
        fill_parts(seen, at, parts)
        operated = seen[at.operated : at.operated + NUM_SLOTS]
        for which in range(len(prices)):
            coal = price_of_coal(seen, at, of_coal[which], bias_of_coal[which])
            find_values(parts, operated, clock, prices[which], coal, ways)
            to_slots, to_display = slots[row, :, which], display[row, :, which]
            to_kinds, to_tiles = kinds[row, :, which], tiles[row, :, which]
            fill_worth(seen, at, parts, ways, prices[which], coal, to_slots, to_display, to_kinds, to_tiles)
        for kind in range(KINDS):
            for column in range(OF_DEMAND):
                demand[row, kind, column] = steps(given[kind, column])
        for order in range(at.num_orders):
            for column in range(2 * NUM_REFINED + 2):
                order_needs[row, order, column] = min(MOST_PIECES, int(needs[order, column]))
            for column in range(2):
                order_worth[row, order, column] = steps(paid[order, column])
