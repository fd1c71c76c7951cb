"""Draw learning curves of PPO: one run's win rates, or several kinds of runs, by decisions and by minutes.

    python -m training.curves --runs afterstates=runs/first afterstates=runs/second mlp=runs/mlp --measure return/1 \\
        --out docs/images/networks.svg
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from arena import plots
from chocofactory_env.core.command import CommandParser, file_to_write
from chocofactory_env.core.messages import shortened

from .runs import METRICS, read_metrics

POINTS = 60  # of a curve over several runs
AGAINST = re.compile(r"(.+)_(\d+)(,.*)?")


def draw_run(folder: Path, path: Path) -> None:
    """Draw win rates of a run's evaluations with intervals, by decisions if the run counts them, else by epoch.

    Raises:
        ValueError: the run has no evaluation.
    """
    lines = [line for line in read_metrics(folder) if "score" in line]
    if not lines:
        raise ValueError(f"{folder / METRICS}: no evaluation to draw; expected lines with a score")
    names = [name.removesuffix("/won") for name in lines[0] if name.endswith("/won")]
    counted = "decisions" if "decisions" in lines[0] else "iteration"
    places = [line[counted] for line in lines]
    rates = {
        title_of(name): np.array([[line[f"{name}/{what}"] for what in ("won", "low", "high")] for line in lines])
        for name in names
    }
    plots.draw_win_rates(places, rates, path, "decisions" if counted == "decisions" else "epochs")


def title_of(name: str) -> str:
    """`"against greedy, 2 players"` for `"greedy_2"`, followed by the options of a variant."""
    found = AGAINST.fullmatch(name)
    return f"against {found[1]}, {found[2]} players{found[3] or ''}" if found else name


def draw_comparison(measured: Mapping[str, Sequence[np.ndarray]], measure: str, path: Path) -> None:
    """Draw mean and range of each kind's runs, by decisions and by minutes of training (without evaluations).

    measured: the `points` of each run, by kind.

    Raises:
        ValueError: the runs of a kind have no place in common.
    """
    by_decisions, by_minutes = (
        {kind: together([points[:, [column, 2]] for points in some]) for kind, some in measured.items()}
        for column in (0, 1)
    )
    plots.draw_learning(by_decisions, by_minutes, measure, path)


def points(folder: Path, measure: str) -> np.ndarray:
    """(K, 3): decisions, minutes, and the measure, for the iterations that logged it.

    Raises:
        ValueError: it was logged less than twice, or the run is not one of PPO.
    """
    decisions = minutes = 0.0
    found = []
    for line in read_metrics(folder):
        if not line.get("decisions") or not line.get("decisions_per_s"):
            raise ValueError(f"{folder / METRICS}: expected a run of PPO, got lines of {shortened(', '.join(line))}")
        minutes += (line["decisions"] - decisions) / line["decisions_per_s"] / 60
        decisions = line["decisions"]
        if line.get(measure) is not None:
            found.append((decisions, minutes, line[measure]))
    if len(found) < 2:
        raise ValueError(f"{folder / METRICS}: {measure!r} was measured {len(found)} times, expected at least 2")
    return np.array(found)


def together(curves: Sequence[np.ndarray]) -> np.ndarray:
    """(POINTS, 4): place, mean, lowest and highest of all curves (K, 2), up to the end of the shortest.

    Each curve is averaged between points, since single iterations are noisy.
    """
    first, last = max(curve[0, 0] for curve in curves), min(curve[-1, 0] for curve in curves)
    if first >= last:
        raise ValueError(f"no place in common: one curve begins at {first:g}, one ends at {last:g}")
    fine = np.linspace(first, last, 20 * POINTS)
    means = [np.interp(fine, *curve.T).reshape(POINTS, 20).mean(1) for curve in curves]
    centres = fine.reshape(POINTS, 20).mean(1)
    return np.column_stack([centres, np.mean(means, 0), np.min(means, 0), np.max(means, 0)])


def run_of(text: str) -> tuple[str, Path]:
    kind, equals, folder = text.partition("=")
    if not equals or not (Path(folder) / METRICS).exists():
        raise argparse.ArgumentTypeError(f"expected KIND=FOLDER of a run, got {text!r}")
    return kind, Path(folder)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = CommandParser(prog="python -m training.curves", description="Draw curves of runs.")
    parser.add_argument("--runs", type=run_of, nargs="+", required=True, help="KIND=FOLDER; a kind may have many")
    parser.add_argument("--measure", default="return/1", help="name in metrics.jsonl")
    parser.add_argument("--out", type=file_to_write, required=True, help="picture")
    chosen = parser.parse_args(arguments)
    measured: dict[str, list[np.ndarray]] = {}
    try:
        for kind, folder in chosen.runs:
            measured.setdefault(kind, []).append(points(folder, chosen.measure))
        draw_comparison(measured, chosen.measure, chosen.out)
    except ValueError as error:
        parser.error(str(error))
    for kind, some in measured.items():
        ends = [
            {"decisions": decisions, "minutes": round(minutes, 2), chosen.measure: round(value, 4)}
            for decisions, minutes, value in (run[-1].tolist() for run in some)
        ]
        print(kind, json.dumps(ends))


if __name__ == "__main__":
    main()
