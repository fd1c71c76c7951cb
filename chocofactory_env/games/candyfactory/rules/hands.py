"""Hands and decks of players, and the specialist deck."""

from ....core.jit import jit
from ....core.kernel.rng import shuffle
from ..constants import MAX_DECK, NONE, NUM_SPACES, NUM_SPECIALISTS, SPECIALIST_CARDS
from ..layout import Tables
from ..state import Seat, State
from .derived import derive_knowledge
from .unseen import note_drawn


@jit
def empty_deck(seat: Seat) -> None:
    seat.deck_size = 0
    seat.deck[:] = NONE


@jit
def add_to_deck(seat: Seat, card: int, number: int) -> None:
    """Add cards on top; shuffle afterwards. There is room for all in every position that play can reach."""
    for _ in range(min(number, MAX_DECK - seat.deck_size)):
        seat.deck[seat.deck_size] = card
        seat.deck_size += 1


@jit
def add_workers(cards: Tables, seat: Seat) -> None:
    """START-3, START-5: add the player's eight worker cards to the deck."""
    for card in range(NUM_SPACES):
        add_to_deck(seat, card, cards.numbers[card])


@jit
def shuffle_deck(state: State, seat: Seat) -> None:
    shuffle(state.rng, seat.deck, 0, seat.deck_size)


@jit
def draw_card(seat: Seat) -> None:
    """Move the top of the deck into the hand."""
    seat.deck_size -= 1
    seat.hand[seat.deck[seat.deck_size]] += 1
    seat.hand_size += 1
    seat.deck[seat.deck_size] = NONE


@jit
def draw_up(cards: Tables, seat: Seat) -> None:
    """TURN-1, TURN-5: draw up to three cards, as long as the deck lasts."""
    while seat.hand_size < cards.hand and seat.deck_size > 0:
        note_drawn(seat)
        draw_card(seat)


# --- the specialist deck


@jit
def shuffle_specialists(cards: Tables, state: State) -> None:
    """START-6"""
    state.specialists_left = 0
    for specialist in range(NUM_SPECIALISTS):
        for _ in range(cards.specialists[specialist]):
            state.specialists[state.specialists_left] = specialist
            state.known_to[state.specialists_left] = 0
            state.specialists_left += 1
    shuffle(state.rng, state.specialists, 0, state.specialists_left)


@jit
def remove_specialists(state: State) -> None:
    """TRANS-2: the specialist deck leaves the game."""
    state.specialists_left = 0
    state.specialists[:] = NONE
    state.known_to[:] = 0
    derive_knowledge(state)


@jit
def looked_at(cards: Tables, state: State) -> int:
    """ABIL-8, ABIL-12: the number of top cards that a recruit looks at."""
    return min(cards.look, state.specialists_left)


@jit
def look(cards: Tables, state: State) -> None:
    """OPEN-4: the seat to move, and nobody else, now knows the cards on top."""
    for place in range(looked_at(cards, state)):
        state.known_to[place] = 1 << state.current
    derive_knowledge(state)


@jit
def is_offered(cards: Tables, state: State, specialist: int) -> bool:
    for place in range(looked_at(cards, state)):
        if state.specialists[place] == specialist:
            return True
    return False


@jit
def hire(cards: Tables, state: State, specialist: int) -> None:
    """ABIL-8, ABIL-13, ABIL-14: the top card of this kind goes into the hand, unseen; the others under the deck."""
    looked = looked_at(cards, state)
    taken = 0
    while taken < looked - 1 and state.specialists[taken] != specialist:
        taken += 1
    put_under_deck(state, looked)
    place = state.specialists_left - looked + taken
    close_gap(state, place)
    seat = state.seats[state.current]
    seat.hand[SPECIALIST_CARDS + specialist] += 1
    seat.hand_size += 1
    seat.unknown += 1
    derive_knowledge(state)


@jit
def put_under_deck(state: State, number: int) -> None:
    """ABIL-13: move the top cards below the deck, in their order, with the record of who knows them."""
    last = state.specialists_left - 1
    for _ in range(number):
        top, known = state.specialists[0], state.known_to[0]
        for place in range(last):
            state.specialists[place] = state.specialists[place + 1]
            state.known_to[place] = state.known_to[place + 1]
        state.specialists[last] = top
        state.known_to[last] = known


@jit
def close_gap(state: State, gap: int) -> None:
    """Remove the card at `gap` from the specialist deck."""
    last = state.specialists_left - 1
    for place in range(gap, last):
        state.specialists[place] = state.specialists[place + 1]
        state.known_to[place] = state.known_to[place + 1]
    state.specialists[last] = NONE
    state.known_to[last] = 0
    state.specialists_left = last
