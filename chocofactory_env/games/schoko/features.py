"""Features of a position for one seat. A learned value is a weighted sum of them.

They describe what cards do, not their numbers, so a value learned with one deck works with another. The features have
separate weights in each part of the month, and again in the last month, because their worth differs. The only hidden
things they include are the seat's own hand and bid.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

import numpy as np

from ...core.jit import jit
from ...core.text.words import words_of
from .constants import MAX_MONTHS, NONE, NUM_CATEGORIES, NUM_EXPRESS, WINDOW_B, WINDOW_C, Category, Event, Task
from .layout import Tables
from .rules.cocoa import most_made
from .rules.payments import share_price
from .rules.player_order import at_work, has_bit, number_of, places_from_leader, seat_after, work_force
from .rules.sale import handled, meetings_of, paid_out
from .rules.staff import cost_of
from .state import State

BAND: Final = 50  # thousands: the first ones are worth more, because without them nobody can be employed
AVERAGE_BARS: Final = 3.3  # of a contract


class Of(IntEnum):
    """The features. Money is in thousands. Estimates of contracts are for this month and may be fractions."""

    HERE = 0
    CASH = 1  # minus the salaries due; so are the next two
    FIRST_CASH = 2  # up to BAND
    MORE_CASH = 3  # up to four times BAND
    LOANS = 4
    SHARES = 5  # at the month's price
    NUM_SHARES = 6
    PAID = 7  # money on contracts that this month's office pays out
    BOOKED = 8  # money on contracts that it leaves at the bookkeepers
    OPEN = 9  # money on contracts that it leaves open
    WORKERS = 10  # at work; so are the next three
    SALESMEN = 11
    SECRETARIES = 12
    BOOKKEEPERS = 13
    ABSENT = 14
    STAFF_AHEAD = 15  # 1: more employees than any other (LOAN-4, LOAN-5)
    HANDLED = 16  # contracts that secretaries and bookkeepers together can handle in a month
    BALANCE = 17  # the least of HANDLED, the workers' bars as contracts, and the salesmen
    COCOA = 18
    MADE = 19  # bars that the workers can still make this month
    CHOCOLATE = 20  # including MADE
    NEAR_FULL = 21  # bars of chocolate beyond half of the store
    BID_BARS = 22  # of the city under way
    BID_MONEY = 23
    COCOA_ON_SALE = 24  # bars in cities to come, per seat
    MEETINGS = 25  # meetings that the seat may attend
    MEETINGS_ALONE = 26  # of these, the ones beyond any rival's with chocolate
    PLACES = 27  # contracts that the office could pay out besides those that wait
    SOLD = 28  # contracts: the least of the bars, the places, and a share of the meetings
    SOLD_ALONE = 29  # SOLD, with MEETINGS_ALONE only
    NOT_SOLD = 30  # bars beyond SOLD
    RIVAL_CHOCOLATE = 31  # of the rival with the most; so are the next four
    RIVAL_COCOA = 32
    RIVAL_WORKERS = 33
    RIVAL_SALESMEN = 34
    RIVAL_CASH = 35
    OFFERED = 36  # 1: the seat may take the contract under way at this price
    OFFERED_PRICE = 37
    OFFERED_BARS = 38
    OFFERED_ALONE = 39  # its price, if nobody else can take it
    OFFERED_FIRST = 40  # rivals asked after the seat
    REFUSED = 41  # 1: the seat may take it at a higher price
    REFUSED_RISE = 42  # the most that the price can still rise
    REFUSED_BEFORE = 43  # rivals asked before the seat
    CARDS_A = 44  # in hand
    CARDS_B = 45
    CARDS_C = 46
    STRUCK = 47  # 1: a card has struck the seat, so no other will this month
    HELD_UP = 48  # 1: no cocoa, or slow work
    NO_BOOKKEEPERS = 49
    ORDER = 50  # places from the leader
    GAINED = 51  # contracts this month


NAMES: Final = words_of(Of)
SIZE: Final = len(NAMES)
PARTS: Final = ("staff", "cocoa", "sale", "money")  # of the month
BLOCKS: Final = (*PARTS, *(f"last_{part}" for part in PARTS))
FEATURES: Final = tuple(f"{block}_{name}" for block in BLOCKS for name in NAMES)
STAFF_PART, COCOA_PART, SALE_PART, MONEY_PART = range(len(PARTS))

STAGES: Final = MAX_MONTHS + 1  # the last one is unused, see `training.value`


@jit
def stage_of(cards: Tables, state: State) -> int:
    """The stage, by the months left."""
    return int(MAX_MONTHS - (state.months - state.month))


@jit
def turn_goes_on(cards: Tables, state: State) -> bool:
    """True within answers of several steps: staff, a bid, a card and its target, loans and shares."""
    task = state.task
    if task == Task.STAFF:
        return bool(state.category > 0)
    if task == Task.MONEY:
        return bool(state.money_done != 0)
    return bool(task == Task.BID_PRICE or task == Task.TARGET)


@jit
def part_of(task: int) -> int:
    if task <= Task.CARD_A or task == Task.HOLIDAY:
        return STAFF_PART
    if task == Task.MONEY:
        return MONEY_PART
    if task == Task.CARD_B or (task >= Task.ANNOUNCE and task <= Task.MAKE):
        return COCOA_PART
    return SALE_PART


@jit
def write_features(cards: Tables, state: State, seat: int, features: np.ndarray) -> None:
    """Write the seat's features into `features`, (FEATURES,) float32."""
    features[:] = 0
    player = state.players[seat]
    if player.out:
        return
    part = part_of(int(state.task))
    block = part + (len(PARTS) if state.month == state.months - 1 else 0)
    out = features[block * SIZE : (block + 1) * SIZE]
    out[Of.HERE] = 1
    write_money(cards, state, seat, out)
    write_staff(cards, state, seat, out)
    write_stores(cards, state, seat, part, out)
    write_rivals(state, seat, out)
    write_sales(cards, state, seat, part, out)
    write_cards(state, seat, out)
    if state.offer != NONE and has_bit(state.present, seat):
        write_offer(cards, state, seat, out)


