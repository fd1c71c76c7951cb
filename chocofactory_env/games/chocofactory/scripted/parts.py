"""What the parts of a factory make of pieces."""

from __future__ import annotations

from typing import Final

import numpy as np

from ....core.jit import jit
from ..cards import Option, Part
from ..constants import NONE, NUM_KINDS, NUM_TILES, SYMBOL_KINDS, UPGRADES, Function, Kind
from ..layout import Tables
from ..rules.pieces import accepts
from .notes import COAL, Notes, copy_values, last_tile

PIECE_VALUES: Final = np.array([0.6, 0.9, 2.0, 2.0, 3.0, 3.0, 4.2])  # of a piece by itself
COPY: Final = 0.6  # value of a copy of a piece, relative to the piece
PAIR: Final = 0.4  # share of the gain of a part that takes two pieces, for each of them
CARRY: Final = 4.0  # gain of a part that carries pieces to other tiles
NEVER: Final = -np.inf
BEANS: Final = 1 << Kind.BEAN  # as a bit mask


@jit
def carries(option: Option) -> bool:
    """MC-2: it carries a piece to another tile."""
    return option.num_makes == 0


@jit
def best_of(kinds: int, values: np.ndarray) -> float:
    """The highest value of these kinds."""
    best = NEVER
    for kind in range(NUM_KINDS):
        if accepts(kinds, kind):
            best = max(best, values[kind])
    return best


@jit
def value_made(option: Option, values: np.ndarray) -> float:
    """The value of what the option makes, of the best kinds."""
    made = 0.0
    for place in range(option.num_makes):
        made += best_of(SYMBOL_KINDS[option.makes[place]], values)
    return made


# --- one use


@jit
def write_uses(part: Part, values: np.ndarray, coal: float, upgraded: np.ndarray, out: np.ndarray) -> None:
    """Write the value of a piece of each kind on the part's tile, with one use of the part, into `out`, (NUM_KINDS,).

    values: without it. upgraded: scratch.
    """
    copy_values(values, out)
    cost = part.cost * coal
    for number in range(part.num_options):
        option = part.options[number]
        if carries(option):
            continue
        first = SYMBOL_KINDS[option.takes[0]]
        made = value_made(option, values) - cost
        if option.num_takes == 1:
            for kind in range(NUM_KINDS):
                if accepts(first, kind):
                    out[kind] = max(out[kind], made)
        else:
            second = SYMBOL_KINDS[option.takes[1]]
            gain = made - (least_of(first, values) + least_of(second, values))
            for kind in range(NUM_KINDS):
                if accepts(first | second, kind):
                    out[kind] = max(out[kind], values[kind] + PAIR * gain)
    if part.function == Function.UPGRADER:
        copy_values(values, upgraded)
        for _ in range(part.amount):
            for kind in range(NUM_KINDS):  # upward: what it becomes has not been upgraded yet
                upgraded[kind] = best_of(UPGRADES[kind], upgraded)
                out[kind] = max(out[kind], upgraded[kind] - cost)
    elif part.function == Function.REPEATER:
        for kind in range(NUM_KINDS):
            out[kind] = max(out[kind], out[kind] + part.amount * COPY * out[kind] - cost)


@jit
def least_of(kinds: int, values: np.ndarray) -> float:
    """The lowest value of these kinds."""
    least = -NEVER
    for kind in range(NUM_KINDS):
        if accepts(kinds, kind):
            least = min(least, values[kind])
    return least


@jit
def upgrade_gain(kind: int, prices: np.ndarray) -> float:
    """The gain of one upgrade point on a piece of the kind."""
    if UPGRADES[kind] == 0:
        return -float(prices[kind])
    return best_of(UPGRADES[kind], prices) - float(prices[kind])


@jit
def best_upgrade(tile: np.ndarray, prices: np.ndarray) -> float:
    """The highest gain of one upgrade point on a piece of the tile; 0 without a piece."""
    best, found = 0.0, False
    for kind in range(Kind.BOXED):
        if tile[kind] > 0:
            gain = upgrade_gain(kind, prices)
            if not found or gain > best:
                best, found = gain, True
    return best


@jit
def use_gain(part: Part, tile: np.ndarray, prices: np.ndarray) -> float:
    """The gain of one use of the part on the tile's pieces, before coal."""
    if part.function == Function.UPGRADER:
        return points_gain(int(part.amount), tile, prices)
    best = 0.0
    if part.function == Function.REPEATER:
        for kind in range(NUM_KINDS):
            if tile[kind] > 0:
                best = max(best, prices[kind])
        return part.amount * best
    found = False
    for number in range(part.num_options):
        if not carries(part.options[number]):
            gain = option_gain(part.options[number], tile, prices)
            if not found or gain > best:
                best, found = gain, True
    return best


