"""Agents at a table: listing them, checking what a browser names, and making them.

A browser may name agents of the package, with settings that are true, false, or bounded numbers. So it cannot make the
server import a module, open a file, or search for hours. Agents of the command line are allowed exactly as given. A
table on file may name no more than a browser.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from ... import make_agent
from ...core.agents.agent import AnyAgent, agent_seed, reset_agent
from ...core.game import Game, State
from ..protocol import Refusal

MOST_CHECKPOINTS: Final = 200
CHECKPOINTS: Final = "*.safetensors"


class TableAgents:
    """own: texts of agents given on the command line. runs: folders whose checkpoints are offered."""

    def __init__(self, own: Sequence[str] = (), runs: Sequence[Path] = ()) -> None:
        self._own = tuple(dict.fromkeys(own))
        self._runs = tuple(runs)

    def own(self) -> list[str]:
        """Agents of the command line, then the present checkpoints, newest first."""
        files = [file for run in self._runs for file in run.rglob(CHECKPOINTS) if file.is_file()]
        files.sort(key=lambda file: file.stat().st_mtime, reverse=True)
        return [*self._own, *(f"learned:checkpoint={file}" for file in files[:MOST_CHECKPOINTS])]

    def check(self, text: str, game: Game, field: str) -> None:
        """Raise Refusal unless a browser or a table on file may name this agent."""
        if text in self._own or text in self.own():
            return
        try:
            _protocol().check_named_by_stranger(text, game.name)
        except ValueError as error:
            reason = "modules, files and other text are named on the command line alone (--agent)"
            raise Refusal(f"{field}: {error}; {reason}", field) from None

    def make(self, text: str, game: Game, state: State, seat: int, field: str = "agent") -> AnyAgent:
        """A fresh agent for the seat, after `check`.

        Raises:
            Refusal: see `check`.
            ValueError, ImportError: it cannot be made; a user's agent may raise anything.
        """
        self.check(text, game, field)
        agent: AnyAgent = make_agent(text, game)
        reset_agent(agent, agent_seed(game, state, seat))
        return agent


def agents_of(game: str) -> dict[str, Callable[..., Any]]:
    """Factories of a game's agents, by name."""
    found: dict[str, Callable[..., Any]] = _protocol().agents_of(game)
    return found


def described_agents(game: str, players: int) -> list[dict[str, Any]]:
    """Agents that can be made here by name: style, measured results, and the settings that a browser may change."""
    found = []
    measured = _by_game().measured(game, players)
    for name, factory in sorted(agents_of(game).items()):
        if hasattr(factory, "needs") and find_spec(factory.needs) is None:
            continue
        if _settings().needs_settings(factory):
            continue  # text, which only the command line may give
        settings = _settings_of(factory)
        found.append(
            {
                "name": name,
                "style": style_of(factory),
                "measured": [
                    {"agent": text, "rating": rating, "milliseconds": milliseconds}
                    for text, (rating, milliseconds) in measured.items()
                    if text.partition(":")[0] == name
                ],
                "settings": [described_setting(one) for one in settings],
            }
        )
    return found


def style_of(factory: Callable[..., Any]) -> str:
    """The first paragraph of the docstring of the agent's module, or ""."""
    words = (import_module(factory.__module__).__doc__ or "").strip().partition("\n\n")[0]
    return " ".join(words.split())


def described_setting(setting: Any) -> dict[str, Any]:
    name, kind, value, least, _ = setting
    return {
        "name": name,
        "kind": kind,
        "value": value,
        "least": least,
        "most": None if kind == "flag" else setting.reach,
    }


_PACKAGE: Final = f"{__package__.partition('.')[0]}.agents"


def _protocol() -> Any:
    return import_module(f"{_PACKAGE}.protocol")


def _settings_of(factory: Callable[..., Any]) -> list[Any]:
    found: list[Any] = _settings().settings_of(factory)
    return found


def _settings() -> Any:
    return import_module(f"{_PACKAGE}.settings")


def _by_game() -> Any:
    return import_module(f"{_PACKAGE}.by_game")
