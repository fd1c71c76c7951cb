"""Rebuild a position from what a seat sees, so that a search uses only what the seat knows.

The observer becomes seat 0. A card is identified by what it does, so it may be replaced by another that does the same.
Face-down decks are blank. What an observation clips or omits is guessed: the converter's option and the chocolate order
under way are the first that fit. Bytes from no position are safe: numbers that the rules use as indices are clipped.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ....core.jit import jit
from ..constants import (
    DAILY_DEMANDS,
    DISPLAY,
    MAX_STAGES,
    NONE,
    NUM_DAYS,
    NUM_EFFECTS,
    NUM_KINDS,
    NUM_SIZES,
    NUM_SLOTS,
    NUM_STORES,
    NUM_SYMBOLS,
    NUM_TILES,
    ORDER_SLOTS,
    OWN_ORDERS,
    STORE_ROOM,
    TRACK_END,
    Phase,
    Task,
)
from ..layout import (
    BASE_TASKS,
    CHOCOLATE_ORDER_SIZE,
    EMPLOYEE_SIZE,
    NEW_RULE_SIZE,
    PART_SIZE,
    REFINED,
    RULE_SIZE,
    Tables,
    orders_shown,
)
from ..rules.pieces import accepts
from ..rules.solo import manager_card
from ..rules.stores import can_deliver_under
from ..state import Player, State, UnderWay

MOST_SHIFTS: Final = 4


@jit
def read_position(cards: Tables, seen: np.ndarray, state: State) -> None:
    """Write the position from a raw observation, `seen` (R,) uint8, into `state`, a blank state of the variant."""
    at = cards.at
    state.simultaneous = 0
    state.phase = one_of(seen[at.phase : at.phase + Phase.OVER])
    last = NUM_DAYS - (2 if state.phase == Phase.CLEANUP or state.phase == Phase.REPLACE else 1)  # END-1
    state.day = min(max(0, int(seen[at.day]) - 1), last)
    state.shift = min(seen[at.shift], MOST_SHIFTS)
    state.current = 0
    state.start_player = one_of(seen[at.start_player : at.start_player + state.num_players])
    state.turn = -state.start_player % state.num_players
    for seat in range(state.num_players):
        read_player(cards, seen, seat, state.players[seat])
        read_orders(cards, seen, seat, orders_shown(state.num_players), state.players[seat])
    state.marker_moves = state.num_players  # the highest rank of arrival, so the next marker to move ranks last
    for slot in range(NUM_SLOTS):
        state.players[0].operated[slot] = seen[at.operated + slot]
    state.players[0].assigned = one_of(seen[at.assigned : at.assigned + NUM_SLOTS])
    read_display(cards, seen, state)
    if state.num_players == 1:
        read_cards(cards, seen, state)
    if state.phase == Phase.DRAFT:
        drafted = int(seen[at.drafted]) + int(seen[at.drafted + 1])
        state.turn = drafted if state.num_players == 1 else 0
    elif state.num_players > 1 and (state.phase == Phase.CLEANUP or state.phase == Phase.REPLACE):
        state.turn = 0  # never the last seat's, so no foreseen move ends the day
    read_task(cards, seen, state.task, state)


@jit
def one_of(flags: np.ndarray) -> int:
    """The index of the flag that is set; NONE if none is."""
    for place in range(len(flags)):
        if flags[place] != 0:
            return place
    return NONE


@jit
def same(row: np.ndarray, seen: np.ndarray, first: int) -> bool:
    for entry in range(len(row)):
        if row[entry] != seen[first + entry]:
            return False
    return True


@jit
def row_of(rows: np.ndarray, count: int, seen: np.ndarray, first: int) -> int:
    """The number of the first row that equals `seen` from `first` on; NONE if none does."""
    for number in range(count):
        if same(rows[number], seen, first):
            return number
    return NONE


@jit
def part_seen(cards: Tables, seen: np.ndarray, first: int) -> int:
    """The part's number; NONE for no card (row 0), or if no row fits."""
    return max(0, row_of(cards.rows.parts, cards.num_parts + 1, seen, first)) - 1


@jit
def read_player(cards: Tables, seen: np.ndarray, seat: int, player: Player) -> None:
    at = cards.at
    player.coal, player.money = seen[at.coal + seat], seen[at.money + seat]
    if cards.expanded:
        player.earned_today = seen[at.earned_today + seat]
    for kind in range(NUM_KINDS):
        for tile in range(NUM_TILES):
            player.pieces[tile, kind] = seen[at.belts + (seat * NUM_TILES + tile) * NUM_KINDS + kind]
        player.pieces[STORE_ROOM, kind] = seen[at.store_rooms + seat * NUM_KINDS + kind]
    for slot in range(NUM_SLOTS):
        player.factory[slot] = part_seen(cards, seen, at.factories + (seat * NUM_SLOTS + slot) * PART_SIZE)
        player.operated[slot] = 0
    player.assigned = NONE
    player.part_drafted = seen[at.drafted + 2 * seat]
    employee = at.employees + seat * EMPLOYEE_SIZE
    player.employee = NONE
    if seen[at.drafted + 2 * seat + 1] != 0:
        player.employee = max(0, employee_of_player(cards, seen, employee))
    player.uses = seen[employee + EMPLOYEE_SIZE - 1]
    for store in range(NUM_STORES):
        player.track[store] = min(seen[at.tracks + seat * NUM_STORES + store], TRACK_END)
        player.arrival[store] = seen[at.arrivals + seat * NUM_STORES + store]
        player.supplied[store] = seen[at.supplied + seat * NUM_STORES + store]


