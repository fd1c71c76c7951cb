"""The player `manager` as compiled rules: it runs a firm by rules of thumb, from a single look at the table.

Idea: aim at as many contracts a month as the cash pays for, and employ, buy and make what they need. Bid low for cocoa
while there is enough for everyone. Take a contract at its lowest price while there is chocolate for all the meetings to
come, else wait for more. Repay loans and buy shares with cash that next month does not need. Money is in thousands.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...core.jit import jit
from .actions import (
    ACCEPT,
    ATTEND,
    BARS,
    BUY_SHARES,
    CATEGORY,
    PASS,
    PLAY,
    PRICE,
    RAISE,
    REPAY,
    SELL_SHARES,
    STAFF,
    TAKE_LOAN,
    TARGET,
    names_bars,
)
from .constants import (
    HIGHEST_BID,
    MAX_RAISE,
    MAX_SHARES,
    MAX_STAFF,
    NONE,
    NUM_CATEGORIES,
    NUM_CITIES,
    NUM_EXPRESS,
    STORE_PLACES,
    Category,
    Event,
    Express,
    Task,
)
from .features import AVERAGE_BARS, is_held_up
from .layout import CONTRACTS_SHOWN, MOST_SHOWN, TEN, Tables
from .rules.payments import share_price
from .rules.player_order import at_work, has_bit, largest_other, seat_after, work_force
from .state import Player, State

MOST_CONTRACTS: Final = 6  # a month, enough to sell about a full store of 16 bars
COCOA_PRICE: Final = 2  # set aside per bar
DEAREST_COCOA: Final = 9  # highest bid: a bar of chocolate brings some 15, and wages and office are already paid
LOST_BAR: Final = 8  # that a rival loses per bar of chocolate
LOST_MEETING: Final = 20  # per meeting
LATE_PAYMENT: Final = 10  # per contract paid a month later
PATIENCE: Final = 0.8  # how far up its price range a contract must be if chocolate is scarce
WORTH_A_CARD: Final = 5  # an express card that harms less is kept for later
PLENTY: Final = 100  # cash above which it also buys next month's cocoa
MOST_LOANS: Final = 2  # with more, an unlucky firm never escapes the interest
FEW_STAFF: Final = 5  # the largest rival's staff is small below this
LOAN_PAYS: Final = 2  # fewest months left in which a loan earns more than its interest
WORKER, SALESMAN, SECRETARY, BOOKKEEPER = (category.value for category in Category)
IN_ORDER: Final = (WORKER, SALESMAN, SECRETARY, BOOKKEEPER)
BY_SALARY: Final = (WORKER, SECRETARY, BOOKKEEPER, SALESMAN)
SPARE_BOOKKEEPER: Final = (BOOKKEEPER, WORKER, SECRETARY, SALESMAN)


@jit
def scripted_action(cards: Tables, state: State, mask: np.ndarray, notes: Any) -> int:
    """The action of the seat to move. `mask`, (A,) int8: its legal actions, one at least."""
    task, player = state.task, state.players[state.current]
    if task == Task.STAFF:
        return up_to(mask, STAFF, MAX_STAFF, planned_staff(cards, state, player))
    if task == Task.BID_BARS:
        return up_to(mask, BARS, STORE_PLACES, bars_to_bid(cards, state, player))
    if names_bars(task):  # announced cocoa is cheap, chocolate sells, and the bank pays more than a bar costs
        return up_to(mask, BARS, STORE_PLACES, STORE_PLACES)
    if task == Task.BID_PRICE:
        return up_to(mask, PRICE, HIGHEST_BID - 1, price_to_bid(cards, state, player))
    if task == Task.RAISE:  # as far as possible if present, else as little as possible
        return up_to(mask, RAISE, MAX_RAISE - 1, MAX_RAISE - 1 if has_bit(state.present, int(state.current)) else 0)
    if task == Task.TRIM:  # workers first, who cost least (LOAN-5)
        return first_of(mask, IN_ORDER)
    if task == Task.HOLIDAY:
        return sent_on_holiday(cards, mask, player)
    if task == Task.ATTEND:
        return ATTEND if attends(cards, state, player) else PASS
    if task == Task.OFFER:
        return ACCEPT if accepts(cards, state, player) else PASS
    if task == Task.TARGET:
        return best_target(cards, state, mask)
    if task == Task.MONEY:
        return with_money(cards, state, player, mask)
    return PASS if task == Task.LOOK else best_card(cards, state, mask)


@jit
def up_to(mask: np.ndarray, first: int, most: int, number: int) -> int:
    """The verb from `first` on with its largest legal argument up to `number`, or with 0."""
    number = min(number, most)
    while number > 0 and mask[first + number] == 0:
        number -= 1
    return first + number


@jit
def months_left(state: State) -> int:
    """After this one."""
    return int(state.months) - int(state.month) - 1


@jit
def shown_cash(player: Player) -> int:
    """As observations show it: large sums in steps of ten, which is near enough for rules of thumb."""
    cash = int(player.cash)
    return cash if cash < MOST_SHOWN else TEN * min(cash // TEN, MOST_SHOWN)


# --- staff


@jit
def planned_staff(cards: Tables, state: State, player: Player) -> int:
    """The staff of the category under way, for the most contracts that the cash pays for."""
    for contracts in range(MOST_CONTRACTS, -1, -1):
        if cost_of_plan(cards, state, player, contracts) <= shown_cash(player):
            return staff_to_have(cards, state, player, contracts, int(state.category))
    return 0


@jit
def cost_of_plan(cards: Tables, state: State, player: Player, contracts: int) -> int:
    """The cost of staff and cocoa; with little to sell this month also next month's salaries, and some cocoa."""
    cost = 0
    if state.event_in_force != Event.NO_COCOA:
        cost = COCOA_PRICE * max(0, bars_for(cards, state, player, contracts) - int(player.cocoa))
    for category in range(NUM_CATEGORIES):
        number = staff_to_have(cards, state, player, contracts, category)
        cost += cost_of_staff(cards, category, int(player.staff_before[category]), number)
        if is_held_up(state):
            cost += number * (int(cards.salaries[category]) + (COCOA_PRICE if category == WORKER else 0))
    return cost


