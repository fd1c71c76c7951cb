"""What a step pays and moves, by the clauses: money and bars of each player, for games in which all are asked.

Positions are plain data as `oracle_view.view_of` has them, with the shipped deck. Who goes bankrupt in the step is
left out: PAY-3 takes all there is.
"""

from __future__ import annotations

from dataclasses import dataclass

from .oracle_cards import EVENTS, SETUP, Json
from .oracle_checks import BARS
from .oracle_position import Answer

SECRETARY, BOOKKEEPER = 2, 3
EFFECT: dict[str, str] = {event["id"]: event["effect"] for event in EVENTS}


@dataclass(frozen=True)
class Step:
    before: Json
    answer: Answer
    after: Json

    @property
    def mover(self) -> int:
        seat: int = self.before["seat"]
        return seat

    def then(self, seat: int) -> Json:
        player: Json = self.before["players"][seat]
        return player

    def now(self, seat: int) -> Json:
        player: Json = self.after["players"][seat]
        return player

    def struck(self, effect: str) -> int | None:
        """Who was struck by this card in the step."""
        for seat in range(len(self.after["players"])):
            if self.now(seat)["struck_by"] == effect and self.then(seat)["struck_by"] is None:
                return seat
        return None

    @property
    def event(self) -> str | None:
        """What was turned up in the step."""
        if self.before["event_turned"] is None and self.after["event_turned"] is not None:
            return EFFECT[self.after["event_turned"]]
        return None

    @property
    def lost(self) -> set[int]:
        """Who went bankrupt in the step."""
        return set(self.after["bankrupts"]) - set(self.before["bankrupts"])

    def others(self, seat: int) -> int:
        """How many others there were."""
        return len(self.before["players"]) - len(self.before["bankrupts"]) - 1


# --- Money ------------------------------------------------------------------------------------------------------


def money(step: Step, seat: int) -> set[int]:
    """What the seat may have received in all: two sums where a loan may have been taken before interest or for it."""
    then, now = step.then(seat), step.now(seat)
    borrowed = now["loans"] - then["loans"]
    total = borrowed * SETUP["loan"] + shares(step, seat)
    total += decided(step, seat) + wages(step, seat) + cocoa(step, seat) + by_card(step, seat)
    if step.event is None:
        return {total}
    total += office(step, seat) + by_event(step, seat)
    interest = {then["loans"] * SETUP["interest"]}
    if borrowed and step.event == "store_shock":
        interest.add(now["loans"] * SETUP["interest"])
    return {total - due for due in interest}


def shares(step: Step, seat: int) -> int:
    """SHARE-1; bought shares may be sold in the next month's STAFF already (STAFF-8)."""
    price, price_now = (int(SETUP["share_price"][position["month"] - 1]) for position in (step.before, step.after))
    bought = step.answer[1] + 1 if step.answer[0] == "buy_shares" and seat == step.mover else 0
    sold = step.then(seat)["shares"] + bought - step.now(seat)["shares"]
    return int(sold * price_now - bought * price)


def decided(step: Step, seat: int) -> int:
    """LOOK-1, SALE-12"""
    verb, number = step.answer
    if seat != step.mover:
        return 0
    if verb == "look":
        return -int(SETUP["look"])
    return int(number * SETUP["bank_price"]) if step.before["step"] == "bank_sale" else 0


def wages(step: Step, seat: int) -> int:
    """STAFF-5, STAFF-6"""
    if step.before["step"] not in ("staff", "trim") or step.after["step"] in ("staff", "trim"):
        return 0
    now, total = step.now(seat), 0
    for number, before, salary in zip(now["staff"], now["staff_before"], SETUP["salaries"], strict=True):
        total += number * salary + max(0, before - number) * salary // 2
    return -total


def cocoa(step: Step, seat: int) -> int:
    """COCOA-5: a city is settled when its bids are revealed."""
    bought = step.now(seat)["cocoa"] - step.then(seat)["cocoa"]
    if step.before["step"] not in ("bid_bars", "bid_price") or bought == 0:
        return 0
    bars, price = step.now(seat)["bids"][step.before["under_way"]["city"]]
    assert 0 < bought <= bars
    return -int(bought * price)


