"""The plots of `docs/performance.md` and its log, from the rows of a run. Needs matplotlib."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("svg")
mpl.rcParams["svg.hashsalt"] = "chocofactory"  # makes files reproducible
from matplotlib import pyplot as plt  # noqa: E402 - after the choice of the backend
from matplotlib.ticker import StrMethodFormatter  # noqa: E402

OURS, PEERS, LIGHT = "#7b3f00", "#9aa5b1", "#d9a066"
Rows = list[dict[str, Any]]


def draw(rows: Rows, folder: Path) -> None:
    """Draw what the rows allow."""
    folder.mkdir(parents=True, exist_ok=True)
    figures = {"peers": draw_peers, "scaling": draw_scaling, "stages": draw_stages}
    for name, figure in figures.items():
        if any(row["group"] == name for row in rows):
            figure(rows)
            plt.savefig(folder / f"{name}.svg", bbox_inches="tight", metadata={"Date": None})
            plt.close()


def value_of(rows: Rows, group: str, name: str) -> float:
    return next(float(row["value"]) for row in rows if row["group"] == group and row["row"] == name)


def draw_peers(rows: Rows) -> None:
    """Draw decisions per second, ours and the peers', on a logarithmic scale."""
    ours = (
        "AEC, 4 players",
        "solo through gymnasium.make",
        "batch of 1,024, 4 players, raw",
        "batch of 1,024, solo, raw",
    )
    bars = [
        (f"Chocolate Factory: {row['row']}", row["value"], OURS)
        for row in rows
        if row["row"] in ours and row["group"] != "scaling"
    ]
    bars += [
        (row["row"] + (" (no mask)" if "no mask" in row["note"] else ""), row["value"], PEERS)
        for row in rows
        if row["group"] == "peers" and "value" in row and "neither mask nor observation" not in row["note"]
    ]
    bars.sort(key=lambda bar: bar[1])
    _, axes = plt.subplots(figsize=(9, 0.32 * len(bars) + 1))
    axes.barh([bar[0] for bar in bars], [bar[1] for bar in bars], color=[bar[2] for bar in bars])
    for place, bar in enumerate(bars):
        axes.text(bar[1] * 1.08, place, f"{bar[1]:,.0f}", va="center", fontsize=8)
    axes.set_xscale("log")
    axes.set_xlim(right=max(bar[1] for bar in bars) * 8)
    axes.set_xlabel("decisions per second, one core, mask and observation at every step")
    axes.tick_params(labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)


def draw_scaling(rows: Rows) -> None:
    """Draw cost by players and batch size, and speed by threads."""
    _, (players, sizes, threads) = plt.subplots(1, 3, figsize=(12, 3.4))
    for form, colour in (("raw", OURS), ("float32", LIGHT)):
        pattern = re.compile(rf"batch of ([\d,]+), (solo|\d players), {form}$")
        points = [
            (match, row["value"]) for row in rows if row["group"] == "scaling" and (match := pattern.match(row["row"]))
        ]
        by_players = {1 if m[2] == "solo" else int(m[2][0]): 1e9 / v for m, v in points if m[1] == "1,024"}
        by_size = {int(m[1].replace(",", "")): 1e9 / v for m, v in points if m[2] == "4 players"}
        players.plot(
            sorted(by_players), [by_players[key] for key in sorted(by_players)], "o-", color=colour, label=form
        )
        sizes.plot(sorted(by_size), [by_size[key] for key in sorted(by_size)], "o-", color=colour, label=form)
    pattern = re.compile(r"batch of ([\d,]+), (solo|4 players), raw, (\d+) threads$")
    speeds: dict[str, dict[int, float]] = {}
    for row in rows:
        if row["group"] == "threads" and (match := pattern.match(row["row"])):
            speeds.setdefault(f"{match[1]}, {match[2]}", {})[int(match[3])] = row["value"]
    for place, (name, by_count) in enumerate(speeds.items()):
        counts = sorted(by_count)
        ratios = [by_count[count] / by_count[counts[0]] for count in counts]
        threads.plot(counts, ratios, "o-", color=(OURS, LIGHT, PEERS)[place % 3], label=name)
    for axes, title in ((players, "players (1,024 games)"), (sizes, "games in the batch (4 players)")):
        axes.set_xlabel(title)
        axes.set_ylabel("ns per decision")
        axes.legend(frameon=False)
    players.set_ylim(bottom=0)
    players.set_xticks([1, 2, 3, 4])
    sizes.set_xscale("log", base=4)
    sizes.set_yscale("log", base=2)
    for axis in (sizes.xaxis, sizes.yaxis):
        axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    threads.set_xlabel("threads")
    threads.set_ylabel("times as fast as one")
    threads.set_ylim(bottom=0)
    threads.xaxis.get_major_locator().set_params(integer=True)
    threads.legend(frameon=False)
    plt.tight_layout()


def draw_stages(rows: Rows) -> None:
    """Draw the stages of a decision's time."""
    parts: dict[str, dict[str, float]] = {}
    for row in rows:
        if row["group"] == "stages":
            kind, _, what = row["row"].partition(": ")
            parts.setdefault(kind, {})[re.sub(r" \([\d,]+ bytes\)", "", what)] = row["value"]
    _, axes = plt.subplots(figsize=(9, 0.6 * len(parts) + 1.2))
    colours = plt.get_cmap("YlOrBr_r")
    for kind, spent in parts.items():
        left = 0.0
        pieces = [what for what in spent if what != "in all"]
        for place, what in enumerate(pieces):
            axes.barh(kind, spent[what], left=left, color=colours(0.1 + 0.15 * place), label=what)
            left += spent[what]
    handles, labels = axes.get_legend_handles_labels()
    unique = dict(zip(labels, handles, strict=True))
    axes.legend(unique.values(), unique.keys(), frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    axes.set_xlabel("ns per decision, 1,024 games")
    axes.spines[["top", "right"]].set_visible(False)