@jit
def write_money(cards: Tables, state: State, seat: int, out: np.ndarray) -> None:
    player = state.players[seat]
    cash = int(player.cash)
    if state.task <= Task.TRIM:  # the salaries are not paid yet
        for category in range(NUM_CATEGORIES):
            cash -= cost_of(cards, player, category, int(player.staff[category]))
    out[Of.CASH] = cash
    out[Of.FIRST_CASH] = min(cash, BAND)
    out[Of.MORE_CASH] = min(cash, 4 * BAND)
    out[Of.LOANS] = player.loans
    out[Of.SHARES] = int(player.shares) * share_price(cards, state)
    out[Of.NUM_SHARES] = player.shares
    booked = min(int(player.num_contracts), int(player.num_booked) + handled(cards, player))
    paid = min(booked, paid_out(cards, player))
    for place in range(player.num_contracts):
        kind = Of.PAID if place < paid else Of.BOOKED if place < booked else Of.OPEN
        out[kind] += player.prices[place]


@jit
def write_staff(cards: Tables, state: State, seat: int, out: np.ndarray) -> None:
    player = state.players[seat]
    for category in range(NUM_CATEGORIES):
        out[Of.WORKERS + category] = at_work(player, category)
        out[Of.ABSENT] += player.absent[category]
    largest = 0
    for places in range(1, state.num_players):
        largest = max(largest, work_force(state.players[seat_after(state, seat, places)]))
    out[Of.STAFF_AHEAD] = work_force(player) > largest
    out[Of.HANDLED] = min(handled(cards, player), paid_out(cards, player))
    bars = min(int(cards.chocolate_store), at_work(player, Category.WORKER) * int(cards.bars_a_worker))
    out[Of.BALANCE] = min(bars / AVERAGE_BARS, out[Of.HANDLED], 1.0 * at_work(player, Category.SALESMAN))


@jit
def write_stores(cards: Tables, state: State, seat: int, part: int, out: np.ndarray) -> None:
    player = state.players[seat]
    out[Of.COCOA] = player.cocoa
    if part <= COCOA_PART and state.task != Task.CARD_B:
        out[Of.MADE] = most_made(cards, state, seat)
    bars = int(player.chocolate) + out[Of.MADE]
    out[Of.CHOCOLATE] = bars
    out[Of.NEAR_FULL] = max(0.0, bars - cards.chocolate_store / 2)
    if state.task == Task.BID_BARS:
        out[Of.BID_BARS] = player.bid_bars[state.city]
        out[Of.BID_MONEY] = int(player.bid_bars[state.city]) * int(player.bid_price[state.city])
    for city in range(len(state.market)):
        out[Of.COCOA_ON_SALE] += state.market[city] / state.num_players


