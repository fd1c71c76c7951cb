"""Interest, loans and shares."""

from ....core.jit import jit
from ..constants import LOANS, REPAID, SHARES, SOLD, TOOK
from ..layout import Tables
from ..state import Player, State
from . import payments
from .payments import is_over, pay_bank, share_price
from .player_order import largest_other, others_have_loans, seat_after, work_force


@jit
def pay_interest(cards: Tables, state: State) -> None:
    """LOAN-2: interest on the loans that a player has when its turn to pay comes."""
    for places in range(state.num_players):
        seat = seat_after(state, state.leader, places)
        pay_bank(cards, state, seat, int(state.players[seat].loans) * int(cards.interest))
        if is_over(state):
            return


@jit
def most_to_sell(state: State, player: Player) -> int:
    """LOAN-3: a seat may sell once, before all else."""
    return int(player.shares) if state.money_done == 0 else 0


@jit
def can_repay(cards: Tables, state: State, player: Player) -> bool:
    """LOAN-3, PAY-1"""
    return bool(player.loans > 0 and player.cash >= cards.loan and state.money_done & TOOK == 0)


@jit
def can_take_loan(state: State, seat: int) -> bool:
    """LOAN-1, LOAN-3, LOAN-4, LOAN-6, LOAN-7, SET-9"""
    player = state.players[seat]
    if player.loan_this_month or state.money_done & REPAID or state.box[LOANS] == 0:
        return False
    if state.month == state.months - 1:
        return False
    return work_force(player) <= largest_other(state, seat) or others_have_loans(state, seat)


@jit
def most_to_buy(cards: Tables, state: State, player: Player) -> int:
    """LOAN-3, SHARE-1, SET-9, PAY-1"""
    if state.money_done & SOLD:
        return 0
    return min(int(state.box[SHARES]), int(player.cash) // share_price(cards, state))


@jit
def sell_shares(cards: Tables, state: State, seat: int, number: int) -> None:
    """LOAN-3, SHARE-1"""
    payments.sell_shares(cards, state, seat, number)
    state.money_done |= SOLD


@jit
def repay(cards: Tables, state: State, player: Player) -> None:
    """LOAN-3"""
    player.loans -= 1
    state.box[LOANS] += 1
    player.cash -= cards.loan
    state.money_done |= REPAID


@jit
def take_loan(cards: Tables, state: State, seat: int) -> None:
    """LOAN-1"""
    payments.take_loan(cards, state, seat)
    state.money_done |= TOOK


@jit
def buy_shares(cards: Tables, state: State, player: Player, number: int) -> None:
    """SHARE-1"""
    player.shares += number
    state.box[SHARES] -= number
    player.cash -= number * share_price(cards, state)
