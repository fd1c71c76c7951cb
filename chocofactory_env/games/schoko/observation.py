"""Observations: the compiled code that writes them and hides secrets. `layout` declares their blocks.

Egocentric: players are listed from the observer on, clockwise. Contracts are described by their content, not by card
number. Face-down cards, other hands, bids under way and the generator are never read.
"""

from __future__ import annotations

import numpy as np

from ...core.jit import jit
from ...core.observation.buffers import copy_row, mark
from .constants import (
    GONE,
    NONE,
    NUM_CATEGORIES,
    NUM_CITIES,
    NUM_EVENTS,
    NUM_EXPRESS,
    Task,
)
from .layout import CONTRACT_SIZE, CONTRACTS_SHOWN, MOST_SHOWN, TEN, Tables
from .rules.player_order import chairman, has_bit, places_from_leader, seat_after
from .rules.sealed import is_bidding
from .state import Player, State


@jit
def write_observation(cards: Tables, state: State, seat: int, out: np.ndarray) -> None:
    """Write what the seat sees into `out`, (layout.raw_size,) uint8, unscaled. Every entry is overwritten."""
    out[:] = 0
    write_time(cards, state, seat, out)
    if state.current == seat or not is_secret(state):
        write_task(cards, state, seat, out)
    for other in range(state.num_players):
        player = state.players[seat_after(state, seat, other)]
        write_possessions(cards, player, other, out)
        write_contracts(cards, player, other, out)
        write_month(cards, player, other, out)
    write_market(cards, state, seat, out)
    write_sale(cards, state, seat, out)
    write_events(cards, state, seat, out)
    write_express_cards(cards, state, seat, out)


@jit
def is_secret(state: State) -> bool:
    """SEE-4, SEE-5: a card window or a sealed bid is under way."""
    task = state.task
    asked = task == Task.CARD_A or task == Task.CARD_B or task == Task.CARD_C
    return bool(asked or task == Task.TARGET or task == Task.HOLIDAY or is_bidding(state))


@jit
def place_seen(state: State, seat: int, other: int) -> int:
    """The place of `other` in the observation of `seat`."""
    place = int(other) - int(seat)
    return place + state.num_players if place < 0 else place


@jit
def write_time(cards: Tables, state: State, seat: int, out: np.ndarray) -> None:
    at = cards.at
    out[at.month] = state.month + 1
    out[at.months] = state.months
    out[at.leader + place_seen(state, seat, state.leader)] = 1
    out[at.chairman + place_seen(state, seat, chairman(state))] = 1
    copy_row(state.box, out, at.box)
    out[at.share_price] = cards.share_price[state.month]
    if state.month + 1 < state.months:
        out[at.share_price + 1] = cards.share_price[state.month + 1]


@jit
def write_task(cards: Tables, state: State, seat: int, out: np.ndarray) -> None:
    at, task = cards.at, state.task
    if task == Task.OVER:
        return
    out[at.task + int(task)] = 1
    out[at.to_move + place_seen(state, seat, state.current)] = 1
    if task == Task.STAFF or task == Task.TRIM:
        out[at.task_category + int(state.category)] = 1
    mark(state.card, out, at.task_card)
    if is_bidding(state):
        out[at.task_city + int(state.city)] = 1


