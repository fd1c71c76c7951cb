"""Sealed bids (COCOA-4). In turns, each seat names bars, then a price. In joint steps, all name bars, then prices.

No bid depends on another bid for the same city, so both have the same result.
"""

from ....core.jit import jit
from ..constants import NONE, Task
from ..layout import Tables
from ..state import State
from .cocoa import most_bid_bars
from .player_order import has_bit, places_from_leader, seat_after, with_bit


@jit
def is_bidding(state: State) -> bool:
    return bool(state.task == Task.BID_BARS or state.task == Task.BID_PRICE)


@jit
def lacks_price(state: State, seat: int) -> bool:
    """Whether the seat has named bars in the city under way, but no price yet."""
    player = state.players[seat]
    return bool(player.bid_bars[state.city] > 0 and player.bid_price[state.city] == 0)


@jit
def has_to_bid(cards: Tables, state: State, seat: int) -> bool:
    """Whether the seat has a decision to make. If it can bid only 0 bars, that depends on `play_forced`."""
    if state.players[seat].out:
        return False
    if has_bit(state.named, seat):
        return lacks_price(state, seat)
    return bool(state.play_forced == 0 or most_bid_bars(cards, state, seat) > 0)


@jit
def seats_asked(cards: Tables, state: State) -> int:
    """Bits of all seats that have to bid; outside bidding, of the seat to move."""
    if not is_bidding(state):
        return 1 << int(state.current) if state.current != NONE else 0
    asked = 0
    for seat in range(state.num_players):
        if has_to_bid(cards, state, seat):
            asked = with_bit(asked, seat)
    return asked


@jit
def ask_seat(cards: Tables, state: State, seat: int) -> None:
    if is_bidding(state):
        ask_to_bid(state, seat)


@jit
def ask_to_bid(state: State, seat: int) -> None:
    state.current = seat
    state.turn = places_from_leader(state, seat)
    state.task = Task.BID_PRICE if has_bit(state.named, seat) else Task.BID_BARS


@jit
def ask_for_price(state: State) -> bool:
    """After all have named their bars, ask the first seat that lacks a price; False if none does."""
    for places in range(state.num_players):
        seat = seat_after(state, state.leader, places)
        if lacks_price(state, seat):
            ask_to_bid(state, seat)
            return True
    return False
