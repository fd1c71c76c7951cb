"""Benchmarks as data: tracks of fixed deals, options and opponents, which any agent can play.

A game lists its tracks in `arena/<game>/__init__.py`: `BENCHMARK` for all agents (`arena.benchmark`), `LANGUAGE` for
agents that answer in text (`arena.language`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Literal

import numpy as np

import chocofactory_env as cf
from chocofactory_env.agents.by_game import addition

from .decks import names_of, place_of
from .games import GameSeries
from .notes import ARENA

FLAT: Final = "flat_mc:playouts=20"
TWO: Final = {"options": {"num_players": 2}, "first_deal": 90_000, "deals": 200}
DEFAULTS: Final[dict[str, Mapping[str, Any]]] = {  # for games without tracks of their own
    "BENCHMARK": {
        "protocol": 1,
        "tracks": {"two-random": {**TWO, "opponents": ["random"]}, "two-flat": {**TWO, "opponents": [FLAT]}},
    },
    "LANGUAGE": {
        "protocol": 1,
        "tracks": {"language": {**TWO, "opponents": ["random", FLAT], "first_deal": 95_000, "deals": 5}},
    },
}


@dataclass(frozen=True)
class Track:
    """Every deal is played once with the agent on each seat, against each of the opponents.

    options: of the game, including `num_players`.
    opponents: each takes all other seats in games of its own; none in games for one player.
    decks: generated decks, dealt in turn; empty: the shipped one.
    like: name of the same track on the shipped deck.
    judge: how every decision is judged, as `arena.regret.Terms`; empty: not at all.
    """

    name: str
    options: Mapping[str, Any]
    first_deal: int
    deals: int
    opponents: Sequence[str] = ()
    decks: str = ""
    like: str = ""
    judge: Mapping[str, Any] = field(default_factory=dict)

    @property
    def players(self) -> int:
        return int(self.options["num_players"])

    def series(self, game: str, agent: str, deals: int | None = None, kind: type[GameSeries] = GameSeries) -> Any:
        """The games of the track, on all deals or the first `deals`. In rotation r the agent has seat r.

        kind: the class of the series.
        """
        number = self.deals if deals is None else min(deals, self.deals)
        alone = self.opponents or [""]
        return kind(
            load=partial(cf.load, game, **self.options),
            tables=tuple((agent, *[opponent] * (self.players - 1)) for opponent in alone),
            deals=range(self.first_deal, self.first_deal + number),
            decks=names_of(self.decks or None),
        )

    def decks_of_games(self, games: int) -> np.ndarray:
        """(games,) int: the deck of each of the first `games` games against one opponent."""
        deals = self.first_deal + np.arange(games) // self.players
        return place_of(deals, max(1, len(names_of(self.decks or None))))


@dataclass(frozen=True)
class Protocol:
    """A numbered list of tracks. Results under different numbers are not comparable."""

    game: str
    number: int
    tracks: Mapping[str, Track]

    @property
    def of_shipped_deck(self) -> dict[str, Track]:
        """The tracks that rank entries."""
        return {name: track for name, track in self.tracks.items() if not track.decks}


def protocol_of(game: str, kind: Literal["BENCHMARK", "LANGUAGE"] = "BENCHMARK") -> Protocol:
    """The game's own tracks, or DEFAULTS."""
    data = addition(ARENA, game, kind, DEFAULTS[kind])
    return Protocol(game, data["protocol"], {name: Track(name, **track) for name, track in data["tracks"].items()})
