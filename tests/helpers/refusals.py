"""One-line changes of decks and positions, and the tables of rejected ones (`tests/games/*/refusals.txt`).

A line is `changes => message`, below the `[name]` of the deck or position to change. ` ; ` separates changes. A change
is `path = JSON`, `path + JSON` (append), `- path` (remove), `path < number` (keep that many first entries) or
`path <> path` (exchange). A path consists of keys, numbers of entries, and ids of cards. `@entry` is a copy of an entry
of the list, and WORDS stand for values that JSON lacks.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from all_games import NAMES
from repository import ROOT

import chocofactory_env as cf

Json = dict[str, Any]
LONGEST_MESSAGE = 300


def refusal(game: Any, data: Any) -> str:
    """The message of the error that rejects these data."""
    with pytest.raises(cf.StateError) as refused:
        game.from_dict(data)
    assert len(str(refused.value)) <= LONGEST_MESSAGE
    return str(refused.value)


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


WORDS: dict[str, Any] = {"huge": 10**5000, "deep": nested(100_000), "long": "y" * 5000}


def lines_of(name: str) -> Iterator[tuple[str, str, str]]:
    """(section, changes, message) of each case of a game."""
    section = ""
    for line in (ROOT / "tests" / "games" / name / "refusals.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            changes, _, message = line.partition(" => ")
            yield section, changes, message


def cases(what: str) -> list[Any]:
    """Parameters (game, section, changes, message) of the sections whose names begin with `what`."""
    found = [(name, *line) for name in NAMES for line in lines_of(name) if line[0].startswith(what)]
    return [pytest.param(*case, id=f"{case[0]}, {case[2]}"[:80]) for case in found]


def change(data: Any, changes: str) -> Any:
    """Change the data in place, and return them."""
    for each in changes.split(" ; "):
        match each.split(" ", 2):
            case ["-", path]:
                inside, key = find(data, path)
                del inside[key]
            case [path, "=", text]:
                inside, key = find(data, path)
                inside[key] = value(text)
            case [path, "+", text]:
                inside, key = find(data, path)
                inside[key].append(value(text, inside[key]))
            case [path, "<", number]:
                inside, key = find(data, path)
                del inside[key][int(number) :]
            case [path, "<>", other]:
                (inside, key), (there, place) = find(data, path), find(data, other)
                inside[key], there[place] = there[place], inside[key]
            case _:
                raise ValueError(f"no change: {each!r}")
    return data


def value(text: str, entries: Any = None) -> Any:
    """The value of a text. `entries`: the list that it becomes part of."""
    if text.startswith("@"):
        return copy.deepcopy(entries[entry(entries, text[1:])])
    return WORDS[text] if text in WORDS else json.loads(text)


def find(data: Any, path: str) -> tuple[Any, Any]:
    """The container at the end of the path, and the key in it."""
    *way, last = path.split(".")
    for step in way:
        data = data[entry(data, step)]
    return data, entry(data, last)


def entry(container: Any, step: str) -> Any:
    """The key in a table, or the number of an entry in a list, found by a card's id."""
    if isinstance(container, dict):
        return step
    ids = [item.get("id") if isinstance(item, dict) else None for item in container]
    return ids.index(step) if step in ids else int(step)
