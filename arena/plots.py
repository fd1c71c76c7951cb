"""Plots of tournaments, of the solo benchmark and of single games. The same numbers give the same file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, MaxNLocator, PercentFormatter

from chocofactory_env.core.files import whole

from .match import Interval
from .statistics import Rating

BROWN, GREY = "#7b3f00", "#9aa5b1"
COLOURS = (BROWN, "#1f77b4", "#2a9d4a", "#d9a066", "#8e44ad", "#c0392b", "#5f6b76", "#17a2b8")
BIN = 10  # pounds


@contextmanager
def _figure(path: Path, width: float, height: float) -> Iterator[Figure]:
    """Written to `path` at the end, whole or not at all."""
    with mpl.rc_context({"svg.hashsalt": "chocofactory", "axes.spines.top": False, "axes.spines.right": False}):
        figure = Figure(figsize=(width, height))
        yield figure
        with whole(path) as unfinished:
            figure.savefig(unfinished, format=path.suffix[1:], bbox_inches="tight", metadata={"Date": None})


@contextmanager
def _axes(path: Path, width: float = 7, height: float = 3.6) -> Iterator[Axes]:
    """One pair of axes, written to `path` at the end."""
    with _figure(path, width, height) as figure:
        yield figure.subplots()


def _colour(place: int) -> str:
    return COLOURS[place % len(COLOURS)]


def draw_ratings(ratings: Sequence[Rating], path: Path) -> None:
    """Points with intervals, the best on top."""
    ranked = sorted(ratings, key=lambda rating: rating.points)
    with _axes(path, height=0.4 * len(ranked) + 1) as axes:
        reach = [rating.interval.high - rating.points for rating in ranked]
        axes.errorbar([rating.points for rating in ranked], range(len(ranked)), xerr=reach, fmt="o", color=BROWN)
        axes.set_yticks(range(len(ranked)), [rating.agent for rating in ranked])
        axes.set_ylim(-0.6, len(ranked) - 0.4)
        axes.axvline(0, color=GREY, linewidth=0.8)
        axes.set_xlabel("rating; 400 points are odds of ten to one (95 % intervals)")


def draw_money(money: Mapping[str, np.ndarray], path: Path) -> None:
    """A histogram of each agent's money at the end, (its seats,)."""
    values = np.concatenate(list(money.values()))
    edges = np.arange(values.min() // BIN * BIN, values.max() + BIN + 1, BIN).tolist()
    with _axes(path) as axes:
        for place, (agent, earned) in enumerate(money.items()):
            weights = np.full(len(earned), 1 / len(earned))
            axes.hist(earned, edges, weights=weights, histtype="step", linewidth=1.5, color=_colour(place), label=agent)
        axes.set_xlabel("money at the end, £")
        axes.set_ylabel("share of seats")
        axes.yaxis.set_major_formatter(PercentFormatter(1))
        axes.legend(frameon=False)


def draw_sources(money: Mapping[str, Sequence[float]], sources: Sequence[str], path: Path) -> None:
    """Each agent's mean money, stacked by source, (S,)."""
    with _axes(path, height=0.4 * len(money) + 1.4) as axes:
        ends = np.cumsum([[0, *by_source] for by_source in money.values()], axis=1)  # (N, S + 1)
        for place, (source, (left, right)) in enumerate(zip(sources, pairwise(ends.T), strict=True)):
            axes.barh(list(money), right - left, left=left, color=_colour(place), label=source)
        axes.invert_yaxis()
        axes.set_xlabel("mean money at the end, £")
        axes.legend(frameon=False, ncols=len(sources), loc="lower center", bbox_to_anchor=(0.5, 1), fontsize=8)


def draw_days(money: Mapping[str, Sequence[float]], path: Path) -> None:
    """Each agent's mean money after every day, (T,)."""
    with _axes(path) as axes:
        _draw_days(axes, money)
        axes.set_ylabel("mean money if the game ended, £")


def _draw_days(axes: Axes, money: Mapping[str, Sequence[float]]) -> None:
    for place, (name, by_day) in enumerate(money.items()):
        axes.plot(range(1, len(by_day) + 1), by_day, "o-", color=_colour(place), label=name)
    axes.set_xlabel("after day")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False)


