"""The log of a game for the balance report, recorded while it is played."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

import chocofactory_env as cf
from chocofactory_env import Game
from chocofactory_env.games.schoko.vocabulary import NAME, leader_of

from ..watch import GameRecorder, GameWatch
from .flows import BIDS, CATEGORIES, PROTEST, UPSET, Deck, Json, Move, flows, held

VERBS = ("look", "attend", "accept", "play", "take_loan", "buy_shares")  # decisions in which agents waver
LOWEST, BETWEEN, HIGHEST, ALONE = "lowest", "between", "highest", "alone at the highest"
LEVELS: Final = (LOWEST, BETWEEN, HIGHEST, ALONE)

Key = tuple[str | int, ...]


@dataclass(frozen=True)
class Setting:
    """The variant, and the number of games; the seeds are 0, 1, 2 and so on."""

    players: int
    games: int
    deck: str | None = None

    def load(self) -> Game:
        """Load the game with forced actions as decisions, so that a step moves money for few reasons."""
        return cf.load(NAME, num_players=self.players, deck=self.deck, play_forced=False)


@dataclass(frozen=True)
class Seat:
    """One player's game."""

    won: bool
    score: int
    bankrupt: bool
    money: Counter[str]  # by `flows.FLOWS`
    shares: int  # at the end; the log has their price
    owed: int  # loans at the end
    staff: dict[int, tuple[int, ...]]  # paid, by month and category
    counts: Counter[Key]  # see `Recorder`


@dataclass(frozen=True)
class Log:
    """One game; seats are in the player order of the first month."""

    wavering: bool
    seats: tuple[Seat, ...]
    counts: Counter[Key]  # of the table; see `Recorder`
    months: int
    share_price: int  # of the last month played
    decisions: int  # in the default variant
    forced: int  # single answers
    level: int  # seats that share the most money