@jit
def read_orders(cards: Tables, seen: np.ndarray, seat: int, orders: int, player: Player) -> None:
    at = cards.at
    player.to_replace = 0
    for order in range(ORDER_SLOTS):
        player.orders[order] = NONE
        if order < orders:
            place = seat * orders + order
            pieces, pay = at.orders + place * MAX_STAGES * REFINED, at.order_pay + place * MAX_STAGES
            player.orders[order] = order_seen(cards, seen, pieces, pay)
            player.stage[order] = 0
            if player.orders[order] != NONE:
                most = cards.orders[player.orders[order]].num_stages - 1
                player.stage[order] = min(seen[at.order_stage + place], most)
        if order < OWN_ORDERS and player.orders[order] == NONE:
            player.to_replace += 1
    for size in range(NUM_SIZES):
        player.completed[size] = seen[at.completed + seat * NUM_SIZES + size]


@jit
def order_seen(cards: Tables, seen: np.ndarray, pieces: int, pay: int) -> int:
    if seen[pay] == 0:
        return NONE
    for number in range(cards.num_orders):
        row = cards.rows.orders[number + 1]
        if same(row.pay, seen, pay) and same(row.pieces, seen, pieces):
            return number
    return NONE


@jit
def read_display(cards: Tables, seen: np.ndarray, state: State) -> None:
    """Read the display, the stores' sides, and the orders on offer."""
    at, rows, new_rules = cards.at, cards.rows, cards.rare_rows.new_rules
    for place in range(DISPLAY):
        state.display_parts[place] = part_seen(cards, seen, at.display_parts + place * PART_SIZE)
        state.part_packets[place] = int(seen[at.part_packets + place]) - 1
    for store in range(NUM_STORES):
        first = at.display_employees + store * NUM_EFFECTS
        state.employee_packets[store] = int(seen[at.employee_packets + store]) - 1
        if state.employee_packets[store] != NONE:
            state.display_employees[store] = employee_seen(cards, seen, first, store)
        for side in range(cards.num_sides):
            new = not cards.expanded or same(new_rules[side, store], seen, at.new_rules + store * NEW_RULE_SIZE)
            if new and same(rows.rules[side, store], seen, at.store_rules + store * RULE_SIZE):
                state.sides[store] = side
                break
    if cards.expanded and seen[at.extra_packet] != 0:
        state.employee_packets[NUM_STORES] = int(seen[at.extra_packet]) - 1
        state.display_employees[NUM_STORES] = employee_seen(cards, seen, at.extra_employee, NONE)
    for size in range(NUM_SIZES):
        state.order_decks[size].count = seen[at.order_decks + size]
    first, pay = int(at.offer), int(at.offer_pay)
    for size in range(NUM_SIZES):
        for number in range(cards.num_orders):
            if cards.orders[number].deck == size and is_offered(cards, number, seen, first, pay):
                state.offer[size] = number
                break
        first += (size + 1) * REFINED
        pay += size + 1


@jit
def employee_seen(cards: Tables, seen: np.ndarray, first: int, store: int) -> int:
    for number in range(cards.num_employees):
        if cards.employees[number].store == store and has_effect_seen(cards, number, seen, first):
            return number
    return NONE


@jit
def employee_of_player(cards: Tables, seen: np.ndarray, first: int) -> int:
    store = one_of(seen[first + NUM_EFFECTS : first + NUM_EFFECTS + NUM_STORES])
    return employee_seen(cards, seen, first, store)


@jit
def has_effect_seen(cards: Tables, number: int, seen: np.ndarray, first: int) -> bool:
    employee = cards.employees[number]
    for effect in range(NUM_EFFECTS):
        amount = max(employee.amount, employee.uses) if effect == employee.effect else 0
        if seen[first + effect] != amount:
            return False
    return True


@jit
def is_offered(cards: Tables, number: int, seen: np.ndarray, first: int, pay: int) -> bool:
    stages = int(cards.orders[number].deck) + 1
    row = cards.rows.orders[number + 1]
    return same(row.pay[:stages], seen, pay) and same(row.pieces[: stages * REFINED], seen, first)


