"""Runs a firm by rules of thumb, from a single look at the table.

Idea: aim at as many contracts a month as the cash pays for, and employ, buy and make what they need. Bid low for cocoa
while there is enough for everyone. Take a contract at its lowest price while there is chocolate for all the meetings to
come, else wait for more. Repay loans and buy shares with cash that next month does not need. It sees only the
observation. Cost: about 0.1 ms per decision.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from chocofactory_env import Game
from chocofactory_env.games.schoko.vocabulary import (
    CONTRACTS_SHOWN,
    MOST_SHOWN,
    NONE,
    STORE_PLACES,
    Category,
    Event,
    Express,
    Task,
    task_of,
)

WORKER, SALESMAN, SECRETARY, BOOKKEEPER = Category

BARS_A_CONTRACT: Final = 3.3  # on average (SET-4)
MOST_CONTRACTS: Final = 6  # a month, enough to sell about a full store of 16 bars
SALESMEN_A_CONTRACT: Final = 1.0  # rivals take about half of the meetings, and a salesman has two or more
COCOA_PRICE: Final = 2  # thousands set aside per bar
DEAREST_COCOA: Final = 9  # highest bid: a bar of chocolate brings some 15, and wages and office are already paid
LOST_BAR: Final = 8  # thousands that a rival loses per bar of chocolate
LOST_MEETING: Final = 20  # per meeting
LATE_PAYMENT: Final = 10  # per contract paid a month later
PATIENCE: Final = 0.8  # how far up its price range a contract must be if chocolate is scarce
WORTH_A_CARD: Final = 5  # thousands; an express card that harms less is kept for later
PLENTY: Final = 100  # thousands of cash above which it also buys next month's cocoa
MOST_LOANS: Final = 2  # with more, an unlucky firm never escapes the interest
FEW_STAFF: Final = 5  # the largest rival's staff is small below this
LOAN_PAYS: Final = 2  # fewest months left in which a loan earns more than its interest


class Table:
    """A position as a seat knows it, in integers. Arrays (P, ...) list the players clockwise from the seat.

    numbers: of the setup and of the cards, one record.
    """

    def __init__(self, state: np.ndarray, seat: int, numbers: np.void) -> None:
        self.at = at = state[0]
        number = int(at["num_players"])
        self._players = players = np.roll(at["players"][:number], -seat)
        self.months_left = int(at["months"] - at["month"]) - 1  # after this one
        self.event = int(at["event_in_force"])
        self.held_up = self.event in (Event.NO_COCOA, Event.SLOW_WORK)  # this month's production
        self.box = at["box"][: len(Category)].astype(int)  # (4,): staff to be hired
        self.staff = self["staff"]  # (P, 4)
        self.at_work = self.staff - self["absent"]
        self.chocolate, self.cocoa = self["chocolate"], self["cocoa"]  # (P,)
        self.booked_contracts = int(players["num_booked"][0])  # those at the bookkeepers
        self.open_contracts = int(players["num_contracts"][0]) - self.booked_contracts
        # Above MOST_SHOWN in steps of ten, which is near enough for rules of thumb.
        self.cash = [c if c < MOST_SHOWN else 10 * min(c // 10, MOST_SHOWN) for c in self["cash"].tolist()]
        self.share_price = int(numbers["share_price"][at["month"]])
        # The contract on offer, or just taken: bars, lowest, highest and present price; zeros if there is none.
        contract, price, taker = int(at["offer"]), int(at["price"]), int(at["taker"])
        if taker != NONE:
            last = at["players"]["num_contracts"][taker] - 1
            contract, price = (int(at["players"][name][taker, last]) for name in ("contracts", "prices"))
        card = numbers["contracts"][contract]
        words = ("bars", "lowest", "highest")
        self.offer = (0, 0, 0, 0) if contract == NONE else (*(int(card[word]) for word in words), price)
        self.present = (int(at["present"]) >> (np.arange(number) + seat) % number & 1) == 1  # (P,), at the meeting
        # (P,): the seats that can take the contract on offer, or could if present.
        self.eligible = ((players["marker"] > 0) | self.present) & (self.chocolate >= self.offer[0])

    def __getitem__(self, name: str) -> np.ndarray:
        """A field of all players, (P, ...)."""
        numbers: np.ndarray = self._players[name].astype(int)
        return numbers

    def wealth(self, seat: int, loan: int) -> int:
        """A seat's cash, shares, and money on contracts, less loans."""
        bands = self["prices"][seat, :CONTRACTS_SHOWN].sum()
        return int(self.cash[seat] + self["shares"][seat] * self.share_price + bands - loan * self["loans"][seat])


