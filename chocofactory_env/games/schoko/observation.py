"""Observations: the declaration of their blocks, and the compiled code that writes them and hides secrets.

Egocentric: players are listed from the observer on, clockwise. Contracts are described by their content, not by card
number. Face-down cards, other hands, bids under way and the generator are never read.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ...core.jit import jit
from ...core.observation.buffers import copy_row
from ...core.observation.layout import Block, ObservationLayout, filled_tables, tables_dtype
from ...core.text.words import words_of
from .cards import CARDS
from .constants import (
    BOX_SIZE,
    GONE,
    HIGHEST_BID,
    MAX_CONTRACTS,
    MAX_HAND,
    MAX_LOANS,
    MAX_MONTHS,
    MAX_PLAYERS,
    MAX_SHARES,
    MAX_STAFF,
    NONE,
    NUM_CATEGORIES,
    NUM_CITIES,
    NUM_EVENTS,
    NUM_EXPRESS,
    NUM_TASKS,
    STORE_PLACES,
    Category,
    Event,
    Express,
    Task,
)
from .deck_schema import MAX_BARS, MAX_FIELD, MAX_PRICE, MAX_SHARE_PRICE
from .records import Player, State, Tables
from .rules.player_order import chairman, has_bit, places_from_leader, seat_after
from .rules.sealed import is_bidding

MOST_SHOWN: Final = 250  # thousands; larger sums show in the tens of thousands
TEN: Final = 10
CONTRACTS_SHOWN: Final = 8  # the oldest
CONTRACT_ENTRIES: Final = ("bars", "price", "at the bookkeepers")
CONTRACT_SIZE: Final = len(CONTRACT_ENTRIES)
MAX_MARKET: Final = -(-MAX_PLAYERS * STORE_PLACES // NUM_CITIES)  # bars in a city


CATEGORIES, EVENTS, CARD_NAMES = words_of(Category), words_of(Event), words_of(Express)
TASKS: Final = words_of(Task)[:NUM_TASKS]


def observation_layout(num_players: int) -> ObservationLayout:
    """The blocks for `num_players` players."""
    return ObservationLayout(
        [
            *task_blocks(num_players),
            *seat_blocks(num_players),
            *market_blocks(num_players),
            *sale_blocks(num_players),
            *card_blocks(num_players),
        ]
    )


def task_blocks(players: int) -> list[Block]:
    """Where the game is, and the question under way; other seats see nothing of a secret one (SEE-5)."""
    return [
        Block("month", (1,), MAX_MONTHS, "current month, 1 to 12"),
        Block("months", (1,), MAX_MONTHS, "months of the game"),
        Block(
            "task",
            (NUM_TASKS,),
            1,
            "one-hot: what the seat to move is asked; hidden (0) from other seats in card windows and bids",
            TASKS,
        ),
        Block(
            "task_category",
            (NUM_CATEGORIES,),
            1,
            "one-hot: the current category in staff; in trim the one named last, at first worker",
            CATEGORIES,
        ),
        Block("task_card", (NUM_EXPRESS,), 1, "one-hot: the express card under way", CARD_NAMES),
        Block("task_city", (NUM_CITIES,), 1, "one-hot: the city for which the observer bids", axes=("city",)),
        Block(
            "to_move",
            (players,),
            1,
            "one-hot: the seat to move; hidden (0) from other seats in card windows and bids",
            axes=("seat",),
        ),
        Block("leader", (players,), 1, "one-hot: the seat that is first in player order", axes=("seat",)),
        Block("chairman", (players,), 1, "one-hot: the seat that is last in player order", axes=("seat",)),
        Block("out", (players,), 1, "whether the seat is bankrupt", axes=("seat",)),
    ]


def seat_blocks(players: int) -> list[Block]:
    """What every player has."""
    staff = (players, NUM_CATEGORIES)
    return [
        Block("cash", (players, 2), MOST_SHOWN, "", ("thousands", "tens of thousands"), clipped=True, axes=("seat",)),
        Block("staff", staff, MAX_STAFF, "employees, as far as decided", CATEGORIES, axes=("seat",)),
        Block("staff_before", staff, MAX_STAFF, "employees at the end of last month", CATEGORIES, axes=("seat",)),
        Block("absent", staff, 1, "ill or on holiday", CATEGORIES, axes=("seat",)),
        Block("salaries", (players,), MOST_SHOWN, "thousands paid this month", clipped=True, axes=("seat",)),
        Block("loans", (players,), MAX_LOANS, "loans", axes=("seat",)),
        Block("loan_this_month", (players,), 1, "whether the seat took a loan this month", axes=("seat",)),
        Block("shares", (players,), MAX_SHARES, "shares", axes=("seat",)),
        Block("box", (BOX_SIZE,), MAX_STAFF, "pieces left in the box", (*CATEGORIES, "loans", "shares")),
        Block(
            "share_price",
            (2,),
            MAX_SHARE_PRICE,
            "price of a share; 0 after the last month",
            ("this month", "next month"),
        ),
    ]


def market_blocks(players: int) -> list[Block]:
    """Stores, markets and bids."""
    bid = ("bars", "price")
    return [
        Block("cocoa", (players,), STORE_PLACES, "bars in store", axes=("seat",)),
        Block("chocolate", (players,), STORE_PLACES, "bars in store", axes=("seat",)),
        Block("announced", (players,), STORE_PLACES, "bars announced this month", axes=("seat",)),
        Block(
            "market",
            (NUM_CITIES,),
            MAX_MARKET,
            "bars in each city that has not sold yet; the first of these sells now",
            axes=("city",),
        ),
        Block("bids", (players, NUM_CITIES, 2), HIGHEST_BID, "revealed bids of this month", bid, axes=("seat", "city")),
        Block("bid_made", (players,), 1, "whether the seat has bid in the current city", axes=("seat",)),
        Block("own_bid", (2,), HIGHEST_BID, "the observer's bid in the current city", bid, private=True),
    ]


def sale_blocks(players: int) -> list[Block]:
    """Contracts and meetings."""
    return [
        Block(
            "contracts",
            (players, CONTRACTS_SHOWN, CONTRACT_SIZE),
            MAX_PRICE,
            f"the {CONTRACTS_SHOWN} oldest",
            CONTRACT_ENTRIES,
            axes=("seat", "contract"),
        ),
        Block("contract_counts", (players, 2), MAX_CONTRACTS, "", ("open", "at the bookkeepers"), axes=("seat",)),
        Block(
            "offer",
            (4,),
            MAX_PRICE,
            "the contract on offer; in window C the one just taken",
            ("bars", "lowest", "highest", "price now"),
        ),
        Block("meetings_left", (1,), MAX_FIELD, "meetings left, including the current one"),
        Block("markers", (players,), MAX_FIELD, "meetings that each seat may still attend", axes=("seat",)),
        Block("gained", (players,), MAX_FIELD, "contracts gained this month", axes=("seat",)),
        Block("present", (players,), 1, "whether the seat is at this meeting", axes=("seat",)),
        Block("refused", (players,), 1, "whether the seat has refused this price", axes=("seat",)),
        Block(
            "taker", (players,), 1, "one-hot: the seat that has just taken the contract, in window C", axes=("seat",)
        ),
        Block(
            "unseen",
            (MAX_BARS,),
            MAX_CONTRACTS,
            "contracts face down, by their bars",
            tuple(f"{bars} bar{'s' if bars > 1 else ''}" for bars in range(1, MAX_BARS + 1)),
        ),
    ]


def card_blocks(players: int) -> list[Block]:
    """Events and express cards."""
    events = (NUM_EVENTS,)
    return [
        Block("looked", (players,), 1, "whether the seat has looked at this month's event card", axes=("seat",)),
        Block(
            "event_known",
            events,
            1,
            "one-hot: this month's event, if the observer has looked at it",
            EVENTS,
            private=True,
        ),
        Block("event_in_force", events, 1, "one-hot: the event announced last month", EVENTS),
        Block("event_turned", events, 1, "one-hot: this month's event, once turned up", EVENTS),
        Block("events_left", events, 1, "events not turned up since the last shuffle", EVENTS),
        Block("hand", (NUM_EXPRESS,), 1, "express cards in the observer's hand", CARD_NAMES, private=True),
        Block("hand_size", (players,), MAX_HAND, "express cards in each hand", axes=("seat",)),
        Block("cards_played", (NUM_EXPRESS,), 1, "express cards out of the game, face up", CARD_NAMES),
        Block(
            "struck_by",
            (players, NUM_EXPRESS),
            1,
            "one-hot: the express card that struck each seat this month",
            CARD_NAMES,
            axes=("seat",),
        ),
        Block("has_played", (players,), 1, "whether the seat has played an express card this month", axes=("seat",)),
    ]


# The cards, and the offsets of an observation's blocks.
TABLES = tables_dtype(CARDS, observation_layout(MAX_PLAYERS))


def tables_of(cards: np.ndarray, layout: ObservationLayout) -> np.ndarray:
    """(1,) TABLES for a deck's cards, (1,) `cards.CARDS`, and a variant's observations."""
    return filled_tables(TABLES, cards, layout)


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
    if state.card != NONE:
        out[at.task_card + int(state.card)] = 1
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
    if player.struck_by != NONE:
        out[at.struck_by + NUM_EXPRESS * place + int(player.struck_by)] = 1
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
    if state.event_in_force != NONE:
        out[at.event_in_force + int(state.event_in_force)] = 1
    if state.event_turned != NONE:
        out[at.event_turned + int(state.event_turned)] = 1
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
