"""Compulsory payments, and bankruptcy."""

from ....core.jit import jit
from ....core.kernel.rules import NOBODY
from ..constants import GONE, LOANS, NONE, NUM_CATEGORIES, NUM_EXPRESS, SHARES, Task
from ..layout import Tables
from ..state import State
from .player_order import players_left


@jit
def share_price(cards: Tables, state: State) -> int:
    """SHARE-1"""
    return int(cards.share_price[state.month])


@jit
def pay_bank(cards: Tables, state: State, seat: int, amount: int) -> None:
    """A compulsory payment to the bank (PAY-2, PAY-3)."""
    raise_cash(cards, state, seat, amount)
    player = state.players[seat]
    if player.cash >= amount:
        player.cash -= amount
    else:
        go_bankrupt(state, seat)


@jit
def raise_cash(cards: Tables, state: State, seat: int, amount: int) -> None:
    """PAY-2: sell as few shares as needed, then take this month's loan. It may fall short (PAY-3)."""
    player = state.players[seat]
    short = amount - int(player.cash)
    if short > 0 and player.shares > 0:
        price = share_price(cards, state)
        sell_shares(cards, state, seat, min(int(player.shares), (short + price - 1) // price))
    if player.cash < amount and player.loan_this_month == 0 and state.box[LOANS] > 0:
        take_loan(cards, state, seat)


@jit
def sell_shares(cards: Tables, state: State, seat: int, number: int) -> None:
    """SHARE-1"""
    player = state.players[seat]
    player.shares -= number
    state.box[SHARES] += number
    player.cash += number * share_price(cards, state)


@jit
def take_loan(cards: Tables, state: State, seat: int) -> None:
    """LOAN-1"""
    player = state.players[seat]
    player.loans += 1
    player.loan_this_month = 1
    state.box[LOANS] -= 1
    player.cash += cards.loan


@jit
def go_bankrupt(state: State, seat: int) -> None:
    """PAY-3. What happened this month stays on record. PAY-4: the last player left ends the game."""
    player = state.players[seat]
    player.out = state.num_players - players_left(state) + 1
    player.cash = 0
    for category in range(NUM_CATEGORIES):
        state.box[category] += player.staff[category]
    player.staff[:] = 0
    player.staff_before[:] = 0
    player.absent[:] = 0
    state.box[LOANS] += player.loans
    player.loans = 0
    state.box[SHARES] += player.shares
    player.shares = 0
    player.cocoa = 0
    player.chocolate = 0
    player.marker = 0
    player.contracts[:] = NONE
    player.prices[:] = 0
    player.num_contracts = 0
    player.num_booked = 0
    for card in range(NUM_EXPRESS):
        if state.express[card] == seat:
            state.express[card] = GONE
    if players_left(state) == 1:
        end_game(state)


@jit
def end_game(state: State) -> None:
    """END-1, PAY-4"""
    state.task = Task.OVER
    state.current = NOBODY
    state.turn = 0
    state.category = 0
    state.city = 0
    state.card = NONE
    state.money_done = 0


@jit
def is_over(state: State) -> bool:
    return bool(state.task == Task.OVER)
