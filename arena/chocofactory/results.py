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

from .. import tournament as arena
from ..series import RESULT, JournalError, stopped_message
from . import SCORE, clairvoyant, solo_benchmark

ROOT = Path(__file__).resolve().parents[2]
GAMES = ROOT / "runs" / "results"
SHOWN = ROOT / "docs" / "results"
PAGE = ROOT / "docs" / "results.md"
TABLE = "table.txt"

PLANNER, TREE, FLAT = "planner", "mcts", "flat_mc:playouts=50"


CLAIRVOYANT = clairvoyant.Search(solo_benchmark.DIFFICULTIES, seeds=100, tries=20)
CLAIRVOYANT_TITLE = f"With foresight, at most {CLAIRVOYANT.tries} tries a game (a bound, not an agent):"


@dataclass(frozen=True)
class Series:
    """One run: a tournament, or with one player the solo benchmark."""

    name: str
    title: str
    players: int
    agents: tuple[str, ...]
    deals: int = 0
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
        tournament = arena.Tournament(load, self.agents, self.players, range(self.deals))
        outcome = arena.play_tournament(tournament, GAMES / self.name, processes=processes)
        result = arena.Result.of(tournament, outcome)
        if outcome.interrupted or result is None:
            return stopped_message(outcome, len(tournament.tasks))
        arena.save(tournament, outcome, result, folder)
        write_text(folder / TABLE, result.tables(SCORE) + "\n")
        return None

    def section(self) -> str:
        """Of the page."""
        folder = SHOWN / self.name
        settings = json.loads((folder / RESULT).read_text(encoding="utf-8"))["settings"]
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
    Series("two-players", "Two players", 2, ("random", "greedy", FLAT, TREE, PLANNER, "planner:width=400"), 12),
    Series("long-search", "The tree search with more time", 2, (PLANNER, "mcts:simulations=4000"), 10),
    Series("four-players", "Four players", 4, ("random", "greedy", PLANNER), 12),
    Series(
        "expansion",
        "Two players with Master Chocolatier, sides drawn",
        2,
        ("random", "greedy", PLANNER),
        25,
        {"expansion": "master_chocolatier", "sides": "random"},
    ),
    Series(
        "solo",
        "Factory Manager, the solo game",
        1,
        ("random", "greedy", PLANNER),
        plots=("difficulties", "objectives"),
    ),
)


def page() -> str:
    """The page of all series that were made."""
    made = [one.section() for one in SERIES if (SHOWN / one.name / RESULT).exists()]
    return "\n".join(
        [
            "# Results of the shipped agents",
            "",
            "Generated by `python -m arena.chocofactory.results`; do not edit. The agents: [agents](agents.md).",
            "What the numbers mean: [arena](arena.md). Brackets are 95 % intervals. Decisions per second are from two",
            "processes that share the machine. What a new version of the rules changes is under",
            "[decisions](decisions.md#the-version-of-the-rules).",
            "",
            *made,
        ]
    )


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
