"""Phase 4, Fulfil orders: the corner shop. For department stores see `stores.py`."""

from ....core.jit import jit
from ..cards import Stage
from ..constants import NONE, NUM_KINDS, OWN_ORDERS, REFINED_KINDS, STORE_ROOM, Effect, Task
from ..layout import Tables
from ..state import Player, State
from .employees import amount_of
from .pieces import accepts, from_kind_on, number_of
from .under_way import nothing_under_way


@jit
def current_stage(cards: Tables, player: Player, order: int) -> Stage:
    """The order's next stage; stages go in sequence (FUL-2)."""
    return cards.orders[player.orders[order]].stages[player.stage[order]]


@jit
def can_fulfil(cards: Tables, player: Player, order: int) -> bool:
    """FUL-1, FUL-2: the store room holds the pieces that the current stage asks for."""
    if player.orders[order] == NONE:
        return False
    stage = current_stage(cards, player, order)
    for kind in range(NUM_KINDS):
        if player.pieces[STORE_ROOM, kind] < stage.pieces[kind]:
            return False
    return True


@jit
def fulfil(cards: Tables, state: State, player: Player, order: int) -> None:
    """FUL-2, FUL-3: hand over the pieces and get paid."""
    stage = current_stage(cards, player, order)
    for kind in range(NUM_KINDS):
        player.pieces[STORE_ROOM, kind] -= stage.pieces[kind]
    complete_stage(cards, state, player, order, stage.pay + amount_of(cards, player, Effect.STAGE_PAY))


@jit
def complete_stage(cards: Tables, state: State, player: Player, order: int, pay: int) -> None:
    """FUL-3: pay at once. An order whose last stage is done is set aside; Cleanup replaces it."""
    number = int(player.orders[order])
    player.money += pay
    player.earned_today += pay
    player.stage[order] += 1
    if player.stage[order] < cards.orders[number].num_stages:
        if state.only_completed != 0:  # SOLO-7
            state.paid[order] += pay
        return
    state.paid[order] = 0
    player.orders[order] = NONE
    player.stage[order] = 0
    player.pile |= 1 << number
    if order < OWN_ORDERS:
        player.completed[cards.orders[number].deck] += 1
        player.to_replace += 1
    else:  # SOLO-2, SOLO-10
        player.special_completed += 1


@jit
def begin_employee_stage(cards: Tables, state: State, player: Player, order: int) -> None:
    """Use today's Clerk, Corner Shop Agent, or Dealer on the chosen order."""
    task = state.task
    effect = cards.employees[player.employee].effect
    task.order = order
    if effect == Effect.SKIP_STAGE:  # EMP-5
        complete_stage(cards, state, player, order, 0)
        nothing_under_way(state)
    elif effect == Effect.ANY_PIECES:  # EMP-8
        task.kind = Task.GIVE_STAGE
        task.left = current_stage(cards, player, order).number
    else:  # EMP-11
        task.kind = Task.LEAVE_OUT


@jit
def can_give_for_stage(state: State, player: Player, kind: int) -> bool:
    """EMP-8: any refined piece, in the order of kinds, if enough are left to finish."""
    task = state.task
    if kind < task.last_take or not accepts(REFINED_KINDS, kind) or player.pieces[STORE_ROOM, kind] == 0:
        return False
    return number_of(player, STORE_ROOM, from_kind_on(REFINED_KINDS, kind)) >= task.left


@jit
def give_for_stage(cards: Tables, state: State, player: Player, kind: int) -> None:
    """EMP-8"""
    task = state.task
    player.pieces[STORE_ROOM, kind] -= 1
    task.given[kind] += 1
    task.last_take = kind
    task.left -= 1
    if task.left == 0:
        pay_employee_stage(cards, state, player)


@jit
def leave_out(cards: Tables, state: State, player: Player, left_out: int) -> None:
    """EMP-11: hand over all the stage's pieces except one."""
    stage = current_stage(cards, player, state.task.order)
    for kind in range(NUM_KINDS):
        player.pieces[STORE_ROOM, kind] -= stage.pieces[kind]
    player.pieces[STORE_ROOM, left_out] += 1
    pay_employee_stage(cards, state, player)


@jit
def pay_employee_stage(cards: Tables, state: State, player: Player) -> None:
    order = state.task.order
    complete_stage(cards, state, player, order, current_stage(cards, player, order).pay)
    nothing_under_way(state)
