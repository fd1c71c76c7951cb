"""The evaluation of a position for a seat, in pounds: money in hand plus an estimate of future income.

The estimate has three parts. *Prices*: what another piece of each kind brings, from open stages, today's store, or in
itself. *The belt*: what the parts still ahead of a piece can make of it, at those prices. *The end*: what markers on
tracks and completed orders may bring in prizes. For the weights see `weights.py`.
"""

from __future__ import annotations

import numpy as np

from ....core.jit import jit
from ....core.kernel.exponential import exp
from ..cards import Option, Part
from ..constants import (
    ANY_KINDS,
    NONE,
    NUM_DAYS,
    NUM_KINDS,
    NUM_STORES,
    NUM_TILES,
    ORDER_SLOTS,
    STORE_ROOM,
    SYMBOL_KINDS,
    TRACK_END,
    UPGRADES,
    Effect,
    Function,
    Kind,
    Pattern,
    Phase,
)
from ..layout import Tables
from ..rules.employees import has_effect
from ..rules.end import orders_completed, store_prize, variety_prize
from ..rules.pieces import accepts, number_of
from ..rules.run import chute_tile, shifts_of
from ..rules.stores import rule_of
from ..scripted.missing import money_missing, order_is_asked_for, write_steps_missing
from ..search.weights import Prices, Weights
from ..state import Player, State
from .solo import cards_known, insert_offer, offer_chocolate_orders, value_of_cards
from .weights import MOST_OFFERS


@jit
def days_left(state: State) -> int:
    """The number of days after today."""
    return NUM_DAYS - 1 - int(state.day)


@jit
def coal_price(weights: Weights, state: State) -> float:
    share = days_left(state) / (NUM_DAYS - 1)
    return 1.0 + (weights.coal - 1.0) * share


# --- prices of pieces in the store room


@jit
def write_prices(cards: Tables, weights: Weights, state: State, seat: int, prices: Prices) -> None:
    """Price everything for a plan of the seat's day."""
    player = state.players[seat]
    for kind in range(NUM_KINDS):
        for place in range(MOST_OFFERS):
            prices.offers[kind, place] = 0.0
    offer_open_stages(cards, weights, state, player, prices)
    if state.num_players == 1:
        offer_chocolate_orders(cards, weights, state, prices)
        write_steps_missing(cards, state, cards_known(weights, state), prices.steps)
    for kind in range(NUM_KINDS):
        floor = weights.piece_value[kind] * (weights.unwanted if kind >= Kind.CHUNKS else 0.0)
        floor = max(floor, 1.0)  # RUN-8: a coal
        floor = max(floor, price_at_store(cards, weights, state, player, kind, prices))
        prices.of_room[kind, 0] = 0.0
        for number in range(MOST_OFFERS):
            price = max(prices.offers[kind, number], floor)
            prices.of_room[kind, number + 1] = prices.of_room[kind, number] + price
    write_belt_prices(cards, weights, state, player, prices)
    prices.result = value_of_result(cards, weights, prices, state, seat)


@jit
def offer_open_stages(cards: Tables, weights: Weights, state: State, player: Player, prices: Prices) -> None:
    """Share the pay of each open stage among its pieces, by their values; later stages count less.

    With its last stage an order also brings what it has paid and does not count yet (SOLO-7).
    """
    for order in range(ORDER_SLOTS):
        if player.orders[order] == NONE:
            continue
        card = cards.orders[player.orders[order]]
        share = weights.wanted * weight_of_order(weights, state, order, card.deck)
        for stage in range(player.stage[order], card.num_stages):
            asked = card.stages[stage]
            pay = asked.pay + (state.paid[order] if stage == card.num_stages - 1 else 0)
            value = 0.0
            for kind in range(NUM_KINDS):
                value += asked.pieces[kind] * weights.piece_value[kind]
            for kind in range(NUM_KINDS):
                for _ in range(asked.pieces[kind]):
                    insert_offer(prices, kind, share * pay * weights.piece_value[kind] / value)
            share *= weights.later_stage


