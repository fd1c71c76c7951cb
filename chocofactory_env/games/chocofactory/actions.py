"""The flat action space; no other module knows its numbers. `rules/` decides what is legal and what it does."""

from __future__ import annotations

from typing import Final

import numpy as np

from ...core.jit import jit
from ...core.observation.buffers import SEVERAL, only_legal
from ...core.observation.layout import ActionLayout
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
from .layout import Tables
from .rules import cleanup, draft, employees, flow, orders, parts, run, solo, stores, together
from .rules.pieces import number_of
from .rules.under_way import nothing_under_way
from .state import Player, State

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
# The first flat number of each verb.
DRAFT_PART: Final = ACTIONS.first["draft_part"]
DRAFT_EMPLOYEE: Final = ACTIONS.first["draft_employee"]
PLACE_PART: Final = ACTIONS.first["place_part"]
OPERATE: Final = ACTIONS.first["operate"]
ASSIGN: Final = ACTIONS.first["assign"]
OPTION: Final = ACTIONS.first["option"]
TAKE: Final = ACTIONS.first["take"]
MAKE: Final = ACTIONS.first["make"]
TILE: Final = ACTIONS.first["tile"]
CHUTE: Final = ACTIONS.first["chute"]
TRADE: Final = ACTIONS.first["trade"]
USE_EMPLOYEE: Final = ACTIONS.first["use_employee"]
FULFIL: Final = ACTIONS.first["fulfil"]
DELIVER: Final = ACTIONS.first["deliver"]
SUPPLY: Final = ACTIONS.first["supply"]
CHOOSE_ORDER: Final = ACTIONS.first["choose_order"]
STOP: Final = ACTIONS.first["stop"]
END_SHIFT: Final = ACTIONS.first["end_shift"]
FINISH_ORDERS: Final = ACTIONS.first["finish_orders"]
FINISH_CLEANUP: Final = ACTIONS.first["finish_cleanup"]
NUM_ACTIONS: Final = ACTIONS.size
# Flat number -> the first number of its verb, so that no code depends on the order of declarations.
VERB_OF: Final = np.array([ACTIONS.first[ACTIONS.decode(action)[0]] for action in range(NUM_ACTIONS)], np.int8)


# --- what is legal


@jit
def write_legal_mask(cards: Tables, state: State, mask: np.ndarray) -> None:
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
def offer_draft(state: State, mask: np.ndarray) -> None:
    for place in range(DISPLAY):
        mask[DRAFT_PART + place] = draft.can_draft_part(state, place)
    for store in range(EMPLOYEE_DECKS):
        mask[DRAFT_EMPLOYEE + store] = draft.can_draft_employee(state, store)


@jit
def offer_operate_step(cards: Tables, state: State, mask: np.ndarray) -> None:
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
def offer_orders(cards: Tables, state: State, mask: np.ndarray) -> None:
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
def offer_stores(cards: Tables, state: State, mask: np.ndarray) -> None:
    for store in range(NUM_STORES):
        mask[SUPPLY + store] = stores.can_supply(cards, state, state.players[state.current], store)


@jit
def offer_agent(cards: Tables, state: State, mask: np.ndarray) -> None:
    offer_stores(cards, state, mask)
    mask[FINISH_ORDERS] = 1


@jit
def offer_cleanup(cards: Tables, state: State, mask: np.ndarray) -> None:
    player = state.players[state.current]
    for kind in range(NUM_KINDS):
        mask[TRADE + kind] = run.can_trade(player, kind)
    mask[FINISH_CLEANUP] = cleanup.can_finish_cleanup(cards, state, player)


@jit
def offer_task(cards: Tables, state: State, mask: np.ndarray) -> None:
    """Offer the choices that continue the task under way."""
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
def can_choose_tile(cards: Tables, state: State, player: Player, tile: int) -> bool:
    task = state.task
    if task.kind == Task.OPERATE_TILE or task.kind == Task.REACH_TILE:
        return parts.can_work_on(cards, player, task.slot, tile)
    if task.kind == Task.MOVE_TO:
        return tile != task.tile
    if task.kind == Task.DECORATE_TILE:
        return number_of(player, tile, UPGRADABLE_KINDS) > 0
    return not run.is_empty(player, tile)


@jit
def can_take(cards: Tables, state: State, player: Player, kind: int) -> bool:
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
def can_make(state: State, kind: int) -> bool:
    if state.task.kind == Task.CONVERT_MAKE:
        return parts.can_make(state, kind)
    return parts.can_upgrade_into(state, kind)


@jit
def can_stop(cards: Tables, state: State) -> bool:
    task = state.task
    if task.kind == Task.UPGRADE_TAKE or task.kind == Task.REACH_TAKE:
        return task.count > 0
    return task.kind == Task.GIVE_STORE and stores.can_finish_delivery(cards, state)


# --- what an action does


