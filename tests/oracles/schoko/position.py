"""The position of the oracle of *Schoko & Co.*: what lies where, payments, and results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Answer = tuple[str, int]  # verb, and the index within the verb
Json = dict[str, Any]

PHASES = ("look", "staff", "cards_a", "cocoa", "make", "cards_b", "sale", "office", "event", "money")  # MON-1
CITIES = 5
# The express cards in the order of the verb `play`, each with its window (XP-4).
WINDOW = {
    "levy": "card_a",
    "gifts": "card_a",
    "illness": "card_a",
    "holiday": "card_a",
    "slow_shift": "card_a",
    "tax_inspection": "card_b",
    "third_to_bank": "card_b",
    "bar_each": "card_b",
    "missed_meetings": "card_b",
    "idle_books": "card_b",
    "hand_over": "card_c",
    "half_price": "card_c",
}
EFFECTS = tuple(WINDOW)


class GameOverError(Exception):
    """PAY-4: one player is left."""


@dataclass
class Banded:
    """A contract that was taken, with its money in a band."""

    contract: str
    price: int


@dataclass
class Offer:
    """The contract at the meeting; the price is 0 until it is offered."""

    contract: str
    price: int = 0


@dataclass
class Player:
    cash: int
    hand: list[str]
    staff: list[int] = field(default_factory=lambda: [0] * 4)
    staff_before: list[int] = field(default_factory=lambda: [0] * 4)  # at the end of last month
    absent: list[int] = field(default_factory=lambda: [0] * 4)
    cocoa: int = 0
    chocolate: int = 0
    loans: int = 0
    shares: int = 0
    open: list[Banded] = field(default_factory=list)  # oldest first
    at_bookkeepers: list[Banded] = field(default_factory=list)  # oldest first
    out: bool = False  # bankrupt
    # This month:
    looked: bool = False
    salaries: int = 0
    loan_this_month: bool = False
    has_played: bool = False
    struck_by: str | None = None  # XP-3
    announced: int = 0
    bid: list[int] | None = None  # bars and price in the city under way, hidden
    bids: list[list[int]] = field(default_factory=lambda: [[0, 0] for _ in range(CITIES)])  # revealed
    marker: int = 0
    gained: int = 0
    present: bool = False
    refused: bool = False  # at this price

    @property
    def work_force(self) -> int:
        return sum(self.staff)

    def at_work(self, category: int) -> int:
        return self.staff[category] - self.absent[category]

    def begin_month(self) -> None:
        self.staff_before = list(self.staff)
        self.absent = [0] * 4
        self.looked = self.loan_this_month = self.has_played = False
        self.salaries = self.announced = self.marker = self.gained = 0
        self.struck_by = None
        self.bids = [[0, 0] for _ in range(CITIES)]


@dataclass
class Decision:
    """What a seat is asked, with what is under way: a category, a card, a city, bars of a bid."""

    seat: int
    step: str
    legal: set[Answer]
    category: int | None = None
    card: str | None = None
    city: int | None = None
    bars: int = 0


class Position:
    """All that there is, hidden things too.

    Arguments:
        options: `num_players` (2 to 4); and, each with the page's default, `months`, `leader`, `upset` ("bookkeepers"
            or "all"), `play_forced`.
        cards: the tables of cards: `setup` (one record), `events`, `express` and `contracts` (lists of records).
        deal: what setup draws. `leader`: a seat. `hands`: for each seat the ids of its express cards, in any order.
            `contracts`: all ids, top first. `events`: ids in the order of months, 1 to 7 from the first shuffle and, if
            the game is longer, 8 to 12 from the second; more are not looked at.
    """

    def __init__(self, options: Mapping[str, Any], cards: Mapping[str, Any], deal: Mapping[str, Any]) -> None:
        self.num_players: int = options["num_players"]
        self.setup: Json = dict(cards["setup"])
        defaults = {int(players): months for players, months in self.setup["months"].items()}
        self.months: int = options.get("months") or defaults[self.num_players]  # SET-7
        self.upset: str = options.get("upset", "bookkeepers")
        self.play_forced: bool = options.get("play_forced", True)
        self.contracts: dict[str, Json] = {card["id"]: dict(card) for card in cards["contracts"]}
        self.events: dict[str, Json] = {card["id"]: dict(card) for card in cards["events"]}
        express = {card["id"]: card for card in cards["express"]}
        self.effects: dict[str, str] = {name: card["effect"] for name, card in express.items()}
        self.amounts: dict[str, int] = {card["effect"]: card.get("amount", 0) for card in express.values()}
        self.leader: int = deal["leader"]
        assert options.get("leader") in (None, self.leader)  # SET-6
        hands = [[self.effects[name] for name in hand] for hand in deal["hands"]]
        self.players = [Player(self.setup["cash"], hand) for hand in hands]  # SET-2, SET-3
        self.out_of_game = [effect for effect in self.effects.values() if not any(effect in hand for hand in hands)]
        self.face_up: list[str] = []  # express cards that were played, or left with a bankrupt player
        self.deck: list[str] = list(deal["contracts"])  # SET-4
        self.held_back: list[str] = []
        self.events_dealt: list[str] = list(deal["events"])  # SET-5
        box = self.setup["box"]
        self.box_staff: list[int] = list(box["staff"])  # SET-9
        self.box_loans: int = box["loans"]
        self.box_shares: int = box["shares"]
        self.month = 1
        self.phase = PHASES[0]
        self.in_force: str | None = None  # the event that last month announced
        self.turned: str | None = None  # this month's event
        self.market = [0] * CITIES
        self.offer: Offer | None = None
        self.taker: int | None = None  # in window C
        self.meetings_left = 0
        self.bankrupts: list[int] = []  # in the order in which they went bankrupt
        self.decision: Decision | None = None

    @property
    def seat(self) -> int | None:
        """The seat to move, or None at the end."""
        return self.decision.seat if self.decision else None

    @property
    def step(self) -> str | None:
        """The page's name of the task under way; the card windows are `card_a`, `card_b` and `card_c`."""
        return self.decision.step if self.decision else None

    def legal(self) -> set[Answer]:
        return set(self.decision.legal) if self.decision else set()

    # --- Words ------------------------------------------------------------------------------------------------------

    def clockwise(self, first: int) -> Iterator[int]:
        """All seats from `first` on, without those who are bankrupt when it is their turn."""
        for place in range(self.num_players):
            seat = (first + place) % self.num_players
            if not self.players[seat].out:
                yield seat

    def player_order(self) -> Iterator[int]:
        return self.clockwise(self.leader)

    def others(self, seat: int) -> list[int]:
        """The other players, from the left on."""
        return [other for other in self.clockwise(seat + 1) if other != seat]

    @property
    def chairman(self) -> int:
        return list(self.player_order())[-1]

    @property
    def share_price(self) -> int:
        return int(self.setup["share_price"][self.month - 1])  # SHARE-1

    def is_in_force(self, effect: str) -> bool:
        return self.in_force is not None and self.events[self.in_force]["effect"] == effect

    def has_largest_work_force(self, seat: int) -> bool:
        """Alone."""
        return all(self.players[seat].work_force > self.players[other].work_force for other in self.others(seat))

    def free_cocoa(self, player: Player) -> int:
        return int(self.setup["cocoa_store"]) - player.cocoa

    def free_chocolate(self, player: Player) -> int:
        return int(self.setup["chocolate_store"]) - player.chocolate

    # --- Payments (PAY-1 to PAY-4) ----------------------------------------------------------------------------------

    def sell_shares(self, player: Player, number: int) -> None:
        player.shares -= number
        self.box_shares += number
        player.cash += number * self.share_price

    def take_loan(self, player: Player) -> None:
        player.loans += 1
        player.loan_this_month = True
        self.box_loans -= 1
        player.cash += self.setup["loan"]

    def raise_cash(self, seat: int, due: int) -> bool:
        """PAY-2: whether the cash covers the sum, in the end."""
        player = self.players[seat]
        while player.cash < due and player.shares > 0:
            self.sell_shares(player, 1)
        if player.cash < due and not player.loan_this_month and self.box_loans > 0:
            self.take_loan(player)
        return player.cash >= due

    def pay(self, seat: int, due: int) -> None:
        """A compulsory payment to the bank."""
        covered = self.raise_cash(seat, due)
        self.players[seat].cash -= min(due, self.players[seat].cash)
        if not covered:
            self.go_bankrupt(seat)

    def go_bankrupt(self, seat: int) -> None:
        """PAY-3, PAY-4"""
        player = self.players[seat]
        self.held_back += [banded.contract for banded in player.at_bookkeepers + player.open]
        player.at_bookkeepers, player.open = [], []
        self.box_staff = [there + back for there, back in zip(self.box_staff, player.staff, strict=True)]
        player.staff, player.staff_before, player.absent = [0] * 4, [0] * 4, [0] * 4
        self.box_shares += player.shares
        self.box_loans += player.loans
        player.shares = player.loans = player.cocoa = player.chocolate = 0
        self.face_up += player.hand
        player.hand = []
        player.out = True
        self.bankrupts.append(seat)
        if len(list(self.player_order())) == 1:
            raise GameOverError

    # --- Results ----------------------------------------------------------------------------------------------------

    def scores(self) -> list[int]:
        """END-1, END-3: as if the game ended now."""
        return [
            0 if player.out else player.cash + player.shares * self.share_price - player.loans * int(self.setup["loan"])
            for player in self.players
        ]

    def payoffs(self) -> list[int]:
        """Scores; the bankrupt are a loan behind a player with all loans of the box, the earlier ones one more each."""
        payoffs, owed = self.scores(), int(self.setup["box"]["loans"]) + self.num_players
        for number, seat in enumerate(self.bankrupts, start=1):
            payoffs[seat] = (number - owed) * int(self.setup["loan"])
        return payoffs

    def standings(self) -> list[int]:
        """Payoffs with the money at the bookkeepers."""
        return [
            payoff + sum(banded.price for banded in player.at_bookkeepers)
            for payoff, player in zip(self.payoffs(), self.players, strict=True)
        ]

    def ranking(self) -> list[int]:
        """END-3, PAY-4: for each seat its place, 0 for the winner."""
        scores, order = self.scores(), list(self.player_order())
        places = sorted(order, key=lambda seat: (-scores[seat], -order.index(seat))) + self.bankrupts[::-1]
        return [places.index(seat) for seat in range(self.num_players)]

    def winners(self) -> list[int]:
        return [seat for seat, place in enumerate(self.ranking()) if place == 0]
