"""The order of play: phases, seats, cities and meetings."""

from ....core.jit import jit
from ..constants import NONE, NUM_CITIES, Event, Express, Task
from ..layout import Tables
from ..state import State
from .cocoa import settle_bids, spread
from .events import can_look, turn_up_event
from .express import carry_out, is_asked_for_card, only_target, window_of
from .money import pay_interest
from .payments import end_game, is_over
from .player_order import chairman, has_bit, seat_after
from .sale import (
    clear_markers,
    close_meeting,
    is_asked_to_attend,
    open_meeting,
    process_contracts,
    set_first_price,
    set_markers,
)
from .sealed import ask_for_price
from .setup import deal, start_month
from .staff import begin_staff, left_to_trim, pay_salaries


@jit
def begin(cards: Tables, state: State) -> None:
    """Deal, and ask the first seat."""
    deal(cards, state)
    ask_in_order(state, Task.LOOK)
    go_on(cards, state)


@jit
def ask_in_order(state: State, task: int) -> None:
    """Start the task at the leader; `go_on` finds the first seat to ask."""
    state.task = task
    state.turn = -1


@jit
def go_on(cards: Tables, state: State) -> None:
    """MON-1: go on to the next seat to ask, through tasks that ask nobody, or to the end of the game."""
    while not is_over(state):
        state.turn += 1
        if state.turn < state.num_players:
            first = state.taker if state.task == Task.CARD_C else state.leader
            seat = seat_after(state, first, int(state.turn))
            if state.players[seat].out == 0 and is_asked(cards, state, seat):
                state.current = seat
                return
        elif state.task == Task.BID_BARS and ask_for_price(state):
            return
        else:
            end_task(cards, state)


@jit
def is_asked(cards: Tables, state: State, seat: int) -> bool:
    """Whether the task asks this seat, which is not bankrupt."""
    task = state.task
    if task == Task.LOOK:
        return can_look(cards, state.players[seat])
    if task == Task.STAFF:
        state.category = 0
        return begin_staff(cards, state, seat)
    if task == Task.TRIM:
        return left_to_trim(state, seat) > 0
    if task == Task.CARD_A or task == Task.CARD_B or task == Task.CARD_C:
        return is_asked_for_card(cards, state, seat)
    if task == Task.BID_BARS:
        return not has_bit(state.named, seat)
    if task == Task.ATTEND:
        return is_asked_to_attend(cards, state, seat)
    if task == Task.OFFER:
        return has_bit(state.present, seat)
    if task == Task.RAISE:
        return bool(seat == chairman(state))
    if task == Task.BANK_SALE:
        return bool(state.players[seat].gained == 0)
    return True


@jit
def end_task(cards: Tables, state: State) -> None:
    """All seats have been asked: begin the next task."""
    task = state.task
    if task == Task.LOOK:
        ask_in_order(state, Task.STAFF)
    elif task == Task.STAFF:
        state.category = 0
        ask_in_order(state, Task.TRIM)
    elif task == Task.TRIM:
        state.category = 0
        pay_salaries(cards, state)
        ask_in_order(state, Task.CARD_A)
    elif task == Task.CARD_A:
        ask_in_order(state, Task.MAKE if state.event_in_force == Event.NO_COCOA else Task.ANNOUNCE)  # COCOA-7, EV-5
    elif task == Task.ANNOUNCE:
        spread(state)
        open_city(state, 0)
    elif task == Task.BID_BARS:
        settle_bids(cards, state)
        state.named = 0
        open_city(state, int(state.city) + 1)
    elif task == Task.MAKE:
        set_markers(cards, state)
        ask_in_order(state, Task.CARD_B)
    elif task == Task.BANK_SALE:
        end_sale(cards, state)
    elif task == Task.MONEY:
        end_month(cards, state)
    else:
        end_meeting_task(cards, state)


@jit
def open_city(state: State, first: int) -> None:
    """COCOA-3: open the next city that has bars, or go on to production."""
    for city in range(first, NUM_CITIES):
        if state.market[city] > 0:
            state.city = city
            ask_in_order(state, Task.BID_BARS)
            return
    state.city = 0
    ask_in_order(state, Task.MAKE)


@jit
def end_meeting_task(cards: Tables, state: State) -> None:
    """SALE-3: seats attend, then the contract gets its price. After a sale, window C ends the meeting (XP-6)."""
    if state.task == Task.ATTEND and state.present != 0:
        set_first_price(cards, state)
        ask_in_order(state, Task.OFFER)
    elif state.task == Task.OFFER and state.price < cards.contracts[state.offer].highest:
        ask_in_order(state, Task.RAISE)
    else:
        if state.task != Task.CARD_B:  # SALE-7, SALE-8
            close_meeting(state)
        next_meeting(cards, state)


@jit
def next_meeting(cards: Tables, state: State) -> None:
    """SALE-10"""
    if open_meeting(cards, state):
        ask_in_order(state, Task.ATTEND)
    else:
        clear_markers(state)
        ask_in_order(state, Task.BANK_SALE)


@jit
def open_window_c(state: State) -> None:
    """XP-4: ask from the left of the taker on."""
    state.task = Task.CARD_C
    state.turn = 0


@jit
def play_card(cards: Tables, state: State, card: int) -> None:
    """XP-5: strike the only possible target, or ask the seat to name one."""
    struck = only_target(cards, state, int(state.current), card)
    if struck == NONE:
        state.card = card
        state.task = Task.TARGET
    else:
        strike(cards, state, struck, card)


@jit
def strike(cards: Tables, state: State, struck: int, card: int) -> None:
    """Carry out the card; XP-HOLIDAY asks the struck player first."""
    carry_out(cards, state, int(state.current), struck, card)
    if is_over(state):
        return
    if card == Express.HOLIDAY:
        state.card = card
        state.task = Task.HOLIDAY
        state.current = struck
    else:
        after_card(state, card)


@jit
def after_card(state: State, card: int) -> None:
    """Return to the window; leave window C, which takes at most one card (XP-6)."""
    state.card = NONE
    state.task = window_of(card)
    if state.task == Task.CARD_C:
        state.turn = state.num_players


@jit
def end_sale(cards: Tables, state: State) -> None:
    """Play OFFICE, EVENT and the interest, which have no decisions, up to MONEY (LOAN-2)."""
    for seat in range(state.num_players):
        process_contracts(cards, state.players[seat])
    turn_up_event(cards, state)
    if not is_over(state):
        pay_interest(cards, state)
    if not is_over(state):
        ask_in_order(state, Task.MONEY)


@jit
def end_month(cards: Tables, state: State) -> None:
    """MON-2; END-1 after the last month."""
    state.money_done = 0
    if state.month == state.months - 1:
        end_game(state)
        return
    state.month += 1
    state.leader = next_leader(state)
    start_month(state)
    ask_in_order(state, Task.LOOK)


@jit
def next_leader(state: State) -> int:
    """MON-2: the next seat clockwise, skipping bankrupt players."""
    for places in range(1, state.num_players):
        seat = seat_after(state, state.leader, places)
        if state.players[seat].out == 0:
            return seat
    return state.leader