@jit
def apply(cards: Tables, state: State, action: int) -> None:
    """Carry out one action that is known to be legal."""
    player = state.players[state.current]
    verb = VERB_OF[action]
    argument = action - verb
    if verb == DRAFT_PART:
        draft.draft_part(state, argument)
    elif verb == DRAFT_EMPLOYEE:
        draft.draft_employee(cards, state, argument)
        flow.end_draft_turn(cards, state)
    elif verb == PLACE_PART:
        draft.place_part(state, argument)
        flow.end_draft_turn(cards, state)
    elif verb == OPERATE:
        parts.operate(cards, state, player, argument)
    elif verb == ASSIGN:
        employees.assign(player, argument)
    elif verb == OPTION:
        parts.choose_option(cards, state, player, argument)
    elif verb == TAKE:
        take(cards, state, player, argument)
    elif verb == MAKE:
        make(state, player, argument)
    elif verb == TILE:
        choose_tile(cards, state, player, argument)
    elif verb == CHUTE:
        run.to_store_room(player, run.chute_tile(cards, player), argument)
    elif verb == TRADE:
        run.trade(player, argument)
    elif verb == USE_EMPLOYEE:
        employees.use_employee(cards, state, player)
    elif verb == FULFIL:
        fulfil(cards, state, player, argument)
    elif verb == DELIVER:
        solo.deliver(state, argument)
    elif verb == SUPPLY:
        supply(cards, state, player, argument)
    elif verb == CHOOSE_ORDER:
        cleanup.choose_order(state, player, argument)
        flow.replace_next_order(cards, state)
    elif verb == STOP:
        stop(cards, state, player)
    elif verb == END_SHIFT:
        flow.end_shift(cards, state)
    elif verb == FINISH_ORDERS:
        flow.next_seat(cards, state)
    elif verb == FINISH_CLEANUP:
        flow.replace_next_order(cards, state)


@jit
def fulfil(cards: Tables, state: State, player: Player, order: int) -> None:
    if state.task.kind == Task.EMPLOYEE_ORDER:
        orders.begin_employee_stage(cards, state, player, order)
    else:
        orders.fulfil(cards, state, player, order)


@jit
def choose_tile(cards: Tables, state: State, player: Player, tile: int) -> None:
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
def take(cards: Tables, state: State, player: Player, kind: int) -> None:
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
def make(state: State, player: Player, kind: int) -> None:
    if state.task.kind == Task.CONVERT_MAKE:
        parts.make(state, player, kind)
    else:
        parts.upgrade_into(state, player, kind)


@jit
def supply(cards: Tables, state: State, player: Player, store: int) -> None:
    """Choose the store to supply or, after that, the store whose rule is borrowed (MC-4)."""
    if state.task.kind == Task.BORROW:
        stores.begin_delivery(cards, state, player, store)
    else:
        stores.supply(cards, state, player, store)
    end_agents_turn(cards, state)


@jit
def stop(cards: Tables, state: State, player: Player) -> None:
    if state.task.kind == Task.NOTHING:
        flow.end_run(cards, state)
    elif state.task.kind == Task.GIVE_STORE:
        stores.finish_delivery(cards, state, player)
        end_agents_turn(cards, state)
    else:
        nothing_under_way(state)


@jit
def end_agents_turn(cards: Tables, state: State) -> None:
    """EMP-14: one delivery ends the Department Store Agent's turn in Cleanup."""
    if state.phase == Phase.AGENTS and state.task.kind == Task.NOTHING:
        flow.next_seat(cards, state)


# --- a step


@jit
def advance(cards: Tables, state: State, action: int, mask: np.ndarray) -> int:
    """Carry out an action, play forced choices inside a composite move, and write the mask of the next decision.

    Returns the next player, or NONE when the game is over.
    """
    if state.simultaneous != 0:
        return advance_together(cards, state, action, mask)
    carry_out(cards, state, action, mask)
    if state.task.kind == Task.NOTHING:
        write_legal_mask(cards, state, mask)
    return state.current


@jit
def carry_out(cards: Tables, state: State, action: int, mask: np.ndarray) -> None:
    """Carry out an action, and play forced choices inside a composite move.

    Writes the mask of a choice inside the move. When the move is over there is none to write yet: a search drops most
    positions without looking at their moves.
    """
    apply(cards, state, action)
    while state.task.kind != Task.NOTHING:
        write_legal_mask(cards, state, mask)
        forced = only_legal(mask) if state.play_forced != 0 else SEVERAL
        if forced == SEVERAL:
            return
        apply(cards, state, forced)


@jit
def advance_together(cards: Tables, state: State, action: int, mask: np.ndarray) -> int:
    """SIM-2: like `advance`; if all seats act at once, it then asks the next seat."""
    seat, phase = state.current, state.phase
    apply(cards, state, action)
    while state.play_forced != 0 and state.task.kind != Task.NOTHING and state.current == seat:
        write_legal_mask(cards, state, mask)
        forced = only_legal(mask)
        if forced == SEVERAL:
            break
        apply(cards, state, forced)
    if state.current == seat and state.phase == phase and together.all_act(state):
        together.ask_next(state)
    write_legal_mask(cards, state, mask)
    return state.current
