"""Write the data of the package that follow from other files: `python -m tools.data`, after an edit of either.

- `agents/<game>/measured.json`: ratings and times of agents, from the results of tournaments.
- `chocofactory_env/games/<game>/data/clauses.json`: texts of clauses, from the page of the rules.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chocofactory_env.core.command import Command

from . import ROOT, clauses


def files() -> Iterator[tuple[Path, str]]:
    """Yield the path and the text of every file."""
    yield from measured()
    yield from clauses.files_of_words()


def measured() -> Iterator[tuple[Path, str]]:
    """`agents/<game>/measured.json` of every game: {players: {agent: [rating, milliseconds per decision]}}."""
    for game in clauses.shipped_games():
        found = {}
        for file in sorted(clauses.DOCS.glob(f"{game}/results/*-players.json")):
            result = json.loads(file.read_text(encoding="utf-8"))
            found[str(result["settings"]["options"]["num_players"])] = dict(_measured_agents(result))
        if found:
            text = json.dumps(dict(sorted(found.items())), indent=None, separators=(",", ":"))
            yield ROOT / "agents" / game / "measured.json", text + "\n"


def _measured_agents(result: dict[str, Any]) -> Iterator[tuple[str, tuple[int, float]]]:
    for each in sorted(result["ratings"], key=lambda each: -each["points"]):
        rate = result["decisions_per_second"][each["agent"]]
        yield each["agent"], (round(each["points"]), float(f"{1000 / rate:.2g}"))


def write_data() -> None:
    """Write the data of the package that follow from other files."""
    for file, text in files():
        file.write_text(text, encoding="utf-8")


main = Command("python -m tools.data", write_data, ("",)).run

if __name__ == "__main__":
    main()
