"""Agents at a table: which there are, which a browser may name, and how they are made.

A browser names agents of the package, with settings that are numbers or true or false. So it can make the server
neither import a module nor open a file. Agents of one's own, and files, are named on the command line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from .. import make_agent
from ..core.agent import AnyAgent, reset_agent
from ..core.agent_seeds import agent_seed
from ..core.game import Game, State
from ..core.messages import shown
from .protocol import Refusal

MOST_CHECKPOINTS: Final = 200
CHECKPOINTS: Final = "*.safetensors"


class Players:
    """own: texts of agents that the command line allows as they are. runs: folders whose checkpoints are offered."""

    def __init__(self, own: Sequence[str] = (), runs: Sequence[Path] = ()) -> None:
        self._own = tuple(dict.fromkeys(own))
        self._runs = tuple(runs)

    def own(self) -> list[str]:
        """Those of the command line, then the checkpoints that there are now, the newest first."""
        files = [file for run in self._runs for file in run.rglob(CHECKPOINTS) if file.is_file()]
        files.sort(key=lambda file: file.stat().st_mtime, reverse=True)
        return [*self._own, *(f"learned:checkpoint={file}" for file in files[:MOST_CHECKPOINTS])]

    def check(self, text: str, game: Game, field: str) -> None:
        """Refusal unless a browser may name this agent."""
        if text in self._own or text in self.own():
            return
        if text.partition(":")[0] not in agents_of(game.name):
            there_are = ", ".join(sorted(agents_of(game.name)))
            raise Refusal(f"{field}: no agent {shown(text)} of this game; there are: {there_are}", field)
        try:
            named = _protocol().parse_agent(text, game.name)
        except ValueError as error:
            raise Refusal(f"{field}: {error}", field) from None
        for name, value in named.settings.items():
            if not (value is None or isinstance(value, bool | int | float)):
                reason = "files and other text are named on the command line alone"
                raise Refusal(f"{field}: setting {shown(name)} is {shown(value)}, no number; {reason}", field)


def make_player(text: str, game: Game, state: State, seat: int) -> AnyAgent:
    """A fresh agent for the seat. ValueError, ImportError: why there can be none."""
    agent: AnyAgent = make_agent(text, game)
    reset_agent(agent, agent_seed(game, state, seat))
    return agent


def agents_of(game: str) -> dict[str, str]:
    """Their factories by name."""
    found: dict[str, str] = _protocol().agents_of(game)
    return found


def described_agents(game: str) -> list[dict[str, Any]]:
    """Those that can be made here, with their settings that a browser may set."""
    found = []
    for name, place in sorted(agents_of(game).items()):
        try:
            factory = _find(place)
        except ImportError:
            continue  # what it needs is not installed
        settings: list[Any] = import_module(f"{_PACKAGE}.settings").settings_of(factory)
        fields = ("name", "kind", "value", "least", "most")
        found.append({"name": name, "settings": [dict(zip(fields, one, strict=True)) for one in settings]})
    return found


_PACKAGE: Final = f"{__package__.rpartition('.')[0]}.agents"


def _protocol() -> Any:
    return import_module(f"{_PACKAGE}.protocol")


def _find(place: str) -> Callable[..., Any]:
    found: Callable[..., Any] = import_module(f"{_PACKAGE}.by_game").find(place)
    return found
