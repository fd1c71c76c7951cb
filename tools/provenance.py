"""The table of `docs/provenance.md`: how many cards of each game are published, by the card lists."""

from __future__ import annotations

import re

from arena.series import markdown_table

from . import clauses

PAGE = clauses.DOCS / "provenance.md"
PLACE = re.compile(r"(<!-- provenance -->\n).*?(<!-- end -->)", re.DOTALL)
TABLE = re.compile(r"^\| cards \|.*\n\|[-| :]+\|\n((?:\|.*\n)+)", re.MULTILINE)


def rows() -> list[list[str]]:
    """Game, sort of card, and the numbers in all, published, published in part, and reconstructed."""
    found = []
    for game in clauses.shipped_games():
        table = TABLE.search((clauses.DOCS / game / "card-list.md").read_text(encoding="utf-8"))
        if table is None:
            raise ValueError(f"docs/{game}/card-list.md: expected a table that begins with '| cards |', got none")
        link = f"[`{game}`]({game}/cards.md)"
        found += [[link, *(cell.strip() for cell in line.strip("| ").split("|"))] for line in table[1].splitlines()]
    return found


def page() -> str:
    """The page with its table made anew."""
    columns = ["game", "cards", "in all", "published", "in part", "reconstructed"]
    table = "\n".join(markdown_table(columns, rows(), text_columns=(0, 1)))
    return PLACE.sub(lambda place: f"{place[1]}{table}\n\n{place[2]}", PAGE.read_text(encoding="utf-8"))
