"""Phase 4, Fulfil orders: deliveries to department stores.

A delivery is a rule (data) and pieces given one by one in the order of kinds; the chocolate orders of the solo game
are deliveries too.
"""

from ....core.jit import jit
from ..constants import (
    NONE,
    NUM_KINDS,
    STAGE_OF_REFINEMENT,
    STORE_ROOM,
    TRACK_END,
    Effect,
    Pattern,
    Phase,
    Task,
)
from .employees import amount_of, has_effect
from .pieces import Record, accepts, from_kind_on, number_of
from .under_way import nothing_under_way

# --- any delivery


@jit
def pieces_missing(rule: Record, given: int) -> int:
    """How many pieces a delivery of so many needs to become a full one (STORE-6: no odd pieces)."""
    if rule.number > 0:
        return rule.number - given
    return -given % rule.per


@jit
def can_give(rule: Record, task: Record, player: Record, kind: int) -> bool:
    """Whether a delivery that goes on with a piece of this kind can be completed from the store room."""
    if kind < task.last_take or not accepts(rule.kinds, kind) or player.pieces[STORE_ROOM, kind] == 0:
        return False
    missing = pieces_missing(rule, task.count + 1)
    if missing < 0:
        return False
    first = task.count == 0
    left = player.pieces[STORE_ROOM, kind] - 1
    later = from_kind_on(rule.kinds, kind + 1)
    if rule.pattern == Pattern.ONE_KIND:
        return (first or kind == task.last_take) and left >= missing
    if rule.pattern == Pattern.ALL_DIFFERENT:
        return kind != task.last_take and kinds_held(player, later) >= missing
    if rule.pattern == Pattern.EXACT_MIX:
        return fits_mix(rule, task, player, kind)
    if rule.pattern == Pattern.ONE_STAGE:
        if not first and STAGE_OF_REFINEMENT[kind] != STAGE_OF_REFINEMENT[task.last_take]:
            return False
        later &= kinds_of_stage(kind)
    return left + number_of(player, STORE_ROOM, later) >= missing


@jit
def kinds_held(player: Record, kinds: int) -> int:
    """How many of these kinds the store room holds."""
    held = 0
    for kind in range(NUM_KINDS):
        if accepts(kinds, kind) and player.pieces[STORE_ROOM, kind] > 0:
            held += 1
    return held


@jit
def kinds_of_stage(kind: int) -> int:
    """All kinds of the same stage of refinement, as a bit mask."""
    kinds = 0
    for other in range(NUM_KINDS):
        if STAGE_OF_REFINEMENT[other] == STAGE_OF_REFINEMENT[kind]:
            kinds |= 1 << other
    return kinds


@jit
def fits_mix(rule: Record, task: Record, player: Record, kind: int) -> bool:
    """EXACT_MIX: the kinds before this one are complete, and what this and the later ones lack is in the store room."""
    for other in range(NUM_KINDS):
        lacking = rule.mix[other] - task.given[other]
        if other < kind and lacking > 0:
            return False
        if other >= kind and player.pieces[STORE_ROOM, other] < lacking:
            return False
    return task.given[kind] < rule.mix[kind]


@jit
def give(task: Record, player: Record, kind: int) -> None:
    player.pieces[STORE_ROOM, kind] -= 1
    task.given[kind] += 1
    task.count += 1
    task.last_take = kind


@jit
def can_deliver_under(rule: Record, task: Record, player: Record) -> bool:
    """Whether the store room holds a delivery that fits the rule; nothing has been given yet."""
    for kind in range(NUM_KINDS):
        if can_give(rule, task, player, kind):
            return True
    return False


# --- department stores


@jit
def rule_of(cards: Record, state: Record, store: int) -> Record:
    """STORE-1 to STORE-5: the store's rule on its side in play."""
    return cards.stores[store, state.sides[store]]


@jit
def may_supply_today(cards: Record, state: Record, player: Record, store: int) -> bool:
    """DRAFT-6, FUL-1: the employee's store; for the Department Store Agent, in his turn, another one (EMP-14)."""
    if player.employee == NONE or player.supplied[store] != 0:  # FUL-4
        return False
    own = cards.employees[player.employee].store == store
    if state.phase == Phase.AGENTS:
        return not own and has_effect(cards, player, Effect.OTHER_STORE)
    return own


@jit
def can_supply(cards: Record, state: Record, player: Record, store: int) -> bool:
    """FUL-1, FUL-4, STORE-6: a delivery that fits and moves the marker."""
    if not may_supply_today(cards, state, player, store) or player.track[store] == TRACK_END:
        return False
    return can_deliver_under(rule_of(cards, state, store), state.task, player)


@jit
def supply(state: Record, store: int) -> None:
    state.task.kind = Task.GIVE_STORE
    state.task.store = store


@jit
def give_to_store(cards: Record, state: Record, player: Record, kind: int) -> None:
    """A piece for the store; a delivery of a fixed number of pieces ends with its last one."""
    give(state.task, player, kind)
    rule = rule_of(cards, state, state.task.store)
    if rule.number > 0 and state.task.count == rule.number:
        finish_delivery(cards, state, player)


@jit
def can_finish_delivery(cards: Record, state: Record) -> bool:
    """STORE-6: a full delivery."""
    rule = rule_of(cards, state, state.task.store)
    return state.task.count > 0 and pieces_missing(rule, state.task.count) == 0


@jit
def finish_delivery(cards: Record, state: Record, player: Record) -> None:
    """Move the marker by what was given, doubled by the Director at his own store (EMP-1)."""
    task = state.task
    store = task.store
    rule = rule_of(cards, state, store)
    spaces = task.count // rule.per * rule.spaces[task.last_take]
    if cards.employees[player.employee].store == store and has_effect(cards, player, Effect.DOUBLE_SUPPLY):
        spaces *= amount_of(cards, player, Effect.DOUBLE_SUPPLY)
    move_marker(state, player, store, spaces)
    player.supplied[store] = 1
    if state.phase == Phase.AGENTS:
        player.uses -= 1
    nothing_under_way(state)


@jit
def move_marker(state: Record, player: Record, store: int, spaces: int) -> None:
    """FUL-5: at most to the end of the track. FUL-6: every move takes a fresh place in the order of arrival."""
    player.track[store] = min(player.track[store] + spaces, TRACK_END)
    state.marker_moves += 1
    player.arrival[store] = state.marker_moves
