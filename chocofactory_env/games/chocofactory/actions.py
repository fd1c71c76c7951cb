"""The flat action space: the only place that knows its numbers. What is legal and what it does is in `rules/`."""

from __future__ import annotations

from typing import Final

import numpy as np

from ...core.jit import jit
from ...core.layout import ActionLayout
from .constants import (
    DISPLAY,
    EMPLOYEE_DECKS,
    MANAGER_CARDS,
    MAX_OPTIONS,
    NONE,
    NUM_KINDS,
    NUM_SIZES,
    NUM_SLOTS,
    NUM_STORES,
    NUM_TILES,
    ORDER_SLOTS,
    UPGRADABLE_KINDS,
    Phase,
    Task,
)
from .rules import cleanup, draft, employees, flow, orders, parts, run, solo, stores
from .rules.pieces import Record, number_of
from .rules.under_way import nothing_under_way

ACTIONS: Final = ActionLayout(
    [
        ("draft_part", DISPLAY),
        ("draft_employee", EMPLOYEE_DECKS),
        ("place_part", NUM_SLOTS),
        ("operate", NUM_SLOTS),
        ("assign", NUM_SLOTS),
        ("option", MAX_OPTIONS),
        ("take", NUM_KINDS),
        ("make", NUM_KINDS),
        ("tile", NUM_TILES),
        ("chute", NUM_KINDS),
        ("trade", NUM_KINDS),
        ("use_employee", 1),
        ("fulfil", ORDER_SLOTS),
        ("deliver", MANAGER_CARDS),
        ("supply", NUM_STORES),
        ("choose_order", NUM_SIZES),
        ("stop", 1),
        ("end_shift", 1),
        ("finish_orders", 1),
        ("finish_cleanup", 1),
    ]
)
# Of each verb its first flat number.
(
    DRAFT_PART,
    DRAFT_EMPLOYEE,
    PLACE_PART,
    OPERATE,
    ASSIGN,
    OPTION,
    TAKE,
    MAKE,
    TILE,
    CHUTE,
    TRADE,
    USE_EMPLOYEE,
    FULFIL,
    DELIVER,
    SUPPLY,
    CHOOSE_ORDER,
    STOP,
    END_SHIFT,
    FINISH_ORDERS,
    FINISH_CLEANUP,
) = ACTIONS.first.values()
NUM_ACTIONS: Final = ACTIONS.size


# --- what is legal


@jit
def write_legal_mask(cards: Record, state: Record, mask: np.ndarray) -> None:
    """Write 1 for every legal action of the player to move into `mask`, (NUM_ACTIONS,) int8, and 0 elsewhere."""
    mask[:] = 0
    if state.task.kind != Task.NOTHING:
        offer_task(cards, state, mask)
    elif state.phase == Phase.DRAFT:
        offer_draft(state, mask)
    elif state.phase == Phase.RUN:
        offer_operate_step(cards, state, mask)
    elif state.phase == Phase.FULFIL:
        offer_orders(cards, state, mask)
    elif state.phase == Phase.AGENTS:
        offer_agent(cards, state, mask)
    elif state.phase == Phase.CLEANUP:
        offer_cleanup(cards, state, mask)
    elif state.phase == Phase.REPLACE:
        for size in range(NUM_SIZES):
            mask[CHOOSE_ORDER + size] = state.offer[size] != NONE


@jit
def offer_draft(state: Record, mask: np.ndarray) -> None:
    for place in range(DISPLAY):
        mask[DRAFT_PART + place] = draft.can_draft_part(state, place)
    for store in range(EMPLOYEE_DECKS):
        mask[DRAFT_EMPLOYEE + store] = draft.can_draft_employee(state, store)