@jit
def weight_of_order(weights: Weights, state: State, order: int, size: int) -> float:
    """The weight of an order's pay; in the solo game it depends on the orders and money required."""
    if state.num_players > 1:
        return 1.0
    weight = weights.pound_missing if money_missing(state) > 0 else weights.spare_pound
    if order_is_asked_for(state, order, size):
        weight += 1.5
    return weight


@jit
def price_at_store(cards: Tables, weights: Weights, state: State, player: Player, kind: int, prices: Prices) -> float:
    """Estimate what today's store gives for a piece."""
    if player.employee == NONE:
        return 0.0
    store = int(cards.employees[player.employee].store)
    if store == NONE or player.track[store] >= TRACK_END or player.supplied[store] != 0:
        return 0.0
    rule = rule_of(cards, state, store)
    if not accepts(rule.kinds, kind):
        return 0.0
    doubled = 2.0 if has_effect(cards, player, Effect.DOUBLE_SUPPLY) else 1.0
    if rule.most_pieces > 0:
        spaces = rule.by_number[rule.most_pieces - 1] / rule.most_pieces
    elif rule.pattern == Pattern.SETS:
        spaces = rule.spaces[kind] / 2.0
    else:
        spaces = rule.spaces[kind] / rule.per
    return value_of_space(weights, state, player, store, prices) * doubled * spaces


@jit
def value_of_space(weights: Weights, state: State, player: Player, store: int, prices: Prices) -> float:
    if state.num_players > 1:
        return weights.space
    if prices.steps[store] > 0:
        return weights.step_missing
    return weights.spare_step if player.track[store] - state.needed.steps[store] < weights.spare_steps else 0.0


# --- prices of pieces on the belt


@jit
def write_belt_prices(cards: Tables, weights: Weights, state: State, player: Player, prices: Prices) -> None:
    """Price pieces from the belt's exit to its entrance. A piece passes both parts of each tile, up to the Chute."""
    coal = coal_price(weights, state)
    chute = chute_tile(cards, player)
    for tile in range(NUM_TILES - 1, -1, -1):
        for kind in range(NUM_KINDS):
            last = tile == NUM_TILES - 1
            out = prices.of_room[kind, 1] * weights.belt
            prices.of_belt[tile, kind] = out if last or tile == chute else prices.of_belt[tile + 1, kind]
            in_itself = weights.piece_value[kind] * weights.kept * weights.belt
            prices.later[tile, kind] = in_itself if last or tile == chute else prices.later[tile + 1, kind]
        for slot in (tile, tile + NUM_TILES):
            part = player.factory[slot]
            if part != NONE:
                raise_prices(cards.parts[part], weights, coal, prices.of_belt[tile])
                raise_prices(cards.parts[part], weights, coal, prices.later[tile])


@jit
def raise_prices(part: Part, weights: Weights, coal: float, price: np.ndarray) -> None:
    """Raise the price of each kind on a tile, (NUM_KINDS,), to what the part can make of it."""
    cost = part.cost * coal
    if part.function == Function.CONVERTER:
        for option in range(part.num_options):
            if part.options[option].num_makes > 0:
                raise_prices_by_option(part.options[option], weights, cost, price)
    elif part.function == Function.UPGRADER:
        # Points make later kinds, whose prices are not raised yet, so the part is used only once.
        for kind in range(NUM_KINDS):
            reached = best_upgrade(price, kind, part.amount)
            price[kind] = max(price[kind], reached - cost / part.amount)
    elif part.function == Function.REPEATER:
        for kind in range(NUM_KINDS):
            price[kind] = max(price[kind], price[kind] * (1.0 + weights.copied * part.amount) - cost)


