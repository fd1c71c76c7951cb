"""Write the figures of a run into the pages.

    python -m benchmarks.page   # docs/performance.json -> the pages and the plots

Tables go between `<!-- figures: GROUP, GROUP -->` and `<!-- end of figures -->`; `README` is a selection of rows.
"""

from __future__ import annotations

import json
import re
from typing import Any

from . import ROOT
from .__main__ import line

FIGURES = ROOT / "docs" / "performance.json"
PAGES = (ROOT / "docs" / "performance.md", ROOT / "docs" / "logs" / "performance.md", ROOT / "README.md")
PLACE = re.compile(r"(<!-- figures: (?P<groups>[^>]+) -->\n).*?(<!-- end of figures -->)", re.DOTALL)
README = {
    "one game": ("game from Python, 2 players", "AEC, 4 players", "solo through gymnasium.make"),
    "batch": ("batch of 1,024, 4 players, raw", "batch of 1,024, 4 players, float32", "make_vec, 1,024 × solo"),
    "peers": (
        "OpenSpiel 2.0.2: backgammon",
        "PettingZoo classic 1.27.0: chess_v6",
        "RLCard 1.2.0: uno",
        "Catanatron 3.2.1: Catan, 4 players",
    ),
}


def chosen(rows: list[dict[str, Any]], groups: str) -> list[dict[str, Any]]:
    if groups == "README":
        return [row for row in rows if row["group"] in README and row["row"] in README[row["group"]]]
    return [row for row in rows if row["group"] in groups.split(", ")]


def versions(result: dict[str, Any]) -> str:
    names = ", ".join(f"{name} {value[:12] if name == 'deck' else value}" for name, value in result["versions"].items())
    return f"Medians of {result['repeats']} × {result['seconds']:g} s; {names}."


def filled(text: str, result: dict[str, Any]) -> str:
    """The page with the tables of this result."""

    def table(place: re.Match[str]) -> str:
        lines = [line(row) for row in chosen(result["rows"], place["groups"])]
        header = ["| what | figure | unit | note |", "|---|---:|---|---|"]
        return "\n".join([place[1] + versions(result), "", *header, *lines, place[3]])

    return PLACE.sub(table, text)


def main() -> None:
    result = json.loads(FIGURES.read_text(encoding="utf-8"))
    from .plots import draw

    draw(result["rows"], ROOT / "docs" / "images")
    for page in PAGES:
        page.write_text(filled(page.read_text(encoding="utf-8"), result), encoding="utf-8")


if __name__ == "__main__":
    main()
