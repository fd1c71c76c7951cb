"""The flat action space, the only place that knows its numbers. `rules/` holds legality and effects."""

from __future__ import annotations

from typing import Final

import numpy as np

from ...core.jit import jit
from ...core.observation.layout import ActionLayout
from .constants import (
    HIGHEST_BID,
    MAX_PLAYERS,
    MAX_RAISE,
    MAX_SHARES,
    MAX_STAFF,
    NONE,
    NUM_CATEGORIES,
    NUM_EXPRESS,
    STORE_PLACES,
    Task,
)
from .layout import Tables
from .rules import cocoa, events, express, flow, money, sale, staff
from .rules.player_order import seat_after, with_bit
from .state import State

ACTIONS: Final = ActionLayout(
    [
        ("look", 1),
        ("staff", MAX_STAFF + 1),
        ("bars", STORE_PLACES + 1),
        ("price", HIGHEST_BID),
        ("attend", 1),
        ("accept", 1),
        ("raise", MAX_RAISE),
        ("take_loan", 1),
        ("repay", 1),
        ("sell_shares", MAX_SHARES),
        ("buy_shares", MAX_SHARES),
        ("play", NUM_EXPRESS),
        ("target", MAX_PLAYERS - 1),
        ("category", NUM_CATEGORIES),
        ("pass", 1),
    ]
)
# The first flat number of each verb, which stands for 1 if the verb counts from 1.
LOOK: Final = ACTIONS.first["look"]
STAFF: Final = ACTIONS.first["staff"]
BARS: Final = ACTIONS.first["bars"]
PRICE: Final = ACTIONS.first["price"]
ATTEND: Final = ACTIONS.first["attend"]
ACCEPT: Final = ACTIONS.first["accept"]
RAISE: Final = ACTIONS.first["raise"]
TAKE_LOAN: Final = ACTIONS.first["take_loan"]
REPAY: Final = ACTIONS.first["repay"]
SELL_SHARES: Final = ACTIONS.first["sell_shares"]
BUY_SHARES: Final = ACTIONS.first["buy_shares"]
PLAY: Final = ACTIONS.first["play"]
TARGET: Final = ACTIONS.first["target"]
CATEGORY: Final = ACTIONS.first["category"]
PASS: Final = ACTIONS.first["pass"]
NUM_ACTIONS: Final = ACTIONS.size


# --- legality


@jit
def most_bars(cards: Tables, state: State) -> int:
    """The largest number of `bars` that the seat to move may name. All smaller ones are legal."""
    player, task = state.players[state.current], state.task
    if task == Task.ANNOUNCE:
        return cocoa.free_places(cards, player)
    if task == Task.BID_BARS:
        return cocoa.most_bid_bars(cards, state, int(state.current))
    if task == Task.MAKE:
        return cocoa.most_made(cards, state, int(state.current))
    return sale.most_bank_bars(cards, player)


@jit
def names_bars(task: int) -> bool:
    return bool(task == Task.ANNOUNCE or task == Task.BID_BARS or task == Task.MAKE or task == Task.BANK_SALE)


@jit
def most_price(cards: Tables, state: State) -> int:
    player = state.players[state.current]
    return cocoa.most_bid_price(cards, player, int(player.bid_bars[state.city]))


@jit
def can_name(state: State, category: int) -> bool:
    """XP-HOLIDAY, LOAN-5"""
    if state.task == Task.HOLIDAY:
        return bool(state.card != NONE) and express.can_send_on_holiday(state, int(state.current), category)
    return staff.can_trim(state, int(state.current), category)


@jit
def write_legal_mask(cards: Tables, state: State, mask: np.ndarray) -> None:
    """Write 1 for every legal action of the seat to move into `mask`, (NUM_ACTIONS,) int8, and 0 elsewhere."""
    mask[:] = 0
    task = state.task
    if names_bars(task):
        allow(mask, BARS, 1 + most_bars(cards, state))
    elif task == Task.STAFF:
        allow(mask, STAFF, 1 + staff.most_staff(cards, state, int(state.current)))
    elif task == Task.BID_PRICE:
        allow(mask, PRICE, most_price(cards, state))
    elif task == Task.RAISE:
        allow(mask, RAISE, sale.most_raise(cards, state))
    elif task == Task.MONEY:
        offer_money(cards, state, mask)
    elif task == Task.TARGET:
        offer_targets(cards, state, mask)
    elif task == Task.HOLIDAY or task == Task.TRIM:
        for category in range(NUM_CATEGORIES):
            mask[CATEGORY + category] = can_name(state, category)
    elif task != Task.OVER:
        offer_or_pass(cards, state, mask)


