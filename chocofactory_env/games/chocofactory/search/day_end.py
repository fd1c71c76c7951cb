"""The value of a position at the end of a seat's day: learned if the weights say so, else hand-tuned."""

from __future__ import annotations

from ....core.jit import jit, jit_entry
from ....core.search.value import value_of
from ....core.signature import StateRows, TableRows
from ..layout import Tables
from ..search.weights import Prices, Weights
from ..state import State
from .evaluation import days_left, hand_tuned_at_day_end, write_prices
from .features import write_features
from .weights import OutPriceRows, WeightRows


@jit
def value_at_day_end(cards: Tables, weights: Weights, prices: Prices, state: State, seat: int) -> float:
    """The value once the seat has fulfilled its orders; on the last day always hand-tuned, as it needs no learning."""
    if weights.learned == 0 or days_left(state) == 0:
        return hand_tuned_at_day_end(cards, weights, prices, state, seat)
    write_features(cards, weights, prices, state, seat, prices.features)
    return value_of(weights.value, prices.features, state.day)


@jit
def plan_value(cards: Tables, weights: Weights, prices: Prices, state: State, seat: int) -> float:
    """What a plan maximizes: the seat's value or, if the weights say so, its lead over the best other seat.

    The others' values are computed with the seat's prices. All plans from one position share this error.
    """
    value = value_at_day_end(cards, weights, prices, state, seat)
    if weights.lead == 0 or state.num_players == 1:
        return value
    best = -1e18
    for other in range(state.num_players):
        if other != seat:
            best = max(best, value_at_day_end(cards, weights, prices, state, other))
    return value - best


@jit_entry("search")
def features_at_day_end(
    tables: TableRows, states: StateRows, seat: int, weight_rows: WeightRows, price_rows: OutPriceRows
) -> float:
    """Write the features into `price_rows[0].features`; returns the hand-tuned value, in pounds."""
    cards, weights, prices, state = tables[0], weight_rows[0], price_rows[0], states[0]
    write_prices(cards, weights, state, seat, prices)
    write_features(cards, weights, prices, state, seat, prices.features)
    return hand_tuned_at_day_end(cards, weights, prices, state, seat)
