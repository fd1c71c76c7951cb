"""The engine and the oracle side by side: one random game played in both, every difference told."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from beside_oracle import GamePair
from damaged_decks import write
from differences import differences
from schoko_decks import any_deck, shipped

import chocofactory_env as cf

from .oracle import Oracle
from .oracle_cards import LENGTHS, Json
from .oracle_players import POLICIES, adopt, choose, enrich
from .oracle_view import EngineChance, cards_of, deal_of, view_of

FOLLOWS_FROM_THE_REST = {"phase", "chairman", "share_price"}  # of the oracle's view
MOST_STEPS = 12_000


@cache
def load(**options: Any) -> Any:
    return cf.load("schoko", **options)


def random_options(random: Random, num_players: int, play_forced: bool) -> Json:
    """SET-6, SET-7, EV-1; with the page's defaults now and then."""
    return {
        "num_players": num_players,
        "months": random.choice((None, *LENGTHS[num_players])),
        "leader": random.choice((None, *range(num_players))),
        "upset": random.choice(("bookkeepers", "all")),
        "play_forced": play_forced,
    }


class Pair(GamePair):
    """One game in both; the arguments fix the deal and every choice of the random players. `deck`: a generated one."""

    def __init__(self, seed: int, num_players: int, play_forced: bool, deck: cf.GeneratedDeck | None = None) -> None:
        self.seed = seed
        self.random = random = Random(f"{seed}-{num_players}-{play_forced}")
        self.options = random_options(random, num_players, play_forced)
        self.own_deck = random.random() < 0.15 and deck is None
        tables = any_deck(random) if self.own_deck else shipped()
        self.game: Any
        if deck is not None:
            tables |= deck.tables
            self.game = cf.load("schoko", deck=deck.name, **self.options)
        else:
            self.game = self.load_with(tables) if self.own_deck else load(**self.options)
        self.policies = [random.choice(POLICIES) for _ in range(num_players)]
        self.gifts = random.choice((0.0, 0.3, 0.7))  # how often a month begins with other possessions
        self.cards = cards_of(tables)
        self.contracts = [card["id"] for card in tables["contracts"]]
        self.effects = {card["id"]: card["effect"] for card in tables["express"]}
        self.begin()
        self.data: Json = self.game.to_dict(self.state)
        self.oracle = Oracle(self.options, self.cards, deal_of(self.data))

    def load_with(self, tables: Json) -> Any:
        with TemporaryDirectory() as folder:
            return cf.load("schoko", deck=str(write(Path(folder) / "deck.toml", tables)), **self.options)

    def where(self) -> str:
        return f"month {self.oracle.month}, seat {self.oracle.seat} in {self.oracle.step}"

    # --- Comparing ----------------------------------------------------------------------------------------------

    def compare(self) -> None:
        """Everything, in this position."""
        self.data = self.game.to_dict(self.state)
        self.compare_positions()
        self.compare_legal()
        self.compare_results()
        for seat in range(self.game.num_players):
            self.compare_observations(seat)

    def compare_positions(self) -> None:
        engine = view_of(self.data, self.game.months, self.effects, self.contracts)
        oracle = self.oracle.view()
        found = differences(engine, oracle, keys_of="engine")
        missing = oracle.keys() - engine.keys() - FOLLOWS_FROM_THE_REST
        missing |= oracle["players"][0].keys() - engine["players"][0].keys()
        if found or missing:
            self.fail("positions", (*found, *missing))

    def compare_results(self) -> None:
        """Scores and places are those of a game that ended now; nobody has won before the end."""
        over = self.oracle.seat is None
        winners = self.oracle.winners() if over else []
        oracle = {
            "scores": self.oracle.scores(),
            "payoffs": self.oracle.payoffs(),
            "standings": self.oracle.standings(),
            "ranking": self.oracle.ranking(),
            "won": [seat in winners for seat in range(self.game.num_players)],
            "is_over": over,
        }
        engine = {name: np.asarray(getattr(self.game, name)(self.state)).tolist() for name in oracle}
        found = differences(engine, oracle, keys_of="engine")
        if found:
            self.fail("results", found)

    def compare_observations(self, seat: int) -> None:
        layout, oracle = self.game.observation_layout, self.oracle.observable(seat)
        tensors = self.game.observe(self.state, seat)
        engine = {name: np.rint(tensors[name] * layout.high_of[name]).astype(int).tolist() for name in tensors}
        found = differences(engine, oracle, keys_of="engine")
        if found or engine.keys() != oracle.keys():
            self.fail(f"observations of seat {seat}", (*found, engine.keys() ^ oracle.keys()))

    # --- Playing ------------------------------------------------------------------------------------------------

    def play(self) -> None:
        """To the end, comparing after every step."""
        self.compare()
        while self.oracle.seat is not None:
            if self.step == MOST_STEPS:
                self.fail("lengths", ["no end"])
            self.start_again()
            self.last = choose(self.oracle, self.policies[self.oracle.seat], self.random)
            self.note(*self.last)
            before, deck = self.oracle.view(), len(self.oracle.deck)
            chance = EngineChance(self.data["rng"], self.contracts)
            self.game.apply(self.state, self.game.action_layout.encode(*self.last))
            self.oracle.play(*self.last, chance)
            self.step += 1
            self.compare()
            if self.data["rng"] != chance.words:
                self.fail("generators", (self.data["rng"], chance.words))
            self.note_step(before, deck)
        self.note_end()

    def start_again(self) -> None:
        """Now and then the engine reads its position anew; at the start of a month both may get other possessions."""
        begins = self.oracle.step == "look" and self.oracle.seat == self.oracle.leader
        if begins and self.random.random() < self.gifts:
            enrich(self.data, self.cards, self.random)
            self.state = self.game.from_dict(self.data)
            adopt(self.oracle, self.data)
            self.seen["gifts"] += 1
            self.compare()
        elif self.random.random() < 0.02:
            self.state = self.game.from_dict(self.data)

    # --- What the game was about, so that a run can show that nothing went untried ------------------------------

    def note(self, verb: str, number: int) -> None:
        self.seen[f"verb {verb}"] += 1
        self.seen[f"task {self.oracle.step}"] += 1
        if verb == "play":
            self.seen[f"card {list(self.effects.values())[number]}"] += 1
        offer = self.oracle.offer
        if verb == "accept" and offer is not None:
            price, card = offer.price, self.oracle.contracts[offer.contract]
            self.seen["taken at the " + next((end for end in ("lowest", "highest") if card[end] == price), "way")] += 1

    def note_step(self, before: Json, deck: int) -> None:
        after = self.oracle.view()
        self.seen["the deck is renewed"] += len(after["deck"]) > deck
        self.seen["bankrupt"] += len(after["bankrupts"]) - len(before["bankrupts"])
        if after["event_turned"] is not None and before["event_turned"] is None:
            self.seen[f"event {self.oracle.events[after['event_turned']]['effect']}"] += 1
        for then, now in zip(before["players"], after["players"], strict=True):
            if now["loan_this_month"] and not then["loan_this_month"] and self.last != ("take_loan", 0):
                self.seen["an emergency loan"] += 1
            if now["shares"] < then["shares"] and not now["out"] and self.last and self.last[0] != "sell_shares":
                self.seen["shares sold to pay"] += 1

    def note_end(self) -> None:
        self.seen[f"{self.game.num_players} players, {self.game.months} months"] += 1
        for name in ("upset", "leader", "play_forced"):
            self.seen[f"{name} {self.options[name]}"] += 1
        self.seen["own deck" if self.own_deck else "the shipped deck"] += 1
        left = self.game.num_players - len(self.oracle.bankrupts)
        self.seen["one is left" if left == 1 else "the last month ends"] += 1
        scores = [
            score for score, player in zip(self.oracle.scores(), self.oracle.players, strict=True) if not player.out
        ]
        self.seen["a tie"] += len(set(scores)) < len(scores)
