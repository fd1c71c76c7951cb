"""All results that `docs/` shows of the shipped agents: `python -m arena.chocofactory.results --processes 2`.

Games are kept in `runs/results/`, so that an interrupted run can be resumed; what is shown lies in `docs/results/`, and
`docs/results.md` is written from it. `--only NAME` makes one series anew and leaves the others as they are.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import chocofactory_env as cf
from chocofactory_env.core.files import write_text
from chocofactory_env.games.chocofactory.vocabulary import NAME

from .. import staged
from ..ladder import LEGEND, ranked, sentences, steps_of
from ..series import RESULT, JournalError, markdown_table, stopped_message
from . import SCORE, clairvoyant, solo_benchmark

# --- who plays

FLAT = "flat_mc:playouts=50"
AGENTS = ("random", "greedy", FLAT, "learned", "mcts", "planner", "planner:width=400", "expert")
WITH_EXPANSION = tuple(agent for agent in AGENTS if agent != "learned")  # its networks know the base game alone
ALONE = ("random", "greedy", "learned", "planner", "planner:width=400", "expert")
GAMES_OF_A_PAIR = 48
GAMES_OF_NEIGHBOURS = 200  # in the rating
FORESEEN_DEALS, TRIES = 100, 20  # of the clairvoyant bound of the solo game

# What follows from the numbers, by hand: lines of Markdown, below what is written from the numbers.
WHAT_FOLLOWS: tuple[str, ...] = ()

# --- where it is

ROOT = Path(__file__).resolve().parents[2]
GAMES = ROOT / "runs" / "results"
SHOWN = ROOT / "docs" / "results"
PAGE = ROOT / "docs" / "results.md"
TABLE = "table.txt"

CLAIRVOYANT = clairvoyant.Search(solo_benchmark.DIFFICULTIES, FORESEEN_DEALS, TRIES)
CLAIRVOYANT_TITLE = f"With foresight, at most {CLAIRVOYANT.tries} tries a game (a bound, not an agent):"


@dataclass(frozen=True)
class Series:
    """One run: a tournament in rounds, or with one player the solo benchmark."""

    name: str
    title: str
    column: str  # its title in the table that the page leads with
    players: int
    agents: tuple[str, ...]
    options: dict[str, Any] = field(default_factory=dict)
    plots: tuple[str, ...] = ("ratings", "scores", "sources", "days")

    def play(self, processes: int) -> str | None:
        """Play what is not played yet, write what is shown; what there is to say if it was interrupted."""
        folder = SHOWN / self.name
        folder.mkdir(parents=True, exist_ok=True)
        return self._play_solo(folder, processes) if self.players == 1 else self._play_tournament(folder, processes)

    def _play_solo(self, folder: Path, processes: int) -> str | None:
        benchmark = solo_benchmark.Benchmark(self.agents)
        outcome = solo_benchmark.play_benchmark(benchmark, GAMES / self.name, processes=processes)
        if outcome.interrupted:
            return stopped_message(outcome, len(benchmark.tasks))
        foreseen = CLAIRVOYANT.play(GAMES / "clairvoyant", processes)
        if foreseen.interrupted:
            return stopped_message(foreseen, len(CLAIRVOYANT.tasks))
        rows = solo_benchmark.rows_of(benchmark, outcome)
        solo_benchmark.save(benchmark, outcome, rows, CLAIRVOYANT.bound(foreseen), folder)
        tables = [solo_benchmark.table(rows), CLAIRVOYANT_TITLE, CLAIRVOYANT.table(foreseen)]
        write_text(folder / TABLE, "\n\n".join(tables) + "\n")
        return None

    def _play_tournament(self, folder: Path, processes: int) -> str | None:
        load = partial(cf.load, NAME, num_players=self.players, **self.options)
        tournament = staged.StagedTournament(load, self.agents, self.players, GAMES_OF_A_PAIR, GAMES_OF_NEIGHBOURS)
        rounds = tournament.play(GAMES / self.name, processes=processes)
        result, stopped = staged.result_of(rounds), staged.stopped(rounds)
        if stopped is not None or result is None:
            return stopped
        staged.save_rounds(rounds, result, folder)
        write_text(folder / TABLE, result.tables(SCORE) + "\n")
        return None

    # --- what the page shows of it

    def result(self) -> dict[str, Any] | None:
        """What was made of these agents; None if it was not."""
        file = SHOWN / self.name / RESULT
        data: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        of_these = bool(data) and data["settings"]["agents"] == list(self.agents)
        return data if of_these and ("rows" in data or "further" in data) else None

    def columns(self, result: Mapping[str, Any]) -> dict[str, dict[str, str]]:
        """Of the table that the page leads with: by title, the cells by agent."""
        if self.players > 1:
            return {self.column: {one["agent"]: around(one["points"], one["interval"]) for one in result["ratings"]}}
        columns: dict[str, dict[str, str]] = {}
        for row in result["rows"]:
            low, high = row["win_rate_interval"]
            cells = columns.setdefault(f"{self.column} {row['difficulty']}", {})
            cells[row["agent"]] = around(100 * row["win_rate"], (100 * low, 100 * high), " %")
        return columns

    def words(self, result: Mapping[str, Any]) -> list[str]:
        """What the numbers say, as items of a list."""
        if self.players > 1:
            return [f"- **{self.title}.** {sentences(steps_of(result))}"]
        difficulties = dict.fromkeys(row["difficulty"] for row in result["rows"])
        return [f"- **Alone, difficulty {level}.** {self._solo_words(result, level)}" for level in difficulties]

    def _solo_words(self, result: Mapping[str, Any], level: int) -> str:
        """The agents from the best on; `>` where the intervals do not overlap."""
        rows = [row for row in result["rows"] if row["difficulty"] == level]
        rows.sort(key=lambda row: -row["win_rate"])
        words = ""
        for row, before in zip(rows, [None, *rows], strict=False):
            if before is not None:
                words += " > " if before["win_rate_interval"][0] > row["win_rate_interval"][1] else " ≈ "
            low, high = row["win_rate_interval"]
            words += f"`{row['agent']}` {100 * row['win_rate']:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"
        return f"{words}."

    def section(self, result: Mapping[str, Any]) -> str:
        """Of the page."""
        folder, settings = SHOWN / self.name, result["settings"]
        versions = ", ".join(f"{name} {version}" for name, version in settings["versions"].items())
        lines = [f"## {self.title}", "", "```", (folder / TABLE).read_text(encoding="utf-8").rstrip(), "```", ""]
        lines += [f"![{plot} of {self.title}](results/{self.name}/{plot}.svg)" for plot in self.plots]
        what = f"[settings and all numbers](results/{self.name}/{RESULT})"
        return "\n".join([*lines, "", f"Deck `{settings['deck'][:12]}`, {rules_of(settings)}, {versions}; {what}.", ""])


def rules_of(settings: Mapping[str, Any]) -> str:
    """Under which version of the rules a series was played, and whether it is still that of the game."""
    played, now = settings["rules"], cf.load(settings["game"]).rules_version
    return f"rules {played}" if played == now else f"rules {played} (the game has rules {now} now)"


SERIES = (
    Series("two-players", "Two players", "2 players", 2, AGENTS),
    Series("three-players", "Three players", "3 players", 3, AGENTS),
    Series("four-players", "Four players", "4 players", 4, AGENTS),
    Series(
        "expansion",
        "Two players with Master Chocolatier, sides drawn",
        "2 players, expansion",
        2,
        WITH_EXPANSION,
        {"expansion": "master_chocolatier", "sides": "random"},
    ),
    Series(
        "solo",
        "Factory Manager, the solo game",
        "alone, difficulty",
        1,
        ALONE,
        plots=("difficulties", "objectives"),
    ),
)


# --- the page

READING = """\
With several players: the rating. 400 points are odds of ten to one, and 0 is the mean of the agents of a column. Alone:
games won. `±` is half of the interval at 95 %. The time is that of the first column with the agent, with two processes
that share the machine.
"""
MADE = f"""\
Every pair of agents played {GAMES_OF_A_PAIR} games or more on the same deals from all seats, and neighbours in
the rating {GAMES_OF_NEIGHBOURS} or more ([rounds](arena.md#rounds)). With three and four players a table holds one
agent alone against copies of another. Agents are summed up below over the deals that all pairs played. The agents:
[agents](agents.md). What the numbers mean: [arena](arena.md). Brackets are 95 % intervals. What a new version of the
rules changes is under [decisions](decisions.md#the-version-of-the-rules).

Generated by `python -m arena.chocofactory.results`, which plays all of it and can be interrupted; do not edit.
"""
Made = Sequence[tuple[Series, Mapping[str, Any]]]  # series with their results


def around(value: float, interval: Sequence[float], unit: str = "") -> str:
    """A number and half of its interval."""
    return f"{value:.1f}{unit} ± {(interval[1] - interval[0]) / 2:.1f}"


def leading_table(made: Made) -> list[str]:
    """Every agent with its rating in each tournament, its games won alone, and its time; by the first series."""
    columns: dict[str, dict[str, str]] = {}
    agents: dict[str, None] = {}
    times: dict[str, str] = {}
    for series, result in made:
        columns |= series.columns(result)
        agents |= dict.fromkeys(ranked(result) if series.players > 1 else series.agents)
        rates = result["decisions_per_second"]
        times = {agent: f"{1000 / rate:,.2f}" for agent, rate in rates.items() if rate} | times
    columns["ms a decision"] = times
    rows = [[f"`{agent}`", *(cells.get(agent, "–") for cells in columns.values())] for agent in agents]
    return markdown_table(["agent", *columns], rows)


def page() -> str:
    """The page of all series that were made."""
    made = [(one, result) for one in SERIES if (result := one.result()) is not None]
    words = [line for one, result in made for line in one.words(result)]
    lines = [
        "# Results of the shipped agents",
        "",
        *(leading_table(made) if made else ["No series was made yet."]),
        "",
        READING,
        "## What follows",
        "",
        f"From the strongest to the weakest. {LEGEND} Alone, `>` says that the intervals do not overlap.",
        "",
        *words,
        "",
        *([*WHAT_FOLLOWS, ""] if WHAT_FOLLOWS else []),
        "## How it was made",
        "",
        MADE,
    ]
    return "\n".join([*lines, *(one.section(result) for one, result in made)])


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m arena.chocofactory.results", description="Make all results that docs/ shows."
    )
    parser.add_argument("--only", choices=[one.name for one in SERIES], help="make this one anew")
    parser.add_argument("--processes", type=int, default=1)
    chosen = parser.parse_args(arguments)
    for one in SERIES:
        if chosen.only in (None, one.name):
            print(one.title, file=sys.stderr)
            try:
                stopped = one.play(chosen.processes)
            except JournalError as error:
                parser.error(str(error))
            if stopped:
                print(stopped)
                sys.exit(130)
    write_text(PAGE, page())


if __name__ == "__main__":
    main()
