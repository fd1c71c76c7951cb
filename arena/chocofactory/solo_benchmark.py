"""The solo game as a benchmark: a fixed protocol on published seeds makes win rates comparable.

    chocofactory solo-benchmark greedy random --difficulties 0 1 2 3 --seeds 1000 --out results/solo

Every finished game is saved in the folder: after Ctrl-C, run the same command again to resume.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import numpy as np

import chocofactory_env as cf
from chocofactory_env import Game
from chocofactory_env.agents.files import read_json, write_json
from chocofactory_env.agents.protocol import HELP
from chocofactory_env.core.command import folder_for, integer
from chocofactory_env.core.messages import shown
from chocofactory_env.core.reading import between
from chocofactory_env.games.chocofactory.vocabulary import NAME

from ..decks import Names, add_decks, names_of
from ..games import GameSeries, PlaysGames
from ..options import PLOTS, add_workers, command_parser, input_reported, workers_of
from ..play import Json, Outcome, play
from ..report import percent, text_table
from ..table import games_of, speeds, summary, table_of
from ..tournament import RESULT

if TYPE_CHECKING:
    from pandas import DataFrame

PROTOCOL: Final = 2
"""The number of the protocol, raised with every change of it. Results of different numbers cannot be compared.

1. The game is `chocofactory` with `num_players=1` and `difficulty` 0, 1, 2 or 3. All other options have their default
   values: the deck that is shipped, sides A, no expansion.
2. The suite is the deals of the seeds 0 to 999 at each difficulty; each is played once.
3. The agent sits on seat 0. Before each game it is reset with `chocofactory_env.agent_seed(game, state, 0, 0)` of the
   position dealt, which hides the seed of the deal. It decides by `agents.protocol.decide`, so it sees what a player
   sees, and no more. Time is not limited; it is reported.
4. Reported are the share of games won with Wilson's interval at 95 %, and the share of games in which each objective
   was not satisfied at the end.
5. A result is one of the protocol if the whole suite was played. It names the deck's hash and the version of the
   rules; results with others are results of another benchmark.
"""

DIFFICULTIES: Final = (0, 1, 2, 3)
SUITE: Final = range(1000)
MISSED: Final = "missed"  # the note of the objectives


def benchmark_of(
    agents: Sequence[str], difficulties: Sequence[int] = DIFFICULTIES, seeds: range = SUITE, decks: Names = ()
) -> GameSeries:
    """The games of the agents, each alone, at each difficulty."""
    return GameSeries(
        load=partial(cf.load, NAME, num_players=1),
        tables=tuple((agent,) for agent in agents),
        deals=seeds,
        decks=decks,
        variants=tuple({"difficulty": difficulty} for difficulty in difficulties),
    )


def is_of_protocol(series: GameSeries) -> bool:
    """Whether the whole suite is played, without other decks; some difficulties may be missing."""
    return series.deals == SUITE and not series.decks


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


def read_bound(path: Path) -> dict[int, float]:
    """Read a clairvoyant player's win rates by difficulty: `{"0": 0.97, "1": 0.9}`.

    ValueError, naming the file, for anything else.
    """
    expected = 'win rates by difficulty, as in {"0": 0.97}'
    bound = read_json(path, dict[str, Annotated[float, between(0, 1)]], ValueError, expected)
    if not all(re.fullmatch("[0-9]{1,2}", difficulty) for difficulty in bound):
        raise ValueError(f"{path} has difficulties {shown(list(bound))}; expected {expected}")
    return {int(difficulty): float(bound[difficulty]) for difficulty in sorted(bound, key=int)}


def save(series: GameSeries, outcome: Outcome, bound: Mapping[int, float], folder: Path) -> str:
    """Write `result.json` and the plots, from the seeds whose games were all played; returns the table as text."""
    from . import plots

    table = table_of(outcome.of_whole_deals())
    rows = rows_of(series, table)
    data = {
        "settings": series.settings() | {"protocol": PROTOCOL},
        "of_protocol": is_of_protocol(series) and not outcome.message(),
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


# --- the command line


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_parser(
        "solo-benchmark",
        "Win rates of the solo game of Chocolate Factory on fixed deals; the same command again resumes.",
        "greedy planner --difficulties 0 --seeds 100 --out results/solo",
        "my_agents:Hasty --processes 2 --out results/mine",
    )
    parser.add_argument("agents", nargs="+", help=f"one or more: {HELP}")
    parser.add_argument("--difficulties", type=int, nargs="+", choices=DIFFICULTIES, default=list(DIFFICULTIES))
    parser.add_argument(
        "--seeds",
        type=integer(1, len(SUITE)),
        default=len(SUITE),
        help="play only this many seeds; only the whole suite counts",
    )
    add_decks(parser)
    parser.add_argument("--bound", type=Path, help="JSON file of win rates by difficulty, drawn as a further curve")
    add_workers(parser)
    parser.add_argument(
        "--out", type=folder_for(RESULT, PLOTS), required=True, help="folder of the games and the result"
    )
    chosen = parser.parse_args(arguments)
    if len(set(chosen.agents)) < len(chosen.agents):
        parser.error("no two agents may be the same")
    with input_reported(parser):
        difficulties = sorted(set(chosen.difficulties))
        series = benchmark_of(chosen.agents, difficulties, SUITE[: chosen.seeds], names_of(chosen.decks))
        bound = read_bound(chosen.bound) if chosen.bound else {}
        series.check()
        outcome = play(series, PlaysGames(series), chosen.out, **workers_of(chosen))
    if outcome.of_whole_deals():
        print(save(series, outcome, bound, chosen.out))
    if message := outcome.message():
        print(message)
    sys.exit(130 if outcome.interrupted else 1 if message else 0)


if __name__ == "__main__":
    main()
