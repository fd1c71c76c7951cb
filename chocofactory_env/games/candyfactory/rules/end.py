"""Points, places and winners (SCORE, TIE, SHORT-1, SHORT-2)."""

import numpy as np

from ....core.jit import jit
from ..constants import (
    FIRST_TRUCK,
    MAX_OPEN_RECIPES,
    NUM_HOLDS,
    NUM_KINDS,
    NUM_RAW,
    WAREHOUSE,
    Kind,
    Variety,
)
from ..layout import Tables
from ..state import Seat, State


@jit
def write_scores(cards: Tables, state: State, scores: np.ndarray) -> None:
    """SCORE-1 to SCORE-4: points if the game ended now. Coins on whistles do not count (WHIS-1)."""
    write_standings(cards, state, scores)
    for seat in range(state.num_players):
        scores[seat] += state.seats[seat].coins  # SCORE-4, COIN-1


@jit
def write_standings(cards: Tables, state: State, standings: np.ndarray) -> None:
    """Points of goods and of types, without coins: 0 at the start."""
    for seat in range(state.num_players):
        if state.variety == Variety.PLANTATION:
            standings[seat] = plantation_points(cards, state.seats[seat])
        else:
            standings[seat] = points_of_goods(cards, state, state.seats[seat])


@jit
def plantation_points(cards: Tables, seat: Seat) -> int:
    """SHORT-1: points for sugar and chocolate aboard any truck."""
    points = 0
    for hold in range(FIRST_TRUCK, NUM_HOLDS):
        points += seat.goods[hold, Kind.SUGAR] * cards.short_points[0]
        points += seat.goods[hold, Kind.CHOCOLATE] * cards.short_points[1]
    return points


@jit
def points_of_goods(cards: Tables, state: State, seat: Seat) -> int:
    """SCORE-1, SCORE-2, SCORE-3"""
    points = 0
    for kind in range(NUM_RAW):
        number = aboard(cards, seat, kind)
        points += number + (number > 0)
    for place in range(MAX_OPEN_RECIPES):
        decorated = aboard(cards, seat, Kind.DECORATED + place)
        number = aboard(cards, seat, Kind.PLAIN + place) + decorated
        if number > 0:
            points += number * cards.recipes[state.recipes[place]].points + decorated + 1
    return points


@jit
def aboard(cards: Tables, seat: Seat, kind: int) -> int:
    """SCORE-1: goods of a kind in own trucks; a stack counts two."""
    number = 0
    for hold in range(FIRST_TRUCK, NUM_HOLDS):
        number += seat.goods[hold, kind] * cards.own[hold]
    return number


@jit
def spare_goods(cards: Tables, state: State, seat: Seat) -> int:
    """TIE-1: goods in hired trucks and the warehouse; SHORT-2: in the warehouse alone. A stack counts two (TIE-2)."""
    number = 0
    for hold in range(NUM_HOLDS):
        if hold == WAREHOUSE or (cards.own[hold] == 0 and state.variety != Variety.PLANTATION):
            for kind in range(NUM_KINDS):
                number += seat.goods[hold, kind]
    return number


@jit
def is_ahead(cards: Tables, state: State, scores: np.ndarray, one: int, other: int) -> bool:
    """TIE-1: more points, then more coins, then more spare goods."""
    if scores[one] != scores[other]:
        return bool(scores[one] > scores[other])
    first, second = state.seats[one], state.seats[other]
    if first.coins != second.coins:
        return bool(first.coins > second.coins)
    return spare_goods(cards, state, first) > spare_goods(cards, state, second)


@jit
def write_ranking(cards: Tables, state: State, scores: np.ndarray, ranking: np.ndarray) -> None:
    """TIE-1, TIE-2: a seat's place is the number of seats ahead; equal seats share a place."""
    for seat in range(state.num_players):
        ranking[seat] = 0
        for other in range(state.num_players):
            ranking[seat] += is_ahead(cards, state, scores, other, seat)


@jit
def write_winners(cards: Tables, state: State, ranking: np.ndarray, won: np.ndarray) -> None:
    """TIE-1: the victory may be shared."""
    for seat in range(state.num_players):
        won[seat] = ranking[seat] == 0