def by_card(step: Step, seat: int) -> int:
    """XP-LEVY, XP-GIFTS"""
    if step.struck("levy") == seat:
        return -sum(step.now(seat)["staff"])
    payer = step.struck("gifts")
    if payer is None or seat in step.before["bankrupts"]:
        return 0
    return -5 * step.others(payer) if payer == seat else 5


def row_after_the_meetings(step: Step, seat: int) -> tuple[list[list[object]], int]:
    """The contracts, with what the step itself brings or takes; how many lay at the bookkeepers."""
    then = step.then(seat)
    row = [*then["at_bookkeepers"], *then["open"]]
    if step.answer[0] == "accept" and seat == step.mover:
        row.append(list(step.before["offer"]))
    taker = step.before["taker"]
    if taker is not None:
        name, price = step.then(taker)["open"][-1]
        if step.struck("hand_over") == taker:
            row = row[:-1] if seat == taker else row
            row = [*row, [name, price]] if seat == step.mover else row
        if step.struck("half_price") == seat:
            row[-1] = [name, price // 2]
    return row, len(then["at_bookkeepers"])


def office(step: Step, seat: int) -> int:
    """OFFICE-2, OFFICE-3"""
    now = step.now(seat)
    row, booked = row_after_the_meetings(step, seat)
    at_work = [number - absent for number, absent in zip(now["staff"], now["absent"], strict=True)]
    booked = min(len(row), booked + at_work[SECRETARY])
    each = 1 if now["struck_by"] == "idle_books" else 2
    paid = row[: min(booked, at_work[BOOKKEEPER] * each)]
    return sum(int(str(price)) for _, price in paid)


def by_event(step: Step, seat: int) -> int:
    """EV-3, EV-4: of those who are not bankrupt"""
    if step.event == "store_shock":
        return -5 * int(step.now(seat)["chocolate"])
    if step.event != "wage_subsidy":
        return 0
    salaries = {
        other: player["salaries"]
        for other, player in enumerate(step.before["players"])
        if other not in step.before["bankrupts"]
    }
    most = max(salaries.values())
    tied = [other for other, paid in salaries.items() if paid == most]
    return 50 // len(tied) if most > 0 and seat in tied else 0


# --- Bars -------------------------------------------------------------------------------------------------------


def chocolate(step: Step, seat: int) -> set[int]:
    """What the seat's store may have gained: two numbers where bars are shared out."""
    verb, number = step.answer
    then, task = step.then(seat), step.before["step"]
    gained = 0
    if seat == step.mover:
        gained += {"make": number, "bank_sale": -number}.get(task, 0)
        gained -= BARS[step.before["offer"][0]] if verb == "accept" else 0
    if step.struck("third_to_bank") == seat:
        gained -= then["chocolate"] // 3
    taker = step.before["taker"]
    if taker is not None and step.struck("hand_over") == taker:
        bars = BARS[step.then(taker)["open"][-1][0]]
        gained += {taker: bars, step.mover: -bars}.get(seat, 0)
    if step.event == "protest":
        gained -= min(5, then["chocolate"] + gained)
    if step.struck("bar_each") is not None:
        return shared(step, seat)
    return {gained}


def shared(step: Step, seat: int) -> set[int]:
    """XP-SHARE: a bar for each while there are any."""
    giver = step.struck("bar_each")
    assert giver is not None
    if seat != giver:
        return {0} if step.then(seat)["chocolate"] == 16 else {0, 1}
    gained = [step.now(other)["chocolate"] - then["chocolate"] for other, then in enumerate(step.before["players"])]
    assert sum(gained) == 0
    return {-min(step.then(giver)["chocolate"], sum(each > 0 for each in gained))}


def cocoa_used(step: Step, seat: int) -> int:
    """MAKE-2"""
    return step.answer[1] if step.before["step"] == "make" and seat == step.mover else 0