@jit
def raise_prices_by_option(option: Option, weights: Weights, cost: float, price: np.ndarray) -> None:
    made = 0.0
    for place in range(option.num_makes):
        made += best_price(price, SYMBOL_KINDS[option.makes[place]])
    if option.num_takes == 1:
        for kind in range(NUM_KINDS):
            if accepts(SYMBOL_KINDS[option.takes[0]], kind):
                price[kind] = max(price[kind], made - cost)
        return
    gain = made - cost
    for place in range(option.num_takes):
        gain -= least_price(price, SYMBOL_KINDS[option.takes[place]])
    if gain > 0:
        either = SYMBOL_KINDS[option.takes[0]] | SYMBOL_KINDS[option.takes[1]]
        for kind in range(NUM_KINDS):
            if accepts(either, kind):
                price[kind] += weights.pair * gain


@jit
def best_price(price: np.ndarray, kinds: int) -> float:
    best = 0.0
    for kind in range(NUM_KINDS):
        if accepts(kinds, kind):
            best = max(best, price[kind])
    return best


@jit
def least_price(price: np.ndarray, kinds: int) -> float:
    least = 1e9
    for kind in range(NUM_KINDS):
        if accepts(kinds, kind):
            least = min(least, price[kind])
    return least


@jit
def best_upgrade(price: np.ndarray, kind: int, points: int) -> float:
    """The highest price that a kind can reach with this many upgrade points."""
    kinds = 1 << kind
    best: float = price[kind]
    for _ in range(points):
        reached = 0
        for other in range(NUM_KINDS):
            if accepts(kinds, other):
                reached |= UPGRADES[other]
        kinds = reached
        best = max(best, best_price(price, kinds))
    return best


# --- the value of a position


@jit
def value_of_pieces(weights: Weights, prices: Prices, state: State, player: Player, shifts_left: int) -> float:
    """The value of pieces in the store room and on the belt, during the day."""
    value = 0.0
    for kind in range(NUM_KINDS):
        number = min(player.pieces[STORE_ROOM, kind], MOST_OFFERS)
        value += prices.of_room[kind, number]
        for tile in range(NUM_TILES):
            if player.pieces[tile, kind] > 0:
                value += player.pieces[tile, kind] * price_on_belt(weights, prices, state, tile, kind, shifts_left)
    return value


@jit
def price_on_belt(weights: Weights, prices: Prices, state: State, tile: int, kind: int, shifts_left: int) -> float:
    """The price of a piece on the belt: today's if it reaches the exit today, or on the last day."""
    if tile + shifts_left >= NUM_TILES or state.day == NUM_DAYS - 1:
        return prices.of_belt[tile, kind]
    return max(prices.of_belt[tile, kind] * weights.tomorrow, prices.later[tile, kind])


@jit
def value_during_day(cards: Tables, weights: Weights, prices: Prices, state: State, seat: int) -> float:
    """The value while the seat runs its factory or fulfils orders."""
    player = state.players[seat]
    shifts_left = shifts_of(cards, player) - state.shift if state.phase == Phase.RUN else 0
    value = value_of_pieces(weights, prices, state, player, shifts_left)
    # Running a factory changes neither money nor prizes nor what the solo game's cards ask for.
    result = prices.result if state.phase == Phase.RUN else value_of_result(cards, weights, prices, state, seat)
    return value + player.coal * coal_price(weights, state) + result


@jit
def hand_tuned_at_day_end(cards: Tables, weights: Weights, prices: Prices, state: State, seat: int) -> float:
    """The value once the seat has fulfilled its orders."""
    player = state.players[seat]
    value = value_of_result(cards, weights, prices, state, seat)
    if days_left(state) == 0:
        return value + player.coal + number_of(player, STORE_ROOM, ANY_KINDS)  # END-5
    value += value_of_belt(weights, prices, player) + value_of_orders(cards, weights, state, player)
    value += days_left(state) * weights.beans * prices.later[0, Kind.BEAN]
    return value + value_of_stock(cards, weights, state, player)


@jit
def value_of_belt(weights: Weights, prices: Prices, player: Player) -> float:
    """The value of pieces that stay on the belt overnight."""
    value = 0.0
    for tile in range(NUM_TILES):
        for kind in range(NUM_KINDS):
            value += player.pieces[tile, kind] * prices.later[tile, kind] * weights.tomorrow
    return value


