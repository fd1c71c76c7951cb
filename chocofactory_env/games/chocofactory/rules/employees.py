"""Employees: what today's employee adds to the rules.

Most effects are numbers that the other chapters look up. Effects that are actions begin here.
"""

from ....core.jit import jit
from ..cards import Stage
from ..constants import (
    ANY_KINDS,
    NONE,
    NUM_KINDS,
    ORDER_SLOTS,
    REFINED_KINDS,
    STORE_ROOM,
    UPGRADABLE_KINDS,
    Effect,
    Phase,
    Task,
)
from ..layout import Tables
from ..state import Player, State
from .pieces import number_of, on_belt
from .under_way import nothing_under_way


@jit
def has_effect(cards: Tables, player: Player, effect: int) -> bool:
    """Whether the player's employee today has this effect (DRAFT-5)."""
    return player.employee != NONE and cards.employees[player.employee].effect == effect


@jit
def amount_of(cards: Tables, player: Player, effect: int) -> int:
    """The `amount` of this effect today; 0 without it."""
    if has_effect(cards, player, effect):
        return cards.employees[player.employee].amount
    return 0


@jit
def can_assign(cards: Tables, player: Player, slot: int) -> bool:
    """EMP-7, EMP-16, EMP-17: once a day, a Mechanic to a part that costs coal, or a Technician to any part."""
    part = player.factory[slot]
    if part == NONE or player.uses == 0:
        return False
    if has_effect(cards, player, Effect.HALF_COST):
        return cards.parts[part].cost > 0
    return has_effect(cards, player, Effect.REACH)


@jit
def assign(player: Player, slot: int) -> None:
    player.assigned = slot
    player.uses -= 1


@jit
def reaches_from(cards: Tables, player: Player, slot: int) -> bool:
    """Whether the Technician is assigned to the part on this slot (EMP-16)."""
    return player.assigned == slot and has_effect(cards, player, Effect.REACH)


@jit
def can_use_employee(cards: Tables, state: State, player: Player) -> bool:
    """EMP-18: Operator, Decorator and Packer in an operate step; Clerk, Agent and Dealer in Fulfil orders."""
    if player.employee == NONE or player.uses == 0:
        return False
    effect = cards.employees[player.employee].effect
    if state.phase == Phase.RUN:
        if effect == Effect.MOVE_PIECE or effect == Effect.DOUBLE_TILE:
            return on_belt(player, ANY_KINDS)
        return effect == Effect.UPGRADE_PIECE and on_belt(player, UPGRADABLE_KINDS)
    for order in range(ORDER_SLOTS):
        if can_choose_order(cards, player, order):
            return True
    return False


@jit
def use_employee(cards: Tables, state: State, player: Player) -> None:
    """Begin the employee's action. It cannot be cancelled, so the use is spent now."""
    effect = cards.employees[player.employee].effect
    player.uses -= 1
    if effect == Effect.MOVE_PIECE:  # EMP-3, EMP-10
        state.task.kind = Task.MOVE_FROM
    elif effect == Effect.UPGRADE_PIECE:  # EMP-6
        state.task.kind = Task.DECORATE_TILE
        state.task.points = 1
    elif effect == Effect.DOUBLE_TILE:  # EMP-15
        state.task.kind = Task.DOUBLE_TILE
    else:
        state.task.kind = Task.EMPLOYEE_ORDER


@jit
def can_choose_order(cards: Tables, player: Player, order: int) -> bool:
    """Whether the Clerk, Corner Shop Agent or Dealer can be used on this order."""
    if player.orders[order] == NONE:
        return False
    stage = cards.orders[player.orders[order]].stages[player.stage[order]]
    effect = cards.employees[player.employee].effect
    if effect == Effect.SKIP_STAGE:  # EMP-5
        return True
    if effect == Effect.ANY_PIECES:  # EMP-8
        return can_give_any(player, stage)
    if effect == Effect.FEWER_PIECES:  # EMP-11
        for kind in range(NUM_KINDS):
            if can_leave_out(player, stage, kind):
                return True
    return False


@jit
def can_give_any(player: Player, stage: Stage) -> bool:
    """EMP-8: the store room holds as many refined pieces as the stage asks for."""
    return number_of(player, STORE_ROOM, REFINED_KINDS) >= stage.number


@jit
def can_leave_out(player: Player, stage: Stage, left_out: int) -> bool:
    """EMP-11: the stage asks for this kind, and the store room holds all its pieces except one of this kind."""
    if stage.pieces[left_out] == 0:
        return False
    for kind in range(NUM_KINDS):
        needed = stage.pieces[kind]
        if kind == left_out:
            needed -= 1
        if player.pieces[STORE_ROOM, kind] < needed:
            return False
    return True


@jit
def take_to_move(state: State, player: Player, kind: int) -> None:
    """EMP-3, EMP-10: take the piece off its tile."""
    player.pieces[state.task.tile, kind] -= 1
    state.task.last_take = kind
    state.task.kind = Task.MOVE_TO


@jit
def move_piece(state: State, player: Player, tile: int) -> None:
    """EMP-3, EMP-10: put the piece on another tile."""
    player.pieces[tile, state.task.last_take] += 1
    nothing_under_way(state)


@jit
def double_tile(state: State, player: Player, tile: int) -> None:
    """EMP-15"""
    for kind in range(NUM_KINDS):
        player.pieces[tile, kind] *= 2
    nothing_under_way(state)