@jit
def cost_of_staff(cards: Tables, category: int, before: int, number: int) -> int:
    """Salaries and severance pay (STAFF-5)."""
    salary = int(cards.salaries[category])
    return number * salary + max(0, before - number) * (salary // 2)


@jit
def staff_to_have(cards: Tables, state: State, player: Player, contracts: int, category: int) -> int:
    """The staff for the contracts as far as it can be hired, and idle staff that could not be hired back next month."""
    before, hired = int(player.staff_before[category]), int(cards.most_hired)
    there = int(player.staff[category]) + int(state.box[category])  # staff chosen earlier this month has left the box
    staff = min(staff_for(cards, state, player, contracts, category, False), before + hired, there)
    if months_left(state) == 0 or contracts == 0:
        return max(staff, 0)
    return max(staff, min(before, staff_for(cards, state, player, contracts, category, True) - hired))


@jit
def staff_for(cards: Tables, state: State, player: Player, contracts: int, category: int, in_full: bool) -> int:
    """The staff for this many contracts this month, and for those that are waiting.

    in_full: ignore events that hold up production.
    """
    bars = bars_for(cards, state, player, contracts)
    if is_held_up(state) and not in_full:
        no_cocoa = state.event_in_force == Event.NO_COCOA
        bars = min(bars, int(player.cocoa) if no_cocoa else int(player.staff_before[WORKER]))
        contracts = min(contracts, round((int(player.chocolate) + bars) / AVERAGE_BARS))
    if category == WORKER:
        return -(-bars // int(cards.bars_a_worker))
    if category == SALESMAN:  # rivals take about half of the meetings, and a salesman has two or more
        return contracts
    if category == SECRETARY:
        return contracts + open_contracts(player)
    return -(-(contracts + int(player.num_contracts)) // int(cards.contracts_a_bookkeeper))


@jit
def bars_for(cards: Tables, state: State, player: Player, contracts: int) -> int:
    """Bars of chocolate to make; in the last month the stock is used up."""
    bars = min(int(cards.chocolate_store), round(contracts * AVERAGE_BARS))
    return max(0, bars - (int(player.chocolate) if months_left(state) == 0 else 0))


@jit
def open_contracts(player: Player) -> int:
    """Contracts that are not yet at the bookkeepers."""
    return int(player.num_contracts) - int(player.num_booked)


@jit
def made_by(cards: Tables, workers: int) -> int:
    """Bars, in a month without hold-ups."""
    return workers * int(cards.bars_a_worker)


@jit
def sent_on_holiday(cards: Tables, mask: np.ndarray, player: Player) -> int:
    """A spare bookkeeper if there is one, else the lowest paid (XP-HOLIDAY)."""
    each, there = int(cards.contracts_a_bookkeeper), at_work(player, BOOKKEEPER)
    spare = each * (there - 1) >= int(player.num_contracts) + MOST_CONTRACTS
    return first_of(mask, SPARE_BOOKKEEPER if spare else BY_SALARY)


@jit
def first_of(mask: np.ndarray, categories: tuple[int, ...]) -> int:
    """The first of these categories that may be named."""
    for category in categories:
        if mask[CATEGORY + category] != 0:
            return CATEGORY + category
    return NONE


# --- cocoa


@jit
def bars_to_bid(cards: Tables, state: State, player: Player) -> int:
    """As many as the workers use this month; with plenty of cash, next month too."""
    last = months_left(state) == 0
    months = 2 if not last and shown_cash(player) > PLENTY else 1
    wanted = months * made_by(cards, at_work(player, WORKER)) - int(player.cocoa)
    if last:
        wanted = min(wanted, int(cards.chocolate_store) - int(player.chocolate) - int(player.cocoa))
    return max(0, wanted)


@jit
def price_to_bid(cards: Tables, state: State, player: Player) -> int:
    """The argument of `price`: 0 while there is enough for all, rising with scarcity to that of `DEAREST_COCOA`."""
    offered, wanted = 0, int(player.bid_bars[state.city])
    for city in range(NUM_CITIES):
        offered += int(state.market[city])
    for seat in range(state.num_players):
        if seat != state.current:
            rival = state.players[seat]
            used = min(int(cards.cocoa_store), made_by(cards, at_work(rival, WORKER)))
            wanted += max(0, used - int(rival.cocoa))
    short = max(0.0, 1.0 - offered / max(1, wanted))
    return round((DEAREST_COCOA - 1) * short)


# --- meetings


@jit
def attends(cards: Tables, state: State, player: Player) -> bool:
    """Whether it is alone, or the contract is not small; else it keeps the marker for another one."""
    bars = int(cards.contracts[state.offer].bars)
    return bool(is_worth_taking(cards, state, player) and (rivalry(cards, state) == 1 or bars >= AVERAGE_BARS - 1))


@jit
def accepts(cards: Tables, state: State, player: Player) -> bool:
    contract = cards.contracts[state.offer]
    lowest, highest = int(contract.lowest), int(contract.highest)
    wanted = lowest + (highest - lowest) * PATIENCE * scarcity(cards, state, player)
    return bool(is_worth_taking(cards, state, player) and state.price >= min(wanted, highest))


@jit
def is_worth_taking(cards: Tables, state: State, player: Player) -> bool:
    """Whether to take the contract: in the last month, only if the office can still pay it out (END-2)."""
    if months_left(state) > 0:
        return True
    paid = int(cards.contracts_a_bookkeeper) * at_work(player, BOOKKEEPER)
    return bool(open_contracts(player) < at_work(player, SECRETARY) and player.num_contracts < paid)


@jit
def rivalry(cards: Tables, state: State) -> int:
    """The number of seats that can take the contract on offer, or could if present."""
    bars, seats = int(cards.contracts[state.offer].bars), 0
    for seat in range(state.num_players):
        player = state.players[seat]
        if (player.marker > 0 or has_bit(state.present, seat)) and player.chocolate >= bars:
            seats += 1
    return seats


@jit
def scarcity(cards: Tables, state: State, player: Player) -> float:
    """0 if the chocolate covers all meetings to come, rising to 1 with no chocolate."""
    meetings = max(1, min(int(state.meetings_left), int(player.marker) + 1))
    asked = meetings * AVERAGE_BARS / max(1, rivalry(cards, state))
    return max(0.0, 1.0 - int(player.chocolate) / asked)


# --- express cards


@jit
def best_card(cards: Tables, state: State, mask: np.ndarray) -> int:
    """The card that can harm a rival most, if it does enough."""
    best, chosen = 0.0, PASS
    for card in range(NUM_EXPRESS):
        if mask[PLAY + card] != 0:
            for places in range(1, state.num_players):
                loss = harm(cards, state, card, seat_after(state, state.current, places))
                if loss > best:
                    best, chosen = loss, PLAY + card
    return chosen if best >= (WORTH_A_CARD if months_left(state) > 0 else 1) else PASS


@jit
def best_target(cards: Tables, state: State, mask: np.ndarray) -> int:
    """The richest rival that the card harms."""
    chosen, most, harmed = NONE, 0, False
    for places in range(1, state.num_players):
        action, seat = TARGET + places - 1, seat_after(state, state.current, places)
        if mask[action] == 0:
            continue
        harms = harm(cards, state, int(state.card), seat) > 0
        money = wealth(cards, state, state.players[seat])
        if chosen == NONE or (harms and not harmed) or (harms == harmed and money > most):
            chosen, most, harmed = action, money, harms
    return chosen


@jit
def wealth(cards: Tables, state: State, player: Player) -> int:
    """A seat's cash, shares, and money on contracts, less loans."""
    money = shown_cash(player) + int(player.shares) * share_price(cards, state) - int(player.loans) * int(cards.loan)
    for place in range(CONTRACTS_SHOWN):
        money += int(player.prices[place])
    return money


@jit
def harm(cards: Tables, state: State, card: int, seat: int) -> float:
    """What the card costs a rival."""
    rival, others = state.players[seat], int(state.num_players) - 1
    amount, bars = int(cards.express_amounts[card]), int(rival.chocolate)
    workers = at_work(rival, WORKER)
    if card == Express.LEVY:
        return float(amount * work_force(rival))
    if card == Express.GIFTS:
        return float(amount * others)
    if card == Express.ILLNESS or card == Express.HOLIDAY:
        return float(made_by(cards, min(1, workers)) * LOST_BAR)
    if card == Express.SLOW_SHIFT:
        return float(max(0, int(cards.bars_a_worker) - amount) * workers * LOST_BAR)
    if card == Express.THIRD_TO_BANK:
        return float(bars // max(1, amount) * LOST_BAR)
    if card == Express.BAR_EACH:
        return float(min(bars, others) * LOST_BAR)
    if card == Express.MISSED_MEETINGS:
        return float(min(amount, int(rival.marker)) * LOST_MEETING)
    if card == Express.IDLE_BOOKS:
        unpaid = max(0, int(cards.contracts_a_bookkeeper) - amount)
        return float(unpaid * at_work(rival, BOOKKEEPER) * LATE_PAYMENT)
    if card == Express.HAND_OVER:
        return price_taken(state) / 2
    if card == Express.HALF_PRICE:
        return price_taken(state) - price_taken(state) / max(1, amount)
    return 0.0


@jit
def price_taken(state: State) -> int:
    """The price of the contract just taken; 0 if there is none."""
    if state.taker == NONE:
        return 0
    taker = state.players[state.taker]
    return int(taker.prices[max(0, int(taker.num_contracts) - 1)])


# --- money


@jit
def with_money(cards: Tables, state: State, player: Player, mask: np.ndarray) -> int:
    if months_left(state) == 0:
        return PASS
    price, spare = share_price(cards, state), shown_cash(player) - needed(cards, state, player)
    if spare < 0 and mask[SELL_SHARES] != 0:
        return up_to(mask, SELL_SHARES, MAX_SHARES - 1, -(spare // price) - 1)
    if spare < 0 and mask[TAKE_LOAN] != 0 and borrows(state, player):
        return TAKE_LOAN
    if spare >= cards.loan and mask[REPAY] != 0:
        return REPAY
    if spare >= price and mask[BUY_SHARES] != 0:
        return up_to(mask, BUY_SHARES, MAX_SHARES - 1, spare // price - 1)
    return PASS


@jit
def needed(cards: Tables, state: State, player: Player) -> int:
    """The cost of next month's plan, including interest."""
    cost = int(player.loans) * int(cards.interest)
    for category in range(NUM_CATEGORIES):
        before = int(player.staff[category])
        staff = min(staff_for(cards, state, player, MOST_CONTRACTS, category, False), before + int(cards.most_hired))
        cost += cost_of_staff(cards, category, before, staff)
        if category == WORKER:
            cost += made_by(cards, staff) * COCOA_PRICE
    return cost


@jit
def borrows(state: State, player: Player) -> bool:
    """Whether a loan pays; not if LOAN-5 would then forbid hiring."""
    if months_left(state) < LOAN_PAYS or player.loans >= MOST_LOANS:
        return False
    return largest_other(state, int(state.current)) >= FEW_STAFF or all_others_owe(state)


@jit
def all_others_owe(state: State) -> bool:
    for seat in range(state.num_players):
        if seat != state.current and state.players[seat].loans == 0:
            return False
    return True
