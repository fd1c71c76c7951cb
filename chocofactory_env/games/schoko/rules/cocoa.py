"""The markets, and production."""

from ....core.jit import jit
from ..constants import NUM_CITIES, Category, Event, Express
from ..layout import Tables
from ..state import Player, State
from .player_order import at_work, has_bit, seat_after, with_bit


@jit
def free_places(cards: Tables, player: Player) -> int:
    """SET-8, COCOA-1"""
    return max(0, int(cards.cocoa_store) - int(player.cocoa))


@jit
def announce(player: Player, bars: int) -> None:
    """COCOA-1"""
    player.announced = bars


@jit
def spread(state: State) -> None:
    """COCOA-2"""
    total = 0
    for seat in range(state.num_players):
        total += int(state.players[seat].announced)
    for city in range(NUM_CITIES):
        state.market[city] = total // NUM_CITIES + (city < total % NUM_CITIES)


@jit
def most_bid_bars(cards: Tables, state: State, seat: int) -> int:
    """COCOA-4"""
    player = state.players[seat]
    return max(0, min(int(state.market[state.city]), free_places(cards, player), int(player.cash)))


@jit
def most_bid_price(cards: Tables, player: Player, bars: int) -> int:
    """COCOA-4"""
    return min(int(cards.highest_bid), int(player.cash) // max(1, bars))


@jit
def settle_bids(cards: Tables, state: State) -> None:
    """COCOA-5, COCOA-6: the highest bids first; equal bids in player order. SET-10"""
    left, served = int(state.market[state.city]), 0
    state.market[state.city] = 0
    while left > 0:
        best, seat = 0, 0
        for places in range(state.num_players):
            other = seat_after(state, state.leader, places)
            price = int(state.players[other].bid_price[state.city])
            if price > best and not has_bit(served, other):
                best, seat = price, other
        if best == 0:
            return
        served = with_bit(served, seat)
        player = state.players[seat]
        bought = min(left, int(player.bid_bars[state.city]))
        left -= bought
        player.cocoa += bought
        player.cash -= bought * best


@jit
def most_made(cards: Tables, state: State, seat: int) -> int:
    """MAKE-1, MAKE-2, SET-8: of several limits to a worker's bars, the lowest holds."""
    player = state.players[seat]
    each = int(cards.bars_a_worker)
    if player.struck_by == Express.SLOW_SHIFT:
        each = min(each, int(cards.express_amounts[Express.SLOW_SHIFT]))
    if state.event_in_force == Event.SLOW_WORK:  # EV-6
        each = min(each, int(cards.event_amounts[Event.SLOW_WORK]))
    places = int(cards.chocolate_store) - int(player.chocolate)
    return max(0, min(each * at_work(player, Category.WORKER), int(player.cocoa), places))


@jit
def make(player: Player, bars: int) -> None:
    """MAKE-2"""
    player.cocoa -= bars
    player.chocolate += bars