@jit
def allow(mask: np.ndarray, first: int, number: int) -> None:
    mask[first : first + max(0, number)] = 1


@jit
def offer_or_pass(cards: Tables, state: State, mask: np.ndarray) -> None:
    """LOOK, ATTEND, OFFER and the card windows."""
    if state.offer == NONE and (state.task == Task.ATTEND or state.task == Task.OFFER):
        return  # only in a position that play cannot reach
    mask[PASS] = 1
    if state.task == Task.LOOK:
        mask[LOOK] = events.can_look(cards, state.players[state.current])
    elif state.task == Task.ATTEND:
        mask[ATTEND] = 1
    elif state.task == Task.OFFER:
        mask[ACCEPT] = 1
    else:
        for card in range(express.first_card(state.task), express.end_of_cards(state.task)):
            mask[PLAY + card] = express.can_play(cards, state, int(state.current), card)


@jit
def offer_targets(cards: Tables, state: State, mask: np.ndarray) -> None:
    if state.card == NONE:
        return  # only in a position that play cannot reach
    for places in range(1, state.num_players):
        struck = seat_after(state, state.current, places)
        mask[TARGET + places - 1] = express.can_strike(cards, state, int(state.current), struck, int(state.card))


@jit
def offer_money(cards: Tables, state: State, mask: np.ndarray) -> None:
    player = state.players[state.current]
    allow(mask, SELL_SHARES, money.most_to_sell(state, player))
    mask[REPAY] = money.can_repay(cards, state, player)
    mask[TAKE_LOAN] = money.can_take_loan(state, int(state.current))
    allow(mask, BUY_SHARES, money.most_to_buy(cards, state, player))
    mask[PASS] = 1


@jit
def only_answer(cards: Tables, state: State) -> int:
    """The only legal action, found without a mask; NONE if there are several or the game is over."""
    task = state.task
    if names_bars(task):
        return BARS if most_bars(cards, state) == 0 else NONE
    if task == Task.STAFF:
        return STAFF if staff.most_staff(cards, state, int(state.current)) == 0 else NONE
    if task == Task.BID_PRICE:
        return PRICE if most_price(cards, state) == 1 else NONE
    if task == Task.RAISE:
        return RAISE if sale.most_raise(cards, state) == 1 else NONE
    if task == Task.MONEY:
        return PASS if nothing_with_money(cards, state) else NONE
    if task == Task.HOLIDAY or task == Task.TRIM:
        return only_category(state)
    return NONE


@jit
def nothing_with_money(cards: Tables, state: State) -> bool:
    player = state.players[state.current]
    return not (
        money.most_to_sell(state, player) > 0
        or money.most_to_buy(cards, state, player) > 0
        or money.can_repay(cards, state, player)
        or money.can_take_loan(state, int(state.current))
    )


@jit
def only_category(state: State) -> int:
    only = NONE
    for category in range(NUM_CATEGORIES):
        if can_name(state, category):
            if only != NONE:
                return NONE
            only = CATEGORY + category
    return only


# --- effects


