"""Sources and uses of money in one step of a game, from the positions before and after it.

A step moves money for few reasons. Those that the positions show are subtracted from the change of cash. The rest has
one reason, which the task and the event tell. Tests check the rest against the rules.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

from chocofactory_env import Game
from chocofactory_env.games.schoko.vocabulary import Category, Event, Express, words_of

Json = dict[str, Any]

CATEGORIES: Final = words_of(Category)
EVENTS: Final = words_of(Event)
EXPRESS: Final = words_of(Express)
SECRETARY, BOOKKEEPER = CATEGORIES[Category.SECRETARY], CATEGORIES[Category.BOOKKEEPER]
SHOCK, SUBSIDY, UPSET, PROTEST = (
    EVENTS[event] for event in (Event.STORE_SHOCK, Event.WAGE_SUBSIDY, Event.STOMACH_UPSET, Event.PROTEST)
)
WAGES: Final = ("staff", "trim")
BIDS: Final = ("bid_bars", "bid_price")
FLOWS: Final = (
    "contracts", "bank sales", "shares sold", "shares bought", "loans", "interest", "salaries", "severance", "cocoa",
    "looks", "events", "cards", "bankruptcy",
)  # fmt: skip


class Deck:
    """The numbers on the deck's cards, by the ids in positions. Money is in thousands."""

    def __init__(self, game: Game) -> None:
        compiled: Any = game
        numbers = compiled.cards.array[0]
        rows = numbers["contracts"].tolist()
        self.contracts = {name: tuple(row) for name, row in zip(compiled.cards.contracts, rows, strict=False)}
        self.events = dict(zip(compiled.cards.events, EVENTS, strict=True))  # effect by id
        self.express = dict(zip(compiled.cards.express, EXPRESS, strict=True))
        self.share_price = [int(price) for price in numbers["share_price"]]
        self.salaries = dict(zip(CATEGORIES, numbers["salaries"].tolist(), strict=True))
        self.a_secretary = int(numbers["contracts_a_secretary"])
        self.a_bookkeeper = int(numbers["contracts_a_bookkeeper"])
        self.idle_books = int(numbers["express_amounts"][Express.IDLE_BOOKS])
        self.half = int(numbers["express_amounts"][Express.HALF_PRICE])
        self.loan, self.interest = int(numbers["loan"]), int(numbers["interest"])
        self.bank_price = int(numbers["bank_price"])
        self.shock = int(numbers["event_amounts"][Event.STORE_SHOCK])
        self.look = int(numbers["look"])

    def bars(self, contract: Json) -> int:
        bars: int = self.contracts[contract["contract"]][0]
        return bars


def held(player: Json) -> list[Json]:
    """A player's contracts with their prices, oldest first."""
    pairs = zip(player["contracts"], player["prices"], strict=True)
    return [{"contract": contract, "price": price} for contract, price in pairs][: player["num_contracts"]]


@dataclass(frozen=True)
class Move:
    """One step: positions as `to_dict` writes them, and the action, decoded."""

    deck: Deck
    before: Json
    seat: int  # the seat that moves
    verb: str
    number: int
    after: Json

    def then(self, seat: int) -> Json:
        player: Json = self.before["players"][seat]
        return player

    def now(self, seat: int) -> Json:
        player: Json = self.after["players"][seat]
        return player

    def lost(self, seat: int) -> bool:
        """Whether the seat went bankrupt in the step (PAY-3)."""
        return bool(self.now(seat)["out"] and not self.then(seat)["out"])

    def struck(self, seat: int) -> str | None:
        """The effect of the express card that strikes the seat in the step."""
        card, before = self.now(seat)["struck_by"], self.then(seat)["struck_by"]
        return self.deck.express[card] if card and not before else None

    @property
    def event(self) -> str | None:
        """The effect of the event turned up in the step. The office has then worked, and interest is paid."""
        card = self.after["event_turned"]
        return self.deck.events[card] if card and not self.before["event_turned"] else None

    @property
    def pays_wages(self) -> bool:
        """Whether salaries are paid (STAFF-6): a seat that pays has employed somebody or lays somebody off."""
        return self.before["task"] in WAGES and self.after["task"] not in WAGES

    @property
    def accepted(self) -> Json | None:
        """The contract taken in the step, with its price."""
        return {"contract": self.before["offer"], "price": self.before["price"]} if self.verb == "accept" else None

    def row(self, seat: int) -> list[Json]:
        """The contracts that the seat brings to the office, oldest first."""
        row = held(self.then(seat))
        if self.accepted and seat == self.seat:
            row.append(self.accepted)
        taker = self.before["taker"]
        if taker is None:
            return row
        struck, contract = self.struck(taker), held(self.then(taker))[-1]
        if struck == "hand_over":
            return row[:-1] if seat == taker else [*row, contract] if seat == self.seat else row
        if struck == "half_price" and seat == taker:
            return [*row[:-1], {**contract, "price": contract["price"] // self.deck.half}]
        return row

    def office(self, seat: int) -> tuple[list[Json], list[Json]]:
        """OFFICE-1 to OFFICE-4: contracts paid out in the step, and contracts struck by an event."""
        if self.event is None or (self.now(seat)["out"] and not self.lost(seat)):
            return [], []
        row, player = self.row(seat), self.then(seat)
        at_work = {category: player["staff"][category] - player["absent"][category] for category in CATEGORIES}
        idle = "idle_books" in (self.deck.express.get(player["struck_by"]), self.struck(seat))
        booked = min(len(row), player["num_booked"] + at_work[SECRETARY] * self.deck.a_secretary)
        paid = min(booked, at_work[BOOKKEEPER] * (self.deck.idle_books if idle else self.deck.a_bookkeeper))
        left = 0 if self.lost(seat) else self.now(seat)["num_contracts"]
        return row[:paid], row[paid : len(row) - left]


def flows(move: Move, seat: int) -> Counter[str]:
    """The seat's income and payments (below 0) in the step, by FLOWS. Their sum is the change of its cash."""
    found: Counter[str] = Counter()
    then, now = move.then(seat), move.now(seat)
    change = now["cash"] - then["cash"]
    if move.lost(seat):
        found["contracts"] = sum(contract["price"] for contract in move.office(seat)[0])
        found["bankruptcy"] = change - found["contracts"]
        return found
    if change == 0 and then == now:
        return found
    deck = move.deck
    found["loans"] = (now["loans"] - then["loans"]) * deck.loan
    shares = now["shares"] - then["shares"]
    bought = move.number + 1 if move.verb == "buy_shares" and seat == move.seat else 0
    found["shares bought"] = -bought * deck.share_price[move.before["month"] - 1]
    found["shares sold"] = (bought - shares) * deck.share_price[move.after["month"] - 1]
    if seat == move.seat and move.verb == "look":
        found["looks"] = -deck.look
    if seat == move.seat and move.before["task"] == "bank_sale":
        found["bank sales"] = move.number * deck.bank_price
    if move.pays_wages:
        found["salaries"] = -now["salaries"]
    found["contracts"] = sum(contract["price"] for contract in move.office(seat)[0])
    if move.event == SHOCK:
        found["events"] = -deck.shock * now["chocolate"]
    elif move.event == SUBSIDY:
        owed = found["loans"] // deck.loan + then["loans"]
        found["events"] = change - found.total() + owed * deck.interest
    found[rest_of(move)] += change - found.total()
    return found


def rest_of(move: Move) -> str:
    """The one reason that the positions do not show."""
    if move.event:
        return "interest"
    if move.pays_wages:
        return "severance"
    return "cocoa" if move.before["task"] in BIDS else "cards"
