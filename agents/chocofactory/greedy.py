"""A greedy agent: no search, one look at the table, a sensible move in every phase.

Its rules are compiled (`chocofactory_env.games.chocofactory.scripted`), so that batches play it without asking Python.
"""

from __future__ import annotations

from typing import Any

from chocofactory_env import Game


class GreedyAgent:
    """Deterministic."""

    def __init__(self, game: Game) -> None:
        self._game: Any = game

    def choose(self, state: Any, player: int) -> int:
        action: int = self._game.scripted_action(state)
        return action