class ManagerAgent:
    """Deterministic."""

    def __init__(self, game: Game) -> None:
        compiled: Any = game
        self._game = game
        self._numbers: Any = compiled.cards.array[0]  # of the setup and of the cards
        self._first: dict[str, int] = compiled.action_layout.first
        self._count: dict[str, int] = dict(compiled.action_layout.verbs)
        self._answers: dict[Task, Callable[[Table, np.ndarray], int]] = {
            Task.LOOK: self._decline,
            Task.STAFF: self._staff,
            Task.TRIM: self._trim,
            Task.CARD_A: self._card,
            Task.CARD_B: self._card,
            Task.CARD_C: self._card,
            Task.TARGET: self._target,
            Task.HOLIDAY: self._holiday,
            Task.ANNOUNCE: self._most_bars,
            Task.BID_BARS: self._bid_bars,
            Task.BID_PRICE: self._bid_price,
            Task.MAKE: self._most_bars,
            Task.ATTEND: self._attend,
            Task.OFFER: self._offer,
            Task.RAISE: self._raise,
            Task.BANK_SALE: self._most_bars,
            Task.MONEY: self._money,
        }

    def choose(self, state: Any, player: int) -> int:
        table = Table(state, player, self._numbers)
        return self._answers[task_of(state)](table, self._game.legal_mask(state))

    # --- staff

    def _staff(self, table: Table, mask: np.ndarray) -> int:
        category = int(table.at["category"])
        return self._up_to("staff", self.planned_staff(table)[category], mask)

    def planned_staff(self, table: Table) -> Sequence[int]:
        """The staff by category for the most contracts that the cash pays for."""
        before, box = table["staff_before"][0], table.box
        held = table.staff[0] + box  # staff chosen earlier this month have left the box
        most = np.minimum(before + self._numbers["most_hired"], held)
        for contracts in range(MOST_CONTRACTS, -1, -1):
            staff = np.minimum(self._staff_for(table, contracts), most)
            staff = np.maximum(staff, np.minimum(before, self._kept(table, contracts)))
            cost = self._cost(before, staff) + self._cocoa(table, contracts) * COCOA_PRICE
            if cost + (self._restart(staff) if table.held_up else 0) <= table.cash[0]:
                return [int(number) for number in staff]
        return [0] * len(Category)

    def _restart(self, staff: np.ndarray) -> int:
        """Cash to set aside in a month with little to sell: next month's salaries, and some cocoa."""
        return int((staff * self._numbers["salaries"]).sum() + staff[WORKER] * COCOA_PRICE)

    def _cocoa(self, table: Table, contracts: int) -> int:
        """Bars to buy."""
        wanted = self._bars_for(table, contracts) - int(table.cocoa[0])
        return 0 if table.event == Event.NO_COCOA else max(0, wanted)

    def _staff_for(self, table: Table, contracts: int, in_full: bool = False) -> np.ndarray:
        """The staff by category for this many contracts this month, and for those that are waiting.

        in_full: ignore events that hold up production.
        """
        bars = self._bars_for(table, contracts)
        if not in_full and table.held_up:
            workers = int(table["staff_before"][0, WORKER])
            bars = min(bars, int(table.cocoa[0]) if table.event == Event.NO_COCOA else workers)
            contracts = min(contracts, round(float(table.chocolate[0] + bars) / BARS_A_CONTRACT))
        workers = -(-bars // int(self._numbers["bars_a_worker"]))
        salesmen = int(np.ceil(contracts * SALESMEN_A_CONTRACT))
        secretaries = contracts + table.open_contracts
        bookkeepers = -(-(secretaries + table.booked_contracts) // int(self._numbers["contracts_a_bookkeeper"]))
        return np.array([workers, salesmen, secretaries, bookkeepers])

    def _bars_for(self, table: Table, contracts: int) -> int:
        """Bars of chocolate to make; in the last month the stock is used up."""
        bars = min(int(self._numbers["chocolate_store"]), round(contracts * BARS_A_CONTRACT))
        return max(0, bars - (int(table.chocolate[0]) if table.months_left == 0 else 0))

    def _made_by(self, workers: int) -> int:
        """Bars, in a month without hold-ups."""
        return int(workers) * int(self._numbers["bars_a_worker"])

    def _kept(self, table: Table, contracts: int) -> np.ndarray:
        """Staff to keep though idle, as they could not all be hired back next month."""
        if table.months_left == 0 or contracts == 0:
            return np.zeros(len(Category), int)
        return self._staff_for(table, contracts, in_full=True) - int(self._numbers["most_hired"])

    def _cost(self, before: np.ndarray, staff: np.ndarray) -> int:
        """Salaries and severance pay (STAFF-5)."""
        salaries = self._numbers["salaries"].astype(int)
        return int((staff * salaries + np.maximum(0, before - staff) * (salaries // 2)).sum())

    def _trim(self, table: Table, mask: np.ndarray) -> int:
        """Dismiss workers first, who cost least (LOAN-5)."""
        return int(np.flatnonzero(mask)[0])

    def _holiday(self, table: Table, mask: np.ndarray) -> int:
        """Send a spare bookkeeper if there is one, else the lowest paid (XP-HOLIDAY)."""
        busy = table.open_contracts + table.booked_contracts + MOST_CONTRACTS
        spare = self._numbers["contracts_a_bookkeeper"] * (table.at_work[0, BOOKKEEPER] - 1) >= busy
        order = [BOOKKEEPER, WORKER, SECRETARY, SALESMAN] if spare else [WORKER, SECRETARY, BOOKKEEPER, SALESMAN]
        legal = [category for category in order if mask[self._first["category"] + category]]
        return int(self._first["category"] + legal[0])

    # --- cocoa and chocolate

    def _bid_bars(self, table: Table, mask: np.ndarray) -> int:
        """As many as the workers use this month; with plenty of cash, next month too."""
        ahead = 2 if table.months_left and table.cash[0] > PLENTY else 1
        wanted = max(0, ahead * self._made_by(table.at_work[0, WORKER]) - int(table.cocoa[0]))
        places = int(self._numbers["chocolate_store"]) - int(table.chocolate[0]) - int(table.cocoa[0])
        if table.months_left == 0:
            wanted = max(0, min(wanted, places))
        return self._up_to("bars", wanted, mask)

    def _bid_price(self, table: Table, mask: np.ndarray) -> int:
        """1 while there is enough for all, rising to `DEAREST_COCOA` with scarcity."""
        offered = int(table.at["market"].sum())
        can_make = table.at_work[1:, WORKER] * int(self._numbers["bars_a_worker"])
        rivals = np.minimum(int(self._numbers["cocoa_store"]), can_make) - table.cocoa[1:]
        wanted = int(table["bid_bars"][0, table.at["city"]]) + int(np.maximum(0, rivals).sum())
        short = max(0.0, 1.0 - offered / max(1, wanted))
        return self._up_to("price", round((DEAREST_COCOA - 1) * short), mask)

    def _most_bars(self, table: Table, mask: np.ndarray) -> int:
        """All it can: announced cocoa is cheap, chocolate sells, and the bank pays more than a bar costs."""
        return self._up_to("bars", STORE_PLACES, mask)

    # --- meetings

    def _attend(self, table: Table, mask: np.ndarray) -> int:
        """Attend if alone, or if the contract is not small; else keep the marker for another one."""
        alone = table.eligible.sum() == 1
        if self.worth_taking(table) and (alone or table.offer[0] >= BARS_A_CONTRACT - 1):
            return self._first["attend"]
        return self._first["pass"]

    def _offer(self, table: Table, mask: np.ndarray) -> int:
        _, lowest, highest, price = table.offer
        wanted = lowest + (highest - lowest) * PATIENCE * scarcity(table)
        accept = self.worth_taking(table) and price >= min(wanted, highest)
        return self._first["accept" if accept else "pass"]

    def worth_taking(self, table: Table) -> bool:
        """Whether to take the contract: in the last month, only if the office can still pay it out (END-2)."""
        if table.months_left:
            return True
        secretaries, bookkeepers = int(table.at_work[0, SECRETARY]), int(table.at_work[0, BOOKKEEPER])
        waiting = table.open_contracts + table.booked_contracts
        return bool(
            table.open_contracts < secretaries and waiting < self._numbers["contracts_a_bookkeeper"] * bookkeepers
        )

    def _raise(self, table: Table, mask: np.ndarray) -> int:
        """Raise as far as possible if present, else as little as possible."""
        return self._up_to("raise", int(mask.sum()) - 1 if table.present[0] else 0, mask)

    # --- express cards

    def _decline(self, table: Table, mask: np.ndarray) -> int:
        return self._first["pass"]

    def _card(self, table: Table, mask: np.ndarray) -> int:
        first = self._first["play"]
        cards = [card for card in Express if mask[first + card]]
        harm = {card: max(self._harm(table, card, seat) for seat in range(1, len(table.cash))) for card in cards}
        best = max(cards, key=lambda card: harm[card])
        patience = WORTH_A_CARD if table.months_left else 1
        return int(first + best) if harm[best] >= patience else self._first["pass"]

    def _target(self, table: Table, mask: np.ndarray) -> int:
        """The richest rival that the card harms."""
        card = Express(table.at["card"])
        legal = [int(seat) for seat in np.flatnonzero(mask[self._first["target"] :][: len(table.cash) - 1]) + 1]
        best = max(
            legal, key=lambda seat: (self._harm(table, card, seat) > 0, table.wealth(seat, int(self._numbers["loan"])))
        )
        return self._first["target"] + best - 1

    def _harm(self, table: Table, card: Express, seat: int) -> float:
        """Thousands that the card costs a rival."""
        staff, bars, others = table.at_work[seat], int(table.chocolate[seat]), len(table.cash) - 1
        amount, worker = int(self._numbers["express_amounts"][card]), min(1, int(staff[WORKER]))
        slower = max(0, self._made_by(1) - amount)
        unpaid = max(0, int(self._numbers["contracts_a_bookkeeper"]) - amount)
        price = table.offer[3]
        by_card = {
            Express.LEVY: amount * int(table.staff[seat].sum()),
            Express.GIFTS: amount * others,
            Express.ILLNESS: self._made_by(worker) * LOST_BAR,
            Express.HOLIDAY: self._made_by(worker) * LOST_BAR,
            Express.SLOW_SHIFT: slower * int(staff[WORKER]) * LOST_BAR,
            Express.THIRD_TO_BANK: bars // max(1, amount) * LOST_BAR,
            Express.BAR_EACH: min(bars, others) * LOST_BAR,
            Express.MISSED_MEETINGS: min(amount, int(table["marker"][seat])) * LOST_MEETING,
            Express.IDLE_BOOKS: unpaid * int(staff[BOOKKEEPER]) * LATE_PAYMENT,
            Express.HAND_OVER: price / 2,
            Express.HALF_PRICE: price - price / max(1, amount),
        }
        return by_card.get(card, 0.0)

    # --- money

    def _money(self, table: Table, mask: np.ndarray) -> int:
        if table.months_left == 0:
            return self._first["pass"]
        price, cash, needed = table.share_price, table.cash[0], self.needed(table)
        can_sell, can_buy = mask[self._first["sell_shares"]], mask[self._first["buy_shares"]]
        if cash < needed and can_sell:
            return self._up_to("sell_shares", -(-(needed - cash) // price) - 1, mask)
        if cash < needed and mask[self._first["take_loan"]] and self._borrows(table):
            return self._first["take_loan"]
        if cash >= needed + self._numbers["loan"] and mask[self._first["repay"]]:
            return self._first["repay"]
        if can_buy and cash >= needed + price:
            return self._up_to("buy_shares", (cash - needed) // price - 1, mask)
        return self._first["pass"]

    def _borrows(self, table: Table) -> bool:
        """Whether a loan pays; not if LOAN-5 would then forbid hiring."""
        rivals = int(table.staff[1:].sum(axis=1).max())
        few = rivals < FEW_STAFF and not table["loans"][1:].all()
        return table.months_left >= LOAN_PAYS and table["loans"][0] < MOST_LOANS and not few

    def needed(self, table: Table) -> int:
        """The cost of next month's plan, including interest."""
        before = table.staff[0]
        staff = np.minimum(self._staff_for(table, MOST_CONTRACTS), before + self._numbers["most_hired"])
        cost = self._cost(before, staff) + self._made_by(staff[WORKER]) * COCOA_PRICE
        return cost + int(table["loans"][0] * self._numbers["interest"])

    def _up_to(self, verb: str, number: int, mask: np.ndarray) -> int:
        """The verb with its largest legal argument up to `number`, or with 0."""
        first, number = self._first[verb], min(number, self._count[verb] - 1)
        while number > 0 and not mask[first + number]:
            number -= 1
        return int(first + number)


def scarcity(table: Table) -> float:
    """0 if the chocolate covers all meetings to come, rising to 1 with no chocolate."""
    meetings = min(int(table.at["meetings_left"]), int(table["marker"][0]) + 1)
    rivals = max(1, int(table.eligible.sum()))
    asked = meetings * BARS_A_CONTRACT / rivals
    return max(0.0, 1.0 - int(table.chocolate[0]) / asked)