@jit
def write_rivals(state: State, seat: int, out: np.ndarray) -> None:
    for places in range(1, state.num_players):
        rival = state.players[seat_after(state, seat, places)]
        out[Of.RIVAL_CHOCOLATE] = max(out[Of.RIVAL_CHOCOLATE], rival.chocolate)
        out[Of.RIVAL_COCOA] = max(out[Of.RIVAL_COCOA], rival.cocoa)
        out[Of.RIVAL_WORKERS] = max(out[Of.RIVAL_WORKERS], at_work(rival, Category.WORKER))
        out[Of.RIVAL_SALESMEN] = max(out[Of.RIVAL_SALESMEN], at_work(rival, Category.SALESMAN))
        out[Of.RIVAL_CASH] = max(out[Of.RIVAL_CASH], min(rival.cash, 4 * BAND))


@jit
def meetings_to_come(cards: Tables, state: State, seat: int, part: int) -> int:
    """SALE-2: meetings that the seat may attend this month or, in MONEY, could attend next month."""
    if part == SALE_PART or state.task == Task.CARD_B:
        return int(state.players[seat].marker) + has_bit(state.present, seat)
    return meetings_of(cards, state, seat)


@jit
def write_sales(cards: Tables, state: State, seat: int, part: int, out: np.ndarray) -> None:
    """Write what the seat may still sell this month."""
    player = state.players[seat]
    own, most = meetings_to_come(cards, state, seat, part), 0
    for places in range(1, state.num_players):
        rival = seat_after(state, seat, places)
        if part != SALE_PART or state.players[rival].chocolate > 0:
            most = max(most, meetings_to_come(cards, state, rival, part))
    alone = max(0, own - most)
    waiting = int(player.num_contracts) - int(player.num_booked)
    free = min(handled(cards, player) - waiting, paid_out(cards, player) - int(player.num_contracts))
    could = min(out[Of.CHOCOLATE] / AVERAGE_BARS, max(0.0, 1.0 * free))
    out[Of.MEETINGS] = own
    out[Of.MEETINGS_ALONE] = alone
    out[Of.PLACES] = max(0, free)
    out[Of.SOLD] = min(could, alone + (own - alone) / state.num_players)
    out[Of.SOLD_ALONE] = min(could, 1.0 * alone)
    out[Of.NOT_SOLD] = out[Of.CHOCOLATE] - AVERAGE_BARS * out[Of.SOLD]
    out[Of.GAINED] = player.gained


@jit
def write_cards(state: State, seat: int, out: np.ndarray) -> None:
    player = state.players[seat]
    for card in range(NUM_EXPRESS):
        if state.express[card] == seat:
            out[Of.CARDS_A + (card >= WINDOW_B) + (card >= WINDOW_C)] += 1
    out[Of.STRUCK] = player.struck_by != NONE
    out[Of.HELD_UP] = is_held_up(state)
    out[Of.NO_BOOKKEEPERS] = state.event_in_force == Event.NO_BOOKKEEPERS
    out[Of.ORDER] = places_from_leader(state, seat) / (state.num_players - 1.0)


@jit
def is_held_up(state: State) -> bool:
    """Whether an event holds up this month's production."""
    return bool(state.event_in_force == Event.NO_COCOA or state.event_in_force == Event.SLOW_WORK)


@jit
def write_offer(cards: Tables, state: State, seat: int, out: np.ndarray) -> None:
    """Write the features of the contract under way for a seat that is present."""
    contract = cards.contracts[state.offer]
    price = state.price if state.task != Task.ATTEND else contract.lowest
    before, after = 0, 0  # rivals asked before and after the seat
    for places in range(1, state.num_players):
        rival = seat_after(state, seat, places)
        if has_bit(state.present, rival):
            first = places_from_leader(state, rival) < places_from_leader(state, seat)
            before += first
            after += not first
    if has_bit(state.refused, seat) and state.task == Task.OFFER:
        out[Of.REFUSED] = 1
        out[Of.REFUSED_RISE] = contract.highest - price
        out[Of.REFUSED_BEFORE] = before + after
        return
    out[Of.OFFERED] = 1
    out[Of.OFFERED_PRICE] = price
    out[Of.OFFERED_BARS] = contract.bars
    out[Of.OFFERED_ALONE] = price if number_of(state.present) == 1 else 0
    out[Of.OFFERED_FIRST] = after
    out[Of.REFUSED_BEFORE] = before