class Recorder(GameRecorder[Log]):
    """Counts of a seat: ("taken" | "money", bars of the contract, level), ("paid" | "upset" | "void", bars), ("value",
    "paid" | "upset" | "void"), ("cocoa", price), ("announced" | "made" | "delivered" | "banked",), ("meetings",),
    ("taken_loans" | "emergency_loans" | "emergency_shares" | "bought_shares",), ("looks",), ("held" | "played" |
    "struck" | "richest" | "money" | "bars", express card), ("event" | "lost" | "bars", event).
    Counts of the table: ("turned",), ("present", number), ("cancelled", number present), ("event", event).
    """

    def __init__(self, game: Game, seed: int, wavering: bool) -> None:
        super().__init__(game, wavering)
        self._deck = Deck(game)
        state = game.new(seed=seed)
        self._first = leader_of(state)
        self._at: Json = game.to_dict(state)
        self._standings = game.standings(state).tolist()
        seats = range(game.num_players)
        self._money: list[Counter[str]] = [Counter() for _ in seats]
        self._staff: list[dict[int, tuple[int, ...]]] = [{} for _ in seats]
        self._counts: list[Counter[Key]] = [Counter() for _ in seats]
        self._table: Counter[Key] = Counter()
        self._offered = ""  # the contract on offer
        self._action = ("", 0)
        self._decisions = Counter[bool]()
        for card, place in self._at["express"].items():
            if place in seats:
                self._counts[place]["held", self._deck.express[card]] += 1

    def before(self, state: Any, player: int, action: int) -> None:
        self._action = self._game.decode(action)
        self._decisions[int(self._game.legal_mask(state).sum()) == 1] += 1

    def note(self, state: Any, player: int, seconds: float) -> None:
        verb, number = self._action
        move = Move(self._deck, self._at, player, verb, number, self._game.to_dict(state))
        self._note_table(move)
        self._note_decision(move)
        for seat in range(len(self._counts)):
            if move.then(seat) != move.now(seat):
                self._note_seat(move, seat)
        self._at = move.after
        self._standings = self._game.standings(state).tolist()
        super().note(state, player, seconds)

    def _note_table(self, move: Move) -> None:
        """Count meetings. A contract for which nobody has enough chocolate is cancelled before it is seen on offer."""
        table, meeting = self._table, move.after
        before, after = (piles(self._deck, position) for position in (move.before, move.after))
        if before["face_down"] != after["face_down"]:
            table["turned",] += turned(before, after)
        gone = meeting["offer"] != self._offered
        if self._offered and gone and move.verb != "accept":
            table["cancelled", len(move.before["present"])] += 1
        if gone:
            self._offered = ""
        if meeting["offer"] and meeting["price"] and not self._offered:
            self._offered = meeting["offer"]
            table["present", len(meeting["present"])] += 1
            for seat in meeting["present"]:
                self._counts[seat]["meetings",] += 1
        if move.event:
            table["event", move.event] += 1

    def _note_decision(self, move: Move) -> None:
        counts, task = self._counts[move.seat], move.before["task"]
        if move.accepted:
            bars, level = self._deck.bars(move.accepted), self._level(move)
            counts["taken", bars, level] += 1
            counts["money", bars, level] += move.accepted["price"]
            counts["delivered",] += bars
        elif task in ("announce", "make", "bank_sale"):
            counts[{"announce": "announced", "make": "made", "bank_sale": "banked"}[task],] += move.number
        elif move.verb == "look":
            counts["looks",] += 1
        elif move.verb == "buy_shares":
            counts["bought_shares",] += move.number + 1
        elif move.verb == "play":
            counts["played", list(self._deck.express.values())[move.number]] += 1

    def _level(self, move: Move) -> str:
        """The level of the price at which the contract on offer is taken."""
        meeting = move.before
        _, lowest, highest = self._deck.contracts[meeting["offer"]]
        if len(meeting["present"]) == 1:
            return ALONE
        return LOWEST if meeting["price"] == lowest else HIGHEST if meeting["price"] == highest else BETWEEN

    def _note_seat(self, move: Move, seat: int) -> None:
        counts, then, now = self._counts[seat], move.then(seat), move.now(seat)
        money = flows(move, seat)
        self._money[seat].update(money)
        if move.pays_wages and not now["out"]:
            self._staff[seat][move.before["month"]] = tuple(now["staff"][category] for category in CATEGORIES)
        if move.before["task"] in BIDS and now["cocoa"] > then["cocoa"]:
            bars = now["cocoa"] - then["cocoa"]
            counts["cocoa", -money["cocoa"] // bars] += bars
        if now["loans"] > then["loans"]:
            own = move.verb == "take_loan" and move.seat == seat
            counts["taken_loans" if own else "emergency_loans",] += 1
        if money["shares sold"] and move.verb != "sell_shares":
            counts["emergency_shares",] += 1
        self._note_office(move, seat)
        self._note_event(move, seat, money)
        if card := move.struck(seat):
            self._note_card(move, seat, card, money)

    def _note_office(self, move: Move, seat: int) -> None:
        paid, struck = move.office(seat)
        for contract in paid:
            self._finish("paid", seat, contract)
        for contract in struck:
            self._finish("void" if move.lost(seat) else "upset", seat, contract)
        if move.lost(seat) and not move.event:
            for contract in held(move.then(seat)):
                self._finish("void", seat, contract)

    def _finish(self, end: str, seat: int, contract: Json) -> None:
        self._counts[seat][end, self._deck.bars(contract)] += 1
        self._counts[seat]["value", end] += contract["price"]

    def _note_event(self, move: Move, seat: int, money: Counter[str]) -> None:
        if move.event is None or move.lost(seat):
            return
        counts, event = self._counts[seat], move.event
        lost = move.then(seat)["chocolate"] - move.now(seat)["chocolate"]
        if move.accepted and seat == move.seat:
            lost -= self._deck.bars(move.accepted)
        if move.before["task"] == "bank_sale" and seat == move.seat:
            lost -= move.number
        struck = sum(contract["price"] for contract in move.office(seat)[1]) if event == UPSET else 0
        bars = lost if event == PROTEST else 0
        counts["event", event] += bool(money["events"] or struck or bars)
        counts["lost", event] += struck - money["events"]
        counts["bars", event] += bars

    def _note_card(self, move: Move, seat: int, card: str, money: Counter[str]) -> None:
        counts, then, now = self._counts[seat], move.then(seat), move.now(seat)
        counts["struck", card] += 1
        others = [standing for other, standing in enumerate(self._standings) if other != move.seat]
        counts["richest", card] += self._standings[seat] == max(others)
        counts["money", card] -= money["cards"]
        if card in ("hand_over", "half_price"):
            price = held(then)[-1]["price"]
            counts["money", card] += price - (price // self._deck.half if card == "half_price" else 0)
        else:
            counts["bars", card] += then["chocolate"] - now["chocolate"]

    def _log(self, state: Any) -> Log:
        seats = len(self._counts)
        order = [(self._first + place) % seats for place in range(seats)]
        scores = self._game.scores(state).tolist()
        return Log(
            wavering=self._wavering,
            seats=tuple(self._seat(state, seat, scores[seat]) for seat in order),
            counts=self._table,
            months=self._at["month"],
            share_price=self._deck.share_price[self._at["month"] - 1],
            decisions=self._decisions[False],
            forced=self._decisions[True],
            level=scores.count(max(scores)),
        )

    def _seat(self, state: Any, seat: int, score: int) -> Seat:
        player = self._at["players"][seat]
        for contract in held(player):
            self._finish("void", seat, contract)
        return Seat(
            won=bool(self._game.won(state)[seat]),
            score=score,
            bankrupt=player["out"] > 0,
            money=self._money[seat],
            shares=player["shares"],
            owed=player["loans"],
            staff=self._staff[seat],
            counts=self._counts[seat],
        )


def piles(deck: Deck, position: Json) -> Json:
    """The contracts face down, and those held back, which are nowhere else."""
    down = position["contracts"][: position["contracts_left"]]
    taken = [entry["contract"] for player in position["players"] for entry in held(player)]
    return {"face_down": down, "held_back": sorted(deck.contracts.keys() - {*down, *taken, position["offer"]})}


def turned(before: Json, after: Json) -> int:
    """The number of contracts turned up in a step, which may have renewed the deck (SALE-11)."""
    then, now = set(before["face_down"]), set(after["face_down"])
    if now <= then:
        return len(then - now)
    return len(then) + len(set(before["held_back"]) - now)


@dataclass(frozen=True)
class Watch(GameWatch[Log]):
    verbs = VERBS

    def recorder(self, game: Game, seed: int, wavering: bool) -> Recorder:
        return Recorder(game, seed, wavering)
