"""Phase 1, Prepare: coal, and the day's display."""

from ....core.jit import jit
from ..constants import DAILY_DEMANDS, DISPLAY, NONE, NUM_DAYS, NUM_STORES
from .pieces import Record
from .solo import add_up_requirements


@jit
def prepare(cards: Record, state: Record) -> None:
    """Coal for everyone and a fresh display; in the solo game the next demand, and one pair less."""
    for seat in range(state.num_players):
        state.players[seat].coal += cards.coal[state.day]  # PREP-1
    lay_out_parts(cards, state)
    lay_out_employees(cards, state)
    if state.num_players == 1:
        reveal_demand(cards, state)
        discard_pair(state)


@jit
def packet_at(cards: Record, state: Record, place: int) -> int:
    """The packet of the card laid out at this place (PREP-2); in the solo game each card is its own (SOLO-4)."""
    if state.num_players == 1:
        return place
    end = 0
    for packet in range(state.num_players):
        end += cards.packets[state.num_players, packet]
        if place < end:
            return packet
    return NONE


@jit
def lay_out_parts(cards: Record, state: Record) -> None:
    """PREP-2: five parts, from the A deck on days 1-3 and from the B deck after (SET-2)."""
    for place in range(DISPLAY):
        state.display_parts[place] = state.part_deck[state.day * DISPLAY + place]
        state.part_packets[place] = packet_at(cards, state, place)


@jit
def lay_out_employees(cards: Record, state: Record) -> None:
    """PREP-3: one employee of each store, shown by store; the mix says to which packet each belongs."""
    for place in range(NUM_STORES):
        store = state.mix[state.day, place]
        state.display_employees[store] = state.employee_decks[store, state.day]
        state.employee_packets[store] = packet_at(cards, state, place)


@jit
def reveal_demand(cards: Record, state: Record) -> None:
    """SOLO-3"""
    if state.day < DAILY_DEMANDS:
        state.face_up += 1
        add_up_requirements(cards, state)


@jit
def discard_pair(state: Record) -> None:
    """SOLO-4: the employee of the last store on day 1, of the one before on day 2 …, with the part laid on it."""
    if state.day < NUM_DAYS - 1:
        store = NUM_STORES - 1 - state.day
        state.display_employees[store] = NONE
        state.display_parts[store] = NONE
