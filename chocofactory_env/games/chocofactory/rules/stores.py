"""Phase 4, Fulfil orders: deliveries to department stores.

In a delivery, pieces are given one by one in the order of kinds, as a rule (data) demands. The chocolate orders of the
solo game are deliveries, too.
"""

from ....core.jit import jit
from ..cards import Delivery
from ..constants import (
    NONE,
    NUM_KINDS,
    NUM_STORES,
    STAGE_OF_REFINEMENT,
    STORE_ROOM,
    TRACK_END,
    Effect,
    Pattern,
    Phase,
    Task,
)
from ..layout import Tables
from ..state import Player, State, UnderWay
from .employees import amount_of, has_effect
from .pieces import accepts, from_kind_on, number_of
from .together import all_act, arrive_in_turn
from .under_way import nothing_under_way

# --- any delivery


@jit
def pieces_missing(rule: Delivery, given: int) -> int:
    """How many pieces a delivery of `given` pieces lacks to be full (STORE-6); below 0 if it can no longer be."""
    if rule.number > 0:
        return rule.number - given
    if rule.most_pieces > 0:
        return pieces_to_next_number(rule, given)
    return -given % rule.per


@jit
def pieces_to_next_number(rule: Delivery, given: int) -> int:
    """MC-4: only some numbers of pieces make a delivery."""
    for number in range(given, rule.most_pieces + 1):
        if rule.by_number[number - 1] > 0:
            return number - given
    return -1


@jit
def can_give(rule: Delivery, task: UnderWay, player: Player, kind: int) -> bool:
    """Whether the delivery can continue with a piece of this kind and still be completed from the store room."""
    if kind < task.last_take or not accepts(rule.kinds, kind) or player.pieces[STORE_ROOM, kind] == 0:
        return False
    if rule.pattern == Pattern.EXACT_MIX or rule.pattern == Pattern.SETS:
        return fits_sets(rule, task, player, kind)
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
    if rule.pattern == Pattern.IN_ORDER:
        earlier = rule.kinds & ~from_kind_on(rule.kinds, kind)
        return task.count == number_of_kinds(earlier) and next_kinds_held(rule, player, kind, missing)
    if rule.pattern == Pattern.ONE_STAGE:
        if not first and STAGE_OF_REFINEMENT[kind] != STAGE_OF_REFINEMENT[task.last_take]:
            return False
        later &= kinds_of_stage(kind)
    return left + number_of(player, STORE_ROOM, later) >= missing


@jit
def kinds_held(player: Player, kinds: int) -> int:
    """How many different kinds of these the store room holds."""
    held = 0
    for kind in range(NUM_KINDS):
        if accepts(kinds, kind) and player.pieces[STORE_ROOM, kind] > 0:
            held += 1
    return held


@jit
def kinds_of_stage(kind: int) -> int:
    """The kinds of the same stage of refinement, as a bit mask."""
    kinds = 0
    for other in range(NUM_KINDS):
        if STAGE_OF_REFINEMENT[other] == STAGE_OF_REFINEMENT[kind]:
            kinds |= 1 << other
    return kinds


@jit
def number_of_kinds(kinds: int) -> int:
    number = 0
    for kind in range(NUM_KINDS):
        number += (kinds >> kind) & 1
    return number


@jit
def next_kinds_held(rule: Delivery, player: Player, kind: int, number: int) -> bool:
    """IN_ORDER: whether the store room holds each of the next `number` kinds accepted after this one."""
    for later in range(kind + 1, NUM_KINDS):
        if number > 0 and accepts(rule.kinds, later):
            if player.pieces[STORE_ROOM, later] == 0:
                return False
            number -= 1
    return number == 0


@jit
def fits_sets(rule: Delivery, task: UnderWay, player: Player, kind: int) -> bool:
    """EXACT_MIX, SETS: earlier kinds are complete in the sets begun; this kind is not, or begins another set; the
    store room holds the pieces that this and later kinds then lack.
    """
    for other in range(NUM_KINDS):
        first = int(rule.first_of_set[other])
        if first == NONE:
            continue
        wanted = sets_begun(rule, task.given[first] + (1 if first == kind else 0), first) * rule.set_pieces[other]
        lacking = wanted - task.given[other]
        if other < kind and lacking > 0:
            return False
        if other == kind and lacking <= 0:
            return False
        if other >= kind and player.pieces[STORE_ROOM, other] < lacking:
            return False
    return True


@jit
def sets_begun(rule: Delivery, given: int, first: int) -> int:
    """The number of sets begun with `given` pieces of their first kind, at most as many as allowed."""
    begun = (given + rule.set_pieces[first] - 1) // rule.set_pieces[first]
    return min(begun, rule.most_of_a_set) if rule.most_of_a_set > 0 else begun


@jit
def sets_complete(rule: Delivery, task: UnderWay) -> bool:
    """Whether all sets begun are complete."""
    for kind in range(NUM_KINDS):
        first = int(rule.first_of_set[kind])
        if first != NONE and task.given[kind] != sets_begun(rule, task.given[first], first) * rule.set_pieces[kind]:
            return False
    return True


@jit
def give(task: UnderWay, player: Player, kind: int) -> None:
    player.pieces[STORE_ROOM, kind] -= 1
    task.given[kind] += 1
    task.count += 1
    task.last_take = kind


