"""Note and plot the money of games of several players, its sources and its growth by day; alone, missed objectives."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from chocofactory_env import Game
from chocofactory_env.games.chocofactory.vocabulary import NUM_DAYS, Source, day_of, words_of

from ..notes import Means, Notes

SOURCES = tuple(word.replace("_", " ") for word in words_of(Source))  # columns of `game.score_sheets`


class MoneyNotes:
    """Called after every decision of a game.

    `sources`: money by SOURCES. `money_by_day`: a seat's money if the game ended after the day, without leftovers.
    """

    lengths: Mapping[str, int] = {"sources": len(Source), "money_by_day": NUM_DAYS}

    def __init__(self, game: Game) -> None:
        self._game = game
        self._day: int | None = None
        self._by_day: list[list[int]] = [[] for _ in range(game.num_players)]
        self._sources: list[list[int]] = [[] for _ in range(game.num_players)]

    def __call__(self, state: Any) -> None:
        over, day = self._game.is_over(state), day_of(state)
        if over or self._day not in (None, day):
            for days, money in zip(self._by_day, self._game.standings(state).tolist(), strict=True):
                days.append(money)
        if over:
            self._sources = self._game.score_sheets(state).tolist()  # type: ignore[attr-defined]  # of this game alone
        self._day = day

    def entries(self) -> dict[str, list[list[int]]]:
        """Lists by seat, by name of the note."""
        return {"sources": self._sources, "money_by_day": self._by_day}


class MissedNotes:
    """Notes the objectives of the solo game missed at the end, 1 or 0 each, as `objectives_of` names them."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._missed: list[int] = []
        self.lengths = {"missed": len(objectives_of(game))}

    def __call__(self, state: Any) -> None:
        if self._game.is_over(state):
            self._missed = [int(not done) for done in self._game.observe(state, 0)["satisfied"]]

    def entries(self) -> dict[str, list[list[int]]]:
        return {"missed": [self._missed]}


def objectives_of(game: Game) -> tuple[str, ...]:
    """The objectives of the solo game, as the observation names them."""
    return next(block.entries for block in game.observation_layout.blocks if block.name == "satisfied")


def notes_of(game: Game) -> Notes:
    """Alone, a player's objectives count, not the sources of money."""
    return MoneyNotes(game) if game.num_players > 1 else MissedNotes(game)


def draw_means(means: Means, folder: Path) -> None:
    """Draw `sources.svg` and `days.svg`."""
    from . import plots  # only plots need Matplotlib

    plots.draw_sources({agent: mean["sources"] for agent, mean in means.items()}, SOURCES, folder / "sources.svg")
    plots.draw_days({agent: mean["money_by_day"] for agent, mean in means.items()}, folder / "days.svg")
