"""Phase 1, Prepare: coal, and the day's display."""

import numpy as np

from ....core.jit import jit, jit_entry
from ..constants import DAILY_DEMANDS, DAYS_OF_A_DECK, DISPLAY, NONE, NUM_DAYS, NUM_STORES
from ..records import State, Tables
from .solo import add_up_requirements


@jit
def prepare(cards: Tables, state: State) -> None:
    """Coal for everyone and a fresh display; in the solo game the next demand, and one pair less."""
    for seat in range(state.num_players):
        state.players[seat].coal += cards.coal[state.day]  # PREP-1
    lay_out_parts(cards, state)
    lay_out_employees(cards, state)
    if state.num_players == 1:
        reveal_demand(cards, state)
        discard_pair(state)


@jit_entry
def packet_at(state: State, sizes: np.ndarray, place: int) -> int:
    """The packet of the card laid out at this place (PREP-2); in the solo game each card is its own (SOLO-4).

    sizes: (players,) of the packets.
    """
    if state.num_players == 1:
        return place
    end = 0
    for packet in range(state.num_players):
        end += sizes[packet]
        if place < end:
            return packet
    return NONE


@jit
def lay_out_parts(cards: Tables, state: State) -> None:
    """PREP-2: five parts, from the A deck on days 1-3 and from the B deck after (SET-2)."""
    first = first_part_of(cards, state.day)
    for place in range(DISPLAY):
        state.display_parts[place] = state.part_deck[first + place]
        state.part_packets[place] = packet_at(state, cards.packets[state.num_players], place)


@jit
def first_part_of(cards: Tables, day: int) -> int:
    """Where the day's parts begin in the part decks; those that left the A deck (MC-1) lie at its end."""
    return day // DAYS_OF_A_DECK * cards.part_deck_size + day % DAYS_OF_A_DECK * DISPLAY


@jit
def lay_out_employees(cards: Tables, state: State) -> None:
    """PREP-3, MC-5: one employee of each deck, shown by deck; `mix` is the order in which they are put into packets."""
    for place in range(cards.employee_decks):
        deck = state.mix[state.day, place]
        state.display_employees[deck] = state.employee_decks[deck, state.day]
        state.employee_packets[deck] = packet_at(state, cards.employee_packets[state.num_players], place)


@jit
def reveal_demand(cards: Tables, state: State) -> None:
    """SOLO-3"""
    if state.day < DAILY_DEMANDS:
        state.face_up += 1
        add_up_requirements(cards, state)


@jit
def discard_pair(state: State) -> None:
    """SOLO-4: the employee of the last store on day 1, of the one before on day 2 …, with the part laid on it."""
    if state.day < NUM_DAYS - 1:
        store = NUM_STORES - 1 - state.day
        state.display_employees[store] = NONE
        state.display_parts[store] = NONE
