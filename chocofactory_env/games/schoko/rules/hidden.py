"""Resample what a player cannot know: determinisation for search (SEE-2, SEE-3)."""

from ....core.jit import jit
from ....core.kernel.rng import below, seed_generator, shuffle_unseen
from ..constants import EVENT_DECK, GONE, MAX_PLAYERS, NONE, NUM_EVENTS, NUM_EXPRESS, Task
from ..layout import Tables
from ..state import State
from .cocoa import most_bid_bars, most_bid_price
from .express import end_of_cards, first_card, number_of_targets, window_of
from .player_order import has_bit, places_from_leader

_BITS = 4  # for a number of cards below 16


@jit
def redeal_hidden(cards: Tables, state: State, seat: int, seed: int) -> None:
    """Resample other hands, face-down cards, and others' bids in the city under way."""
    state.seed = seed
    seed_generator(state.rng, seed)
    shuffle_unseen(state.rng, state.contracts, 0, int(state.contracts_left))
    shuffle_events(state, seat)
    deal_hands(cards, state, seat)
    if state.task == Task.BID_BARS or state.task == Task.BID_PRICE:
        draw_bids(cards, state, seat)


@jit
def shuffle_events(state: State, seat: int) -> None:
    """EV-0, SEE-2: shuffle the rest of this shuffle, then the next one. A seat that has looked knows this month's."""
    turned = int(state.month) + (state.event_turned != NONE)
    known = turned + (state.event_turned == NONE and state.players[seat].looked != 0)
    end = NUM_EVENTS if turned < NUM_EVENTS else EVENT_DECK
    shuffle_unseen(state.rng, state.events, known, end)
    if end < EVENT_DECK:
        shuffle_unseen(state.rng, state.events, end, EVENT_DECK)


@jit
def deal_hands(cards: Tables, state: State, seat: int) -> None:
    """SET-3, SEE-2: deal the cards that the seat has not seen to other hands and out of the game.

    If another seat is being asked for a card (SEE-5), it must hold one that explains the question; this one is drawn
    first.
    """
    left, number = 0, 0  # cards left to deal: to each place in _BITS bits, and in all
    for card in range(NUM_EXPRESS):
        if is_unseen(state, seat, card):
            left += 1 << (_BITS * int(state.express[card]))
            number += 1
    first = NONE
    if state.current != seat and is_asked_in_secret(state):
        first = explaining_card(cards, state, seat)
        if first != NONE:
            state.express[first] = state.current
            left -= 1 << (_BITS * int(state.current))
            number -= 1
    for card in range(NUM_EXPRESS):
        if card != first and is_unseen(state, seat, card):
            place = draw_place(left, below(state.rng, number))
            state.express[card] = place
            left -= 1 << (_BITS * place)
            number -= 1


@jit
def is_unseen(state: State, seat: int, card: int) -> bool:
    return bool(state.express[card] != seat and state.express[card] != GONE)


@jit
def draw_place(left: int, drawn: int) -> int:
    """The place of card `drawn` among those that are left."""
    for place in range(MAX_PLAYERS):
        here = (left >> (_BITS * place)) & ((1 << _BITS) - 1)
        if drawn < here:
            return place
        drawn -= here
    return MAX_PLAYERS


@jit
def is_asked_in_secret(state: State) -> bool:
    """Whether a card window is under way."""
    task = state.task
    return bool(task == Task.CARD_A or task == Task.CARD_B or task == Task.CARD_C or task == Task.TARGET)


@jit
def explaining_card(cards: Tables, state: State, seat: int) -> int:
    """A random unseen card for which the seat to move could be asked; in TARGET, one that it can have named."""
    naming = state.task == Task.TARGET
    window = window_of(state.card) if naming else int(state.task)
    explaining = 0
    for card in range(first_card(window), end_of_cards(window)):
        explaining += explains(cards, state, seat, card, naming)
    drawn = below(state.rng, explaining)
    for card in range(first_card(window), end_of_cards(window)):
        if explains(cards, state, seat, card, naming):
            if drawn == 0:
                if naming:
                    state.card = card
                return card
            drawn -= 1
    return NONE


@jit
def explains(cards: Tables, state: State, seat: int, card: int, naming: bool) -> bool:
    """Whether the card explains the question. A seat names a target only if there are several."""
    return is_unseen(state, seat, card) and number_of_targets(cards, state, state.current, card) > naming


@jit
def draw_bids(cards: Tables, state: State, seat: int) -> None:
    """Draw bars, then the price, uniformly among legal ones. A seat that is about to name its price has bars.

    In a joint step, seats later in order may also have named their bars.
    """
    for other in range(state.num_players):
        player = state.players[other]
        turn = places_from_leader(state, other)
        if other == seat or player.out or (turn > state.turn and not has_bit(state.named, other)):
            continue
        most, least = most_bid_bars(cards, state, other), 0
        if turn == state.turn:
            if state.task == Task.BID_BARS:
                continue
            least = 1
        if turn >= state.turn and state.play_forced:  # at least two prices are legal
            most = min(most, int(player.cash) // 2)
        bars = least + below(state.rng, most - least + 1)
        player.bid_bars[state.city] = bars
        if turn < state.turn:
            player.bid_price[state.city] = 1 + below(state.rng, most_bid_price(cards, player, bars)) if bars > 0 else 0
        else:
            player.bid_price[state.city] = 0
