"""Plots of tournaments and of training, reproducible byte for byte."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, PercentFormatter

from chocofactory_env.core.files import whole

from .play import Json

BROWN, GREY = "#7b3f00", "#9aa5b1"
COLOURS = (BROWN, "#1f77b4", "#2a9d4a", "#d9a066", "#8e44ad", "#c0392b", "#5f6b76", "#17a2b8", "#e754a6")
BINS = 25  # approximate number in a histogram
MOST_WITHIN = 4  # most curves with a legend inside the axes
HEADER = re.compile(r'<svg [^>]*width="([\d.]+)pt" height="([\d.]+)pt"[^>]*>')  # as Matplotlib writes it


@contextmanager
def drawn_figure(path: Path, width: float, height: float) -> Iterator[Figure]:
    """A figure, written atomically to `path` on leaving."""
    with mpl.rc_context({"svg.hashsalt": "chocofactory_env", "axes.spines.top": False, "axes.spines.right": False}):
        figure = Figure(figsize=(width, height))
        yield figure
        with whole(path) as unfinished:
            figure.savefig(unfinished, format=path.suffix[1:], bbox_inches="tight", metadata={"Date": None})


@contextmanager
def drawn_axes(path: Path, height: float = 3.6) -> Iterator[Axes]:
    """A figure with one pair of axes, written to `path` on leaving."""
    with drawn_figure(path, 7, height) as figure:
        yield figure.subplots()


def stacked(pictures: Iterable[str]) -> str:
    """Stack SVG pictures by Matplotlib into one, from top to bottom."""
    parts, width, height = [], 0.0, 0.0
    for picture in pictures:
        header = HEADER.search(picture)
        if header is None:
            raise ValueError("expected a picture (SVG) by Matplotlib")
        wide, high = map(float, header.groups())
        size = f'width="{wide:g}" height="{high:g}" viewBox="0 0 {wide:g} {high:g}"'
        parts.append(f'<svg y="{height:g}" {size}>{picture[header.end() :]}')
        width, height = max(width, wide), height + high
    names = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    size = f'width="{width:g}pt" height="{height:g}pt" viewBox="0 0 {width:g} {height:g}"'
    return f"<svg {names} {size}>\n{''.join(parts)}</svg>\n"


def colour(place: int) -> str:
    return COLOURS[place % len(COLOURS)]


def draw_ratings(ratings: Sequence[Json], path: Path) -> None:
    """Draw ratings with intervals, best on top."""
    ranked = sorted(ratings, key=lambda rating: rating["points"])
    with drawn_axes(path, height=0.4 * len(ranked) + 1) as axes:
        reach = [rating["interval"][1] - rating["points"] for rating in ranked]
        axes.errorbar([rating["points"] for rating in ranked], range(len(ranked)), xerr=reach, fmt="o", color=BROWN)
        axes.set_yticks(range(len(ranked)), [rating["agent"] for rating in ranked])
        axes.set_ylim(-0.6, len(ranked) - 0.4)
        axes.axvline(0, color=GREY, linewidth=0.8)
        axes.set_xlabel("rating; 400 points are odds of ten to one (95 % intervals)")


def draw_scores(scores: Mapping[str, np.ndarray], label: str, path: Path) -> None:
    """Draw a histogram of each agent's final scores, (its seats,)."""
    values = np.concatenate(list(scores.values()))
    width = bin_width(float(np.ptp(values)))
    edges = np.arange(values.min() // width * width, values.max() + width + 1, width).tolist()
    with drawn_axes(path) as axes:
        for place, (agent, own) in enumerate(scores.items()):
            weights = np.full(len(own), 1 / len(own))
            axes.hist(own, edges, weights=weights, histtype="step", linewidth=1.5, color=colour(place), label=agent)
        axes.set_xlabel(label)
        axes.set_ylabel("share of seats")
        axes.yaxis.set_major_formatter(PercentFormatter(1))
        axes.legend(frameon=False)


def bin_width(reach: float) -> int:
    """A round bin width, at least 1, that divides a range of scores into about BINS bins."""
    decade: float = 10 ** np.floor(np.log10(max(reach / BINS, 1)))
    return int(next(step for step in (decade, 2 * decade, 5 * decade, 10 * decade) if step * BINS >= reach))


def draw_win_rates(
    places: Sequence[float], rates: Mapping[str, np.ndarray], path: Path, unit: str = "decisions"
) -> None:
    """Draw win rates over training. rates: (K, 3) of rate, low and high, by name; places: (K,), in the unit."""
    with drawn_axes(path) as axes:
        for place, (name, by_time) in enumerate(rates.items()):
            won, low, high = by_time.T
            axes.plot(places, won, "o-", markersize=3, color=colour(place), label=name)
            if len(places) == 1:  # an area has no width there
                axes.vlines(places, low, high, color=colour(place), alpha=0.5)
            axes.fill_between(places, low, high, color=colour(place), alpha=0.15, linewidth=0)
        axes.set_xlabel(f"{unit} of training")
        axes.set_ylabel("games won (95 % intervals)")
        axes.xaxis.set_major_formatter(EngFormatter())
        axes.yaxis.set_major_formatter(PercentFormatter(1))
        axes.set_ylim(bottom=0)
        if len(rates) > MOST_WITHIN:
            axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
        else:
            axes.legend(frameon=False)


def draw_game(
    chapters: Sequence[str],
    chances: tuple[Sequence[int], Mapping[str, Sequence[float]]],
    standings: Mapping[str, Sequence[float]],
    regrets: Mapping[str, Sequence[tuple[float, float]]],
    path: Path,
) -> None:
    """Draw one game by player: win probabilities, standings after every chapter, and regrets with half-intervals.

    chances: numbers of actions, and points at each.
    """
    at, by_player = chances
    with drawn_figure(path, 7, 8) as figure:
        above, middle, below = figure.subplots(3, gridspec_kw={"hspace": 0.4})
        for place, name in enumerate(by_player):
            above.plot(at, by_player[name], "o-", color=colour(place), label=name, markersize=3)
            middle.plot(range(len(chapters)), standings[name], "o-", color=colour(place))
            means, errors = np.array(regrets[name]).reshape(-1, 2).T
            width = 0.8 / len(regrets)
            where = np.arange(len(chapters)) + (place - (len(regrets) - 1) / 2) * width
            below.bar(where, means, width, yerr=errors, color=colour(place), ecolor=GREY)
        above.set_xlabel("action")
        above.set_ylabel("chance to win, points")
        above.set_ylim(-2, 102)
        above.legend(frameon=False)
        middle.set_ylabel("counts already")
        below.set_ylabel("regret, points (95 % intervals)")
        below.axhline(0, color=GREY, linewidth=0.8)
        for axes in (middle, below):
            axes.set_xticks(range(len(chapters)), chapters)
