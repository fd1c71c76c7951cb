"""Features of a position at the end of a seat's day; a learned value is a weighted sum of them.

For their names see `../feature_names.py`. Prices and prizes come from the hand-tuned evaluation. F = features.
"""

from __future__ import annotations

import numpy as np

from ....core.jit import jit
from ..cards import Option, Stage
from ..constants import (
    NONE,
    NUM_KINDS,
    NUM_SIZES,
    NUM_SLOTS,
    NUM_STORES,
    NUM_TILES,
    ORDER_SLOTS,
    OWN_ORDERS,
    STORE_ROOM,
    Kind,
)
from ..feature_names import AT, MOST_DIFFICULTY, NUM_FEATURES
from ..layout import Tables
from ..rules.end import orders_completed
from ..rules.pieces import accepts
from ..rules.solo import cards_face_up, manager_card, money_that_counts
from ..scripted.missing import any_orders_missing, money_missing, orders_missing, write_steps_missing
from ..search.weights import Prices, Weights
from ..state import Player, State
from .evaluation import (
    days_left,
    hand_tuned_at_day_end,
    likely_store_prize,
    value_of_belt,
    value_of_orders,
    value_of_prizes,
    value_of_result,
    value_of_stock,
)
from .solo import cards_known, special_orders_missing


@jit
def write_features(cards: Tables, weights: Weights, prices: Prices, state: State, seat: int, x: np.ndarray) -> None:
    """Write the features into x, (F,) float32, each scaled to about 1. prices: from `write_prices`, for the seat."""
    for at in range(NUM_FEATURES):
        x[at] = 0.0
    write_hand_tuned(cards, weights, prices, state, seat, x)
    player = state.players[seat]
    write_pieces(prices, player, x)
    write_factory(cards, player, x)
    write_orders(cards, player, x)
    write_tracks(cards, player, x)
    x[AT.expansion] = cards.expanded
    if state.num_players > 1:
        write_others(cards, weights, state, seat, x)
    else:
        write_solo(cards, weights, prices, state, x)


@jit
def write_hand_tuned(cards: Tables, weights: Weights, prices: Prices, state: State, seat: int, x: np.ndarray) -> None:
    player = state.players[seat]
    x[AT.hand_tuned] = hand_tuned_at_day_end(cards, weights, prices, state, seat) / 50.0
    x[AT.result] = value_of_result(cards, weights, prices, state, seat) / 50.0
    x[AT.belt] = value_of_belt(weights, prices, player) / 20.0
    x[AT.open_orders] = value_of_orders(cards, weights, state, player) / 20.0
    x[AT.beans] = prices.later[0, Kind.BEAN] / 5.0
    x[AT.stock] = value_of_stock(cards, weights, state, player) / 20.0


@jit
def write_pieces(prices: Prices, player: Player, x: np.ndarray) -> None:
    x[AT.money] = player.money / 50.0
    x[AT.coal] = player.coal / 10.0
    for kind in range(NUM_KINDS):
        x[AT.room + kind] = player.pieces[STORE_ROOM, kind] / 3.0
        for tile in range(NUM_TILES):
            x[AT.pieces + kind] += player.pieces[tile, kind] / 3.0
            x[AT.on_tile + tile] += player.pieces[tile, kind] / 3.0
            x[AT.later + tile * NUM_KINDS + kind] = prices.later[tile, kind] / 5.0


@jit
def write_factory(cards: Tables, player: Player, x: np.ndarray) -> None:
    """Write the sums of what the parts do."""
    for slot in range(NUM_SLOTS):
        if player.factory[slot] == NONE:
            continue
        part = cards.parts[player.factory[slot]]
        x[AT.functions + int(part.function)] += 1.0
        x[AT.cost] += part.cost / 3.0
        x[AT.amounts + int(part.function)] += part.amount / 2.0
        for option in range(part.num_options):
            write_option(part.options[option], x)
    for tile in range(NUM_TILES):
        if player.factory[tile] != NONE and player.factory[tile + NUM_TILES] != NONE:
            x[AT.doubled] += 0.5


@jit
def write_option(option: Option, x: np.ndarray) -> None:
    for take in range(option.num_takes):
        x[AT.takes + int(option.takes[take])] += 0.5
    for make in range(option.num_makes):
        x[AT.makes + int(option.makes[make])] += 0.5


@jit
def write_orders(cards: Tables, player: Player, x: np.ndarray) -> None:
    """Write what open stages pay and require, and how much of the next ones the store room holds."""
    completed = orders_completed(player)
    x[AT.completed] = completed / 3.0
    x[AT.to_replace] = player.to_replace
    for size in range(NUM_SIZES):
        x[AT.completed_sizes + size] = player.completed[size] / 2.0
    for order in range(ORDER_SLOTS):
        if player.orders[order] == NONE:
            continue
        card = cards.orders[player.orders[order]]
        if order < OWN_ORDERS:
            x[AT.sizes + int(card.deck)] += 1.0
        for stage in range(player.stage[order], card.num_stages):
            write_stage(card.stages[stage], player, stage == player.stage[order], x)


