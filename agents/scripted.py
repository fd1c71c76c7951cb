"""Agents that a game brings as rules: one look at the table, no search.

They are compiled (`chocofactory_env/games/<game>/scripted.py`), so that batches play them without asking Python.
"""

from __future__ import annotations

from typing import Any

from chocofactory_env import Game


class ScriptedAgent:
    """Plays `Game.scripted_action`. Deterministic."""

    def __init__(self, game: Game) -> None:
        self._game: Any = game

    def choose(self, state: Any, player: int) -> int:
        action: int = self._game.scripted_action(state)
        return action
