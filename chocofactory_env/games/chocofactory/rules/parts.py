"""Operating factory parts, from the choice of the tile to the last piece made.

A use is a sequence of choices, kept in `state.task`. Pieces are chosen in the order of kinds, so each result has only
one sequence. Classes of kinds are nested (`constants.SYMBOL_KINDS`), so a piece can always count for the narrowest
open symbol that includes it: a wider symbol can take whatever a narrower one could.
"""

from ....core.jit import jit
from ..cards import Option
from ..constants import (
    NONE,
    NUM_SYMBOLS,
    NUM_TILES,
    SYMBOL_KINDS,
    UPGRADABLE_KINDS,
    UPGRADES,
    Effect,
    Function,
    Task,
)
from ..layout import Tables
from ..state import Player, State, UnderWay
from .employees import amount_of, has_effect, reaches_from
from .pieces import accepts, from_kind_on, number_of
from .run import is_empty, to_store_room
from .under_way import nothing_under_way

# --- which parts can be operated, and on which tiles


@jit
def cost_of(cards: Tables, player: Player, slot: int) -> int:
    """The coal for a use on the part's own tile (RUN-4): for the Mechanic's part half, rounded up (EMP-7)."""
    cost = cards.parts[player.factory[slot]].cost
    if player.assigned == slot and has_effect(cards, player, Effect.HALF_COST):
        return (cost + 1) // 2
    return cost


@jit
def cost_on(cards: Tables, player: Player, slot: int, tile: int) -> int:
    """The coal for a use on this tile (EMP-16)."""
    cost = cost_of(cards, player, slot)
    if tile != slot % NUM_TILES:
        cost += amount_of(cards, player, Effect.REACH)
    return cost


@jit
def is_neighbour(slot: int, tile: int) -> bool:
    """Whether the tile is next to the slot's own tile."""
    return abs(tile - slot % NUM_TILES) == 1


@jit
def can_work_on(cards: Tables, player: Player, slot: int, tile: int) -> bool:
    """Whether the player can pay for a complete use of the slot's part on the tile (RUN-4, RUN-5, EMP-16)."""
    if tile != slot % NUM_TILES and not (is_neighbour(slot, tile) and reaches_from(cards, player, slot)):
        return False
    if player.coal < cost_on(cards, player, slot, tile):
        return False
    part = cards.parts[player.factory[slot]]
    if part.function == Function.CONVERTER:
        for option in range(part.num_options):
            if can_convert(part.options[option], player, tile):
                return True
        return False
    if part.function == Function.UPGRADER:
        return number_of(player, tile, UPGRADABLE_KINDS) > 0
    if part.function == Function.REPEATER:
        return not is_empty(player, tile)
    if part.function == Function.CHUTE:  # the Technician's; on its own tile the Chute is not operated
        return tile != slot % NUM_TILES and not is_empty(player, tile)
    return False


@jit
def can_convert(option: Option, player: Player, tile: int) -> bool:
    """Whether the tile holds all the pieces that the option takes (PART-1, PART-4)."""
    narrow = SYMBOL_KINDS[option.takes[0]]
    if number_of(player, tile, narrow) == 0:
        return False
    if option.num_takes == 1:
        return True
    wide = SYMBOL_KINDS[option.takes[1]]
    shared = 1 if narrow & wide else 0
    return number_of(player, tile, wide) > shared


@jit
def can_operate(cards: Tables, player: Player, slot: int) -> bool:
    """RUN-4: the part was not operated this shift, and the player can pay for a complete use of it."""
    if player.factory[slot] == NONE or player.operated[slot] != 0:
        return False
    own = slot % NUM_TILES
    if can_work_on(cards, player, slot, own):
        return True
    if reaches_from(cards, player, slot):
        for tile in range(max(own - 1, 0), min(own + 2, NUM_TILES)):
            if can_work_on(cards, player, slot, tile):
                return True
    return False


# --- beginning a use


@jit
def operate(cards: Tables, state: State, player: Player, slot: int) -> None:
    """Begin a use. Only the Technician's part has a choice of tile (EMP-16)."""
    state.task.slot = slot
    if cards.parts[player.factory[slot]].function == Function.CHUTE:
        state.task.kind = Task.REACH_TILE
    elif reaches_from(cards, player, slot):
        state.task.kind = Task.OPERATE_TILE
    else:
        work_on(cards, state, player, slot % NUM_TILES)


@jit
def work_on(cards: Tables, state: State, player: Player, tile: int) -> None:
    """Pay for the use on the chosen tile, and begin what the part does."""
    task = state.task
    part = cards.parts[player.factory[task.slot]]
    player.coal -= cost_on(cards, player, task.slot, tile)
    task.tile = tile
    if part.function == Function.CHUTE:  # any number of times a shift (RUN-6)
        task.kind = Task.REACH_TAKE
        return
    player.operated[task.slot] = 1
    if part.function == Function.CONVERTER:
        task.kind = Task.OPTION
        if part.num_options == 1:
            choose_option(cards, state, player, 0)
    elif part.function == Function.UPGRADER:
        task.kind = Task.UPGRADE_TAKE
        task.points = part.amount
    elif part.function == Function.REPEATER:
        task.kind = Task.REPEAT_TAKE


# --- converters