@jit
def write_stage(stage: Stage, player: Player, is_next: bool, x: np.ndarray) -> None:
    x[AT.open_pay] += stage.pay / 20.0
    x[AT.open_stages] += 0.3
    if is_next:
        x[AT.next_pay] += stage.pay / 20.0
    for kind in range(NUM_KINDS):
        x[AT.asked + kind] += stage.pieces[kind] / 3.0
        if is_next:
            x[AT.covered + kind] += min(stage.pieces[kind], player.pieces[STORE_ROOM, kind]) / 2.0


@jit
def write_tracks(cards: Tables, player: Player, x: np.ndarray) -> None:
    supplied = 0
    for store in range(NUM_STORES):
        x[AT.track + store] = player.track[store] / 5.0
        supplied += 1 if player.track[store] > 0 else 0
    x[AT.supplied] = supplied / 5.0
    x[AT.variety] = cards.variety_prizes[supplied] / 20.0


@jit
def write_others(cards: Tables, weights: Weights, state: State, seat: int, x: np.ndarray) -> None:
    """Write the best of the others in each respect, and the seat's place in tomorrow's turn order (PREP-2)."""
    x[AT.turn + int((seat - state.start_player) % state.num_players)] = 1.0
    for other in range(state.num_players):
        if other != seat:
            write_other(cards, weights, state, other, x)
    for store in range(NUM_STORES):
        prize = likely_store_prize(cards, weights, state, store, seat, days_left(state))
        x[AT.likely_prize + store] = prize / 10.0


@jit
def write_other(cards: Tables, weights: Weights, state: State, other: int, x: np.ndarray) -> None:
    rival = state.players[other]
    x[AT.others_money] = max(x[AT.others_money], rival.money / 50.0)
    x[AT.others_coal] = max(x[AT.others_coal], rival.coal / 10.0)
    x[AT.others_orders] = max(x[AT.others_orders], orders_completed(rival) / 3.0)
    x[AT.others_prizes] = max(x[AT.others_prizes], value_of_prizes(cards, weights, state, other) / 50.0)
    supplied = 0
    for store in range(NUM_STORES):
        x[AT.others_track + store] = max(x[AT.others_track + store], rival.track[store] / 5.0)
        supplied += 1 if rival.track[store] > 0 else 0
    x[AT.others_stores] = max(x[AT.others_stores], supplied / 5.0)


@jit
def write_solo(cards: Tables, weights: Weights, prices: Prices, state: State, x: np.ndarray) -> None:
    """Write the requirements still missing (SOLO-7, SOLO-8), and the number of cards face down."""
    money = money_that_counts(state)
    x[AT.money] = money / 50.0
    x[AT.difficulty + min(int(state.difficulty), MOST_DIFFICULTY)] = 1.0
    x[AT.money_missing] = money_missing(state) / 20.0
    x[AT.spare_money] = (money - state.needed.money) / 20.0
    x[AT.any_missing] = any_orders_missing(state)
    x[AT.special_missing] = special_orders_missing(cards, state)
    orders = x[AT.any_missing] + x[AT.special_missing]
    for size in range(NUM_SIZES):
        x[AT.orders_missing + size] = orders_missing(state, size)
        orders += x[AT.orders_missing + size]
    x[AT.face_down] = state.num_demands - state.face_up
    write_chocolate_orders(cards, state, x)
    write_steps(cards, weights, prices, state, x)
    x[AT.satisfied] = 1.0 if x[AT.all_steps] == 0 else 0.0
    x[AT.satisfied + 1] = 1.0 if x[AT.chocolate_orders] == 0 else 0.0
    x[AT.satisfied + 2] = 1.0 if x[AT.money_missing] == 0 else 0.0
    x[AT.satisfied + 3] = 1.0 if orders == 0 else 0.0


@jit
def write_chocolate_orders(cards: Tables, state: State, x: np.ndarray) -> None:
    for card in range(cards_face_up(state)):
        rule = manager_card(cards, state, card).order
        if rule.number > 0 and state.delivered[card] == 0:
            x[AT.chocolate_orders] += 1.0
            for kind in range(NUM_KINDS):
                if accepts(rule.kinds, kind):
                    x[AT.chocolate_kinds + kind] += 0.5


@jit
def write_steps(cards: Tables, weights: Weights, prices: Prices, state: State, x: np.ndarray) -> None:
    player = state.players[0]
    write_steps_missing(cards, state, cards_known(weights, state), prices.steps)
    for store in range(NUM_STORES):
        missing = prices.steps[store]
        spare = player.track[store] - state.needed.steps[store]
        x[AT.steps_missing + store] = missing / 3.0
        x[AT.spare_steps + store] = spare / 3.0
        x[AT.store_missing + store] = 1.0 if missing > 0 else 0.0
        x[AT.all_steps] += missing / 3.0
        x[AT.all_spare] += max(0, spare) / 5.0
