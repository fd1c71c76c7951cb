"""Plots of Chocolate Factory: money by source and by day, the solo benchmark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from matplotlib.ticker import MaxNLocator, PercentFormatter

from ..play import Json
from ..plots import GREY, colour, drawn_axes


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


def draw_difficulties(rows: Sequence[Json], bound: Mapping[int, float], path: Path) -> None:
    """Draw each agent's win rate and interval over the difficulty, and the bound where it is known."""
    with drawn_axes(path) as axes:
        for place, agent in enumerate(dict.fromkeys(row["agent"] for row in rows)):
            mine = [row for row in rows if row["agent"] == agent]
            won = np.array([row["win_rate"] for row in mine])
            limits = np.array([row["win_rate_interval"] for row in mine])  # (difficulties, 2)
            reach = np.abs(limits - won[:, None]).T
            levels = [row["difficulty"] for row in mine]
            axes.errorbar(levels, won, yerr=reach, fmt="o-", capsize=3, color=colour(place), label=agent)
        if bound:
            axes.plot(list(bound), list(bound.values()), "--", color=GREY, label="clairvoyant bound")
        axes.set_xlabel("difficulty")
        axes.set_ylabel("games won (95 % intervals)")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.yaxis.set_major_formatter(PercentFormatter(1))
        axes.set_ylim(bottom=0)
        axes.legend(frameon=False)


def draw_objectives(failed: Mapping[str, Sequence[float]], objectives: Sequence[str], path: Path) -> None:
    """Draw, for each agent at a difficulty, the share of games that missed each objective."""
    with drawn_axes(path, height=0.35 * len(failed) + 1.4) as axes:
        shares = np.array(list(failed.values()))
        axes.imshow(shares, cmap="YlOrBr", vmin=0, vmax=1, aspect="auto")
        axes.set_xticks(range(len(objectives)), [name.replace("_", "\n") for name in objectives])
        axes.set_yticks(range(len(failed)), list(failed))
        for row, column in np.ndindex(*shares.shape):
            share = shares[row, column]
            ink = "white" if share > 0.6 else "black"
            axes.text(column, row, f"{share:.0%}", ha="center", va="center", color=ink, fontsize=8)
        axes.set_title("games in which an objective was not satisfied", fontsize=10)
