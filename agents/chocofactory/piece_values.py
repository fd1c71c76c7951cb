"""What a piece is worth on each tile of a factory, by prices of pieces in the store room; differentiable in the prices.

A piece's way: parts on its tile may use it, both parts one after the other; each push takes it one tile on, and from
the last tile into the store room. Pushes that are left today come first; the others come tomorrow, and on the last day
none does: what is on the belt then goes to the store room. Every value is that of the best way, so its gradient is that
of the prices on this way. A network makes the prices, and they are learned through this computation.

Left out: whether there is enough coal for all of it, employees but for the Engineer, and which pieces meet for a part
that takes two (each counts for half of it).

Compiled, since in tensor operations it takes ten times as long as the rest of a network. B = rows, H = sets of prices,
K = kinds, n = other parts than those of the factory.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import torch
from torch import Tensor

from chocofactory_env.core.jit import jit, jit_entry
from chocofactory_env.games.chocofactory.vocabulary import (
    KINDS_OF_SYMBOL,
    MAX_OPTIONS,
    NUM_SLOTS,
    NUM_TILES,
    PART_ENTRIES,
    UPGRADED_KINDS,
    Function,
    Kind,
)

from ..networks.threads import fill_shares, shares_of

KINDS: Final = len(Kind)
CANNOT: Final = np.float32(-1e4)  # the value of what cannot be done
COST, FUNCTION, AMOUNT = (PART_ENTRIES.index(name) for name in ("cost", "function", "amount"))
CONVERTER, UPGRADER, REPEATER = int(Function.CONVERTER), int(Function.UPGRADER), int(Function.REPEATER)
CHUTE = int(Function.CHUTE)


def range_of(kinds: tuple[Kind, ...]) -> tuple[int, int]:
    """The first kind and the one behind the last; classes of kinds have no gaps."""
    return (int(kinds[0]), int(kinds[-1]) + 1) if kinds else (0, 0)


def pieces_of_options(what: str) -> np.ndarray:
    """(options, 2): where the pieces begin and end that each option takes or makes."""
    places = [
        [at for at, name in enumerate(PART_ENTRIES) if name.startswith(f"option {option} {what}")]
        for option in range(1, MAX_OPTIONS + 1)
    ]
    return np.array([(each[0], each[-1] + 1) for each in places])


TAKES: Final = pieces_of_options("take")
MAKES: Final = pieces_of_options("make")
SYMBOLS: Final = np.array([(0, 0), *map(range_of, KINDS_OF_SYMBOL)])  # by number + 1: kinds that it stands for
UPGRADES: Final = np.array([range_of(kinds) for kinds in UPGRADED_KINDS])


# --- one use of a part


@jit
def best_of(worth: np.ndarray, kinds: np.ndarray) -> int:
    """The kind of the range that is worth most."""
    best = int(kinds[0])
    for kind in range(kinds[0] + 1, kinds[1]):
        if worth[kind] > worth[best]:
            best = kind
    return best


@jit
def kinds_taken(part: np.ndarray, option: int) -> tuple[int, int]:
    """(pieces that the option takes, bit mask of the kinds that it takes)."""
    number, kinds = 0, 0
    for at in range(TAKES[option, 0], TAKES[option, 1]):
        if part[at] > 0:
            number += 1
            kinds |= (1 << SYMBOLS[part[at], 1]) - (1 << SYMBOLS[part[at], 0])
    return number, kinds


@jit
def value_of_option(part: np.ndarray, option: int, taken: int, worth: np.ndarray, coal: float) -> float:
    """What it makes, less the coal, for each of the pieces that it takes."""
    value = -coal * part[COST]
    for at in range(MAKES[option, 0], MAKES[option, 1]):
        if part[at] > 0:
            value += worth[best_of(worth, SYMBOLS[part[at]])]
    return float(value / taken)


@jit
def best_upgrade(points: int, kind: int, worth: np.ndarray) -> int:
    """What the kind is best upgraded into with 1 to so many points; -1 if it cannot be upgraded."""
    best, reached = -1, 1 << kind
    for _ in range(points):
        for before in range(KINDS - 1, kind - 1, -1):  # later kinds first: what a point makes waits for the next one
            if reached >> before & 1:
                for after in range(UPGRADES[before, 0], UPGRADES[before, 1]):
                    reached |= 1 << after
                    if best < 0 or worth[after] > worth[best]:
                        best = after
    return best


@jit
def use(part: np.ndarray, worth: np.ndarray, coal: float, out: np.ndarray) -> None:
    """What a piece of each kind becomes worth by the part, into `out`, (K,); CANNOT if the part does not take it.

    worth: (K,), of what lies on the tile after it.
    """
    out[:] = CANNOT
    if part[FUNCTION] == CONVERTER:
        for option in range(MAX_OPTIONS):
            taken, kinds = kinds_taken(part, option)
            if taken > 0:
                value = np.float32(value_of_option(part, option, taken, worth, coal))
                for kind in range(KINDS):
                    if kinds >> kind & 1:
                        out[kind] = max(out[kind], value)
    elif part[FUNCTION] == UPGRADER:
        for kind in range(KINDS):
            after = best_upgrade(part[AMOUNT], kind, worth)
            if after >= 0:
                out[kind] = worth[after] - coal * part[COST]
    elif part[FUNCTION] == REPEATER:
        for kind in range(KINDS):
            out[kind] = worth[kind] * (1 + part[AMOUNT]) - coal * part[COST]


@jit
def use_back(
    part: np.ndarray, worth: np.ndarray, coal: float, values: np.ndarray, grad: np.ndarray, to: np.ndarray
) -> float:
    """Add what `grad` of `values`, which `use` has given, is for `worth` to `to`, and return what it is for `coal`.

    All (K,).
    """
    total = 0.0
    if part[FUNCTION] == CONVERTER:
        passed = 0
        for option in range(MAX_OPTIONS):
            taken, kinds = kinds_taken(part, option)
            if taken == 0:
                continue
            value = np.float32(value_of_option(part, option, taken, worth, coal))
            share = 0.0
            for kind in range(KINDS):
                if (kinds & ~passed) >> kind & 1 and values[kind] == value:
                    share += grad[kind] / taken
                    passed |= 1 << kind
            for at in range(MAKES[option, 0], MAKES[option, 1]):
                if part[at] > 0:
                    to[best_of(worth, SYMBOLS[part[at]])] += share
            total += share
    elif part[FUNCTION] == UPGRADER:
        for kind in range(KINDS):
            after = best_upgrade(part[AMOUNT], kind, worth)
            if after >= 0:
                to[after] += grad[kind]
                total += grad[kind]
    elif part[FUNCTION] == REPEATER:
        for kind in range(KINDS):
            to[kind] += grad[kind] * (1 + part[AMOUNT])
            total += grad[kind]
    return float(-total * part[COST])


# --- the way along the belt


@jit
def has_chute(parts: np.ndarray, tile: int) -> bool:
    return bool(parts[tile, FUNCTION] == CHUTE or parts[tile + NUM_TILES, FUNCTION] == CHUTE)


@jit
def may_work(clock: np.ndarray, operated: np.ndarray, slot: int, level: int) -> bool:
    """Whether the part can be used after so many pushes from now."""
    return level > 0 or (clock[1] != 0 and operated[slot] == 0)


@jit
def time_of(clock: np.ndarray, level: int) -> int:
    """After so many pushes: 0 while it is today, or counts as today since this is the last day; 1 later."""
    return 0 if clock[0] >= level or clock[2] != 0 else 1


@jit
def ends_today(clock: np.ndarray, tile: int, level: int) -> bool:
    """Whether the next move from the tile, after so many pushes, is into the store room (RUN-3, RUN-9)."""
    return tile == NUM_TILES - 1 or (clock[2] != 0 and clock[0] <= level)


@jit
def worth_with(here: np.ndarray, first: np.ndarray, works: bool, after: np.ndarray) -> None:
    """What pieces are worth to a part after which the tile's other part may use them; into `after`, (K,)."""
    for kind in range(KINDS):
        after[kind] = max(here[kind], first[kind]) if works else here[kind]


