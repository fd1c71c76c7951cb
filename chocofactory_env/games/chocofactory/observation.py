"""Observations: the kernel that writes them. Secrets are hidden only here. `layout` declares their blocks.

Observations are egocentric: players are listed clockwise from the observer. Parts, employees, orders, and rules are
written by what they do, not by card number. Face-down cards and the generator are never read.
"""

from __future__ import annotations

import numpy as np

from ...core.jit import jit
from ...core.observation.buffers import clear, copy_row, mark, seat_in_view, write_one_hot
from .constants import (
    DISPLAY,
    EXPANSION_DECK,
    MOST_COAL,
    MOST_MONEY,
    MOST_PIECES,
    NONE,
    NUM_EFFECTS,
    NUM_KINDS,
    NUM_SIZES,
    NUM_SLOTS,
    NUM_STORES,
    NUM_TILES,
    ORDER_SLOTS,
    STORE_ROOM,
    Phase,
    Task,
)
from .layout import BASE_TASKS, CHOCOLATE_ORDER_SIZE, REFINED, Tables, orders_shown
from .rules import solo, together
from .state import Player, State


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
    clear(out, at.task, int(at.display_parts) - int(at.task))  # all of `task_blocks`
    if task.kind == Task.NOTHING:
        return
    if task.kind <= BASE_TASKS:
        out[at.task + int(task.kind) - 1] = 1
    if task.kind == Task.PLACE_PART:
        write_part(cards, task.card, out, at.task_part)
    mark(task.slot, out, at.task_slot)
    mark(task.tile, out, at.task_tile)
    mark(task.order, out, at.task_order)
    mark(task.store, out, at.task_store)
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
