"""Benchmarks as data: tracks of fixed deals, options and opponents, which any agent can play.

A game lists its tracks as `BENCHMARK` in `arena/<game>/__init__.py`; `arena.benchmark` plays them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import numpy as np

import chocofactory_env as cf
from chocofactory_env.agents.by_game import addition

from .decks import names_of, place_of
from .games import GameSeries
from .language import TextSeries
from .notes import ARENA

TWO: Final = {"options": {"num_players": 2}, "first_deal": 90_000, "deals": 200}
TEXT: Final = {"options": {"num_players": 2}, "first_deal": 95_000, "deals": 5, "text": True}
OPPONENTS: Final = {"random": "random", "flat": "flat_mc:playouts=20"}
DEFAULT: Final[dict[str, Any]] = {  # for games without tracks of their own
    "protocol": 1,
    "tracks": {
        f"{kind}-{name}": {**track, "opponent": opponent}
        for kind, track in {"two": TWO, "text": TEXT}.items()
        for name, opponent in OPPONENTS.items()
    },
}


@dataclass(frozen=True)
class Track:
    """Every deal is played once with the agent on each seat.

    options: of the game, including `num_players`.
    opponent: takes all other seats; "" in games for one player.
    decks: generated decks, dealt in turn; empty: the shipped one.
    like: name of the same track on the shipped deck.
    text: for agents that answer in text, of which every answer is kept.
    judge: how every decision in text is judged, as `arena.regret.Terms`; empty: not at all.
    """

    name: str
    options: Mapping[str, Any]
    first_deal: int
    deals: int
    opponent: str = ""
    decks: str = ""
    like: str = ""
    text: bool = False
    judge: Mapping[str, Any] = field(default_factory=dict)

    @property
    def players(self) -> int:
        return int(self.options["num_players"])

    @property
    def ranks(self) -> bool:
        """Whether its win rate ranks entries."""
        return not self.decks and not self.text

    def series(self, game: str, agent: str, deals: int | None = None) -> GameSeries:
        """The games of the track, on all deals or the first `deals`. In rotation r the agent has seat r."""
        number = self.deals if deals is None else min(deals, self.deals)
        kind = partial(TextSeries, judge=self.judge) if self.text else GameSeries
        return kind(
            load=partial(cf.load, game, **self.options),
            tables=((agent, *[self.opponent] * (self.players - 1)),),
            deals=range(self.first_deal, self.first_deal + number),
            decks=names_of(self.decks or None),
        )

    def decks_of_games(self, games: int) -> np.ndarray:
        """(games,) int: the deck of each of the first `games` games."""
        deals = self.first_deal + np.arange(games) // self.players
        return place_of(deals, max(1, len(names_of(self.decks or None))))


@dataclass(frozen=True)
class Protocol:
    """A numbered list of tracks. Results under different numbers are not comparable."""

    game: str
    number: int
    tracks: Mapping[str, Track]

    @property
    def ranking(self) -> dict[str, Track]:
        """The tracks that rank entries."""
        return {name: track for name, track in self.tracks.items() if track.ranks}


def protocol_of(game: str) -> Protocol:
    """The game's own tracks, or DEFAULT."""
    data = addition(ARENA, game, "BENCHMARK", DEFAULT)
    return Protocol(game, data["protocol"], {name: Track(name, **track) for name, track in data["tracks"].items()})