@jit
def find_values(
    parts: np.ndarray, operated: np.ndarray, clock: np.ndarray, prices: np.ndarray, coal: float, ways: np.ndarray
) -> None:
    """Fill `ways`, (4 tiles, 4 levels, 6, K): what a piece is worth on a tile that it gets to by so many pushes.

    [0]: if no part there uses it; [1], [2]: if only the part above or below does; [3], [4]: if this one does so first;
    [5]: the best of these. Only as many levels are filled as there are tiles on the way.

    parts: (8+, F) raw; clock: pushes left today, whether parts may be operated, whether it is the last day;
    prices: (2, K), of what gets to the store room today and later.
    """
    after = np.empty(KINDS, np.float32)
    for tile in range(NUM_TILES - 1, -1, -1):
        for level in range(tile + 1):
            way = ways[tile, level]
            here = way[0]
            here[:] = (
                prices[time_of(clock, level + 1)] if ends_today(clock, tile, level) else ways[tile + 1, level + 1, 5]
            )
            if has_chute(parts, tile):
                for kind in range(KINDS):
                    here[kind] = max(here[kind], prices[time_of(clock, level), kind])
            for side in range(2):
                use(parts[tile + side * NUM_TILES], here, coal, way[1 + side])
            way[5] = here
            for side in range(2):
                other = tile + (1 - side) * NUM_TILES
                worth_with(here, way[2 - side], may_work(clock, operated, other, level), after)
                works = may_work(clock, operated, tile + side * NUM_TILES, level)
                use(parts[tile + side * NUM_TILES], after, coal, way[3 + side])
                if works:
                    for kind in range(KINDS):
                        way[5, kind] = max(way[5, kind], way[3 + side, kind])


