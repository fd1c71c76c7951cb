"""Texts of a game besides the rules in brief: the words of its clauses, and hints for a first day."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from typing import Any, Final

from ...registry import GAMES

SECTION: Final = re.compile(r"^## ([^:\n]+): ([^\n]+)\n", re.MULTILINE)  # phases, clauses


@cache
def pages_of(name: str) -> dict[str, Any]:
    """clauses: words by id. hints: [{"phases", "clauses", "words"}] in order. Empty if the game has none.

    Read from `data/clauses.json` and `data/first_day.md` beside the game's module. KeyError: no such game.
    """
    package = GAMES[name].target.partition(":")[0].rpartition(".")[0]
    if not package:
        return {"clauses": {}, "hints": []}
    folder = files(package).joinpath("data")
    clauses, hints = folder.joinpath("clauses.json"), folder.joinpath("first_day.md")
    return {
        "clauses": json.loads(clauses.read_text("utf-8")) if clauses.is_file() else {},
        "hints": hints_of(hints.read_text("utf-8")) if hints.is_file() else [],
    }


def hints_of(text: str) -> list[dict[str, Any]]:
    """Parse sections `## draft, run: DRAFT-1, RUN-2`, each with the words of a hint."""
    _, *parts = SECTION.split(text)
    return [
        {"phases": phases.split(", "), "clauses": clauses.split(", "), "words": words.strip()}
        for phases, clauses, words in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    ]
