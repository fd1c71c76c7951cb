"""Determinizations for search: redraw everything that no player can know."""

from ....core.jit import jit
from ....core.kernel.rng import seed_generator, shuffle_unseen
from ..cards import MAX_ORDERS
from ..constants import DAYS_OF_A_DECK, DISPLAY, NUM_DAYS, NUM_SIZES
from ..layout import Tables
from ..state import EMPLOYEE_DECK_SIZES, State
from .setup import draw_demands


@jit
def redeal_hidden(cards: Tables, state: State, seat: int, seed: int) -> None:
    """Shuffle everything that lies face down. All players see the same, so `seat` does not matter.

    Nor does the previous order of the cards: positions that look the same get the same deal.
    """
    state.seed = seed
    seed_generator(state.rng, seed)
    shuffle_unseen_parts(cards, state)
    for deck in range(cards.employee_decks):
        shuffle_unseen(state.rng, state.employee_decks[deck], state.day + 1, EMPLOYEE_DECK_SIZES[deck])
    if state.num_players > 1:
        for day in range(state.day + 1, NUM_DAYS):
            shuffle_unseen(state.rng, state.mix[day], 0, cards.employee_decks)
    for size in range(NUM_SIZES):
        shuffle_unseen_orders(state, size)
    if state.num_players == 1:
        draw_demands(cards, state, state.face_up)


@jit
def shuffle_unseen_parts(cards: Tables, state: State) -> None:
    """Shuffle each deck's parts that are still to come, and those that left it unseen (MC-1)."""
    for deck in range(2):
        days_dealt = min(max(state.day + 1 - deck * DAYS_OF_A_DECK, 0), DAYS_OF_A_DECK)
        first = deck * cards.part_deck_size
        shuffle_unseen(state.rng, state.part_deck, first + days_dealt * DISPLAY, first + cards.part_deck_size)


@jit
def shuffle_unseen_orders(state: State, size: int) -> None:
    """Shuffle an order deck, except the orders returned to its bottom, which everybody saw."""
    deck = state.order_decks[size]
    straighten(state, size)
    shuffle_unseen(state.rng, deck.cards, 0, deck.count - deck.returned)


@jit
def straighten(state: State, size: int) -> None:
    """Rotate the ring until its top is at place 0."""
    deck = state.order_decks[size]
    for _ in range(deck.top):
        first = deck.cards[0]
        for place in range(MAX_ORDERS - 1):
            deck.cards[place] = deck.cards[place + 1]
        deck.cards[MAX_ORDERS - 1] = first
    deck.top = 0