@jit
def values_back(
    parts: np.ndarray,
    operated: np.ndarray,
    clock: np.ndarray,
    prices: np.ndarray,
    coal: float,
    ways: np.ndarray,
    grads: np.ndarray,
    to: np.ndarray,
) -> float:
    """Add what `grads` of `ways` are for the prices to `to`, (2, K), and return what they are for `coal`.

    `grads` is changed on the way.
    """
    after, of_after = np.empty(KINDS, np.float32), np.empty(KINDS, np.float32)
    of_coal = 0.0
    for tile in range(NUM_TILES):
        for level in range(tile + 1):
            way, grad = ways[tile, level], grads[tile, level]
            best_back(clock, operated, tile, level, way, grad)
            for side in range(2):
                part, other = parts[tile + side * NUM_TILES], tile + (1 - side) * NUM_TILES
                works = may_work(clock, operated, other, level)
                worth_with(way[0], way[2 - side], works, after)
                of_after[:] = 0
                of_coal += use_back(part, after, coal, way[3 + side], grad[3 + side], of_after)
                for kind in range(KINDS):
                    grad[2 - side if works and way[2 - side, kind] > way[0, kind] else 0, kind] += of_after[kind]
            for side in range(2):
                part = parts[tile + side * NUM_TILES]
                of_coal += use_back(part, way[0], coal, way[1 + side], grad[1 + side], grad[0])
            kept_back(parts, clock, tile, level, prices, ways, grads, to)
    return of_coal


@jit
def best_back(
    clock: np.ndarray, operated: np.ndarray, tile: int, level: int, way: np.ndarray, grad: np.ndarray
) -> None:
    """Pass the gradient of the best on to what it is."""
    for kind in range(KINDS):
        source = 0
        if way[0, kind] != way[5, kind]:
            above = way[3, kind] == way[5, kind] and may_work(clock, operated, tile, level)
            source = 3 if above else 4
        grad[source, kind] += grad[5, kind]


@jit
def kept_back(
    parts: np.ndarray,
    clock: np.ndarray,
    tile: int,
    level: int,
    prices: np.ndarray,
    ways: np.ndarray,
    grads: np.ndarray,
    to: np.ndarray,
) -> None:
    """Pass the gradient of what a piece is worth that no part uses on to the price or to the next tile."""
    chute, room = has_chute(parts, tile), ends_today(clock, tile, level)
    now, next_time = time_of(clock, level), time_of(clock, level + 1)
    for kind in range(KINDS):
        grad = grads[tile, level, 0, kind]
        onward = prices[next_time, kind] if room else ways[tile + 1, level + 1, 5, kind]
        if chute and prices[now, kind] > onward:
            to[now, kind] += grad
        elif room:
            to[next_time, kind] += grad
        else:
            grads[tile + 1, level + 1, 5, kind] += grad


