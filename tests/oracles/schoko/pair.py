"""Schoko beside its oracle."""

from __future__ import annotations

from random import Random

from schoko_decks import any_deck, shipped

import chocofactory_env as cf

from ..follow import Answer, GamePair, load, load_with, shared
from .cards import LENGTHS, Json
from .oracle import Oracle
from .players import POLICIES, adopt, choose, enrich
from .view import EngineChance, cards_of, deal_of, view_of

MOST_STEPS = 12_000


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
        if self.own_deck:
            self.game = load_with("schoko", tables, **self.options)
        else:
            self.game = load("schoko", deck=None if deck is None else deck.name, **self.options)
            tables |= {} if deck is None else deck.tables
        self.policies = [random.choice(POLICIES) for _ in range(num_players)]
        self.gifts = random.choice((0.0, 0.3, 0.7))  # how often a month begins with other possessions
        self.cards = cards_of(tables)
        self.contracts = [card["id"] for card in tables["contracts"]]
        self.effects = {card["id"]: card["effect"] for card in tables["express"]}
        self.begin()
        self.oracle = Oracle(self.options, self.cards, deal_of(self.game.to_dict(self.state)))

    def where(self) -> str:
        return f"month {self.oracle.month}, seat {self.oracle.seat} in {self.oracle.step}"

    # --- Comparing ----------------------------------------------------------------------------------------------

    def positions(self) -> tuple[Json, Json]:
        view = view_of(self.oracle)
        return shared(self.data, view), view

    def results(self) -> Json:
        """Scores and places are those of a game that ended now; nobody has won before the end."""
        over = self.oracle.seat is None
        winners = self.oracle.winners() if over else []
        return {
            "scores": self.oracle.scores(),
            "payoffs": self.oracle.payoffs(),
            "standings": self.oracle.standings(),
            "ranking": self.oracle.ranking(),
            "won": [seat in winners for seat in range(self.game.num_players)],
            "is_over": over,
        }

    # --- Playing ------------------------------------------------------------------------------------------------

    def choose(self, legal: dict[Answer, int]) -> Answer:
        return choose(self.oracle, self.policies[self.oracle.seat], self.random)

    def apply(self, answer: Answer, action: int) -> None:
        if self.step == MOST_STEPS:
            self.fail("lengths", ["no end"])
        chance = EngineChance(self.data["rng"], self.contracts)
        self.game.apply(self.state, action)
        self.oracle.play(*answer, chance)
        after = self.game.to_dict(self.state)
        self.expect_same("generators", after["rng"], chance.words)
        self.note_step(self.data, after)

    def start_again(self, legal: dict[Answer, int]) -> dict[Answer, int]:
        """The engine reads its position anew; at the start of a month both may get other possessions."""
        begins = self.oracle.step == "look" and self.oracle.seat == self.oracle.leader
        if begins and self.random.random() < self.gifts:
            enrich(self.data, self.cards, self.random)
            self.state = self.game.from_dict(self.data)
            adopt(self.oracle, self.data)
            self.seen["gifts"] += 1
            return self.compare()
        if self.random.random() < 0.02:
            self.state = self.game.from_dict(self.data)
        return legal

    def play(self) -> None:
        super().play()
        self.note_end()

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

    def note_step(self, before: Json, after: Json) -> None:
        self.seen["the deck is renewed"] += after["contracts_left"] > before["contracts_left"]
        if after["event_turned"] is not None and before["event_turned"] is None:
            self.seen[f"event {self.oracle.events[after['event_turned']]['effect']}"] += 1
        for then, now in zip(before["players"], after["players"], strict=True):
            if now["loan_this_month"] and not then["loan_this_month"] and self.last != ("take_loan", 0):
                self.seen["an emergency loan"] += 1
            if now["shares"] < then["shares"] and not now["out"] and self.last and self.last[0] != "sell_shares":
                self.seen["shares sold to pay"] += 1
            self.seen["bankrupt"] += bool(now["out"] and not then["out"])

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
