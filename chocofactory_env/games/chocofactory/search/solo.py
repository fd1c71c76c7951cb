"""The evaluation of the solo game: requirements still missing (SOLO-7, SOLO-8)."""

from __future__ import annotations

import numpy as np

from ....core.jit import jit
from ..constants import NUM_KINDS, NUM_SIZES, NUM_STORES, Pattern
from ..layout import Tables
from ..rules.end import orders_completed
from ..rules.pieces import accepts
from ..rules.solo import (
    add_up_requirements,
    all_satisfied,
    cards_face_up,
    manager_card,
    money_that_counts,
)
from ..scripted.missing import any_orders_missing, money_missing, orders_missing, write_steps_missing
from ..search.weights import Prices, Weights
from ..state import State
from .weights import MOST_OFFERS


@jit
def cards_known(weights: Weights, state: State) -> int:
    """The number of cards counted: the Weekly Target and the face-up Demands or, with foresight, all Demands."""
    return 1 + int(state.num_demands) if weights.foresight else cards_face_up(state)


@jit
def foresee(cards: Tables, state: State) -> None:
    """Count the requirements of all demands, without turning them up."""
    face_up = int(state.face_up)
    state.face_up = state.num_demands
    add_up_requirements(cards, state)
    state.face_up = face_up


@jit
def offer_chocolate_orders(cards: Tables, weights: Weights, state: State, prices: Prices) -> None:
    """Offer prices for pieces of chocolate orders that are known and not delivered."""
    for card in range(cards_known(weights, state)):
        rule = manager_card(cards, state, card).order
        if rule.number == 0 or state.delivered[card] != 0:
            continue
        for kind in range(NUM_KINDS):
            if not accepts(rule.kinds, kind):
                continue
            wanted = int(rule.number)
            if rule.pattern == Pattern.EXACT_MIX:
                wanted = int(rule.set_pieces[kind])
            elif rule.pattern == Pattern.ALL_DIFFERENT:
                wanted = 1
            for _ in range(min(wanted, MOST_OFFERS)):
                insert_offer(prices, kind, weights.chocolate_order / rule.number)


@jit
def insert_offer(prices: Prices, kind: int, offer: float) -> None:
    """Insert an offer for a kind; offers are sorted from high to low."""
    place = MOST_OFFERS - 1
    if prices.offers[kind, place] >= offer:
        return
    while place > 0 and prices.offers[kind, place - 1] < offer:
        prices.offers[kind, place] = prices.offers[kind, place - 1]
        place -= 1
    prices.offers[kind, place] = offer


@jit
def value_of_cards(cards: Tables, weights: Weights, state: State, days: int, prices: Prices) -> float:
    """How near the game is to being won; on the last day, a win counts above all."""
    if days == 0 and all_satisfied(cards, state):
        return weights.won
    player = state.players[0]
    value = -weights.pound_missing * money_missing(state)
    spare_money = min(max(0, money_that_counts(state) - state.needed.money), weights.spare_money)
    value += weights.spare_pound * spare_money
    for size in range(NUM_SIZES):
        value -= weights.order_missing * (1 + 0.5 * size) * orders_missing(state, size)
    value -= weights.order_missing * any_orders_missing(state)
    if days > 0:
        value += weights.spare_order * orders_completed(player)
    for card in range(cards_known(weights, state)):
        if manager_card(cards, state, card).order.number > 0 and state.delivered[card] == 0:
            value -= weights.chocolate_order
    value -= weights.order_missing * special_orders_missing(cards, state)
    return value + value_of_tracks(cards, weights, state, days, prices.steps)


@jit
def special_orders_missing(cards: Tables, state: State) -> int:
    missing = -int(state.players[0].special_completed)
    for size in range(NUM_SIZES):
        missing += cards.targets[state.target].special[size]
    return missing


@jit
def value_of_tracks(cards: Tables, weights: Weights, state: State, days: int, missing: np.ndarray) -> float:
    write_steps_missing(cards, state, cards_known(weights, state), missing)
    value = 0.0
    for store in range(NUM_STORES):
        value -= weights.step_missing * missing[store]
        if missing[store] == 0 and days > 0:
            spare = state.players[0].track[store] - state.needed.steps[store]
            value += weights.spare_step * min(spare, weights.spare_steps)
    return value