@jit
def offer_operate_step(cards: Record, state: Record, mask: np.ndarray) -> None:
    player = state.players[state.current]
    for slot in range(NUM_SLOTS):
        mask[OPERATE + slot] = parts.can_operate(cards, player, slot)
    if player.uses > 0:
        for slot in range(NUM_SLOTS):
            mask[ASSIGN + slot] = employees.can_assign(cards, player, slot)
        mask[USE_EMPLOYEE] = employees.can_use_employee(cards, state, player)
    tile = run.chute_tile(cards, player)
    for kind in range(NUM_KINDS):
        mask[CHUTE + kind] = tile != NONE and player.pieces[tile, kind] > 0
        mask[TRADE + kind] = run.can_trade(player, kind)
    mask[STOP] = run.may_stop_running(cards, state, player)
    mask[END_SHIFT] = 1


@jit
def offer_orders(cards: Record, state: Record, mask: np.ndarray) -> None:
    player = state.players[state.current]
    for order in range(ORDER_SLOTS):
        mask[FULFIL + order] = orders.can_fulfil(cards, player, order)
    if state.num_players == 1:
        for card in range(MANAGER_CARDS):
            mask[DELIVER + card] = solo.can_deliver(cards, state, card)
    mask[USE_EMPLOYEE] = employees.can_use_employee(cards, state, player)
    offer_stores(cards, state, mask)
    mask[FINISH_ORDERS] = 1


@jit
def offer_stores(cards: Record, state: Record, mask: np.ndarray) -> None:
    for store in range(NUM_STORES):
        mask[SUPPLY + store] = stores.can_supply(cards, state, state.players[state.current], store)


@jit
def offer_agent(cards: Record, state: Record, mask: np.ndarray) -> None:
    offer_stores(cards, state, mask)
    mask[FINISH_ORDERS] = 1


@jit
def offer_cleanup(cards: Record, state: Record, mask: np.ndarray) -> None:
    player = state.players[state.current]
    for kind in range(NUM_KINDS):
        mask[TRADE + kind] = run.can_trade(player, kind)
    mask[FINISH_CLEANUP] = cleanup.can_finish_cleanup(cards, state, player)


@jit
def offer_task(cards: Record, state: Record, mask: np.ndarray) -> None:
    """The choices that continue what is under way."""
    task = state.task
    player = state.players[state.current]
    if task.kind == Task.PLACE_PART:
        mask[PLACE_PART : PLACE_PART + NUM_SLOTS] = 1
    elif task.kind == Task.OPTION:
        for option in range(MAX_OPTIONS):
            mask[OPTION + option] = parts.can_choose_option(cards, state, player, option)
    elif task.kind == Task.EMPLOYEE_ORDER:
        for order in range(ORDER_SLOTS):
            mask[FULFIL + order] = employees.can_choose_order(cards, player, order)
    elif task.kind == Task.CONVERT_MAKE or task.kind == Task.UPGRADE_MAKE:
        for kind in range(NUM_KINDS):
            mask[MAKE + kind] = can_make(state, kind)
    elif task.kind == Task.BORROW:
        for other in range(NUM_STORES):
            mask[SUPPLY + other] = stores.can_borrow(cards, state, player, task.store, other)
    elif is_tile_choice(task.kind):
        for tile in range(NUM_TILES):
            mask[TILE + tile] = can_choose_tile(cards, state, player, tile)
    else:
        for kind in range(NUM_KINDS):
            mask[TAKE + kind] = can_take(cards, state, player, kind)
        mask[STOP] = can_stop(cards, state)


@jit
def is_tile_choice(task: int) -> bool:
    return (
        task == Task.OPERATE_TILE
        or task == Task.REACH_TILE
        or task == Task.MOVE_FROM
        or task == Task.MOVE_TO
        or task == Task.DECORATE_TILE
        or task == Task.DOUBLE_TILE
    )