@jit
def write_possessions(cards: Tables, player: Player, place: int, out: np.ndarray) -> None:
    """SEE-1"""
    at = cards.at
    out[at.out + place] = player.out > 0
    cash = int(player.cash)
    out[at.cash + 2 * place] = min(cash, MOST_SHOWN)
    out[at.cash + 2 * place + 1] = min(cash // TEN, MOST_SHOWN)
    copy_row(player.staff, out, at.staff + NUM_CATEGORIES * place)
    copy_row(player.staff_before, out, at.staff_before + NUM_CATEGORIES * place)
    copy_row(player.absent, out, at.absent + NUM_CATEGORIES * place)
    out[at.salaries + place] = min(int(player.salaries), MOST_SHOWN)
    out[at.loans + place] = player.loans
    out[at.shares + place] = player.shares
    out[at.cocoa + place] = player.cocoa
    out[at.chocolate + place] = player.chocolate


@jit
def write_contracts(cards: Tables, player: Player, place: int, out: np.ndarray) -> None:
    at = cards.at
    there, booked = int(player.num_contracts), int(player.num_booked)
    out[at.contract_counts + 2 * place] = there - booked
    out[at.contract_counts + 2 * place + 1] = booked
    row = int(at.contracts) + CONTRACTS_SHOWN * CONTRACT_SIZE * place
    for number in range(min(there, CONTRACTS_SHOWN)):
        out[row] = cards.contracts[player.contracts[number]].bars
        out[row + 1] = player.prices[number]
        out[row + 2] = number < booked
        row += CONTRACT_SIZE


@jit
def write_month(cards: Tables, player: Player, place: int, out: np.ndarray) -> None:
    """What each player has done this month."""
    at = cards.at
    out[at.loan_this_month + place] = player.loan_this_month
    out[at.announced + place] = player.announced
    out[at.markers + place] = player.marker
    out[at.gained + place] = player.gained
    out[at.looked + place] = player.looked
    out[at.has_played + place] = player.has_played
    mark(player.struck_by, out, at.struck_by + NUM_EXPRESS * place)
    bid = int(at.bids) + 2 * NUM_CITIES * place
    for city in range(NUM_CITIES):
        out[bid] = player.bid_bars[city]
        out[bid + 1] = player.bid_price[city]
        bid += 2


@jit
def write_market(cards: Tables, state: State, seat: int, out: np.ndarray) -> None:
    """SEE-2, SEE-5: for the city under way, the own bid, and whether others have bid."""
    at = cards.at
    copy_row(state.market, out, at.market)
    if not is_bidding(state):
        return
    for other in range(state.num_players):
        player = state.players[seat_after(state, seat, other)]
        bid = int(at.bids) + 2 * (NUM_CITIES * other + int(state.city))
        if other == 0:
            out[at.own_bid] = out[bid]
            out[at.own_bid + 1] = out[bid + 1]
        out[bid] = 0
        out[bid + 1] = 0
        turn = places_from_leader(state, seat_after(state, seat, other))
        out[at.bid_made + other] = player.out == 0 and turn < state.turn


@jit
def write_sale(cards: Tables, state: State, seat: int, out: np.ndarray) -> None:
    at = cards.at
    out[at.meetings_left] = state.meetings_left
    contract, price = int(state.offer), int(state.price)
    if state.taker != NONE:
        taker = state.players[state.taker]
        contract, price = int(taker.contracts[taker.num_contracts - 1]), int(taker.prices[taker.num_contracts - 1])
        out[at.taker + place_seen(state, seat, state.taker)] = 1
    if contract != NONE:
        card = cards.contracts[contract]
        out[at.offer] = card.bars
        out[at.offer + 1] = card.lowest
        out[at.offer + 2] = card.highest
        out[at.offer + 3] = price
        for other in range(state.num_players):
            seen = seat_after(state, seat, other)
            out[at.present + other] = has_bit(state.present, seen)
            out[at.refused + other] = has_bit(state.refused, seen)
    for place in range(state.contracts_left):  # SEE-3
        out[at.unseen + int(cards.contracts[state.contracts[place]].bars) - 1] += 1


@jit
def write_events(cards: Tables, state: State, seat: int, out: np.ndarray) -> None:
    """SEE-2, SEE-3"""
    at, turned = cards.at, int(state.month)
    end = turned - turned % NUM_EVENTS + NUM_EVENTS  # EV-0: the end of the shuffle under way
    mark(state.event_in_force, out, at.event_in_force)
    mark(state.event_turned, out, at.event_turned)
    if state.event_turned != NONE:
        turned += 1
    elif state.players[seat].looked:
        out[at.event_known + int(state.events[state.month])] = 1
    for place in range(turned, end):
        out[at.events_left + int(state.events[place])] = 1


@jit
def write_express_cards(cards: Tables, state: State, seat: int, out: np.ndarray) -> None:
    """SEE-2, XP-5"""
    at = cards.at
    for card in range(NUM_EXPRESS):
        place = int(state.express[card])
        out[at.hand + card] = place == seat
        out[at.cards_played + card] = place == GONE
        if place < state.num_players:
            out[at.hand_size + place_seen(state, seat, place)] += 1
