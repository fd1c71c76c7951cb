"""`python -m design.seat_plots` draws `docs/<game>/seats.svg` from the tables of seats in the balance reports."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib.ticker import PercentFormatter

from agents.by_game import addition
from arena.plots import GREY, colour, drawn_figure
from chocofactory_env.registry import GAMES

from .seat_chances import PLACES

DOCS = Path(__file__).resolve().parent.parent / "docs"
NO_REPORTS: Mapping[str, str] = {}
# Game -> agent -> the report with its games.
REPORTS: Mapping[str, Mapping[str, str]] = {
    game: reports for game in sorted(GAMES) if (reports := addition("design", game, "SEAT_REPORTS", NO_REPORTS))
}
ROW = re.compile(r"^\| (\d) \| \d+ \|((?: *\d+\.\d% \[\d+\.\d%, \d+\.\d%\] \|)+)", re.MULTILINE)
SHARE = re.compile(r"(\d+\.\d)% \[(\d+\.\d)%, (\d+\.\d)%\]")


def shares_of(report: str) -> dict[int, list[tuple[float, ...]]]:
    """By number of players, for each place in turn order: the share of games won, its low and high, from 0 to 1.

    The first table of a report is for the full game; tables of shorter games may follow.
    """
    found: dict[int, list[tuple[float, ...]]] = {}
    for players, cells in ROW.findall(report):
        shares = [tuple(float(number) / 100 for number in share) for share in SHARE.findall(cells)]
        found.setdefault(int(players), shares)
    return found


def draw(shares: Mapping[str, Mapping[int, Sequence[tuple[float, ...]]]], path: Path) -> None:
    """Draw one panel for each number of players. `shares`: by agent, from `shares_of`."""
    numbers = sorted({players for by_number in shares.values() for players in by_number})
    with drawn_figure(path, 3.2 * len(numbers), 3) as figure:
        panels = figure.subplots(1, len(numbers), sharey=True, squeeze=False)[0]
        for panel, players in zip(panels, numbers, strict=True):
            panel.axhline(1 / players, color=GREY, linewidth=0.8)
            for order, (agent, by_number) in enumerate(shares.items()):
                if players in by_number:
                    won, low, high = zip(*by_number[players], strict=True)
                    where = [place + 0.16 * order for place in range(players)]
                    panel.plot(where, won, "o", color=colour(order), label=agent)
                    panel.vlines(where, low, high, color=colour(order))
            panel.set_xticks(range(players), PLACES[:players])
            panel.set_xlim(-0.4, players - 0.4)
            panel.set_title(f"{players} players")
        panels[0].set_ylim(bottom=0)
        panels[0].set_ylabel("games won (95 % intervals)")
        panels[0].yaxis.set_major_formatter(PercentFormatter(1))
        # The first panel, of the fewest players, is empty below its points.
        panels[0].legend(*panels[-1].get_legend_handles_labels(), frameon=False, loc="lower left")


def main() -> None:
    for game, reports in REPORTS.items():
        texts = {
            agent: (DOCS / game / "logs" / f"{name}.md").read_text(encoding="utf-8") for agent, name in reports.items()
        }
        draw({agent: shares_of(text) for agent, text in texts.items()}, DOCS / game / "seats.svg")


if __name__ == "__main__":
    main()
