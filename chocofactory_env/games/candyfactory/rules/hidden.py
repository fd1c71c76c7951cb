"""Resample what a seat cannot know: determinisation for search (OPEN-2 to OPEN-4)."""

from ....core.jit import jit
from ....core.kernel.rng import below, seed_generator
from ..constants import (
    FIRST_HIRED,
    NUM_CARDS,
    NUM_HIRED,
    NUM_SPACES,
    SPECIALIST_CARDS,
    TEMP_CARD,
    Half,
)
from ..layout import Tables
from ..state import Seat, State
from .derived import derive_knowledge, hired_in_hand
from .hands import add_to_deck, draw_card, empty_deck, shuffle_deck


@jit
def redeal_hidden(cards: Tables, state: State, seat: int, seed: int) -> None:
    """OPEN-2: resample the hands of others, every deck, and all rolls to come. Others' moves are no evidence.

    Everything is rebuilt from what `seat` knows, so that nothing of the old order is left. Cards that another seat is
    looking at lie on top of the specialist deck, and `seat` does not know them (OPEN-4).
    """
    state.seed = seed
    seed_generator(state.rng, seed)
    fill_pool(cards, state, seat)
    for other in range(state.num_players):
        if other == seat:
            redeal_own_deck(state, state.seats[other])
        elif state.half == Half.PLANTATION:
            redeal_at_plantation(state, state.seats[other])
        else:
            redeal_at_candy_factory(state, state.seats[other])
    for place in range(state.specialists_left):
        if not knows_place(state, seat, place):
            state.specialists[place] = draw_from_pool(state)
    derive_knowledge(state)
    state.pool[:] = 0


# --- specialists that the seat cannot place


@jit
def fill_pool(cards: Tables, state: State, seat: int) -> None:
    """Count by kind the specialists that the seat cannot place: all but played ones, its hand, and places it knows.

    After the transition of the full game there are none: kept cards are named (OPEN-3), and the others are gone.
    """
    for kind in range(NUM_HIRED):
        state.pool[kind] = cards.specialists[FIRST_HIRED + kind]
        state.pool[kind] -= state.seats[seat].hand[SPECIALIST_CARDS + FIRST_HIRED + kind]
        for other in range(state.num_players):
            state.pool[kind] -= state.seats[other].played[FIRST_HIRED + kind]
    for place in range(state.specialists_left):
        if knows_place(state, seat, place):
            state.pool[state.specialists[place] - FIRST_HIRED] -= 1


@jit
def knows_place(state: State, seat: int, place: int) -> bool:
    """OPEN-4"""
    return (int(state.known_to[place]) >> int(seat)) & 1 != 0


@jit
def draw_from_pool(state: State) -> int:
    """Draw a Specialist; every card is equally likely."""
    cards_left = 0
    for kind in range(NUM_HIRED):
        cards_left += state.pool[kind]
    place = below(state.rng, cards_left)
    for kind in range(NUM_HIRED):
        if place < state.pool[kind]:
            state.pool[kind] -= 1
            return FIRST_HIRED + kind
        place -= state.pool[kind]
    return FIRST_HIRED  # only in a position that play cannot reach


# --- hands and decks


@jit
def redeal_own_deck(state: State, seat: Seat) -> None:
    """OPEN-2: shuffle its named cards that are not in the hand with its unseen ones (SHORT-4)."""
    unseen = int(seat.unknown) - (hired_in_hand(seat) if seat.unknown > 0 else 0)
    empty_deck(seat)
    for card in range(NUM_CARDS):
        add_to_deck(seat, card, int(seat.unplayed[card]) - int(seat.hand[card]))
    for _ in range(unseen):
        add_to_deck(seat, SPECIALIST_CARDS + draw_from_pool(state), 1)
    shuffle_deck(state, seat)


@jit
def redeal_at_plantation(state: State, seat: Seat) -> None:
    """OPEN-3: the temp and all recruited cards are in the hand; the rest are worker cards."""
    hand = int(seat.hand_size)
    shuffle_named(state, seat, NUM_SPACES)
    seat.hand[TEMP_CARD] = seat.unplayed[TEMP_CARD]
    draw_unknown(state, seat, seat.unknown)
    seat.hand_size = seat.unplayed[TEMP_CARD] + seat.unknown
    while seat.hand_size < hand and seat.deck_size > 0:
        draw_card(seat)


@jit
def redeal_at_candy_factory(state: State, seat: Seat) -> None:
    """OPEN-3: shuffle named cards over hand and deck; some of the unseen cards of SHORT-4 are in the hand."""
    hand = int(seat.hand_size)
    unknown = unknown_in_hand(state, seat) if seat.unknown > 0 else 0
    shuffle_named(state, seat, NUM_CARDS)
    draw_unknown(state, seat, unknown)
    seat.hand_size = unknown
    while seat.hand_size < hand and seat.deck_size > 0:
        draw_card(seat)
    for _ in range(seat.unknown - unknown):
        add_to_deck(seat, SPECIALIST_CARDS + draw_from_pool(state), 1)
    shuffle_deck(state, seat)


@jit
def shuffle_named(state: State, seat: Seat, end: int) -> None:
    """Empty the hand, and make the deck of the named cards with numbers below `end`, shuffled."""
    seat.hand[:] = 0
    empty_deck(seat)
    for card in range(end):
        add_to_deck(seat, card, seat.unplayed[card])
    shuffle_deck(state, seat)


@jit
def draw_unknown(state: State, seat: Seat, number: int) -> None:
    for _ in range(number):
        seat.hand[SPECIALIST_CARDS + draw_from_pool(state)] += 1


@jit
def unknown_in_hand(state: State, seat: Seat) -> int:
    """SHORT-4: draw the number of unseen specialists in the hand, by the seat's odds."""
    most = min(int(seat.unknown), int(seat.hand_size))
    total = 0
    for number in range(most + 1):
        total += int(seat.odds[number])
    deal = below(state.rng, total)
    for number in range(most):
        deal -= int(seat.odds[number])
        if deal < 0:
            return number
    return most