# --- batches


OF_FACTORY: Final = 2 * NUM_TILES + NUM_SLOTS  # rows of K values


@jit_entry
def values_of_rows(
    parts: np.ndarray,
    operated: np.ndarray,
    clock: np.ndarray,
    prices: np.ndarray,
    coal: np.ndarray,
    kept_ways: np.ndarray,
    out: np.ndarray,
) -> None:
    """Fill `out`; shapes as in `piece_values`.

    kept_ways: (B, H, 4, 4, 6, K), filled for `grads_of_rows`; (1, H, ...) if they are not needed any more.
    """
    for row in range(len(parts)):
        for head in range(prices.shape[1]):
            ways = kept_ways[row % len(kept_ways), head]
            find_values(parts[row], operated[row], clock[row], prices[row, head], coal[row, head], ways)
            values = out[row, head]
            for tile in range(NUM_TILES):
                values[tile] = ways[tile, 0, 0]
                values[NUM_TILES + tile] = ways[tile, 0, 5]
                for side in range(2):
                    slot = tile + side * NUM_TILES
                    used = clock[row, 1] != 0 and operated[row, slot] != 0
                    for kind in range(KINDS):
                        gain = ways[tile, 0, 3 + side, kind] - ways[tile, 0, 0, kind]
                        values[2 * NUM_TILES + slot, kind] = 0 if used else max(gain, 0)
                for other in range(NUM_SLOTS, parts.shape[1]):
                    at = OF_FACTORY + (other - NUM_SLOTS) * NUM_TILES + tile
                    use(parts[row, other], ways[tile, 0, 0], coal[row, head], values[at])
                    for kind in range(KINDS):
                        values[at, kind] = max(values[at, kind] - ways[tile, 0, 0, kind], 0)


@jit_entry
def grads_of_rows(
    parts: np.ndarray,
    operated: np.ndarray,
    clock: np.ndarray,
    prices: np.ndarray,
    coal: np.ndarray,
    kept_ways: np.ndarray,
    values: np.ndarray,
    grad: np.ndarray,
    to_prices: np.ndarray,
    to_coal: np.ndarray,
) -> None:
    """Fill the gradients for prices and coal from `grad`, that of what `values_of_rows` has filled."""
    grads = np.empty((NUM_TILES, NUM_TILES, 6, KINDS), np.float32)
    used, gained = np.empty(KINDS, np.float32), np.empty(KINDS, np.float32)
    for row in range(len(parts)):
        for head in range(prices.shape[1]):
            ways = kept_ways[row, head]
            grads[:] = 0
            given, there = grad[row, head], values[row, head]
            of_coal = 0.0
            for tile in range(NUM_TILES):
                to = grads[tile, 0]
                to[0] += given[tile]
                to[5] += given[NUM_TILES + tile]
                for kind in range(KINDS):
                    for side in range(2):
                        at = 2 * NUM_TILES + tile + side * NUM_TILES
                        if there[at, kind] > 0:
                            to[3 + side, kind] += given[at, kind]
                            to[0, kind] -= given[at, kind]
                for other in range(NUM_SLOTS, parts.shape[1]):
                    at = OF_FACTORY + (other - NUM_SLOTS) * NUM_TILES + tile
                    for kind in range(KINDS):
                        gained[kind] = given[at, kind] if there[at, kind] > 0 else 0
                        to[0, kind] -= gained[kind]
                    part, worth = parts[row, other], ways[tile, 0, 0]
                    use(part, worth, coal[row, head], used)
                    of_coal += use_back(part, worth, coal[row, head], used, gained, to[0])
            to_prices[row, head] = 0
            of_coal += values_back(
                parts[row],
                operated[row],
                clock[row],
                prices[row, head],
                coal[row, head],
                ways,
                grads,
                to_prices[row, head],
            )
            to_coal[row, head] = of_coal


