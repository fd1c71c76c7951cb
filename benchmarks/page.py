"""Write the figures of `docs/performance.json` and `docs/peers.json` into the pages: `python -m benchmarks.page`.

Tables go between `<!-- figures: GROUP, GROUP -->` and `<!-- end of figures -->`; `README` is a selection of rows. The
picture of the peers is drawn anew.
"""

from __future__ import annotations

import json
import re
from typing import Any

from chocofactory_env.arena.plots import BROWN, GREY, drawn_axes
from chocofactory_env.core.command import Command

from . import ROOT
from .__main__ import table

FIGURES = [ROOT / "docs" / name for name in ("performance.json", "peers.json")]
PAGES = [ROOT / name for name in ("docs/performance.md", "docs/batches.md", "docs/peers.md", "README.md")]
PICTURE = ROOT / "docs/images/peers.svg"
PLACE = re.compile(r"(<!-- figures: (?P<groups>[^>]+) -->\n).*?(<!-- end of figures -->)", re.DOTALL)
README = [  # docs/peers.md says how they are chosen
    *("game from Python, 2 players", "AEC, 4 players", "solo through gymnasium.make"),
    *("batch of 1,024, 4 players, raw", "make_vec, 1,024 × solo"),
    *("OpenSpiel 2.0.2: backgammon", "OpenSpiel 2.0.2: chess"),
    *("PettingZoo classic 1.27.0: chess_v6", "Catanatron 3.2.1: Catan, 4 players"),
]


def chosen(rows: list[dict[str, Any]], groups: str) -> list[dict[str, Any]]:
    return [row for row in rows if (row["row"] in README if groups == "README" else row["group"] in groups.split(", "))]


def about(result: dict[str, Any]) -> str:
    names = ", ".join(f"{name} {value[:12] if name == 'deck' else value}" for name, value in result["versions"].items())
    return f"{result.get('what', '')}Medians of {result['repeats']} × {result['seconds']:g} s; {names}."


def filled(text: str, results: list[dict[str, Any]]) -> str:
    """The page with the tables of these results."""

    def written(place: re.Match[str]) -> str:
        found = {about(result): chosen(result["rows"], place["groups"]) for result in results}
        rows = [row for of_result in found.values() for row in of_result]
        said = " ".join(words for words, of_result in found.items() if of_result)
        return "\n".join([place[1] + said, "", table(rows), place[3]])

    return PLACE.sub(written, text)


def draw_peers(ours: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> None:
    """Draw the decisions per second of all peers, and of this package where README has them."""
    shown = {f"Chocolate Factory: {row['row']}": (row["value"], BROWN) for row in ours if row["row"] in README}
    shown |= {row["row"] + (" (no mask)" if "no mask" in row["note"] else ""): (row["value"], GREY) for row in theirs}
    rows = sorted(shown.items(), key=lambda row: row[1][0], reverse=True)
    names, values, colours = zip(*((name, value, colour) for name, (value, colour) in rows), strict=True)
    with drawn_axes(PICTURE, height=0.28 * len(rows) + 0.8) as axes:
        axes.bar_label(axes.barh(names, values, color=colours), [f" {value:,.0f}" for value in values], fontsize=8)
        axes.set_xscale("log")
        axes.set_xlim(right=10 * max(values))
        axes.invert_yaxis()
        axes.set_xlabel("decisions per second on one core")


def write_figures() -> None:
    """Write the figures of docs/performance.json and docs/peers.json into the pages, and draw those of peers."""
    results = [json.loads(file.read_text(encoding="utf-8")) for file in FIGURES]
    for page in PAGES:
        page.write_text(filled(page.read_text(encoding="utf-8"), results), encoding="utf-8")
    draw_peers(*(result["rows"] for result in results))


main = Command("python -m benchmarks.page", write_figures, ("",)).run

if __name__ == "__main__":
    main()
