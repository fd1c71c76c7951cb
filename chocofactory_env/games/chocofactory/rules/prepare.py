"""Phase 1, Prepare: coal and the day's display."""

import numpy as np

from ....core.jit import jit
from ..constants import DAILY_DEMANDS, DAYS_OF_A_DECK, DISPLAY, NONE, NUM_DAYS, NUM_STORES
from ..layout import Tables
from ..state import State
from .solo import add_up_requirements


@jit
def prepare(cards: Tables, state: State) -> None:
    """Give everyone coal and lay out the display; in the solo game, reveal a demand and discard a pair."""
    for seat in range(state.num_players):
        state.players[seat].coal += cards.coal[state.day]  # PREP-1
    lay_out_parts(cards, state)
    lay_out_employees(cards, state)
    if state.num_players == 1:
        reveal_demand(cards, state)
        discard_pair(state)


@jit
def packet_at(state: State, sizes: np.ndarray, place: int) -> int:
    """The packet of the card at this place (PREP-2); in the solo game each card is its own packet (SOLO-4).

    sizes: (players,), the number of cards in each packet.
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
    """PREP-2: five parts, from the A deck on days 1-3 and from the B deck on days 4-6 (SET-2)."""
    first = first_part_of(cards, state.day)
    for place in range(DISPLAY):
        state.display_parts[place] = state.part_deck[first + place]
        state.part_packets[place] = packet_at(state, cards.packets[state.num_players], place)


@jit
def first_part_of(cards: Tables, day: int) -> int:
    """Where the day's parts begin in the part decks. Parts that left the A deck (MC-1) lie at its end."""
    return day // DAYS_OF_A_DECK * cards.part_deck_size + day % DAYS_OF_A_DECK * DISPLAY


@jit
def lay_out_employees(cards: Tables, state: State) -> None:
    """PREP-3, MC-5: show one employee of each deck, indexed by deck. `mix` is the order that fills the packets."""
    for place in range(cards.employee_decks):
        deck = state.mix[state.day, place]
        state.display_employees[deck] = state.employee_decks[deck, state.day]
        state.employee_packets[deck] = packet_at(state, cards.employee_packets[state.num_players], place)


@jit
def reveal_demand(cards: Tables, state: State) -> None:
    """SOLO-3: one a day but the last."""
    if state.face_up < 1 + state.difficulty + DAILY_DEMANDS:
        state.face_up += 1
        add_up_requirements(cards, state)


@jit
def discard_pair(state: State) -> None:
    """SOLO-4: discard an employee and the part on it: the last store's on day 1, the one before on day 2, and so on."""
    if state.day < NUM_DAYS - 1:
        store = NUM_STORES - 1 - state.day
        state.display_employees[store] = NONE
        state.display_parts[store] = NONE