def piece_values(parts: Tensor, operated: Tensor, clock: Tensor, prices: Tensor, coal: Tensor) -> Tensor:
    """What pieces are worth, (B, H, rows, K) float32, differentiable in `prices` and `coal`.

    parts: (B, 8 + n, F) uint8, raw: the factory's slots, then others.
    operated: (B, 8) uint8.
    clock: (B, 3) int32: pushes left today, whether parts may be operated, whether it is the last day.
    prices: (B, H, 2, K) float32, of a piece that gets to the store room today and later.
    coal: (B, H) float32, the price of one.

    The rows: (4) on each tile, if no part there uses it in this shift; (4) with the parts there; (8) what the part on
    each slot adds to the first, at least 0; (n * 4) what each of the others would add on each tile.
    """
    learning = torch.is_grad_enabled() and (prices.requires_grad or coal.requires_grad)
    values: Tensor = _values(parts, operated, clock, prices.float(), coal.float(), learning)[0]
    return values


# Operators of torch, so that `torch.compile` takes them as they are. They run on the CPU wherever the network is, by as
# many threads as torch has.


def _values_and_ways(
    parts: Tensor, operated: Tensor, clock: Tensor, prices: Tensor, coal: Tensor, learning: bool
) -> tuple[Tensor, Tensor]:
    """The values, and if `learning` the ways that led to them, (B, H, 4, 4, 6, K) on the CPU, else none of them."""
    inputs = [each.cpu().contiguous() for each in (parts, operated, clock, prices, coal)]
    values, ways = _shapes(parts, operated, clock, prices.cpu(), coal, learning)
    shares = shares_of(len(parts), torch.get_num_threads())
    used = ways if learning else ways.new_empty((len(shares), *ways.shape[1:]))
    kept = torch.split(used, [share.stop - share.start if learning else 1 for share in shares])
    fill_shares(
        values_of_rows,
        [
            [*(each[share].numpy() for each in inputs), own.numpy(), values[share].numpy()]
            for share, own in zip(shares, kept, strict=True)
        ],
    )
    return values.to(prices.device), ways


def _shapes(
    parts: Tensor, operated: Tensor, clock: Tensor, prices: Tensor, coal: Tensor, learning: bool
) -> tuple[Tensor, Tensor]:
    """What `_values_and_ways` returns, not filled."""
    rows, heads = len(parts), prices.shape[1]
    values = prices.new_empty((rows, heads, OF_FACTORY + (parts.shape[1] - NUM_SLOTS) * NUM_TILES, KINDS))
    return values, torch.empty((rows if learning else 0, heads, NUM_TILES, NUM_TILES, 6, KINDS))


def _gradients(
    parts: Tensor,
    operated: Tensor,
    clock: Tensor,
    prices: Tensor,
    coal: Tensor,
    ways: Tensor,
    values: Tensor,
    grad: Tensor,
) -> tuple[Tensor, Tensor]:
    """The gradients for prices and coal."""
    inputs = [each.cpu().contiguous() for each in (parts, operated, clock, prices, coal, ways, values, grad)]
    to_prices, to_coal = torch.empty_like(inputs[3]), torch.empty_like(inputs[4])
    arrays = [each.numpy() for each in (*inputs, to_prices, to_coal)]
    shares = shares_of(len(grad), torch.get_num_threads())
    fill_shares(grads_of_rows, [[each[share] for each in arrays] for share in shares])
    return to_prices.to(grad.device), to_coal.to(grad.device)


_values: Any = torch.library.custom_op("chocofactory_env::piece_values", _values_and_ways, mutates_args=())
_values.register_fake(_shapes)
_back: Any = torch.library.custom_op("chocofactory_env::piece_values_back", _gradients, mutates_args=())
_back.register_fake(
    lambda parts, operated, clock, prices, coal, *others: (
        prices.new_empty(prices.shape),  # contiguous, whatever the strides of the inputs
        coal.new_empty(coal.shape),
    )
)


def _keep(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, Tensor]) -> None:
    values, ways = output
    ctx.save_for_backward(*inputs[:5], ways, values)


def _differentiate(ctx: Any, grad: Tensor, _: Tensor) -> tuple[Tensor | None, ...]:
    to_prices, to_coal = _back(*ctx.saved_tensors, grad)
    return None, None, None, to_prices, to_coal, None


_values.register_autograd(_differentiate, setup_context=_keep)
