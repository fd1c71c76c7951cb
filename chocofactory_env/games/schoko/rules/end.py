"""The end of the game: scores, places, and winners."""

import numpy as np

from ....core.jit import jit
from ..layout import Tables
from ..state import State
from .payments import share_price
from .player_order import places_from_leader


@jit
def money_of(cards: Tables, state: State, seat: int) -> int:
    """END-1, END-2: the seat's money if the game ended now. A bankrupt seat has 0 (END-3)."""
    player = state.players[seat]
    return int(player.cash) + int(player.shares) * share_price(cards, state) - int(player.loans) * int(cards.loan)


@jit
def write_scores(cards: Tables, state: State, scores: np.ndarray) -> None:
    for seat in range(state.num_players):
        scores[seat] = money_of(cards, state, seat)


@jit
def write_payoffs(cards: Tables, state: State, payoffs: np.ndarray) -> None:
    for seat in range(state.num_players):
        payoffs[seat] = payoff_of(cards, state, seat)


@jit
def payoff_of(cards: Tables, state: State, seat: int) -> int:
    """The score. A bankrupt seat gets less than any other can have, and the less the earlier it went (END-3).

    It counts as if it owed all loans of the box, one more for itself, and one for each seat that could go bankrupt
    after it.
    """
    out = int(state.players[seat].out)
    if out == 0:
        return money_of(cards, state, seat)
    return -(int(cards.loans) + int(state.num_players) - out) * int(cards.loan)


@jit
def write_standings(cards: Tables, state: State, standings: np.ndarray) -> None:
    """The payoff plus the money that lies at the bookkeepers."""
    for seat in range(state.num_players):
        player = state.players[seat]
        money = payoff_of(cards, state, seat)
        for place in range(player.num_booked):
            money += int(player.prices[place])
        standings[seat] = money


@jit
def write_ranking(cards: Tables, state: State, scores: np.ndarray, ranking: np.ndarray) -> None:
    """END-3, PAY-4"""
    for seat in range(state.num_players):
        ranking[seat] = 0
        for other in range(state.num_players):
            if other != seat and is_before(state, other, seat, scores):
                ranking[seat] += 1


@jit
def is_before(state: State, seat: int, other: int, scores: np.ndarray) -> bool:
    """END-3: whether the seat ranks before the other one. Of two equals, the later in player order does."""
    out, other_out = int(state.players[seat].out), int(state.players[other].out)
    if out != other_out:
        return out == 0 or (other_out != 0 and out > other_out)
    if scores[seat] != scores[other]:
        return bool(scores[seat] > scores[other])
    return places_from_leader(state, seat) > places_from_leader(state, other)


@jit
def write_winners(cards: Tables, state: State, ranking: np.ndarray, won: np.ndarray) -> None:
    for seat in range(state.num_players):
        won[seat] = ranking[seat] == 0
