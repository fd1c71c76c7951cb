"""Monte-Carlo tree search for any game with a `tree_search`, over resampled hidden information.

Leaves are judged by random playouts, or by a learned value if the game has one.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import numpy as np
from msgspec import Meta

from chocofactory_env import Consideration, Game
from chocofactory_env.core.reading import between

from .settings import SEEDS, Seconds, checked
from .turns import Endings, value_path
from .values import judge_of

BATCH = 32  # simulations between checks of the clock

Simulations = Annotated[int, between(1, 1_000_000)]
Exploration = Annotated[float, Meta(ge=0)]


class TreeAgent:
    """Deterministic for a seed, unless `time_s` is given. A game may extend it with settings of its own.

    simulations: per decision.
    time_s: seconds per decision; replaces `simulations`.
    exploration: weight of the exploration term.
    learned: judge positions by a learned value instead of random playouts.
    value: a file with such a value; the shipped one by default.
    endings: with a value, limit on the ways to end an unfinished turn that are tried.

    Raises:
        ValueError: the game has no tree search, or lacks the requested learned value.
        ValueFileError: the file is not a learned value of the game.
    """

    @checked
    def __init__(
        self,
        game: Game,
        simulations: Simulations = 300,
        time_s: Seconds | None = None,
        exploration: Exploration = 0.6,
        learned: bool = False,
        value: str | Path | None = None,
        endings: Endings = 30,
    ) -> None:
        search: dict[str, Any] = {"exploration": exploration}
        if learned or value is not None:
            search |= {"judge": judge_of(game, value_path(game, value)), "endings": endings}
        self._begin(game, simulations, time_s, **search)

    def _begin(self, game: Game, simulations: int, time_s: float | None, **search: Any) -> None:
        """search: settings of the game's tree search."""
        tree_search = getattr(game, "tree_search", None)
        if not callable(tree_search):
            raise ValueError(f"agent 'mcts': the game {game.name!r} has no tree search")
        self._game = game
        self._simulations = simulations
        self._time = time_s
        self._search = tree_search(**search)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Start a game: seed its searches."""
        self._rng = np.random.default_rng(seed)

    def choose(self, state: Any, player: int) -> int:
        legal = np.flatnonzero(self._game.legal_mask(state))
        if len(legal) == 1:
            return int(legal[0])
        found = self._look(state, player)
        return int(np.lexsort((found.value, found.visits))[-1])

    def consider(self, state: Any, player: int) -> Consideration:
        """Visits and mean values at the root, and the most visited line."""
        found = self._look(state, player)
        tried = np.flatnonzero(found.visits).tolist()
        best = int(np.lexsort((found.value, found.visits))[-1])
        columns = {
            "visits": {action: float(found.visits[action]) for action in tried},
            "value, 0 to 1": {action: float(found.value[action]) for action in tried},
        }
        return Consideration(columns, tuple(self._search.line()), ("value, 0 to 1", float(found.value[best])))

    def _look(self, state: Any, player: int) -> Any:
        """Search, and return the results at the root (`core.search.tree.Found`)."""
        seed = int(self._rng.integers(SEEDS))
        begun = perf_counter()
        advice = self._advice(state, player)
        found = self._search.search(state, self._simulations if self._time is None else BATCH, seed, advice=advice)
        while self._time is not None and perf_counter() - begun < self._time:
            found = self._search.search(state, BATCH, seed, more=True, advice=advice)
        return found

    def _advice(self, state: Any, player: int) -> Sequence[int]:
        """A promising line of play, which the search tries first."""
        return ()
