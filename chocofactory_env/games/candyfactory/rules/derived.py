"""Derived fields: they follow from the rest of a position, and are stored so that no step recomputes them."""

from ....core.jit import jit
from ..constants import (
    FIRST_HIRED,
    MAX_PLAYERS,
    NUM_CARDS,
    NUM_HOLDS,
    NUM_KINDS,
    NUM_SPACES,
    SPECIALIST_CARDS,
    TEMP_CARD,
    Half,
    Variety,
)
from ..layout import Tables
from ..state import Seat, State


@jit
def derive(cards: Tables, state: State) -> None:
    """Write all derived fields."""
    state.workers = 0
    for space in range(NUM_SPACES):
        state.workers += state.board[space]
    for number in range(MAX_PLAYERS):
        seat = state.seats[number]
        derive_cards(state, seat)
        for hold in range(NUM_HOLDS):
            seat.free[hold] = cards.places[hold] if number < state.num_players else 0
            for kind in range(NUM_KINDS):
                seat.free[hold] += seat.stacks[hold, kind] - seat.goods[hold, kind]
    derive_knowledge(state)


@jit
def derive_cards(state: State, seat: Seat) -> None:
    """OPEN-3: the cards in hand or deck that everybody can name, and the number of others."""
    seat.hand_size = 0
    seat.unknown = 0
    for card in range(NUM_CARDS):
        seat.hand_size += seat.hand[card]
        seat.unplayed[card] = 0
        add_unplayed(state, seat, card, seat.hand[card])
    for place in range(seat.deck_size):
        add_unplayed(state, seat, seat.deck[place], 1)


@jit
def add_unplayed(state: State, seat: Seat, card: int, number: int) -> None:
    """OPEN-3: add `number` of a card to those in hand or deck; negative when they are played."""
    if is_named(state, card):
        seat.unplayed[card] += number
    else:
        seat.unknown += number


@jit
def is_named(state: State, card: int) -> bool:
    """OPEN-3: everybody can name worker cards and the temp; after a transition all cards, as kept ones were seen."""
    return card <= TEMP_CARD or (state.variety == Variety.FULL and state.half == Half.CANDY)


@jit
def derive_knowledge(state: State) -> None:
    """OPEN-4: the cards of the specialist deck that each seat knows."""
    for number in range(MAX_PLAYERS):
        seat = state.seats[number]
        seat.knows[:] = 0
        for place in range(state.specialists_left):
            if state.known_to[place] >> number & 1:
                seat.knows[state.specialists[place] - FIRST_HIRED] += 1


@jit
def hired_in_hand(seat: Seat) -> int:
    """Specialist cards in the hand, without the temp."""
    number = 0
    for card in range(SPECIALIST_CARDS + FIRST_HIRED, NUM_CARDS):
        number += seat.hand[card]
    return number