@jit
def value_of_stock(cards: Tables, weights: Weights, state: State, player: Player) -> float:
    """CLEAN-2: the value of coal and of pieces: the best pieces are kept, and the others become coal."""
    kept = int(cards.kept_pieces[1 if state.num_players == 1 else 0])
    price = coal_price(weights, state)
    value = player.coal * price
    for kind in range(NUM_KINDS - 1, -1, -1):  # boxed first
        number = int(player.pieces[STORE_ROOM, kind])
        stays = min(number, kept) if kind >= Kind.CHUNKS else 0
        kept -= stays
        value += stays * weights.piece_value[kind] * weights.kept + (number - stays) * price
    return value


@jit
def value_of_orders(cards: Tables, weights: Weights, state: State, player: Player) -> float:
    """The value of open stages, and of orders to be drawn for completed ones."""
    time = min(1.0, days_left(state) / 3.0)
    value = player.to_replace * weights.new_order
    for order in range(ORDER_SLOTS):
        if player.orders[order] == NONE:
            continue
        card = cards.orders[player.orders[order]]
        share = weights.open_stage
        for stage in range(player.stage[order], card.num_stages):
            pay = card.stages[stage].pay + (state.paid[order] if stage == card.num_stages - 1 else 0)
            value += share * pay * weight_of_order(weights, state, order, card.deck)
            share *= weights.later_stage * weights.later_stage
    return value * time


@jit
def value_of_result(cards: Tables, weights: Weights, prices: Prices, state: State, seat: int) -> float:
    """Money and prizes; in the solo game, the value of its cards."""
    if state.num_players == 1:
        return value_of_cards(cards, weights, state, days_left(state), prices)
    return state.players[seat].money + value_of_prizes(cards, weights, state, seat)


@jit
def value_of_prizes(cards: Tables, weights: Weights, state: State, seat: int) -> float:
    """Estimate the prizes of END-2 to END-4."""
    days = days_left(state)
    value = cards.most_orders_prize * chance_to_lead(weights, lead_in_orders(state, seat), days)
    if days == 0:
        value += variety_prize(cards, state.players[seat])
        for store in range(NUM_STORES):
            exact = store_prize(cards, state, store, seat)
            value += 0.7 * exact + 0.3 * likely_store_prize(cards, weights, state, store, seat, days)
        return value
    supplied = 0
    for store in range(NUM_STORES):
        supplied += 1 if state.players[seat].track[store] > 0 else 0
        value += likely_store_prize(cards, weights, state, store, seat, days)
    share = days / (NUM_DAYS - 1)
    return value + share * weights.variety[supplied] + (1.0 - share) * cards.variety_prizes[supplied]


@jit
def chance_to_lead(weights: Weights, lead: float, days: int) -> float:
    return 1.0 / (1.0 + exp(-lead / (weights.race + weights.race_a_day * days)))


@jit
def lead_in_orders(state: State, seat: int) -> float:
    """The lead over the best other seat; a tie is as good as a lead (END-2)."""
    best = 0
    for other in range(state.num_players):
        if other != seat:
            best = max(best, orders_completed(state.players[other]))
    return orders_completed(state.players[seat]) - best + 0.5


@jit
def likely_store_prize(cards: Tables, weights: Weights, state: State, store: int, seat: int, days: int) -> float:
    """END-3: estimated from the chances to be ahead of each other seat. A marker at 0 may move while days are left."""
    mine = state.players[seat].track[store]
    first, second, best = 1.0, 1.0, 0
    for other in range(state.num_players):
        if other == seat:
            continue
        track = state.players[other].track[store]
        best = max(best, track)
        earlier = state.players[seat].arrival[store] < state.players[other].arrival[store]
        chance = chance_to_lead(weights, mine - track + (0.3 if earlier else -0.3), days)
        if chance < first:
            second = first
            first = chance
        elif chance < second:
            second = chance
    far_enough = 1.0 if 2 * mine >= best else 0.4
    prize = cards.store_prizes[0] * first + cards.store_prizes[1] * (second - first) * far_enough
    if mine == 0:
        prize *= 0.8 * days / (days + 2.0)
    return prize
