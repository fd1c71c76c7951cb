"""Texts of a game besides the rules in brief: the words of its clauses, hints for a first day, and its options."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from typing import Any, Final

from ..registry import GAMES

SECTION: Final = re.compile(r"^## ([^:\n]+): ([^\n]+)\n", re.MULTILINE)  # phases, clauses


@cache
def pages_of(name: str) -> dict[str, Any]:
    """clauses: words by id. hints: [{"phases", "clauses", "words"}] in order. Empty if the game has none.

    Read from `data/clauses.json` and `data/first_day.md` beside the game's module. KeyError: no such game.
    """
    return {"clauses": json.loads(_read(name, "clauses.json") or "{}"), "hints": hints_of(_read(name, "first_day.md"))}


@cache
def form_of(name: str) -> tuple[str, dict[str, tuple[str, str]]]:
    """A line about the game for the form of a new one, and the label and a sentence of each option.

    Read from `data/form.md`: the line, then sections `## option: label`. Empty without it. KeyError: no such game.
    """
    about, *parts = SECTION.split(_read(name, "form.md"))
    labels = zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    return about.strip(), {option: (label, words.strip()) for option, label, words in labels}


def _read(name: str, file: str) -> str:
    """A text beside the game's module; "" if there is none."""
    package = GAMES[name].target.partition(":")[0].rpartition(".")[0]
    if not package:
        return ""
    found = files(package).joinpath("data", file)
    return found.read_text("utf-8") if found.is_file() else ""


def hints_of(text: str) -> list[dict[str, Any]]:
    """Parse sections `## draft, run: DRAFT-1, RUN-2`, each with the words of a hint."""
    _, *parts = SECTION.split(text)
    return [
        {"phases": phases.split(", "), "clauses": clauses.split(", "), "words": words.strip()}
        for phases, clauses, words in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    ]
