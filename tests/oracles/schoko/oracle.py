"""A second, slow and plain implementation of *Schoko & Co.* (2 to 4 players): the oracle of the tests.

It is written from the page of rules alone (the clause ids below) and shares nothing with the engine. The rules stand as
generators, one for each phase: a phase yields a `Decision` wherever the page has a player decide, and is sent the
answer. So the code reads in the order of play, and what is under way is where the generator stands.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from typing import Any, Protocol

from .observation import observation
from .position import (
    CITIES,
    EFFECTS,
    PHASES,
    WINDOW,
    Answer,
    Banded,
    Decision,
    GameOverError,
    Json,
    Offer,
    Player,
    Position,
)

WORKER, SALESMAN, SECRETARY, BOOKKEEPER = range(4)
MOST_EMPLOYED = 20  # the last number of the verb `staff`
MOST_RAISED = 5  # SALE-7
ANNOUNCED_FOR_NEXT_MONTH = ("no_cocoa", "slow_work", "no_bookkeepers")  # MON-3


class Chance(Protocol):
    """What is drawn during play."""

    def contracts(self, held_back: list[str]) -> list[str]:
        """SALE-11: the new deck, top first; `held_back` are the ids that are shuffled, in alphabetical order."""


Play = Generator[Decision, Answer, None]


class Oracle(Position):
    """A game in progress: a position, and the generator that plays it. The arguments are those of `Position`."""

    def __init__(self, options: Mapping[str, Any], cards: Mapping[str, Any], deal: Mapping[str, Any]) -> None:
        super().__init__(options, cards, deal)
        self.chance: Chance | None = None
        self.start()

    # --- Decisions --------------------------------------------------------------------------------------------------

    def start(self, phase: str = PHASES[0]) -> None:
        """Begins this month at the phase (a name of `PHASES`), with the position as it is."""
        self.decision: Decision | None = None
        self.flow = self.months_from(phase)
        self.advance(None)

    def play(self, verb: str, argument: int, chance: Chance | None = None) -> None:
        """Gives the answer of the seat to move; `argument` is the index within the verb."""
        assert (verb, argument) in self.legal()
        self.chance = chance
        self.advance((verb, argument))

    def advance(self, answer: Answer | None) -> None:
        """Plays on to the next decision, past those with a single legal answer if `play_forced`."""
        try:
            while True:
                self.decision = next(self.flow) if answer is None else self.flow.send(answer)
                if not self.play_forced or len(self.decision.legal) > 1:
                    return
                (answer,) = self.decision.legal
        except (StopIteration, GameOverError):
            self.decision = None

    def months_from(self, phase: str) -> Play:
        """MON-1"""
        first = PHASES.index(phase)
        while True:
            for self.phase in PHASES[first:]:
                yield from getattr(self, f"{self.phase}_phase")()
            if self.month == self.months:
                return
            self.begin_month()
            first = 0

    def begin_month(self) -> None:
        """MON-2, MON-3"""
        self.leader = next(self.clockwise(self.leader + 1))
        self.month += 1
        announced = self.turned is not None and self.events[self.turned]["effect"] in ANNOUNCED_FOR_NEXT_MONTH
        self.in_force = self.turned if announced else None
        self.turned = None
        for player in self.players:
            player.begin_month()

    def observable(self, seat: int) -> Json:
        """What the seat may know: the page's blocks of the observation, in lists, each number at most its *high*."""
        return observation(self, seat)

    # --- LOOK -------------------------------------------------------------------------------------------------------

    def look_phase(self) -> Play:
        for seat in self.player_order():
            player = self.players[seat]
            if player.cash < self.setup["look"]:  # LOOK-2
                continue
            verb, _ = yield Decision(seat, "look", {("look", 0), ("pass", 0)})
            if verb == "look":
                player.cash -= self.setup["look"]
                player.looked = True

    # --- STAFF ------------------------------------------------------------------------------------------------------

    def staff_cost(self, player: Player, category: int, number: int) -> int:
        """STAFF-5: salaries of those who stay, and half of them for those who go."""
        salary = self.setup["salaries"][category]
        return int(number * salary + max(0, player.staff_before[category] - number) * salary // 2)

    def severance(self, player: Player, categories: range) -> int:
        """What laying off everyone of these categories costs."""
        return sum(self.staff_cost(player, category, 0) for category in categories)

    def staff_phase(self) -> Play:
        for seat in self.player_order():
            player = self.players[seat]
            due = self.severance(player, range(4))
            if not self.raise_cash(seat, due):  # STAFF-8
                self.pay(seat, due)  # as far as it goes: bankrupt
                continue
            cost = 0
            for category in range(4):
                legal = {("staff", number) for number in self.numbers_of_staff(player, category, cost)}
                _, number = yield Decision(seat, "staff", legal, category=category)
                cost += self.staff_cost(player, category, number)
                self.employ(player, category, number)
        yield from self.trim()
        self.pay_salaries()

    def numbers_of_staff(self, player: Player, category: int, cost: int) -> Iterator[int]:
        """STAFF-2, STAFF-4, STAFF-6, STAFF-7: `cost` is that of the categories before."""
        held = player.staff_before[category]
        most = min(held + self.setup["most_hired"], held + self.box_staff[category], MOST_EMPLOYED)
        if category == BOOKKEEPER and self.is_in_force("no_bookkeepers"):
            most = min(most, held)
        least_to_come = self.severance(player, range(category + 1, 4))
        for number in range(most + 1):
            if cost + self.staff_cost(player, category, number) + least_to_come <= player.cash:
                yield number

    def employ(self, player: Player, category: int, number: int) -> None:
        self.box_staff[category] += player.staff[category] - number
        player.staff[category] = number

    def trim(self) -> Play:
        """LOAN-5; PAY-2: of all loans held now."""
        seats = list(self.player_order())
        if all(self.players[seat].loans for seat in seats):  # LOAN-6
            return
        for seat in seats:
            player, last = self.players[seat], WORKER
            while player.loans and self.has_largest_work_force(seat):
                to_go = player.work_force - max(self.players[other].work_force for other in self.others(seat))
                legal = {
                    ("category", category)
                    for category in range(last, 4)
                    if player.staff[category] > 0 and sum(player.staff[category:]) >= to_go
                }
                _, last = yield Decision(seat, "trim", legal, category=last)
                self.employ(player, last, player.staff[last] - 1)

    def pay_salaries(self) -> None:
        """STAFF-5, STAFF-6"""
        for seat in self.player_order():
            player = self.players[seat]
            player.salaries = sum(
                number * salary for number, salary in zip(player.staff, self.setup["salaries"], strict=True)
            )
            cost = sum(self.staff_cost(player, category, player.staff[category]) for category in range(4))
            player.cash -= cost

    # --- Express cards ----------------------------------------------------------------------------------------------

    def cards_a_phase(self) -> Play:
        yield from self.window("card_a")

    def cards_b_phase(self) -> Play:
        self.set_markers()
        yield from self.window("card_b")

    def window(self, window: str) -> Play:
        """XP-4"""
        for seat in self.player_order():
            yield from self.ask_for_card(seat, window, self.others(seat))

    def ask_for_card(self, seat: int, window: str, others: list[int]) -> Generator[Decision, Answer, bool]:
        """Whether a card was played on one of the others."""
        struck = {effect: self.targets(effect, seat, others) for effect in EFFECTS if WINDOW[effect] == window}
        playable = [effect for effect in self.players[seat].hand if struck.get(effect)]
        if self.month == 1 or self.players[seat].has_played or not playable:  # XP-1, XP-2
            return False
        legal = {("play", EFFECTS.index(effect)) for effect in playable}
        verb, number = yield Decision(seat, window, legal | {("pass", 0)})
        if verb == "pass":
            return False
        effect = EFFECTS[number]
        target = struck[effect][0]
        if len(struck[effect]) > 1:
            legal = {("target", (other - seat) % self.num_players - 1) for other in struck[effect]}
            _, number = yield Decision(seat, "target", legal, card=effect)
            target = (seat + 1 + number) % self.num_players
        self.players[seat].hand.remove(effect)  # XP-5
        self.players[seat].has_played = True
        self.players[target].struck_by = effect
        self.face_up.append(effect)
        yield from self.carry_out(effect, seat, target)
        return True

    def targets(self, effect: str, seat: int, others: list[int]) -> list[int]:
        """XP-3: on whom of the others the seat may play the card."""
        return [
            other
            for other in others
            if self.players[other].struck_by is None and self.may_be_struck(effect, seat, self.players[other])
        ]

    def may_be_struck(self, effect: str, seat: int, player: Player) -> bool:
        """The last column of XP-5."""
        match effect:
            case "levy" | "holiday":
                return player.work_force > 0
            case "illness":
                return player.at_work(WORKER) > 0
            case "slow_shift":
                return player.staff[WORKER] > 0 and not self.is_in_force("slow_work")
            case "gifts" | "tax_inspection":
                return True
            case "third_to_bank":
                return player.chocolate >= self.amounts[effect]
            case "bar_each":
                return player.chocolate > 0
            case "missed_meetings":
                return player.at_work(SALESMAN) > 0
            case "idle_books":
                return player.at_work(BOOKKEEPER) > 0
            case "hand_over":  # nobody is present without enough chocolate
                return self.players[seat].present
            case "half_price":
                return not any(other.present for other in self.players if other is not player)
        raise ValueError(f"no rule for the card {effect}")

    def carry_out(self, effect: str, seat: int, target: int) -> Play:
        """XP-5: what lasts for the month (`slow_shift`, `idle_books`) is read from `struck_by`."""
        player, amount = self.players[target], self.amounts[effect]
        match effect:
            case "levy":
                self.pay(target, amount * player.work_force)
            case "gifts":
                self.give_to_each(target, amount)
            case "illness":
                player.absent[WORKER] += 1
            case "holiday":
                legal = {("category", category) for category in range(4) if player.at_work(category) > 0}
                _, category = yield Decision(target, "holiday", legal, card=effect)
                player.absent[category] += 1
            case "third_to_bank":
                player.chocolate -= player.chocolate // amount
            case "bar_each":
                self.share_bars(target)
            case "missed_meetings":
                player.marker = max(0, player.marker - amount)
            case "hand_over":
                self.hand_over(seat, player)
            case "half_price":
                player.open[-1].price //= amount

    def give_to_each(self, seat: int, amount: int) -> None:
        """XP-GIFTS, PAY-3"""
        player, others = self.players[seat], self.others(seat)
        covered = self.raise_cash(seat, amount * len(others))
        for other in others:
            given = min(amount, player.cash)
            player.cash -= given
            self.players[other].cash += given
        if not covered:
            self.go_bankrupt(seat)

    def share_bars(self, seat: int) -> None:
        """XP-SHARE"""
        for other in self.others(seat):
            if self.players[seat].chocolate > 0 and self.free_chocolate(self.players[other]) > 0:
                self.players[seat].chocolate -= 1
                self.players[other].chocolate += 1

    def hand_over(self, seat: int, player: Player) -> None:
        """XP-HAND, SALE-12"""
        banded = player.open.pop()
        bars = self.contracts[banded.contract]["bars"]
        player.chocolate += bars
        player.gained -= 1
        self.players[seat].chocolate -= bars
        self.players[seat].gained += 1
        self.players[seat].open.append(banded)

    # --- COCOA ------------------------------------------------------------------------------------------------------

    def cocoa_phase(self) -> Play:
        if self.is_in_force("no_cocoa"):  # COCOA-7
            return
        for seat in self.player_order():  # COCOA-1
            player = self.players[seat]
            legal = {("bars", bars) for bars in range(self.free_cocoa(player) + 1)}
            _, player.announced = yield Decision(seat, "announce", legal)
        total = sum(player.announced for player in self.players)
        self.market = [total // CITIES + (city < total % CITIES) for city in range(CITIES)]  # COCOA-2
        for city in range(CITIES):  # COCOA-3
            if self.market[city] > 0:
                for seat in self.player_order():
                    yield from self.sealed_bid(seat, city)
                self.settle(city)

    def sealed_bid(self, seat: int, city: int) -> Play:
        """COCOA-4"""
        player = self.players[seat]
        most = min(self.market[city], self.free_cocoa(player), player.cash)
        legal = {("bars", bars) for bars in range(most + 1)}
        _, bars = yield Decision(seat, "bid_bars", legal, city=city)
        price = 0
        if bars > 0:
            prices = range(1, self.setup["highest_bid"] + 1)
            legal = {("price", price - 1) for price in prices if bars * price <= player.cash}
            _, number = yield Decision(seat, "bid_price", legal, city=city, bars=bars)
            price = number + 1
        player.bid = [bars, price]

    def settle(self, city: int) -> None:
        """COCOA-5, COCOA-6"""
        bids = {seat: self.players[seat].bid or [0, 0] for seat in self.player_order()}
        for seat in sorted(bids, key=lambda seat: -bids[seat][1]):  # equal prices stay in player order
            player, (bars, price) = self.players[seat], bids[seat]
            served = min(bars, self.market[city])
            self.market[city] -= served
            player.cocoa += served
            player.cash -= served * price
            player.bids[city], player.bid = [bars, price], None
        self.market[city] = 0

    # --- MAKE -------------------------------------------------------------------------------------------------------

    def bars_a_worker(self, player: Player) -> int:
        """MAKE-1"""
        most = [self.setup["bars_a_worker"]]
        if player.struck_by == "slow_shift":
            most.append(self.amounts["slow_shift"])
        if self.in_force is not None and self.is_in_force("slow_work"):
            most.append(self.events[self.in_force]["amount"])
        return int(min(most))

    def make_phase(self) -> Play:
        """MAKE-2"""
        for seat in self.player_order():
            player = self.players[seat]
            by_workers = player.at_work(WORKER) * self.bars_a_worker(player)
            most = min(by_workers, player.cocoa, self.free_chocolate(player))
            _, bars = yield Decision(seat, "make", {("bars", bars) for bars in range(most + 1)})
            player.cocoa -= bars
            player.chocolate += bars

    # --- SALE -------------------------------------------------------------------------------------------------------

    def on_the_chart(self, salesmen: int) -> int:
        """SALE-1, SALE-2"""
        return min(salesmen * self.num_players, int(self.setup["last_field"]))

    def set_markers(self) -> None:
        """SALE-1, SALE-2: they stand when window B begins, since XP-MISS moves one."""
        self.meetings_left = self.on_the_chart(max(player.at_work(SALESMAN) for player in self.players))
        for player in self.players:
            player.marker = self.on_the_chart(player.at_work(SALESMAN))

    def sale_phase(self) -> Play:
        while self.meetings_left > 0 and any(player.chocolate for player in self.players):  # SALE-10
            self.renew_deck()
            if not self.deck:
                break
            yield from self.meeting()
            self.meetings_left -= 1
        self.meetings_left = 0
        for player in self.players:
            player.marker = 0
        yield from self.bank_sale()

    def renew_deck(self) -> None:
        """SALE-11"""
        if self.deck or not self.held_back:
            return
        assert self.chance is not None
        self.deck = list(self.chance.contracts(sorted(self.held_back)))
        assert sorted(self.deck) == sorted(self.held_back)
        self.held_back = []

    def meeting(self) -> Play:
        """SALE-3"""
        name = self.deck.pop(0)
        self.offer = Offer(name)
        yield from self.attendance(self.contracts[name]["bars"])
        taker = yield from self.offering(self.offer)
        price, self.offer = self.offer.price, None
        if taker is None:
            self.held_back.append(name)
        else:
            player = self.players[taker]
            player.chocolate -= self.contracts[name]["bars"]  # SALE-9
            player.open.append(Banded(name, price))
            player.gained += 1
            yield from self.window_c(taker)
        for player in self.players:
            player.present = player.refused = False

    def window_c(self, taker: int) -> Play:
        """XP-4, XP-6"""
        self.taker = taker
        for player in self.players:
            player.refused = False
        for seat in self.others(taker):
            if (yield from self.ask_for_card(seat, "card_c", [taker])):
                break
        self.taker = None

    def attendance(self, bars: int) -> Play:
        """SALE-4, SALE-5"""
        able = [
            seat
            for seat in self.player_order()
            if self.players[seat].chocolate >= bars and self.players[seat].marker > 0
        ]
        free_to_stay_away = [seat for seat in able if self.players[seat].marker < self.meetings_left]
        for seat in able:
            if seat not in free_to_stay_away:
                self.attend(self.players[seat])
        for seat in free_to_stay_away:
            verb, _ = yield Decision(seat, "attend", {("attend", 0), ("pass", 0)})
            if verb == "attend":
                self.attend(self.players[seat])

    def attend(self, player: Player) -> None:
        player.present = True
        player.marker -= 1

    def offering(self, offer: Offer) -> Generator[Decision, Answer, int | None]:
        """SALE-6 to SALE-8: who takes the contract, at the price of the offer."""
        eligible = [seat for seat in self.player_order() if self.players[seat].present]
        if not eligible:
            return None
        highest: int = self.contracts[offer.contract]["highest"]
        offer.price = highest if len(eligible) == 1 else self.contracts[offer.contract]["lowest"]
        while True:
            for seat in eligible:
                verb, _ = yield Decision(seat, "offer", {("accept", 0), ("pass", 0)})
                if verb == "accept":
                    return seat
                self.players[seat].refused = True
            most = min(MOST_RAISED, highest - offer.price)
            if most == 0:
                return None
            _, number = yield Decision(self.chairman, "raise", {("raise", number) for number in range(most)})
            offer.price += number + 1
            for player in self.players:
                player.refused = False

    def bank_sale(self) -> Play:
        """SALE-12"""
        for seat in self.player_order():
            player = self.players[seat]
            if player.gained == 0:
                most = min(self.setup["bank_bars"], player.chocolate)
                _, bars = yield Decision(seat, "bank_sale", {("bars", bars) for bars in range(most + 1)})
                player.chocolate -= bars
                player.cash += bars * self.setup["bank_price"]

    # --- OFFICE -----------------------------------------------------------------------------------------------------

    def office_phase(self) -> Play:
        """OFFICE-1 to OFFICE-4"""
        for player in self.players:
            handled = player.at_work(SECRETARY) * self.setup["contracts_a_secretary"]
            player.at_bookkeepers += player.open[:handled]
            del player.open[:handled]
        for player in self.players:
            each = self.setup["contracts_a_bookkeeper"]
            if player.struck_by == "idle_books":
                each = min(each, self.amounts["idle_books"])
            for banded in player.at_bookkeepers[: player.at_work(BOOKKEEPER) * each]:
                player.at_bookkeepers.remove(banded)
                self.held_back.append(banded.contract)
                player.cash += banded.price
        yield from ()  # there is nothing to decide

    # --- EVENT ------------------------------------------------------------------------------------------------------

    def event_phase(self) -> Play:
        """EV-0 to EV-4; what is announced for next month begins with it (MON-3)."""
        self.turned = self.events_dealt[self.month - 1]
        event = self.events[self.turned]
        match event["effect"]:
            case "stomach_upset":
                self.cancel_contracts()
            case "protest":
                for player in self.players:
                    player.chocolate -= min(event["amount"], player.chocolate)
            case "store_shock":
                for seat in self.player_order():
                    self.pay(seat, event["amount"] * self.players[seat].chocolate)
            case "wage_subsidy":
                self.subsidise(event["amount"])
        yield from ()  # there is nothing to decide

    def cancel_contracts(self) -> None:
        """EV-1"""
        for player in self.players:
            self.held_back += [banded.contract for banded in player.at_bookkeepers]
            player.at_bookkeepers = []
            if self.upset == "all":
                self.held_back += [banded.contract for banded in player.open]
                player.open = []

    def subsidise(self, amount: int) -> None:
        """EV-4"""
        most = max(self.players[seat].salaries for seat in self.player_order())
        tied = [seat for seat in self.player_order() if self.players[seat].salaries == most]
        if most > 0:
            for seat in tied:
                self.players[seat].cash += amount // len(tied)

    # --- MONEY ------------------------------------------------------------------------------------------------------

    def money_phase(self) -> Play:
        interest = [player.loans * self.setup["interest"] for player in self.players]  # LOAN-2
        for seat in self.player_order():
            self.pay(seat, interest[seat])
        for seat in self.player_order():
            yield from self.money_of(seat)

    def money_of(self, seat: int) -> Play:
        """LOAN-3"""
        player = self.players[seat]
        done: list[str] = []
        while not {"buy_shares", "pass"} & {*done}:
            legal: set[Answer] = {("pass", 0)}
            if not done:
                legal |= {("sell_shares", number) for number in range(player.shares)}
            if "take_loan" not in done and player.loans > 0 and player.cash >= self.setup["loan"]:
                legal.add(("repay", 0))
            if "repay" not in done and self.may_take_loan(seat):
                legal.add(("take_loan", 0))
            if "sell_shares" not in done:
                affordable = min(self.box_shares, player.cash // self.share_price)
                legal |= {("buy_shares", number) for number in range(affordable)}
            verb, number = yield Decision(seat, "money", legal)
            self.carry_out_money(player, verb, number + 1)
            done.append(verb)

    def carry_out_money(self, player: Player, verb: str, number: int) -> None:
        match verb:
            case "sell_shares":
                self.sell_shares(player, number)
            case "buy_shares":
                self.sell_shares(player, -number)
            case "take_loan":
                self.take_loan(player)
            case "repay":
                player.loans -= 1
                self.box_loans += 1
                player.cash -= self.setup["loan"]

    def may_take_loan(self, seat: int) -> bool:
        """LOAN-1, LOAN-4, LOAN-6, LOAN-7, SET-9"""
        if self.players[seat].loan_this_month or self.box_loans == 0 or self.month == self.months:
            return False
        return not self.has_largest_work_force(seat) or all(self.players[other].loans for other in self.others(seat))
