"""Runs a firm by rules of thumb, from a single look at the table.

Its rules are compiled (`chocofactory_env.games.schoko.scripted`), so that batches play it without asking Python.
"""

from __future__ import annotations

from typing import Any

from chocofactory_env import Game


class ManagerAgent:
    """Deterministic."""

    def __init__(self, game: Game) -> None:
        self._game: Any = game

    def choose(self, state: Any, player: int) -> int:
        action: int = self._game.scripted_action(state)
        return action
