"""The solo tracks of the benchmark for several agents, with the objectives that games missed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

import chocofactory_env as cf
from chocofactory_env import Game
from chocofactory_env.agents.files import write_json
from chocofactory_env.games.chocofactory.vocabulary import NAME

from ..decks import Names
from ..games import GameSeries
from ..match import RESULT
from ..play import Json, Outcome
from ..report import percent, text_table
from ..table import games_of, speeds, summary, table_of
from ..tracks import protocol_of

if TYPE_CHECKING:
    from pandas import DataFrame

TRACKS: Final = {name: track for name, track in protocol_of(NAME).tracks.items() if re.fullmatch(r"solo-\d", name)}
DIFFICULTIES: Final = tuple(track.options["difficulty"] for track in TRACKS.values())
SUITE: Final = range(next(iter(TRACKS.values())).deals)
MISSED: Final = "missed"  # the note of the objectives


def benchmark_of(
    agents: Sequence[str], difficulties: Sequence[int] = DIFFICULTIES, seeds: range = SUITE, decks: Names = ()
) -> GameSeries:
    """The games of the agents, each alone, at each difficulty: the solo tracks of the benchmark, for several agents."""
    return GameSeries(
        load=partial(cf.load, NAME, num_players=1),
        tables=tuple((agent,) for agent in agents),
        deals=seeds,
        decks=decks,
        variants=tuple({"difficulty": difficulty} for difficulty in difficulties),
    )


class MissedNotes:
    """Notes the objectives missed at the end, 1 or 0 each, as `objectives_of` names them; see `arena.notes`."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._missed: list[int] = []
        self.lengths = {MISSED: len(objectives_of(game))}

    def __call__(self, state: Any) -> None:
        if self._game.is_over(state):
            self._missed = [int(not done) for done in self._game.observe(state, 0)["satisfied"]]

    def entries(self) -> dict[str, list[list[int]]]:
        return {MISSED: [self._missed]}


def objectives_of(game: Game) -> tuple[str, ...]:
    """The objectives of the solo game, as the observation names them."""
    return next(block.entries for block in game.observation_layout.blocks if block.name == "satisfied")


# --- the result


def rows_of(series: GameSeries, table: DataFrame) -> list[Json]:
    """The rows of a result by agent and difficulty: a summary, with the games that missed each objective."""
    objectives = objectives_of(series.game)
    return [
        _row(table[table["variant"] == json.dumps(variant)], agent, variant["difficulty"], objectives)
        for agent in series.agents
        for variant in series.variants
    ]


def _row(table: DataFrame, agent: str, difficulty: int, objectives: Sequence[str]) -> Json:
    """`failed`: by objective, the games that missed it; `alone`: those that missed only this one."""
    found = summary(table, agent)
    missed = np.array(games_of(table, agent)[MISSED].tolist())
    only = missed[missed.sum(axis=1) == 1]
    return {
        "agent": agent,
        "difficulty": difficulty,
        **{name: found[name] for name in ("games", "wins", "win_rate", "win_rate_interval")},
        "money": found["score"],
        "money_interval": found["score_interval"],
        "failed": dict(zip(objectives, missed.sum(axis=0).tolist(), strict=True)),
        "alone": dict(zip(objectives, only.sum(axis=0).tolist(), strict=True)),
    }


def text_of(rows: Sequence[Json]) -> str:
    missed = [f"no {name.replace('_', ' ')}" for name in rows[0]["failed"]]
    lines = [
        [
            row["agent"],
            str(row["difficulty"]),
            str(row["games"]),
            percent(row["win_rate"], row["win_rate_interval"]),
            f"{row['money']:.1f}",
            *(f"{failed / row['games']:.1%}" for failed in row["failed"].values()),
        ]
        for row in rows
    ]
    return text_table(["agent", "difficulty", "games", "won", "money", *missed], lines)


def save(series: GameSeries, outcome: Outcome, bound: Mapping[int, float], folder: Path) -> str:
    """Write `result.json` and the plots, from the seeds whose games were all played; returns the table as text."""
    from . import plots

    table = table_of(outcome.of_whole_deals())
    rows = rows_of(series, table)
    data = {
        "settings": series.settings(),
        "interrupted": outcome.interrupted,
        "computed_with": {"scipy": version("scipy")},
        "rows": rows,
        "bound": {str(difficulty): rate for difficulty, rate in bound.items()},
        "decisions_per_second": speeds(table_of(outcome.records), series.agents),
    }
    write_json(folder / RESULT, data)
    plots.draw_difficulties(rows, bound, folder / "difficulties.svg")
    shares = {
        f"{row['agent']} at {row['difficulty']}": [failed / row["games"] for failed in row["failed"].values()]
        for row in rows
    }
    plots.draw_objectives(shares, list(rows[0]["failed"]), folder / "objectives.svg")
    return text_of(rows)
