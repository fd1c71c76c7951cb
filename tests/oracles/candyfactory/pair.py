"""Candyfactory beside its oracle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import candyfactory_decks
import numpy as np

import chocofactory_env as cf
from chocofactory_env.games.candyfactory.rules.derived import derive

from ..follow import GamePair, load, load_with, shared
from .checks import check_position
from .oracle import Oracle
from .words import ALWAYS_ASKED, CARDS, DECORATED, KINDS, PLAIN, SPACES, Answer

Json = dict[str, Any]
GAMES = ("full", "plantation", "candy")
# How eagerly a random player does what; verbs not named weigh 1.
POLICIES: dict[str, dict[str, float]] = {
    "uniform": {},
    "mover": {
        "stop": 0.4, "recruit": 3, "mix": 3, "make": 3, "decorate_all": 5, "add_worker": 0.1, "remove_worker": 0.1,
    },
    "carrier": {"stop": 0.05, "move": 5, "truck": 3, "sell": 0.2, "add_worker": 0.02, "remove_worker": 0.02},
    "recruiter": {"recruit": 20, "stop": 0.2, "sell": 5, "add_worker": 0.02, "remove_worker": 0.02, "roll_die": 3},
    "hoarder": {"bring": 5, "ship": 0.2, "stop": 0.1, "mix": 0.2, "sell": 0.05},
    "foreman": {"add_worker": 9, "remove_worker": 0.3, "ship": 0.1, "stop": 0.3, "sell": 3},
    "confectioner": {
        "bring": 2, "truck": 5, "move": 5, "make": 15, "decorate": 0.5, "decorate_all": 9, "mix": 9, "recruit": 5,
        "stop": 0.1, "sell": 0.1, "add_worker": 0.05, "remove_worker": 0.02,
    },
}  # fmt: skip


def random_options(random: Random, given: dict[str, Any]) -> dict[str, Any]:
    """All options, those given and others at random."""
    options: dict[str, Any] = {
        "num_players": random.randrange(2, 5),
        "game": random.choice(("full", *GAMES)),
        "play_forced": random.random() < 0.5,
    } | given
    return {"start_player": random.choice((None, random.randrange(options["num_players"])))} | options


def own_cards(seat: Json) -> list[str]:
    """The hand, then the deck from its top on."""
    return [*Counter(seat["hand"]).elements(), *seat["deck"][: seat["deck_size"]][::-1]]


def deal_of(data: Json) -> Json:
    """What setup drew: the oracle's `deal`, out of the first position."""
    left_out = () if data["half"] == "candy" else ("temp",)
    return {
        "decks": [[card for card in own_cards(seat) if card not in left_out] for seat in data["seats"]],
        "specialists": data["specialists"][: data["specialists_left"]],
        "recipes": [recipe for recipe in data["recipes"] if recipe],
        "start_player": data["start_player"],
        "die": data["die"],
    }


class EngineChance:
    """What an action drew, out of the position after it: first the roll of the player, then that of TRANS-5."""

    def __init__(self, rolled: int | None, after: Json) -> None:
        self.faces: Iterator[int] = iter([after["die"]] if rolled is None else [rolled, after["die"]])
        self.after = after

    def die(self) -> int:
        return next(self.faces)

    def deck(self, seat: int) -> list[str]:
        return own_cards(self.after["seats"][seat])


