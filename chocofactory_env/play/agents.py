"""Agents that a page offers: shipped ones with their settings, those of the command line, and checkpoints of runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from ..core.files import newest_first
from ..core.game import Game

MOST_CHECKPOINTS: Final = 200
CHECKPOINTS: Final = "*.safetensors"
_PACKAGE: Final = f"{__package__.partition('.')[0]}.agents"


def own_agents(given: Sequence[str], runs: Sequence[Path]) -> list[str]:
    """Agents of the command line, then the present checkpoints of the runs, newest first."""
    files = newest_first(file for run in runs for file in run.rglob(CHECKPOINTS) if file.is_file())
    return [*dict.fromkeys(given), *(f"learned:checkpoint={file}" for _, file in files[:MOST_CHECKPOINTS])]


def may_be_made(text: str, game: Game, own: Sequence[str]) -> bool:
    """Whether an agent that a record names is made: it may come from a stranger, and an agent may run any module."""
    try:
        import_module(f"{_PACKAGE}.protocol").check_named_by_stranger(text, game.name)
    except ValueError:
        return text in own
    return True


def described_agents(game: str, players: int) -> list[dict[str, Any]]:
    """Agents that can be made here by name: style, measured results, and settings, strongest first."""
    by_game, settings = (import_module(f"{_PACKAGE}.{name}") for name in ("by_game", "settings"))
    measured, found = by_game.measured(game, players), []
    for name, factory in import_module(f"{_PACKAGE}.protocol").agents_of(game).items():
        if hasattr(factory, "needs") and find_spec(factory.needs) is None:
            continue
        if settings.needs_settings(factory):
            continue  # text, which only the command line may give
        results = [
            {"agent": text, "rating": rating, "milliseconds": milliseconds}
            for text, (rating, milliseconds) in measured.items()
            if text.partition(":")[0] == name
        ]
        fields = [described_setting(one) for one in settings.settings_of(factory)]
        found.append({"name": name, "style": style_of(factory), "measured": results, "settings": fields})
    return sorted(found, key=lambda one: (-rating_of(one), one["name"]))


def rating_of(described: dict[str, Any]) -> float:
    """Of the agent with its default settings; the lowest if it is unknown."""
    by_text = {one["agent"]: float(one["rating"]) for one in described["measured"]}
    return by_text.get(described["name"], max(by_text.values(), default=float("-inf")))


def style_of(factory: Callable[..., Any]) -> str:
    """The first paragraph of the docstring of the agent's module, or ""."""
    words = (import_module(factory.__module__).__doc__ or "").strip().partition("\n\n")[0]
    return " ".join(words.split())


def described_setting(setting: Any) -> dict[str, Any]:
    name, kind, value, least, _ = setting
    most = None if kind == "flag" else setting.reach
    return {"name": name, "kind": kind, "value": value, "least": least, "most": most}
