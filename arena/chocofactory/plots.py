"""Plots of Chocolate Factory: money by source and by day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from matplotlib.ticker import MaxNLocator

from ..plots import colour, drawn_axes


def draw_sources(money: Mapping[str, Sequence[float]], sources: Sequence[str], path: Path) -> None:
    """Draw each agent's mean money, (S,), stacked by source."""
    with drawn_axes(path, height=0.4 * len(money) + 1.4) as axes:
        ends = np.cumsum([[0, *by_source] for by_source in money.values()], axis=1)  # (N, S + 1)
        for place, (source, (left, right)) in enumerate(zip(sources, pairwise(ends.T), strict=True)):
            axes.barh(list(money), right - left, left=left, color=colour(place), label=source)
        axes.invert_yaxis()
        axes.set_xlabel("mean money at the end, £")
        axes.legend(frameon=False, ncols=len(sources), loc="lower center", bbox_to_anchor=(0.5, 1), fontsize=8)


def draw_days(money: Mapping[str, Sequence[float]], path: Path) -> None:
    """Draw each agent's mean money after every day, (T,)."""
    with drawn_axes(path) as axes:
        for place, (name, by_day) in enumerate(money.items()):
            axes.plot(range(1, len(by_day) + 1), by_day, "o-", color=colour(place), label=name)
        axes.set_xlabel("after day")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_ylim(bottom=0)
        axes.legend(frameon=False)
        axes.set_ylabel("mean money if the game ended, £")
