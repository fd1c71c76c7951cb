"""The choice of an action, in every phase and for what is under way."""

from __future__ import annotations

import numpy as np

from ....core.jit import jit
from ..actions import (
    ASSIGN,
    CHUTE,
    DELIVER,
    END_SHIFT,
    FINISH_CLEANUP,
    FINISH_ORDERS,
    FULFIL,
    MAKE,
    NUM_ACTIONS,
    OPERATE,
    OPTION,
    PLACE_PART,
    STOP,
    SUPPLY,
    TAKE,
    TILE,
    TRADE,
    USE_EMPLOYEE,
)
from ..constants import (
    MANAGER_CARDS,
    MAX_OPTIONS,
    NONE,
    NUM_KINDS,
    NUM_SLOTS,
    NUM_STORES,
    NUM_TILES,
    ORDER_SLOTS,
    STORE_ROOM,
    Effect,
    Kind,
    Pattern,
    Phase,
    Task,
)
from ..layout import Tables
from ..rules.employees import has_effect
from ..rules.pieces import accepts
from ..rules.run import SHIFTS, chute_tile
from ..rules.stores import rule_in_use, rule_of
from ..state import Player, State
from .choices import best_draft, best_order, best_slot
from .missing import order_is_asked_for
from .notes import COAL, Notes, begin_notes
from .parts import best_upgrade, carries, option_gain, upgrade_gain, use_gain, write_left
from .prices import (
    kinds_needed,
    most_spaces,
    note_offers,
    note_store,
    pay_of,
    pounds_for_space,
    space_value,
    store_today,
    write_prices,
)

TILE_FOR_PACKER = 6.0  # the value of a tile on which the Packer need not wait
GAIN_FOR_DECORATOR = 1.5


@jit
def scripted_action(cards: Tables, state: State, mask: np.ndarray, notes: Notes) -> int:
    """The action of the seat to move. `mask`, (A,) int8: its legal actions, one at least."""
    first = first_legal(mask, 0, NUM_ACTIONS)
    if first_legal(mask, first + 1, NUM_ACTIONS) == NONE:
        return first
    begin_notes(cards, state, notes)
    player = state.players[state.current]
    if state.task.kind == Task.BORROW:
        return best_rule(cards, state, player, mask)
    if state.task.kind == Task.NOTHING and state.phase == Phase.DRAFT:
        return best_draft(cards, state, mask, notes)
    if state.task.kind == Task.NOTHING and state.phase == Phase.REPLACE:
        return best_order(cards, state, mask, notes)
    if state.task.kind == Task.NOTHING and state.phase == Phase.AGENTS:
        return shortest_track(player, mask)
    note_offers(cards, state, notes)
    note_store(cards, state, notes)
    if state.task.kind != Task.NOTHING:
        return go_on(cards, state, player, mask, notes)
    if state.phase == Phase.RUN:
        return run(cards, state, player, mask, notes)
    if state.phase == Phase.FULFIL:
        return fulfil(cards, state, player, mask, notes)
    return clean_up(cards, state, player, mask, notes)


@jit
def first_legal(mask: np.ndarray, first: int, end: int) -> int:
    """The first legal action from `first` on, before `end`; NONE without one."""
    for action in range(first, end):
        if mask[action] != 0:
            return action
    return NONE


@jit
def last_legal(mask: np.ndarray, first: int, end: int) -> int:
    for action in range(end - 1, first - 1, -1):
        if mask[action] != 0:
            return action
    return NONE


@jit
def dearest(mask: np.ndarray, first: int, values: np.ndarray) -> int:
    """The legal action of a verb from `first` on whose kind has the highest value."""
    chosen = NONE
    for kind in range(NUM_KINDS):
        if mask[first + kind] != 0 and (chosen == NONE or values[kind] > values[chosen - first]):
            chosen = first + kind
    return chosen


@jit
def cheapest(mask: np.ndarray, first: int, values: np.ndarray) -> int:
    chosen = NONE
    for kind in range(NUM_KINDS):
        if mask[first + kind] != 0 and (chosen == NONE or values[kind] < values[chosen - first]):
            chosen = first + kind
    return chosen


# --- phase 3: run factory


@jit
def run(cards: Tables, state: State, player: Player, mask: np.ndarray, notes: Notes) -> int:
    for kind in range(Kind.CHUNKS):  # they can no longer be refined
        if mask[TRADE + kind] != 0:
            return TRADE + kind
    assigned = dearest_part(cards, player, mask)
    if assigned != NONE:
        return assigned
    write_prices(cards, state, notes.held, notes)
    use = best_use(cards, player, mask, notes)
    if use != NONE:
        return use
    if mask[USE_EMPLOYEE] != 0 and helps_now(cards, state, player, notes):
        return USE_EMPLOYEE
    needed = kinds_needed(cards, state, notes)
    for kind in range(NUM_KINDS):
        if mask[CHUTE + kind] != 0 and accepts(needed, kind):
            return CHUTE + kind
    return END_SHIFT