def draw_game(
    money: Mapping[str, Sequence[float]], regrets: Mapping[str, Sequence[tuple[float, float]]], path: Path
) -> None:
    """One game, by player: money after every day, and each day's regret with half of its interval."""
    with _figure(path, 7, 6) as figure:
        above, below = figure.subplots(2, gridspec_kw={"hspace": 0.35})
        _draw_days(above, money)
        above.set_ylabel("money if the game ended, £")
        width = 0.8 / len(regrets)
        for place, (name, by_day) in enumerate(regrets.items()):
            days = np.arange(1, len(by_day) + 1) + (place - (len(regrets) - 1) / 2) * width
            means, errors = np.array(by_day).T
            below.bar(days, means, width, yerr=errors, color=_colour(place), ecolor=GREY, label=name)
        below.axhline(0, color=GREY, linewidth=0.8)
        below.set_xlabel("day")
        below.set_ylabel("regret, points (95 % intervals)")


def draw_difficulties(
    rates: Mapping[str, Mapping[int, tuple[float, Interval]]], bound: Mapping[int, float], path: Path
) -> None:
    """Each agent's win rate with its interval over the difficulty, and the bound where it is known."""
    with _axes(path) as axes:
        for place, (agent, by_difficulty) in enumerate(rates.items()):
            won = np.array([rate for rate, _ in by_difficulty.values()])
            limits = np.array([interval for _, interval in by_difficulty.values()])  # (difficulties, 2)
            reach = np.abs(limits - won[:, None]).T
            colour = _colour(place)
            axes.errorbar(list(by_difficulty), won, yerr=reach, fmt="o-", capsize=3, color=colour, label=agent)
        if bound:
            axes.plot(list(bound), list(bound.values()), "--", color=GREY, label="clairvoyant bound")
        axes.set_xlabel("difficulty")
        axes.set_ylabel("games won (95 % intervals)")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.yaxis.set_major_formatter(PercentFormatter(1))
        axes.set_ylim(bottom=0)
        axes.legend(frameon=False)


def draw_objectives(failed: Mapping[str, Sequence[float]], objectives: Sequence[str], path: Path) -> None:
    """For each label, an agent at a difficulty: the share of games in which each objective was not satisfied."""
    with _axes(path, height=0.35 * len(failed) + 1.4) as axes:
        shares = np.array(list(failed.values()))
        axes.imshow(shares, cmap="YlOrBr", vmin=0, vmax=1, aspect="auto")
        axes.set_xticks(range(len(objectives)), [name.replace("_", "\n") for name in objectives])
        axes.set_yticks(range(len(failed)), list(failed))
        for row, column in np.ndindex(*shares.shape):
            share = shares[row, column]
            colour = "white" if share > 0.6 else "black"
            axes.text(column, row, f"{share:.0%}", ha="center", va="center", color=colour, fontsize=8)
        axes.set_title("games in which an objective was not satisfied", fontsize=10)


def draw_win_rates(decisions: Sequence[float], rates: Mapping[str, np.ndarray], path: Path) -> None:
    """By name: (K, 3) of rate, low and high after so many decisions of training, (K,)."""
    with _axes(path) as axes:
        for place, (name, by_time) in enumerate(rates.items()):
            won, low, high = by_time.T
            axes.plot(decisions, won, "o-", markersize=3, color=_colour(place), label=name)
            axes.fill_between(decisions, low, high, color=_colour(place), alpha=0.15, linewidth=0)
        axes.set_xlabel("decisions of training")
        axes.set_ylabel("games won (95 % intervals)")
        axes.xaxis.set_major_formatter(EngFormatter())
        axes.yaxis.set_major_formatter(PercentFormatter(1))
        axes.set_ylim(bottom=0)
        axes.legend(frameon=False)


def draw_learning(
    by_decisions: Mapping[str, np.ndarray], by_minutes: Mapping[str, np.ndarray], measure: str, path: Path
) -> None:
    """By kind of run: (K, 4) of place, mean, lowest and highest; over decisions on the left, minutes on the right."""
    with _figure(path, 10, 3.6) as figure:
        both = figure.subplots(1, 2, sharey=True)
        for axes, curves, said in zip(both, (by_decisions, by_minutes), ("decisions", "minutes"), strict=True):
            for place, (kind, curve) in enumerate(curves.items()):
                where, mean, low, high = curve.T
                axes.plot(where, mean, color=_colour(place), label=kind)
                axes.fill_between(where, low, high, color=_colour(place), alpha=0.2, linewidth=0)
            axes.set_xlabel(f"{said} of training")
        both[0].xaxis.set_major_formatter(EngFormatter())
        both[0].set_ylabel(f"{measure}\n(mean and range of the runs)")
        both[0].legend(frameon=False)
