"""What the clauses of a game's rules page say, for the package: `games/<game>/data/clauses.json`, by id.

The page is for readers of the site; the table in the browser shows a clause beside what it is about.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Final

from . import clauses

LINK: Final = re.compile(r"\[([^]]*)\]\([^)]*\)")
RULINGS: Final = re.compile(r" ?\(J( [^)]*)?\)|(?<=\()J[:,] ")  # which the site explains
MARKS: Final = re.compile(r"[*`]")


def files() -> Iterator[tuple[Path, str]]:
    """The file and the text for every game."""
    for game in clauses.shipped_games():
        found = words_of((clauses.DOCS / game / "rules.md").read_text(encoding="utf-8"))
        yield clauses.PACKAGE / game / "data" / "clauses.json", json.dumps(found, indent=0, ensure_ascii=False) + "\n"


def words_of(rules: str) -> dict[str, str]:
    """The words of every clause of a rules page, without marks."""
    lines = rules.splitlines()
    return {
        match[1]: _words(lines, number, match.end())
        for number, line in enumerate(lines)
        if (match := clauses.DEFINITION.match(line))
    }


def _words(lines: Sequence[str], number: int, begin: int) -> str:
    """Of the clause in this line: a row of a table, or an item of a list, and the table that it announces."""
    if lines[number].startswith("|"):
        return _plain(_row(lines[number][begin:]))
    rest = lines[number + 1 :]
    item = [lines[number][begin:], *takewhile(lambda line: line.startswith("  ") and "|" not in line, rest)]
    words = " ".join(map(str.strip, item))
    if words.endswith(":"):
        table = takewhile(lambda line: "|" in line or not line, rest[len(item) - 1 :])
        rows = [line for line in table if line and not set(line) <= set("| -:")]
        words += " " + "; ".join(map(_row, rows[1:]))
    return _plain(words)


def _row(line: str) -> str:
    return ", ".join(cell.strip() for cell in line.split("|") if cell.strip())


def _plain(words: str) -> str:
    plain = MARKS.sub("", RULINGS.sub("", LINK.sub(r"\1", words)))
    return " ".join(plain.replace("_", " ").split())