@jit
def apply(cards: Tables, state: State, action: int) -> None:
    """Carry out one action that is known to be legal, and find the next seat to ask."""
    task = state.task
    if task == Task.STAFF:
        name_staff(cards, state, action - STAFF)
    elif names_bars(task):
        name_bars(cards, state, action - BARS)
    elif task == Task.BID_PRICE:
        state.players[state.current].bid_price[state.city] = action - PRICE + 1
        state.task = Task.BID_BARS
        flow.go_on(cards, state)
    elif task == Task.OFFER:
        answer_offer(cards, state, action)
    elif task == Task.RAISE:
        sale.raise_price(state, action - RAISE + 1)
        flow.ask_in_order(state, Task.OFFER)
        flow.go_on(cards, state)
    elif task == Task.MONEY:
        use_money(cards, state, action)
    elif task == Task.TRIM:
        staff.trim(state, int(state.current), action - CATEGORY)
        if staff.left_to_trim(state, int(state.current)) == 0:
            flow.go_on(cards, state)
    elif task == Task.LOOK or task == Task.ATTEND:
        come_or_look(cards, state, action)
        flow.go_on(cards, state)
    else:
        use_card(cards, state, action)


@jit
def name_staff(cards: Tables, state: State, number: int) -> None:
    staff.employ(state, int(state.current), number)
    state.category += 1
    if state.category == NUM_CATEGORIES:
        flow.go_on(cards, state)


@jit
def name_bars(cards: Tables, state: State, bars: int) -> None:
    player = state.players[state.current]
    if state.task == Task.ANNOUNCE:
        cocoa.announce(player, bars)
    elif state.task == Task.BID_BARS:
        player.bid_bars[state.city] = bars
        state.named = with_bit(state.named, int(state.current))
        if bars > 0:
            state.task = Task.BID_PRICE
            return
    elif state.task == Task.MAKE:
        cocoa.make(player, bars)
    else:
        sale.sell_to_bank(cards, player, bars)
    flow.go_on(cards, state)


@jit
def come_or_look(cards: Tables, state: State, action: int) -> None:
    if action == LOOK:
        events.look(cards, state.players[state.current])
    elif action == ATTEND:
        sale.attend(state, int(state.current))


@jit
def answer_offer(cards: Tables, state: State, action: int) -> None:
    if action == ACCEPT:
        sale.accept(cards, state, int(state.current))
        flow.open_window_c(state)
    else:
        sale.refuse(state, int(state.current))
    flow.go_on(cards, state)


@jit
def use_money(cards: Tables, state: State, action: int) -> None:
    """LOAN-3: buying ends the turn, like passing."""
    seat = int(state.current)
    if SELL_SHARES <= action < SELL_SHARES + MAX_SHARES:
        money.sell_shares(cards, state, seat, action - SELL_SHARES + 1)
        return
    if action == REPAY:
        money.repay(cards, state, state.players[seat])
        return
    if action == TAKE_LOAN:
        money.take_loan(cards, state, seat)
        return
    if action != PASS:
        money.buy_shares(cards, state, state.players[seat], action - BUY_SHARES + 1)
    state.money_done = 0
    flow.go_on(cards, state)


@jit
def use_card(cards: Tables, state: State, action: int) -> None:
    """Answer a card window, or a question that a card raises: its target, and who goes on holiday."""
    seat = int(state.current)
    if state.task == Task.HOLIDAY:
        express.send_on_holiday(cards, state, seat, action - CATEGORY)
        flow.after_card(state, int(state.card))
    elif state.task == Task.TARGET:
        flow.strike(cards, state, seat_after(state, seat, action - TARGET + 1), int(state.card))
    elif action != PASS:
        flow.play_card(cards, state, action - PLAY)
    if state.task != Task.HOLIDAY and state.task != Task.TARGET:
        flow.go_on(cards, state)


# --- a step


@jit
def play_forced(cards: Tables, state: State) -> None:
    """Play actions that are the only legal one."""
    if state.play_forced:
        forced = only_answer(cards, state)
        while forced != NONE:
            apply(cards, state, forced)
            forced = only_answer(cards, state)


@jit
def begin_game(cards: Tables, state: State) -> None:
    """Deal from `state.seed` and the options in `state`."""
    flow.begin(cards, state)
    play_forced(cards, state)


@jit
def advance(cards: Tables, state: State, action: int, mask: np.ndarray) -> int:
    """Carry out an action and the forced ones after it, then write the mask of the next decision.

    Returns the next seat, or NOBODY when the game is over.
    """
    apply(cards, state, action)
    play_forced(cards, state)
    write_legal_mask(cards, state, mask)
    return int(state.current)
