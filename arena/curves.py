"""Learning curves on tasks: the files that hold them, interquartile means over seeds, and the page's table and plot.

    python -m chocofactory_env.arena.curves  # prints the table of docs/tasks.md, and draws docs/tasks/curves.svg

Aggregates follow Agarwal et al. (2021), "Deep Reinforcement Learning at the Edge of the Statistical Precipice".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from msgspec import Struct

from chocofactory_env.agents.files import read_json, write_json
from chocofactory_env.core.reading import Count, Integer, need, one_of, read

from .entries import EntryError, read_entry
from .options import docs_folder
from .report import as_code, markdown_table
from .table import BOOTSTRAP_SEED, CONFIDENCE, RESAMPLES
from .tasks import LearningTask, task, tasks

NOT_MEASURED: Final = "–"
QUARTER: Final = 0.25  # of the seeds that an interquartile mean leaves out at each end


class CurvesError(ValueError):
    """A file does not hold learning curves of a present task. Names the file, the place, and what was expected."""


class Point(Struct, frozen=True, forbid_unknown_fields=True):
    """A network on the way, judged by the task. value, low, high: of the task's primary figure."""

    decisions: Count  # that it learned from
    games: Count
    wins: Count
    score: float
    value: float
    low: float
    high: float


class Curve(Struct, frozen=True, forbid_unknown_fields=True):
    """One run. seconds: of the processor, for learning alone; None: not measured."""

    seed: Count
    seconds: float | None
    versions: dict[str, str]
    points: list[Point]


class Curves(Struct, frozen=True, forbid_unknown_fields=True):
    """All runs of an algorithm on a task, with the version of the task, and the hash of the deck."""

    task: str
    algorithm: str
    deck: str
    rules: Integer
    runs: list[Curve] = []

    def __post_init__(self) -> None:
        known = [each.id for each in tasks()]
        need(self.task in known, one_of(known), self.task, "task")
        learned = task(self.task)
        game = learned.game
        fits = self.deck == game.deck_hash and self.rules == game.rules_version
        need(fits, "the present deck and rules", self.deck)
        for place, run in enumerate(self.runs):
            counts = [point.decisions for point in run.points]
            same = [point.decisions for point in self.runs[0].points]
            need(counts == same, "the decisions of the first run", counts, "runs", place)
            need(
                bool(counts) and counts == sorted(counts) and counts[-1] <= learned.budget,
                f"points in order, within the budget of {learned.budget:,}",
                counts,
                "runs",
                place,
            )
            for point in run.points:
                need(point.wins <= point.games, "at most all games won", point.wins, "runs", place)
                need(point.low <= point.value <= point.high, "a value in its interval", point.value, "runs", place)

    def with_run(self, run: Curve) -> Curves:
        """These runs, with one more or in place of the one with its seed."""
        others = [each for each in self.runs if each.seed != run.seed]
        return msgspec.structs.replace(self, runs=sorted([*others, run], key=lambda each: each.seed))

    def write(self, path: Path) -> None:
        """Write the file, atomically."""
        write_json(path, msgspec.to_builtins(self))


def no_curves(learned: LearningTask, algorithm: str) -> Curves:
    """A file without a run."""
    game = learned.game
    return Curves(learned.id, algorithm, game.deck_hash, game.rules_version)


def read_curves(path: Path) -> Curves:
    """Read a file; CurvesError if it is damaged, or of another version, deck, or budget."""
    data: Mapping[str, Any] = read_json(path, dict[str, Any], CurvesError, "learning curves of a task")
    try:
        found: Curves = read(Curves, data)
    except ValueError as error:
        raise CurvesError(f"{path}: {error}") from error
    return found


def interquartile(values: np.ndarray) -> np.ndarray:
    """(K, 3): the interquartile mean of each column of (S, K), over seeds, and its bootstrap interval at 95 %."""
    from scipy import stats

    drawn = np.random.default_rng(BOOTSTRAP_SEED).integers(len(values), size=(RESAMPLES, len(values)))
    means = stats.trim_mean(values[drawn], QUARTER, axis=1)
    bounds = np.quantile(means, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2], axis=0)
    return np.stack([stats.trim_mean(values, QUARTER, axis=0), *bounds], axis=-1)


# --- the page; a figure is (3,): its value, low and high


class Found(NamedTuple):
    """A figure over seeds; of a single seed, over its games."""

    seeds: int
    figure: np.ndarray


def folder() -> Path:
    """`docs/tasks`, with the committed `curves/` and `entries/`; ValueError if installed from a wheel."""
    return docs_folder() / "tasks"