@jit
def dearest_part(cards: Tables, player: Player, mask: np.ndarray) -> int:
    """Assign today's employee to the part that costs most coal."""
    chosen, most = NONE, 0
    for slot in range(NUM_SLOTS):
        if mask[ASSIGN + slot] != 0:
            cost = int(cards.parts[player.factory[slot]].cost)
            if chosen == NONE or cost > most:
                chosen, most = ASSIGN + slot, cost
    return chosen


@jit
def best_use(cards: Tables, player: Player, mask: np.ndarray, notes: Notes) -> int:
    """Operate the part with the greatest gain for its coal; NONE if none gains."""
    best, chosen = 0.0, NONE
    for slot in range(NUM_SLOTS):
        if mask[OPERATE + slot] == 0:
            continue
        part, tile = cards.parts[player.factory[slot]], slot % NUM_TILES
        write_left(cards, player.operated, slot, tile, notes.prices, notes, notes.there)
        gain = use_gain(part, player.pieces[tile], notes.there)
        for option in range(part.num_options):
            if carries(part.options[option]):
                gain = max(gain, best_carrying(cards, player, slot, tile, notes)[0])
        if gain > part.cost * notes.coal:
            gain /= max(int(part.cost), 1)
            if gain >= best:
                best, chosen = gain, OPERATE + slot
    return chosen


@jit
def best_carrying(cards: Tables, player: Player, slot: int, tile: int, notes: Notes) -> tuple[float, int]:
    """The best carry from the tile: its gain, and the kind of piece. `notes.there` are the values on the tile."""
    best, chosen = 0.0, NONE
    for other in range(NUM_TILES):
        if other == tile:
            continue
        write_left(cards, player.operated, slot, other, notes.prices, notes, notes.elsewhere)
        for kind in range(NUM_KINDS):
            if player.pieces[tile, kind] > 0:
                gain = notes.elsewhere[kind] - notes.there[kind]
                if chosen == NONE or gain > best or (gain == best and kind > chosen):
                    best, chosen = gain, kind
    return best, max(chosen, 0)


@jit
def helps_now(cards: Tables, state: State, player: Player, notes: Notes) -> bool:
    """Packers and Decorators wait for a good tile or the last shift; Operators carry needed pieces to the Chute."""
    last = state.shift >= SHIFTS
    if has_effect(cards, player, Effect.DOUBLE_TILE):
        for tile in range(NUM_TILES):
            if tile_value(player.pieces[tile], notes.prices) >= TILE_FOR_PACKER:
                return True
        return last
    if has_effect(cards, player, Effect.UPGRADE_PIECE):
        for tile in range(NUM_TILES):
            if best_upgrade(player.pieces[tile], notes.prices) >= GAIN_FOR_DECORATOR:
                return True
        return last
    return last and tile_to_move_from(cards, state, player, notes) != NONE


@jit
def tile_value(tile: np.ndarray, prices: np.ndarray) -> float:
    value = 0.0
    for kind in range(NUM_KINDS):
        value += tile[kind] * prices[kind]
    return value


@jit
def tile_to_move_from(cards: Tables, state: State, player: Player, notes: Notes) -> int:
    """The last tile out of the Chute's reach with a piece that is needed in the store room; NONE without one."""
    needed, chute = kinds_needed(cards, state, notes), chute_tile(cards, player)
    found = NONE
    if chute == NONE:
        return NONE
    for tile in range(NUM_TILES):
        for kind in range(NUM_KINDS):
            if tile != chute and accepts(needed, kind) and player.pieces[tile, kind] > 0:
                found = tile
    return found


# --- phases 4 and 5


@jit
def fulfil(cards: Tables, state: State, player: Player, mask: np.ndarray, notes: Notes) -> int:
    card = first_legal(mask, DELIVER, DELIVER + MANAGER_CARDS)
    if card != NONE:
        return card
    supplies = first_legal(mask, SUPPLY, SUPPLY + NUM_STORES)
    needs_spaces = supplies != NONE and lacks_spaces(cards, state, player, notes)
    order = best_paid(cards, state, player, mask, needs_spaces)
    if order == NONE and needs_spaces:
        return supplies
    if order != NONE:
        return order
    skips = has_effect(cards, player, Effect.SKIP_STAGE)
    if mask[USE_EMPLOYEE] != 0 and (not skips or order_to_skip(cards, player) != NONE):
        return USE_EMPLOYEE
    for store in range(NUM_STORES):
        if mask[SUPPLY + store] != 0 and space_value(state, store, notes) > 0:
            return SUPPLY + store
    return FINISH_ORDERS