@jit
def can_choose_option(cards: Tables, state: State, player: Player, option: int) -> bool:
    """PART-3"""
    part = cards.parts[player.factory[state.task.slot]]
    return option < part.num_options and can_convert(part.options[option], player, state.task.tile)


@jit
def choose_option(cards: Tables, state: State, player: Player, number: int) -> None:
    task = state.task
    option = cards.parts[player.factory[task.slot]].options[number]
    task.kind = Task.CONVERT_TAKE
    task.option = number
    task.left = option.num_takes
    for symbol in range(option.num_takes):
        task.open[option.takes[symbol]] += 1


@jit
def narrowest_open(task: UnderWay, kind: int) -> int:
    """The narrowest open symbol that includes the kind; NONE if there is none."""
    for symbol in range(NUM_SYMBOLS):
        if task.open[symbol] > 0 and accepts(SYMBOL_KINDS[symbol], kind):
            return symbol
    return NONE


@jit
def can_take(state: State, player: Player, kind: int) -> bool:
    """PART-2, PART-4: the piece fits, and pieces not before it in the order of kinds fill every symbol left open."""
    task = state.task
    if kind < task.last_take or player.pieces[task.tile, kind] == 0:
        return False
    matched = narrowest_open(task, kind)
    if matched == NONE:
        return False
    for symbol in range(NUM_SYMBOLS):
        still_open = task.open[symbol] - (1 if symbol == matched else 0)
        if still_open > 0:
            kinds = from_kind_on(SYMBOL_KINDS[symbol], kind)
            taken = 1 if accepts(kinds, kind) else 0
            if number_of(player, task.tile, kinds) - taken < still_open:
                return False
    return True


@jit
def take(cards: Tables, state: State, player: Player, kind: int) -> None:
    """PART-1: put a piece into the part. After the last one, make its products, or move the piece (MC-2)."""
    task = state.task
    player.pieces[task.tile, kind] -= 1
    task.open[narrowest_open(task, kind)] -= 1
    task.last_take = kind
    task.left -= 1
    if task.left == 0:
        option = cards.parts[player.factory[task.slot]].options[task.option]
        task.kind = Task.CONVERT_MAKE if option.num_makes > 0 else Task.MOVE_TO
        task.left = option.num_makes
        for symbol in range(option.num_makes):
            task.open[option.makes[symbol]] += 1


@jit
def can_make(state: State, kind: int) -> bool:
    """PART-2: the piece fits, and every symbol left open includes a kind not before it in the order of kinds."""
    task = state.task
    if kind < task.last_make:
        return False
    matched = narrowest_open(task, kind)
    if matched == NONE:
        return False
    for symbol in range(NUM_SYMBOLS):
        still_open = task.open[symbol] - (1 if symbol == matched else 0)
        if still_open > 0 and from_kind_on(SYMBOL_KINDS[symbol], kind) == 0:
            return False
    return True


@jit
def make(state: State, player: Player, kind: int) -> None:
    """PART-1: put a product on the tile."""
    task = state.task
    player.pieces[task.tile, kind] += 1
    task.open[narrowest_open(task, kind)] -= 1
    task.last_make = kind
    task.left -= 1
    if task.left == 0:
        nothing_under_way(state)


# --- upgraders; the Decorator's one point (EMP-6) is spent in the same way
# Points are spent in the order of kinds. A point makes a later kind, so no result is lost.


@jit
def can_take_to_upgrade(state: State, player: Player, kind: int) -> bool:
    """PART-5"""
    task = state.task
    return kind >= task.last_take and accepts(UPGRADABLE_KINDS, kind) and player.pieces[task.tile, kind] > 0


@jit
def take_to_upgrade(state: State, player: Player, kind: int) -> None:
    task = state.task
    player.pieces[task.tile, kind] -= 1
    if kind != task.last_take:
        task.last_make = NONE
    task.last_take = kind
    task.kind = Task.UPGRADE_MAKE


@jit
def can_upgrade_into(state: State, kind: int) -> bool:
    """PART-5: bean to cocoa to bar to wrapped to boxed. `actions.can_stop` allows leaving points unspent."""
    return kind >= state.task.last_make and accepts(UPGRADES[state.task.last_take], kind)


@jit
def upgrade_into(state: State, player: Player, kind: int) -> None:
    task = state.task
    player.pieces[task.tile, kind] += 1
    task.last_make = kind
    task.points -= 1
    task.count += 1
    task.kind = Task.UPGRADE_TAKE
    if task.points == 0:
        nothing_under_way(state)


# --- repeaters


@jit
def repeat(cards: Tables, state: State, player: Player, kind: int) -> None:
    """PART-6: add copies of the chosen piece."""
    player.pieces[state.task.tile, kind] += cards.parts[player.factory[state.task.slot]].amount
    nothing_under_way(state)


# --- the Technician's Chute


@jit
def can_take_by_chute(state: State, player: Player, kind: int) -> bool:
    return kind >= state.task.last_take and player.pieces[state.task.tile, kind] > 0


@jit
def take_by_chute(state: State, player: Player, kind: int) -> None:
    """RUN-6, EMP-16: on a neighbouring tile, any number of pieces for one coal."""
    to_store_room(player, state.task.tile, kind)
    state.task.last_take = kind
    state.task.count += 1