def committed() -> list[Curves]:
    """The committed curves. For errors see `read_curves`."""
    return [read_curves(path) for path in sorted((folder() / "curves").glob("*.json"))]


def over_seeds(figures: np.ndarray) -> np.ndarray:
    """(K, 3): each of K figures over seeds, of (S, K, 3)."""
    return figures[0] if len(figures) == 1 else interquartile(figures[..., 0])


def along(curves: Curves) -> np.ndarray:
    """(K, 3): the figure at each point."""
    return over_seeds(np.array([[(one.value, one.low, one.high) for one in run.points] for run in curves.runs]))


def rows() -> dict[str, dict[str, Found]]:
    """What was found of every entry and algorithm, by task. Entries of one name are seeds of one agent.

    EntryError, CurvesError: a file is damaged, or not of a present task.
    """
    entries: dict[tuple[str, str], list[tuple[float, float, float]]] = {}
    for path in sorted((folder() / "entries").glob("*.json")):
        entry = read_entry(path)
        if "task" not in entry:
            raise EntryError(f"{path} is an entry of the benchmark; expected one of a learning task")
        figure = entry["figure"]
        seeds = entries.setdefault((entry["name"], entry["task"]), [])
        seeds.append((figure["value"], figure["low"], figure["high"]))
    found: dict[str, dict[str, Found]] = {}
    in_order = sorted(entries.items(), key=lambda each: re.sub(r"\d+", lambda of: of[0].zfill(9), each[0][0]))  # 8 < 32
    for (name, of), figures in in_order:
        found.setdefault(name, {})[of] = Found(len(figures), over_seeds(np.array(figures)[:, None])[0])
    for curves in committed():
        of = task(curves.task).name
        found.setdefault(curves.algorithm, {})[of] = Found(len(curves.runs), along(curves)[-1])
    return found


def table() -> list[str]:
    """The table of all results in Markdown."""
    found = rows()
    measured = [each for each in tasks() if any(each.name in row for row in found.values())]
    head = ["", *(f"`{each.name}`, {each.primary}" for each in measured)]
    lines = [[as_code(name), *(_cell(row.get(each.name), each) for each in measured)] for name, row in found.items()]
    return markdown_table(head, lines)


def _cell(found: Found | None, of: LearningTask) -> str:
    if found is None:
        return NOT_MEASURED
    scale, unit = (100, " %") if of.primary == "won" else (1, "")
    value, low, high = scale * found.figure
    seeds = f", {found.seeds} seeds" if found.seeds > 1 else ""
    return f"{value:.1f}{unit} [{low:.1f}, {high:.1f}]{seeds}"


def draw(path: Path) -> None:
    """Draw the curves of each task, and dotted what entries reach without learning."""
    from matplotlib.ticker import EngFormatter, PercentFormatter

    from .plots import GREY, colour, drawn_figure

    curves, found = committed(), rows()
    algorithms = list(dict.fromkeys(one.algorithm for one in curves))
    measured = [each for each in tasks() if any(one.task == each.id for one in curves)]
    with drawn_figure(path, 4 * len(measured), 3.4) as figure:
        for axes, of in zip(figure.subplots(1, len(measured), squeeze=False)[0], measured, strict=True):
            for one in (each for each in curves if each.task == of.id):
                value, low, high = along(one).T
                at, shade = [point.decisions for point in one.runs[0].points], colour(algorithms.index(one.algorithm))
                axes.plot(at, value, "o-", markersize=3, color=shade, label=one.algorithm)
                axes.fill_between(at, low, high, color=shade, alpha=0.15, linewidth=0)
            for name, row in found.items():
                if name not in algorithms and of.name in row:
                    height = row[of.name].figure[0]
                    axes.axhline(height, color=GREY, linewidth=0.8, linestyle=":")
                    axes.annotate(name, (0, height), (3, 1), textcoords="offset points", color=GREY, fontsize=6)
            axes.set_xlim(0, of.budget)
            axes.set_title(of.name)
            axes.set_xlabel("decisions of training")
            axes.xaxis.set_major_formatter(EngFormatter())
            axes.set_ylabel("games won" if of.primary == "won" else of.primary)
            if of.primary == "won":
                axes.yaxis.set_major_formatter(PercentFormatter(1))
                axes.set_ylim(0, 1.02)
        figure.axes[0].legend(frameon=False, fontsize=8)
        figure.tight_layout()


def main() -> None:
    draw(folder() / "curves.svg")
    print("\n".join(table()))


if __name__ == "__main__":
    main()