@jit
def lacks_spaces(cards: Tables, state: State, player: Player, notes: Notes) -> bool:
    """Solo: whether the cards demand spaces at today's store, for which orders bring no money."""
    store = store_today(cards, player)
    if state.num_players > 1 or store == NONE or notes.steps[store] == 0:
        return False
    return pounds_for_space(cards, state, store) == 0


@jit
def best_paid(cards: Tables, state: State, player: Player, mask: np.ndarray, only_asked: bool) -> int:
    """The stage that pays most; only_asked: of the orders that the solo game's cards demand."""
    chosen, most = NONE, 0
    for order in range(ORDER_SLOTS):
        if mask[FULFIL + order] != 0 and (not only_asked or order_is_asked_for(state, order, order)):
            pay = pay_of(cards, player, order)
            if chosen == NONE or pay > most:
                chosen, most = FULFIL + order, pay
    return chosen


@jit
def order_to_skip(cards: Tables, player: Player) -> int:
    """The order whose next stage pays least, if another stage follows it; NONE without one."""
    chosen, least = NONE, 0
    for order in range(ORDER_SLOTS):
        if player.orders[order] == NONE or player.stage[order] + 1 >= cards.orders[player.orders[order]].num_stages:
            continue
        pay = pay_of(cards, player, order)
        if chosen == NONE or pay < least:
            chosen, least = order, pay
    return chosen


@jit
def best_rule(cards: Tables, state: State, player: Player, mask: np.ndarray) -> int:
    """MC-4: the store whose rule moves the marker furthest."""
    chosen, most = NONE, 0
    for store in range(NUM_STORES):
        if mask[SUPPLY + store] != 0:
            spaces = most_spaces(rule_of(cards, state, store), player)
            if chosen == NONE or spaces > most:
                chosen, most = SUPPLY + store, spaces
    return chosen


@jit
def shortest_track(player: Player, mask: np.ndarray) -> int:
    """EMP-14: the other store at which least has been done."""
    chosen, least = NONE, 0
    for store in range(NUM_STORES):
        if mask[SUPPLY + store] != 0 and (chosen == NONE or player.track[store] < least):
            chosen, least = SUPPLY + store, int(player.track[store])
    return FINISH_ORDERS if chosen == NONE else chosen


@jit
def clean_up(cards: Tables, state: State, player: Player, mask: np.ndarray, notes: Notes) -> int:
    if mask[FINISH_CLEANUP] != 0:
        return FINISH_CLEANUP
    for kind in range(NUM_KINDS):
        notes.expected[kind] = max(int(player.pieces[STORE_ROOM, kind]) - 1, 0)
    write_prices(cards, state, notes.expected, notes)
    return cheapest(mask, TRADE, notes.prices)


# --- what is under way


@jit
def go_on(cards: Tables, state: State, player: Player, mask: np.ndarray, notes: Notes) -> int:
    if first_legal(mask, PLACE_PART, PLACE_PART + NUM_SLOTS) != NONE:
        return best_slot(cards, state, mask, notes)
    write_prices(cards, state, notes.held, notes)
    if first_legal(mask, TILE, TILE + NUM_TILES) != NONE:
        return choose_tile(cards, state, player, mask, notes)
    note_prices_there(cards, state, player, notes)
    if first_legal(mask, OPTION, OPTION + MAX_OPTIONS) != NONE:
        return choose_option(cards, state, player, mask, notes)
    if first_legal(mask, TAKE, TAKE + NUM_KINDS) != NONE:
        return choose_take(cards, state, player, mask, notes)
    if first_legal(mask, MAKE, MAKE + NUM_KINDS) != NONE:
        return choose_make(cards, state, player, mask, notes)
    skipped = order_to_skip(cards, player) if has_effect(cards, player, Effect.SKIP_STAGE) else NONE
    if skipped != NONE and mask[FULFIL + skipped] != 0:
        return FULFIL + skipped
    return best_paid(cards, state, player, mask, False)


@jit
def note_prices_there(cards: Tables, state: State, player: Player, notes: Notes) -> None:
    """Note the prices on the tile in use; without one, in the store room."""
    task = state.task
    if task.tile == NONE:
        for kind in range(NUM_KINDS):
            notes.there[kind] = notes.prices[kind]
    else:
        write_left(cards, player.operated, int(task.slot), int(task.tile), notes.prices, notes, notes.there)


@jit
def choose_option(cards: Tables, state: State, player: Player, mask: np.ndarray, notes: Notes) -> int:
    slot, tile = int(state.task.slot), int(state.task.tile)
    part = cards.parts[player.factory[slot]]
    best, chosen = 0.0, NONE
    for number in range(MAX_OPTIONS):
        if mask[OPTION + number] == 0:
            continue
        if carries(part.options[number]):
            gain = best_carrying(cards, player, slot, tile, notes)[0]
        else:
            gain = option_gain(part.options[number], player.pieces[tile], notes.there)
        if chosen == NONE or gain > best:
            best, chosen = gain, OPTION + number
    return chosen