@jit
def can_choose_tile(cards: Record, state: Record, player: Record, tile: int) -> bool:
    task = state.task
    if task.kind == Task.OPERATE_TILE or task.kind == Task.REACH_TILE:
        return parts.can_work_on(cards, player, task.slot, tile)
    if task.kind == Task.MOVE_TO:
        return tile != task.tile
    if task.kind == Task.DECORATE_TILE:
        return number_of(player, tile, UPGRADABLE_KINDS) > 0
    return not run.is_empty(player, tile)


@jit
def can_take(cards: Record, state: Record, player: Record, kind: int) -> bool:
    task = state.task
    if task.kind == Task.CONVERT_TAKE:
        return parts.can_take(state, player, kind)
    if task.kind == Task.UPGRADE_TAKE:
        return parts.can_take_to_upgrade(state, player, kind)
    if task.kind == Task.REPEAT_TAKE or task.kind == Task.MOVE_TAKE:
        return player.pieces[task.tile, kind] > 0
    if task.kind == Task.REACH_TAKE:
        return parts.can_take_by_chute(state, player, kind)
    if task.kind == Task.LEAVE_OUT:
        return employees.can_leave_out(player, orders.current_stage(cards, player, task.order), kind)
    if task.kind == Task.GIVE_STAGE:
        return orders.can_give_for_stage(state, player, kind)
    if task.kind == Task.GIVE_STORE:
        return stores.can_give_to_store(cards, state, player, kind)
    return solo.can_give_for_card(cards, state, player, kind)


@jit
def can_make(state: Record, kind: int) -> bool:
    if state.task.kind == Task.CONVERT_MAKE:
        return parts.can_make(state, kind)
    return parts.can_upgrade_into(state, kind)


@jit
def can_stop(cards: Record, state: Record) -> bool:
    task = state.task
    if task.kind == Task.UPGRADE_TAKE or task.kind == Task.REACH_TAKE:
        return task.count > 0
    return task.kind == Task.GIVE_STORE and stores.can_finish_delivery(cards, state)


# --- what an action does


@jit
def apply(cards: Record, state: Record, action: int) -> None:
    """Carry out one action that is known to be legal."""
    player = state.players[state.current]
    if action < DRAFT_EMPLOYEE:
        draft.draft_part(state, action - DRAFT_PART)
    elif action < PLACE_PART:
        draft.draft_employee(cards, state, action - DRAFT_EMPLOYEE)
        flow.end_draft_turn(cards, state)
    elif action < OPERATE:
        draft.place_part(state, action - PLACE_PART)
        flow.end_draft_turn(cards, state)
    elif action < ASSIGN:
        parts.operate(cards, state, player, action - OPERATE)
    elif action < OPTION:
        employees.assign(player, action - ASSIGN)
    elif action < TAKE:
        parts.choose_option(cards, state, player, action - OPTION)
    elif action < MAKE:
        take(cards, state, player, action - TAKE)
    elif action < TILE:
        make(state, player, action - MAKE)
    elif action < CHUTE:
        choose_tile(cards, state, player, action - TILE)
    elif action < TRADE:
        run.to_store_room(player, run.chute_tile(cards, player), action - CHUTE)
    elif action < USE_EMPLOYEE:
        run.trade(player, action - TRADE)
    elif action < FULFIL:
        employees.use_employee(cards, state, player)
    elif action < DELIVER:
        fulfil(cards, state, player, action - FULFIL)
    elif action < SUPPLY:
        solo.deliver(state, action - DELIVER)
    elif action < CHOOSE_ORDER:
        supply(cards, state, player, action - SUPPLY)
    elif action < STOP:
        cleanup.choose_order(state, player, action - CHOOSE_ORDER)
        flow.replace_next_order(cards, state)
    elif action < END_SHIFT:
        stop(cards, state, player)
    elif action < FINISH_ORDERS:
        flow.end_shift(cards, state)
    elif action < FINISH_CLEANUP:
        flow.next_seat(cards, state)
    else:
        flow.replace_next_order(cards, state)