@jit
def read_cards(cards: Tables, seen: np.ndarray, state: State) -> None:
    """Read the total requirements (SOLO-8), and each card's open boxes and chocolate order."""
    at, needed = cards.at, state.needed
    needed.money = seen[at.money_needed]
    if at.only_completed != 0:  # the layout has these blocks
        state.only_completed = seen[at.only_completed] != 0
        for order in range(ORDER_SLOTS):
            state.paid[order] = seen[at.order_paid + order]
    for size in range(NUM_SIZES + 1):
        needed.orders[size] = seen[at.orders_needed + size]
    for store in range(NUM_STORES):
        needed.steps[store] = seen[at.steps_needed + store]
    state.num_demands = 1 + state.difficulty + DAILY_DEMANDS
    state.face_up = min(1 + state.difficulty + state.day + 1, state.num_demands)
    for card in range(1 + state.num_demands):
        order = at.chocolate_orders + card * CHOCOLATE_ORDER_SIZE
        state.delivered[card] = seen[order + CHOCOLATE_ORDER_SIZE - 1]
        boxes = at.open_boxes + 2 * card
        if card == 0:
            state.target = card_seen(cards.rare_rows.targets, cards.num_targets, seen, boxes, order)
        else:
            state.demands[card - 1] = card_seen(cards.rare_rows.demands, cards.num_demands, seen, boxes, order)
    special = 0
    for size in range(NUM_SIZES):
        special += cards.targets[state.target].special[size]
    for order in range(OWN_ORDERS, ORDER_SLOTS):
        special -= state.players[0].orders[order] != NONE
    state.players[0].special_completed = special


@jit
def card_seen(rows: np.ndarray, count: int, seen: np.ndarray, boxes: int, order: int) -> int:
    for number in range(count):
        if same(rows[number, :2], seen, boxes) and same(rows[number, 2:], seen, order):
            return number
    return 0


@jit
def read_task(cards: Tables, seen: np.ndarray, task: UnderWay, state: State) -> None:
    at = cards.at
    task.kind = 1 + one_of(seen[at.task : at.task + BASE_TASKS])
    if cards.expanded and seen[at.task_borrow] != 0:
        task.kind = Task.BORROW
    if task.kind == Task.NOTHING:
        return
    task.slot = one_of(seen[at.task_slot : at.task_slot + NUM_SLOTS])
    task.tile = one_of(seen[at.task_tile : at.task_tile + NUM_TILES])
    task.order = one_of(seen[at.task_order : at.task_order + ORDER_SLOTS])
    task.store = one_of(seen[at.task_store : at.task_store + NUM_STORES])
    task.rule_of = task.store
    if cards.expanded:
        task.rule_of = one_of(seen[at.task_rule_of : at.task_rule_of + NUM_STORES])
    task.points, task.left = seen[at.task_points], seen[at.task_left]
    task.last_take = min(int(seen[at.task_last]), NUM_KINDS) - 1
    task.last_make = min(int(seen[at.task_last + 1]), NUM_KINDS) - 1
    for symbol in range(NUM_SYMBOLS):
        task.open[symbol] = seen[at.task_open + symbol]
    for kind in range(NUM_KINDS):
        task.given[kind] = seen[at.task_given + kind]
        task.count += task.given[kind]
    if task.kind == Task.PLACE_PART:
        task.card = max(0, part_seen(cards, seen, at.task_part))
    elif task.kind == Task.CONVERT_TAKE or task.kind == Task.CONVERT_MAKE:
        task.option = option_under_way(cards, task, state.players[0])
    elif task.kind == Task.UPGRADE_TAKE or task.kind == Task.UPGRADE_MAKE:
        if task.slot != NONE:
            task.count = cards.parts[state.players[0].factory[task.slot]].amount - task.points
    elif task.kind == Task.REACH_TAKE:
        task.count = task.last_take != NONE
    elif task.kind == Task.GIVE_CARD:
        task.card = card_under_way(cards, task, state)


@jit
def option_under_way(cards: Tables, task: UnderWay, player: Player) -> int:
    """The first option whose symbols include the open ones."""
    part = cards.parts[player.factory[task.slot]]
    for number in range(part.num_options):
        option = part.options[number]
        if task.kind == Task.CONVERT_TAKE and includes(option.takes, option.num_takes, task):
            return number
        if task.kind == Task.CONVERT_MAKE and includes(option.makes, option.num_makes, task):
            return number
    return 0


@jit
def includes(symbols: np.ndarray, count: int, task: UnderWay) -> bool:
    """Whether the first `count` symbols include the open ones."""
    for symbol in range(NUM_SYMBOLS):
        left = int(task.open[symbol])
        for place in range(count):
            left -= symbols[place] == symbol
        if left > 0:
            return False
    return True


@jit
def card_under_way(cards: Tables, task: UnderWay, state: State) -> int:
    """The first chocolate order that fits the pieces given."""
    for card in range(1 + state.face_up):
        rule = manager_card(cards, state, card).order
        takes = rule.number > task.count and state.delivered[card] == 0
        for kind in range(NUM_KINDS):
            takes = takes and (task.given[kind] == 0 or accepts(rule.kinds, kind))
        if takes and can_deliver_under(rule, task, state.players[0]):
            return card
    return 0