@jit
def choose_tile(cards: Tables, state: State, player: Player, mask: np.ndarray, notes: Notes) -> int:
    task, wished = state.task, NONE
    if task.kind == Task.MOVE_FROM:
        wished = tile_to_move_from(cards, state, player, notes)
    elif task.kind == Task.MOVE_TO and task.slot == NONE:
        wished = chute_tile(cards, player)
    else:
        best = 0.0
        for tile in range(NUM_TILES):
            if mask[TILE + tile] != 0:
                value = value_of_tile(cards, state, player, tile, notes)
                if wished == NONE or value > best:
                    best, wished = value, tile
    if wished != NONE and mask[TILE + wished] != 0:
        return TILE + wished
    return last_legal(mask, TILE, TILE + NUM_TILES)


@jit
def value_of_tile(cards: Tables, state: State, player: Player, tile: int, notes: Notes) -> float:
    task = state.task
    if task.kind == Task.OPERATE_TILE:
        gain = use_gain(cards.parts[player.factory[task.slot]], player.pieces[tile], notes.prices)
        return gain if tile == task.slot % NUM_TILES else gain - COAL
    if task.kind == Task.DECORATE_TILE:
        return best_upgrade(player.pieces[tile], notes.prices)
    if task.kind == Task.MOVE_TO:
        write_left(cards, player.operated, int(task.slot), tile, notes.prices, notes, notes.elsewhere)
        value = notes.elsewhere[task.last_take]
        return value - 1 if tile == task.tile else value
    return tile_value(player.pieces[tile], notes.prices)


@jit
def choose_make(cards: Tables, state: State, player: Player, mask: np.ndarray, notes: Notes) -> int:
    """Choose all products and name the first, since they must be named in the order of kinds."""
    if state.task.kind == Task.UPGRADE_MAKE:
        return dearest(mask, MAKE, notes.there)
    for kind in range(NUM_KINDS):
        notes.expected[kind] = notes.held[kind]
    first = NUM_ACTIONS
    for _ in range(state.task.left):
        write_prices(cards, state, notes.expected, notes)
        note_prices_there(cards, state, player, notes)
        made = dearest(mask, MAKE, notes.there)
        notes.expected[made - MAKE] += 1
        first = min(first, made)
    return first


@jit
def choose_take(cards: Tables, state: State, player: Player, mask: np.ndarray, notes: Notes) -> int:
    task, stops = state.task, mask[STOP] != 0
    if task.kind == Task.UPGRADE_TAKE:
        return upgrade_or_stop(mask, notes.there)
    if task.kind == Task.REPEAT_TAKE or task.kind == Task.LEAVE_OUT:
        return dearest(mask, TAKE, notes.there)
    if task.kind == Task.CONVERT_TAKE:
        if not is_carrying(cards, state, player):
            return cheapest(mask, TAKE, notes.there)
        kind = best_carrying(cards, player, int(task.slot), int(task.tile), notes)[1]
        return TAKE + kind if mask[TAKE + kind] != 0 else first_legal(mask, TAKE, TAKE + NUM_KINDS)
    if task.kind == Task.REACH_TAKE or task.kind == Task.MOVE_TAKE:
        needed = kinds_needed(cards, state, notes)
        for kind in range(NUM_KINDS):
            if mask[TAKE + kind] != 0 and accepts(needed, kind):
                return TAKE + kind
        return STOP if stops else cheapest(mask, TAKE, notes.there)
    if task.kind == Task.GIVE_STORE and rule_in_use(cards, state).pattern == Pattern.ONE_KIND:
        return dearest(mask, TAKE, player.pieces[STORE_ROOM])
    return first_legal(mask, TAKE, TAKE + NUM_KINDS)


@jit
def upgrade_or_stop(mask: np.ndarray, prices: np.ndarray) -> int:
    best, chosen = 0.0, NONE
    for kind in range(NUM_KINDS):
        if mask[TAKE + kind] != 0:
            gain = upgrade_gain(kind, prices)
            if chosen == NONE or gain >= best:
                best, chosen = gain, TAKE + kind
    return STOP if best <= 0 and mask[STOP] != 0 else chosen


@jit
def is_carrying(cards: Tables, state: State, player: Player) -> bool:
    """Whether the part in use is to carry a piece (MC-2)."""
    part = cards.parts[player.factory[state.task.slot]]
    for number in range(part.num_options):
        if carries(part.options[number]) and state.task.open[part.options[number].takes[0]] != 0:
            return True
    return False