@jit
def can_deliver_under(rule: Delivery, task: UnderWay, player: Player) -> bool:
    """Whether the store room holds a delivery that fits the rule, before any piece is given."""
    if rule.pattern == Pattern.DAY_MONEY:  # MC-3
        return player.earned_today >= rule.per
    for kind in range(NUM_KINDS):
        if can_give(rule, task, player, kind):
            return True
    return False


# --- department stores


@jit
def rule_of(cards: Tables, state: State, store: int) -> Delivery:
    """STORE-1 to STORE-5, MC-3, MC-4: the store's rule, on the side in play."""
    return cards.stores[store, state.sides[store]]


@jit
def may_supply_today(cards: Tables, state: State, player: Player, store: int) -> bool:
    """DRAFT-6, FUL-1: the employee's store; in the Department Store Agent's turn, any other store (EMP-14)."""
    if player.employee == NONE or player.supplied[store] != 0:  # FUL-4
        return False
    own = cards.employees[player.employee].store == store
    if state.phase == Phase.AGENTS:
        return not own and has_effect(cards, player, Effect.OTHER_STORE)
    return own


@jit
def can_supply(cards: Tables, state: State, player: Player, store: int) -> bool:
    """FUL-1, FUL-4, STORE-6: a delivery fits and can move the marker."""
    if not may_supply_today(cards, state, player, store) or player.track[store] == TRACK_END:
        return False
    rule = rule_of(cards, state, store)
    if rule.pattern != Pattern.OTHER_STORE:
        return can_deliver_under(rule, state.task, player)
    for other in range(NUM_STORES):
        if can_borrow(cards, state, player, store, other):
            return True
    return False


@jit
def can_borrow(cards: Tables, state: State, player: Player, store: int, other: int) -> bool:
    """MC-4: any other store in play that has a rule of its own, which the store room can meet."""
    rule = rule_of(cards, state, other)
    return other != store and rule.pattern != Pattern.OTHER_STORE and can_deliver_under(rule, state.task, player)


@jit
def supply(cards: Tables, state: State, player: Player, store: int) -> None:
    state.task.store = store
    if rule_of(cards, state, store).pattern == Pattern.OTHER_STORE:
        state.task.kind = Task.BORROW
    else:
        begin_delivery(cards, state, player, store)


@jit
def begin_delivery(cards: Tables, state: State, player: Player, rule_store: int) -> None:
    """Begin a delivery by the rule of `rule_store`. If that counts the day's money, it is complete at once (MC-3)."""
    state.task.rule_of = rule_store
    state.task.kind = Task.GIVE_STORE
    if rule_in_use(cards, state).pattern == Pattern.DAY_MONEY:
        finish_delivery(cards, state, player)


@jit
def rule_in_use(cards: Tables, state: State) -> Delivery:
    """The rule of the delivery under way."""
    return rule_of(cards, state, state.task.rule_of)


@jit
def can_give_to_store(cards: Tables, state: State, player: Player, kind: int) -> bool:
    return can_give(rule_in_use(cards, state), state.task, player, kind)


@jit
def give_to_store(cards: Tables, state: State, player: Player, kind: int) -> None:
    """Give a piece. The last piece completes a delivery of a fixed number."""
    give(state.task, player, kind)
    rule = rule_in_use(cards, state)
    if rule.number > 0 and state.task.count == rule.number:
        finish_delivery(cards, state, player)


@jit
def can_finish_delivery(cards: Tables, state: State) -> bool:
    """STORE-6: the delivery is full."""
    rule = rule_in_use(cards, state)
    if rule.pattern == Pattern.SETS:
        return state.task.count > 0 and sets_complete(rule, state.task)
    return state.task.count > 0 and pieces_missing(rule, state.task.count) == 0


@jit
def spaces_for(rule: Delivery, task: UnderWay, player: Player) -> int:
    """The number of spaces that the full delivery under way is worth."""
    if rule.pattern == Pattern.DAY_MONEY:
        return player.earned_today // rule.per
    if rule.most_pieces > 0:
        return rule.by_number[task.count - 1]
    if rule.pattern == Pattern.SETS:
        spaces = 0
        for kind in range(NUM_KINDS):
            if rule.first_of_set[kind] == kind:
                spaces += task.given[kind] // rule.set_pieces[kind] * rule.spaces[kind]
        return spaces
    return task.count // rule.per * rule.spaces[task.last_take]


@jit
def finish_delivery(cards: Tables, state: State, player: Player) -> None:
    """Move the marker for the pieces given; the Director doubles the spaces at his own store (EMP-1)."""
    store = state.task.store
    spaces = spaces_for(rule_in_use(cards, state), state.task, player)
    if cards.employees[player.employee].store == store and has_effect(cards, player, Effect.DOUBLE_SUPPLY):
        spaces *= amount_of(cards, player, Effect.DOUBLE_SUPPLY)
    move_marker(state, player, store, spaces)
    player.supplied[store] = 1
    if state.phase == Phase.AGENTS:
        player.uses -= 1
    nothing_under_way(state)


@jit
def move_marker(state: State, player: Player, store: int, spaces: int) -> None:
    """FUL-5: the marker stops at the end of the track. FUL-6: every move gets a new place in the order of arrival."""
    player.track[store] = min(player.track[store] + spaces, TRACK_END)
    state.marker_moves += 1
    player.arrival[store] = state.marker_moves
    if all_act(state):
        arrive_in_turn(state, player, store)