@jit
def points_gain(points: int, tile: np.ndarray, prices: np.ndarray) -> float:
    """The gain of that many upgrade points on different pieces."""
    total, used = 0.0, 0
    while points > 0:
        best, chosen = 0.0, NONE
        for kind in range(Kind.BOXED):
            gain = upgrade_gain(kind, prices)
            if tile[kind] > 0 and not accepts(used, kind) and gain > best:
                best, chosen = gain, kind
        if chosen == NONE:
            break
        number = min(points, int(tile[chosen]))
        total += number * best
        points -= number
        used |= 1 << chosen
    return total


@jit
def option_gain(option: Option, tile: np.ndarray, prices: np.ndarray) -> float:
    """The gain of the option on the tile; minus infinity if its pieces are missing."""
    given, before = 0.0, NONE
    for place in range(option.num_takes):
        taken = NONE
        for kind in range(NUM_KINDS):
            there = tile[kind] - (1 if kind == before else 0)
            if accepts(SYMBOL_KINDS[option.takes[place]], kind) and there > 0:
                if taken == NONE or prices[kind] < prices[taken]:
                    taken = kind
        if taken == NONE:
            return NEVER
        given += prices[taken]
        before = taken
    return value_made(option, prices) - given


@jit
def idle_gain(part: Part, notes: Notes) -> float:
    """The gain of a use on its best piece."""
    write_uses(part, PIECE_VALUES, COAL, notes.upgraded, notes.one)
    best = NEVER
    for kind in range(NUM_KINDS):
        best = max(best, notes.one[kind] - PIECE_VALUES[kind])
    for number in range(part.num_options):
        if carries(part.options[number]):
            best = max(best, CARRY - part.cost * COAL)
    return best


@jit
def products(part: Part, brought: int) -> int:
    """The kinds that it can make from the kinds brought to it, as bit masks."""
    made = 0
    for number in range(part.num_options):
        option = part.options[number]
        if brought & SYMBOL_KINDS[option.takes[0]] == 0:
            continue
        if option.num_takes > 1 and brought & SYMBOL_KINDS[option.takes[1]] == 0:
            continue
        for place in range(option.num_makes):
            made |= SYMBOL_KINDS[option.makes[place]]
    if part.function == Function.UPGRADER:
        for kind in range(NUM_KINDS):
            if accepts(brought, kind):
                made |= UPGRADES[kind]
    return made


# --- the belt


@jit
def write_belt_values(cards: Tables, prices: np.ndarray, coal: float, tile: int, last: int, notes: Notes) -> None:
    """Write the value of a piece of each kind on `tile` into `notes.values`.

    It can be pushed to `last`, no part has been used yet, and `prices` are what it is worth there.
    """
    copy_values(prices, notes.values)
    for at in range(last, tile - 1, -1):
        above, below = notes.factory[at], notes.factory[at + NUM_TILES]
        if above != NONE and below != NONE:
            write_uses(cards.parts[below], notes.values, coal, notes.upgraded, notes.one)
            write_uses(cards.parts[above], notes.one, coal, notes.upgraded, notes.two)
            write_uses(cards.parts[above], notes.values, coal, notes.upgraded, notes.one)
            write_uses(cards.parts[below], notes.one, coal, notes.upgraded, notes.three)
            for kind in range(NUM_KINDS):
                notes.values[kind] = max(notes.two[kind], notes.three[kind])
        elif above != NONE or below != NONE:
            part = above if above != NONE else below
            write_uses(cards.parts[part], notes.values, coal, notes.upgraded, notes.one)
            copy_values(notes.one, notes.values)


@jit
def bean_value(cards: Tables, notes: Notes) -> float:
    """The value of what the factory in the notes makes from a bean."""
    write_belt_values(cards, PIECE_VALUES, COAL, 0, NUM_TILES - 1, notes)
    return notes.values[Kind.BEAN]


@jit
def write_left(
    cards: Tables, operated: np.ndarray, slot: int, tile: int, prices: np.ndarray, notes: Notes, out: np.ndarray
) -> None:
    """Write the value of a piece of each kind on the tile after a use of the part on `slot`, or NONE, into `out`."""
    last = last_tile(notes, tile)
    copy_values(prices, notes.values)
    if tile < last:
        write_belt_values(cards, prices, notes.coal, tile + 1, last, notes)
    for other in (tile, tile + NUM_TILES):
        if other != slot and notes.factory[other] != NONE and operated[other] == 0:
            write_uses(cards.parts[notes.factory[other]], notes.values, notes.coal, notes.upgraded, notes.one)
            copy_values(notes.one, notes.values)
    copy_values(notes.values, out)


@jit
def kinds_made(cards: Tables, notes: Notes) -> int:
    """The kinds that the factory can make from beans, as a bit mask with beans."""
    brought = BEANS
    for tile in range(NUM_TILES):
        for _ in range(2):
            for slot in (tile, tile + NUM_TILES):
                if notes.factory[slot] != NONE:
                    brought |= products(cards.parts[notes.factory[slot]], brought)
    return brought