class Pair(GamePair):
    """One game in both; `seed` fixes the options not given, the deck, the deal and every choice of random players.

    own_deck: whether the cards are drawn at random; None: now and then. deck: a generated one.
    """

    def __init__(
        self, seed: int, own_deck: bool | None = None, deck: cf.GeneratedDeck | None = None, **options: Any
    ) -> None:
        self.seed = seed
        self.random = Random(f"candyfactory {seed}")
        self.options = random_options(self.random, options)
        self.policies = [self.random.choice(list(POLICIES)) for _ in range(self.options["num_players"])]
        self.own_deck = self.random.random() < 0.2 if own_deck is None else own_deck
        if deck is not None:
            self.game = load("candyfactory", deck=deck.name, **self.options)
            self.tables = candyfactory_decks.SHIPPED | deck.tables
        elif self.own_deck:
            self.tables = candyfactory_decks.any_deck(self.random)
            self.game = load_with("candyfactory", self.tables, **self.options)
        else:
            self.game, self.tables = load("candyfactory", **self.options), candyfactory_decks.SHIPPED
        self.gifts = self.random.choice((0, 0.15, 0.4))  # how often a turn begins on a table laid at random
        self.begin()
        self.oracle = Oracle(self.options, self.tables, deal_of(self.game.to_dict(self.state)))

    def where(self) -> str:
        return f"{self.oracle.half}, {self.oracle.step}, seat {self.oracle.seat}"

    # --- Comparing ----------------------------------------------------------------------------------------------

    def positions(self) -> tuple[Json, Json]:
        view = self.oracle.view()
        return shared(self.data, view), view

    def results(self) -> Json:
        """Nobody has won before the end."""
        oracle = self.oracle
        winners = oracle.winners() if oracle.step is None else []
        return {
            "scores": oracle.scores(),
            "standings": oracle.standings(),
            "ranking": oracle.ranking(),
            "won": [seat in winners for seat in range(oracle.num_players)],
        }

    def check_position(self) -> None:
        check_position(self.oracle)
        self.note_position()

    def compare_legal(self) -> dict[Answer, int]:
        legal = super().compare_legal()
        step = self.oracle.step
        least = 0 if step is None else 1 if step in ALWAYS_ASKED or not self.options["play_forced"] else 2
        assert len(legal) >= least
        return legal

    # --- Playing ------------------------------------------------------------------------------------------------

    def choose(self, legal: dict[Answer, int]) -> Answer:
        assert self.oracle.seat is not None
        return self.chosen(legal, POLICIES[self.policies[self.oracle.seat]])

    def note(self, verb: str, argument: int) -> None:
        oracle, turn = self.oracle, self.oracle.turn
        self.seen[verb] += 1
        self.seen[f"step {oracle.step}"] += 1
        if verb == "play":
            self.seen[f"{CARDS[argument]} in the {oracle.half} half"] += 1
        elif verb in ("bring", "ship"):
            self.seen[f"{verb} {argument}"] += 1
        elif verb == "make":
            made, candies = oracle.candies_made(argument), oracle.recipes[argument]["candies"]
            self.seen["fewer candies than a use makes"] += made < candies
            self.seen["a second use of a recipe"] += oracle.step == "recipe"
        elif verb == "recruit":
            self.seen["fewer than three looked at"] += len(oracle.specialist_deck) < 3
            self.seen["recruited with the last card"] += not oracle.player.hand and not oracle.player.deck
        elif verb == "truck" and turn.truck is not None:
            self.seen["a second truck"] += 1
        elif verb == "sell":
            self.seen["an outlet without enough coins"] += oracle.coins < oracle.board_now["outlet_coins"]
        if turn.card == "machinist" and verb in ("mix", "make") and oracle.step == "ability":
            self.seen[f"machinist's {verb}" if not turn.space_open else f"{verb} with both open"] += 1

    def note_position(self) -> None:
        oracle = self.oracle
        self.seen["a stack"] += any(room.stacked() for player in oracle.players for room in player.rooms())
        self.seen["a full board"] += all(oracle.board.values())
        self.seen["a recipe without tokens"] += 0 in oracle.tokens
        self.seen["no coin in the supply"] += oracle.coins == 0
        self.seen["a known card"] += any(oracle.known_by)

    def roll(self, action: int) -> int:
        """The face that this action rolls: the position after it may already show that of TRANS-5."""
        ahead = self.game.clone(self.state)
        ahead["play_forced"] = 0
        self.game.apply(ahead, action)
        return int(ahead["die"][0])

    def apply(self, answer: Answer, action: int) -> None:
        rolled = self.roll(action) if answer[0] == "roll_die" else None
        seat, half = self.oracle.seat, self.oracle.half
        self.game.apply(self.state, action)
        self.oracle.play(*answer, EngineChance(rolled, self.game.to_dict(self.state)))
        if self.oracle.half != half:
            self.seen["a transition"] += 1
        elif answer[0] != "play" and (self.oracle.seat, self.oracle.step) == (seat, "play"):
            self.seen["several turns in a row"] += 1

    def start_again(self, legal: dict[Answer, int]) -> dict[Answer, int]:
        """Now and then the engine reads the position anew, in some games with other goods, coins and workers."""
        laid = self.oracle.step == "play" and self.random.random() < self.gifts
        if not laid and self.random.random() > 0.02:
            return legal
        data = self.game.to_dict(self.state)
        if laid:
            lay_table(self.oracle, self.random)
            as_laid(data, self.oracle)
        self.state = self.game.from_dict(data)
        derive(self.game.tables.view(np.recarray)[0], self.state.view(np.recarray)[0])
        return self.compare_legal()


def lay_table(oracle: Oracle, random: Random) -> None:
    """Other goods in the warehouse and trucks of the seat to move, other coins, workers and face of the die.

    What random players rarely come to: full rooms, stacks of all kinds, long searches.
    """
    player = oracle.player
    for room in player.rooms():
        for kind in room.goods().elements():
            oracle.return_good(kind)
        room.stacks = []
    oracle.coins += player.coins
    player.coins = min(random.randrange(4), oracle.coins)
    oracle.coins -= player.coins
    workers = random.sample(SPACES, random.randrange(min(len(SPACES), oracle.numbers["pawns"]) + 1))
    oracle.board = {space: space in workers for space in SPACES}
    oracle.die = random.choice(SPACES)
    may_stack = "packer" in player.played or (oracle.game == "full" and oracle.half == "candy")
    for number, room in enumerate(player.rooms()):
        kinds = kinds_for(oracle, random, in_warehouse=number == 0)
        for _ in range(random.choice((room.places, random.randrange(room.places + 1)))):
            kind, height = random.choice(kinds), random.choice((1, 2)) if may_stack else 1
            if oracle.in_supply(kind) >= height:
                room.stacks.append([kind] * height)
                for _ in range(height):
                    oracle.take_from_supply(kind)


def as_laid(data: Json, oracle: Oracle) -> None:
    """Edit a position of `to_dict` as `lay_table` has edited the oracle's."""
    player, seat = oracle.player, data["seats"][data["current"]]
    data["board"] = dict(zip(data["board"], oracle.board.values(), strict=True))
    data["die"], seat["coins"] = oracle.die, player.coins
    data["supply"] = {"sugar": oracle.sugar, "cacao": oracle.cacao, "coins": oracle.coins}
    data["tokens"][: len(oracle.tokens)] = oracle.tokens
    for hold, room in zip(seat["goods"], player.rooms(), strict=True):
        for field, there in (("goods", room.goods()), ("stacks", room.stacked())):
            seat[field][hold] = dict(zip(seat[field][hold], (there[kind] for kind in KINDS), strict=True))


def kinds_for(oracle: Oracle, random: Random, *, in_warehouse: bool) -> list[str]:
    """At most three of the kinds that may lie there."""
    kinds = ["sugar", "chocolate"]
    if oracle.half == "candy":
        kinds += [kind for place in range(len(oracle.recipes)) for kind in (PLAIN[place], DECORATED[place])]
    elif in_warehouse:
        kinds.append("cacao")
    return random.sample(kinds, random.randrange(1, min(3, len(kinds)) + 1))
