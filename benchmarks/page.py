"""Write the figures of `docs/performance.json` and `docs/peers.json` into the pages: `python -m benchmarks.page`.

Tables go between `<!-- figures: GROUP, GROUP -->` and `<!-- end of figures -->`; `README` is a selection of rows.
"""

from __future__ import annotations

import json
import re
from typing import Any

from chocofactory_env.core.command import Command

from . import ROOT
from .__main__ import table

FIGURES = [ROOT / "docs" / name for name in ("performance.json", "peers.json")]
PAGES = [ROOT / name for name in ("docs/performance.md", "docs/peers.md", "README.md")]
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


def write_figures() -> None:
    """Write the figures of docs/performance.json and docs/peers.json into the pages."""
    results = [json.loads(file.read_text(encoding="utf-8")) for file in FIGURES]
    for page in PAGES:
        page.write_text(filled(page.read_text(encoding="utf-8"), results), encoding="utf-8")


main = Command("python -m benchmarks.page", write_figures, ("",)).run

if __name__ == "__main__":
    main()
