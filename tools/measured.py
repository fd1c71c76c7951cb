"""What tournaments measured of the agents, for the package: `agents/<game>/measured.json`, by the number of players."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import ROOT, clauses


def files() -> Iterator[tuple[Path, str]]:
    """The file and the text for every game: {players: {agent: [rating, milliseconds a decision]}}."""
    for game in clauses.shipped_games():
        found = {}
        for file in sorted(clauses.DOCS.glob(f"{game}/results/*-players.json")):
            result = json.loads(file.read_text(encoding="utf-8"))
            found[str(result["settings"]["options"]["num_players"])] = dict(_rows(result))
        if found:
            text = json.dumps(dict(sorted(found.items())), indent=None, separators=(",", ":"))
            yield ROOT / "agents" / game / "measured.json", text + "\n"


def _rows(result: dict[str, Any]) -> Iterator[tuple[str, tuple[int, float]]]:
    for each in sorted(result["ratings"], key=lambda each: -each["points"]):
        rate = result["decisions_per_second"][each["agent"]]
        yield each["agent"], (round(each["points"]), float(f"{1000 / rate:.2g}"))
