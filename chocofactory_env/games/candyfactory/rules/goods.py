"""Goods, single or stacked, enter and leave a warehouse or a truck; one transport moves them."""

from ....core.jit import jit
from ..constants import (
    FIRST_TRUCK,
    NONE,
    NUM_KINDS,
    NUM_RAW,
    NUM_TRUCKS,
    SPECIALIST_CARDS,
    WAREHOUSE,
    Half,
    Kind,
    Pile,
    Specialist,
    Way,
)
from ..layout import Tables
from ..state import Seat, State

PACKER_CARD = SPECIALIST_CARDS + Specialist.PACKER
TRUCKER_CARD = SPECIALIST_CARDS + Specialist.TRUCKER


# --- one place


@jit
def singles(seat: Seat, hold: int, kind: int) -> int:
    """Goods of a kind that are not in stacks."""
    return int(seat.goods[hold, kind]) - 2 * int(seat.stacks[hold, kind])


@jit
def leave(seat: Seat, hold: int, kind: int) -> None:
    """ROOM-5, ROOM-6: a single good leaves first; otherwise one of a stack, whose other good keeps the place."""
    if singles(seat, hold, kind) > 0:
        seat.free[hold] += 1
    else:
        seat.stacks[hold, kind] -= 1
    seat.goods[hold, kind] -= 1


@jit
def has_room(seat: Seat, hold: int, kind: int, packing: bool) -> bool:
    """ROOM-1, ROOM-2: a free place; or, for the Packer (SPEC-8), a single good of the same kind."""
    return seat.free[hold] > 0 or (packing and singles(seat, hold, kind) > 0)


@jit
def enter(seat: Seat, hold: int, kind: int, packing: bool) -> None:
    """SPEC-12, SPEC-13: with the Packer a good goes onto a single one if there is one, moved this turn or not.

    SPEC-14, SPEC-15: without a Packer a good takes a place of its own; a stack never mixes kinds.
    """
    if packing and singles(seat, hold, kind) > 0:
        seat.stacks[hold, kind] += 1
    else:
        seat.free[hold] -= 1
    seat.goods[hold, kind] += 1


@jit
def can_turn_over(seat: Seat, kind: int, freed: int) -> bool:
    """ROOM-6: whether a good in the warehouse can become another kind once `freed` more places are free."""
    single = singles(seat, WAREHOUSE, kind) > 0
    return single or (seat.goods[WAREHOUSE, kind] > 0 and seat.free[WAREHOUSE] + freed > 0)


@jit
def turn_over(seat: Seat, kind: int, into: int) -> None:
    leave(seat, WAREHOUSE, kind)
    enter(seat, WAREHOUSE, into, False)


@jit
def places_freed(seat: Seat, kind: int, number: int) -> int:
    """ROOM-5, ROOM-6: places that `number` goods free by leaving the warehouse: one per single, one per whole stack."""
    alone = min(number, singles(seat, WAREHOUSE, kind))
    return alone + (number - alone) // 2


@jit
def give_back(state: State, kind: int) -> None:
    """ABIL-5: return a good to its pile, or candy to its recipe card."""
    if kind == Kind.SUGAR:
        state.supply[Pile.SUGAR] += 1
    elif kind < NUM_RAW:
        state.supply[Pile.CACAO] += 1
    else:
        state.tokens[recipe_of(kind)] += 1


@jit
def recipe_of(kind: int) -> int:
    """The recipe place of a candy."""
    return kind - Kind.DECORATED if kind >= Kind.DECORATED else kind - Kind.PLAIN


# --- one transport


@jit
def from_supply(state: State) -> bool:
    """TO-4: at the plantation, goods are brought from the supply; otherwise from a truck (TO-5)."""
    return state.half == Half.PLANTATION and state.turn.way == Way.BRING


@jit
def source_of(state: State, truck: int) -> int:
    """TO-5, FROM-4"""
    return FIRST_TRUCK + truck if state.turn.way == Way.BRING else WAREHOUSE


@jit
def target_of(state: State, truck: int) -> int:
    return WAREHOUSE if state.turn.way == Way.BRING else FIRST_TRUCK + truck


@jit
def can_take(state: State, seat: Seat, kind: int) -> bool:
    """TO-4, TO-7: sugar or cacao from the supply; both only with the Trucker (SPEC-6)."""
    turn = state.turn
    if state.supply[kind] == 0 or not has_room(seat, WAREHOUSE, kind, turn.card == PACKER_CARD):
        return False
    return turn.last == NONE or turn.last == kind or (turn.last < kind and turn.card == TRUCKER_CARD)


@jit
def take(state: State, seat: Seat, kind: int) -> None:
    state.supply[kind] -= 1
    enter(seat, WAREHOUSE, kind, state.turn.card == PACKER_CARD)
    count(state, kind)


@jit
def can_access(state: State, seat: Seat, truck: int) -> bool:
    """ROOM-3: one truck a turn, if a good can be moved with it; SPEC-6: the Trucker may go on to later trucks."""
    turn = state.turn
    if turn.truck != NONE and (turn.card != TRUCKER_CARD or turn.last == NONE or truck <= turn.truck):
        return False
    source, target = source_of(state, truck), target_of(state, truck)
    packing = turn.card == PACKER_CARD
    if seat.free[target] == 0 and not packing:
        return False
    for kind in range(NUM_KINDS):
        if may_ship(kind) and seat.goods[source, kind] > 0 and has_room(seat, target, kind, packing):
            return True
    return False


@jit
def access(state: State, truck: int) -> None:
    state.turn.truck = truck
    state.turn.last = NONE


@jit
def may_ship(kind: int) -> bool:
    """FROM-4, CANDY-7: cacao is never loaded, and so never unloaded."""
    return kind != Kind.CACAO


@jit
def can_move(state: State, seat: Seat, kind: int) -> bool:
    """FROM-4, TO-5: between the warehouse and the truck accessed, in the order of kinds."""
    turn = state.turn
    source, target = source_of(state, turn.truck), target_of(state, turn.truck)
    if kind < turn.last or seat.goods[source, kind] == 0 or not may_ship(kind):
        return False
    return has_room(seat, target, kind, turn.card == PACKER_CARD)


@jit
def move(state: State, seat: Seat, kind: int) -> None:
    turn = state.turn
    leave(seat, source_of(state, turn.truck), kind)
    enter(seat, target_of(state, turn.truck), kind, turn.card == PACKER_CARD)
    count(state, kind)


@jit
def count(state: State, kind: int) -> None:
    """TO-6, SPEC-10, SPEC-12: every good uses capacity, whatever its truck, kind or stack."""
    state.turn.left -= 1
    state.turn.last = kind


@jit
def can_stop_moving(state: State) -> bool:
    """TO-6, FROM-5: any number up to the capacity, even none; but accessing a truck means moving at least one."""
    return state.turn.truck == NONE or state.turn.last != NONE


@jit
def free_berths(cards: Tables, seat: Seat) -> int:
    """TRANS-2, ROOM-4: free berths of all trucks; goods take berths last."""
    berths = 0
    for hold in range(FIRST_TRUCK, FIRST_TRUCK + NUM_TRUCKS):
        berths += min(cards.berths[hold], seat.free[hold])
    return berths
