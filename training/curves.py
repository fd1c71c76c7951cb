"""The learning curve of a run, as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from chocofactory_env.arena.plots import draw_win_rates

from .runs import read_metrics

CURVE: Final = "curve.svg"  # in the folder of a run


def draw_curve(folder: Path, path: Path | None = None) -> None:
    """Draw win rates of a run's evaluations with intervals, by decisions if the run counts them, else by epoch.

    path: by default `CURVE` in the run's folder. Without an evaluation nothing is drawn.
    """
    lines = [line for line in read_metrics(folder) if "score" in line]
    counted, unit = ("decisions", "decisions") if lines and "decisions" in lines[0] else ("iteration", "epochs")
    names = [name.removesuffix("/won") for name in (lines[0] if lines else ()) if name.endswith("/won")]
    rates = {
        in_words(name): np.array([[line[f"{name}/{what}"] for what in ("won", "low", "high")] for line in lines])
        for name in names
    }
    if rates:
        draw_win_rates([line[counted] for line in lines], rates, path or folder / CURVE, unit)


def in_words(name: str) -> str:
    """What an evaluation's name says: `greedy_2` becomes "2 players, against greedy"."""
    variant, *options = name.split(",")
    rival, _, players = variant.rpartition("_")
    return ", ".join([f"{players} players, against {rival}" if rival else "the solo game", *options])
