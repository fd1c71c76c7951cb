"""The card of a shipped model: how it was made and how it did, as data beside the model. `tools.models` shows it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal, Self

import msgspec
from msgspec import Struct

import chocofactory_env as cf
from chocofactory_env.agents.files import read_json
from chocofactory_env.core.files import write_text
from chocofactory_env.core.reading import read

SUFFIX = ".card.json"
FIRST_TRIAL = 20_000_000  # first deal of trials, apart from the deals of training and benchmarks


class CardError(ValueError):
    """A file is not a card. Says what is there, and what was expected."""


class Found(Struct, frozen=True, forbid_unknown_fields=True):
    """The games that a trial's first agent played, and won; its win rate's interval, and its mean score."""

    games: int
    wins: int
    low: float
    high: float
    score: float


class Trial(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A match of the arena, on deals and with agents that the model was not trained with or chosen by."""

    agents: list[str]  # around the table; the first plays by the model
    options: dict[str, Any] = {}
    decks: list[str] = []
    deals: int
    first: int = FIRST_TRIAL  # seed of the first deal
    found: Found | None = None

    def played(self, game: str) -> Self:
        """The trial with what it finds now. A network decides for all games in one pass."""
        loaded = cf.load(game, num_players=len(self.agents), **self.options)
        deals = range(self.first, self.first + self.deals)
        own, *others = self.agents
        found = cf.evaluate(own, loaded, deals=deals, opponents=others, decks=self.decks or None).agents()[0]
        low, high = (round(bound, 4) for bound in found["win_rate_interval"])
        score = round(found["score"], 1)
        return msgspec.structs.replace(self, found=Found(found["games"], found["wins"], low, high, score))

    def command(self, game: str) -> str:
        """The command that plays it."""
        options = [f"--option {name}={value}" for name, value in self.options.items()]
        decks = [f"--decks {' '.join(self.decks)}"] if self.decks else []
        words = [f"--game {game}", f"--agents {' '.join(self.agents)}", *options, *decks]
        return f"chocofactory match {' '.join(words)} --deals {self.deals} --seed {self.first}"


class Made(Struct, frozen=True, forbid_unknown_fields=True):
    """A command that made the model, or a step towards it, with its time."""

    command: str
    minutes: float
    slices: int = 1  # processes that it took
    finished: bool = True


class Card(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is known of a model. Lists and tables that do not apply are empty."""

    title: str
    kind: Literal["network", "value"]
    game: str
    players: list[int]
    variants: list[str]  # that it was trained on, in words
    deck: str  # its hash, or that of the first
    decks: list[str] = []
    rules: int
    model: dict[str, Any]  # kind and sizes
    parameters: int
    digest: str  # of the file of a network, or of the numbers of a value
    data: str  # what it was trained on
    minutes: float
    machine: str = ""
    seed: int
    versions: dict[str, str]
    limits: str
    made: list[Made]
    rounds: list[dict[str, Any]] = []  # of a value: the report of each round
    trials: list[Trial]

    def write(self, model: Path) -> None:
        """Write the card beside its model."""
        write_text(card_of(model), json.dumps(msgspec.to_builtins(self), indent=1) + "\n")


def card_of(model: Path) -> Path:
    """The file of a model's card."""
    return model.with_suffix(SUFFIX)


def read_card(file: Path) -> Card:
    """Read a card; CardError names the file, and the field that is wrong."""
    card: Card = read(Card, read_json(file, dict[str, Any], CardError, "a card"))
    return card