@jit
def fulfil(cards: Record, state: Record, player: Record, order: int) -> None:
    if state.task.kind == Task.EMPLOYEE_ORDER:
        orders.begin_employee_stage(cards, state, player, order)
    else:
        orders.fulfil(cards, player, order)


@jit
def choose_tile(cards: Record, state: Record, player: Record, tile: int) -> None:
    task = state.task
    if task.kind == Task.OPERATE_TILE or task.kind == Task.REACH_TILE:
        parts.work_on(cards, state, player, tile)
    elif task.kind == Task.MOVE_TO:
        employees.move_piece(state, player, tile)
    elif task.kind == Task.DOUBLE_TILE:
        employees.double_tile(state, player, tile)
    else:
        task.tile = tile
        task.kind = Task.MOVE_TAKE if task.kind == Task.MOVE_FROM else Task.UPGRADE_TAKE


@jit
def take(cards: Record, state: Record, player: Record, kind: int) -> None:
    task = state.task
    if task.kind == Task.CONVERT_TAKE:
        parts.take(cards, state, player, kind)
    elif task.kind == Task.UPGRADE_TAKE:
        parts.take_to_upgrade(state, player, kind)
    elif task.kind == Task.REPEAT_TAKE:
        parts.repeat(cards, state, player, kind)
    elif task.kind == Task.REACH_TAKE:
        parts.take_by_chute(state, player, kind)
    elif task.kind == Task.MOVE_TAKE:
        employees.take_to_move(state, player, kind)
    elif task.kind == Task.LEAVE_OUT:
        orders.leave_out(cards, state, player, kind)
    elif task.kind == Task.GIVE_STAGE:
        orders.give_for_stage(cards, state, player, kind)
    elif task.kind == Task.GIVE_STORE:
        stores.give_to_store(cards, state, player, kind)
        end_agents_turn(cards, state)
    else:
        solo.give_for_card(cards, state, player, kind)


@jit
def make(state: Record, player: Record, kind: int) -> None:
    if state.task.kind == Task.CONVERT_MAKE:
        parts.make(state, player, kind)
    else:
        parts.upgrade_into(state, player, kind)


@jit
def supply(cards: Record, state: Record, player: Record, store: int) -> None:
    """The store to be supplied or, once that is said, the one whose rule it borrows (MC-4)."""
    if state.task.kind == Task.BORROW:
        stores.begin_delivery(cards, state, player, store)
    else:
        stores.supply(cards, state, player, store)
    end_agents_turn(cards, state)


@jit
def stop(cards: Record, state: Record, player: Record) -> None:
    if state.task.kind == Task.NOTHING:
        flow.end_run(cards, state)
    elif state.task.kind == Task.GIVE_STORE:
        stores.finish_delivery(cards, state, player)
        end_agents_turn(cards, state)
    else:
        nothing_under_way(state)


@jit
def end_agents_turn(cards: Record, state: Record) -> None:
    """EMP-14: one delivery; it ends the Department Store Agent's turn in Cleanup."""
    if state.phase == Phase.AGENTS and state.task.kind == Task.NOTHING:
        flow.next_seat(cards, state)


# --- a step


@jit
def advance(cards: Record, state: Record, action: int, mask: np.ndarray) -> int:
    """Carry out an action, play the single answers inside a composite move, write the mask of the next decision.

    Returns the next player, NONE when the game is over.
    """
    apply(cards, state, action)
    write_legal_mask(cards, state, mask)
    while state.play_forced != 0 and state.task.kind != Task.NOTHING:
        forced = only_legal(mask)
        if forced == NONE:
            break
        apply(cards, state, forced)
        write_legal_mask(cards, state, mask)
    return state.current


@jit
def only_legal(mask: np.ndarray) -> int:
    """The one legal action; NONE if there are several."""
    legal = 0
    numbers = 0
    for action in range(NUM_ACTIONS):  # no early end: so the whole mask takes a few vector instructions
        legal += int(mask[action])
        numbers += action & -int(mask[action])
    return numbers if legal == 1 else NONE
