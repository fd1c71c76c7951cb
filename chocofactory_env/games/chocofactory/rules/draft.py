"""Phase 2, Expand and recruit: the snake draft of parts and employees."""

from ....core.jit import jit
from ..constants import DISPLAY, EMPLOYEE_DECKS, NONE, Effect, Task
from ..layout import Tables
from ..state import State
from .employees import has_effect
from .under_way import nothing_under_way


@jit
def seat_of_draft_turn(state: State) -> int:
    """DRAFT-1, DRAFT-3: clockwise to the last player, who has two turns in a row, then back again."""
    turn = state.turn
    if turn >= state.num_players:
        turn = 2 * state.num_players - 1 - turn
    return (state.start_player + turn) % state.num_players


@jit
def can_draft_part(state: State, place: int) -> bool:
    """DRAFT-1, DRAFT-3, SOLO-5: one new part a day."""
    return state.display_parts[place] != NONE and state.players[state.current].part_drafted == 0


@jit
def draft_part(state: State, place: int) -> None:
    """DRAFT-2, DRAFT-4: take the part, discard the rest of its packet, and place the part next."""
    player = state.players[state.current]
    player.part_drafted = 1
    state.task.kind = Task.PLACE_PART
    state.task.card = state.display_parts[place]
    packet = state.part_packets[place]
    for other in range(DISPLAY):
        if state.part_packets[other] == packet:
            state.display_parts[other] = NONE


@jit
def place_part(state: State, slot: int) -> None:
    """DRAFT-4: any slot; a part already there is lost."""
    state.players[state.current].factory[slot] = state.task.card
    nothing_under_way(state)


@jit
def can_draft_employee(state: State, store: int) -> bool:
    """DRAFT-1, DRAFT-3, SOLO-5: one new employee a day."""
    return state.display_employees[store] != NONE and state.players[state.current].employee == NONE


@jit
def draft_employee(cards: Tables, state: State, store: int) -> None:
    """DRAFT-2: take the employee and discard the rest of the packet. A gift of coal is received now (DRAFT-5)."""
    player = state.players[state.current]
    player.employee = state.display_employees[store]
    employee = cards.employees[player.employee]
    player.uses = employee.uses
    if has_effect(cards, player, Effect.COAL):  # EMP-2, EMP-9
        player.coal += employee.amount
    packet = state.employee_packets[store]
    for other in range(EMPLOYEE_DECKS):
        if state.employee_packets[other] == packet:
            state.display_employees[other] = NONE


@jit
def clear_display(state: State) -> None:
    """Remove the cards that nobody took (DRAFT-2)."""
    state.display_parts[:] = NONE
    state.part_packets[:] = NONE
    state.display_employees[:] = NONE
    state.employee_packets[:] = NONE
