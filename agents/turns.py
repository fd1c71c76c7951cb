"""Looks ahead to the end of its own turn, and plays the action that leads furthest ahead, by a value of positions.

Idea: try every way through the rest of the turn, on several samples of the hidden information. Cost: a few
microseconds per way and sample. The value is linear in features of the position
(`chocofactory_env.core.search.value`). It is fitted by `chocofactory train value`, or written by hand in
`agents/<game>/`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from chocofactory_env import Consideration, Game
from chocofactory_env.core.reading import between

from .by_game import AGENTS, addition
from .settings import SEEDS, checked
from .values import judge_of

Deals = Annotated[int, between(1, 10_000)]
Endings = Annotated[int, between(1, 1_000_000)]


class TurnAgent:
    """Deterministic for a seed.

    deals: samples of the hidden information per decision.
    endings: limit on the ways to end the turn that are tried per action and deal.
    value: a file written by `training.value`; the shipped one by default.

    Raises:
        ValueError: the game has no values, or no value is given and none is shipped.
        ValueFileError: the file is not a learned value of the game.
    """

    @checked
    def __init__(self, game: Game, deals: Deals = 4, endings: Endings = 5000, value: str | Path | None = None) -> None:
        self._begin(game, judge_of(game, value_path(game, value)), deals, endings)

    def _begin(self, game: Game, judge: np.ndarray, deals: int, endings: int) -> None:
        self._game = game
        self._deals = deals
        self._search: Any = game.turn_search(judge, endings=endings)  # type: ignore[attr-defined]  # of compiled games
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Start a game: seed the deals of its decisions."""
        self._rng = np.random.default_rng(seed)

    def choose(self, state: Any, player: int) -> int:
        legal = np.flatnonzero(self._game.legal_mask(state))
        if len(legal) == 1:
            return int(legal[0])
        return int(self._leads(state).argmax())

    def consider(self, state: Any, player: int) -> Consideration:
        """The expected lead at the end of the turn after each action."""
        leads = self._leads(state)
        of_legal = {action: float(leads[action]) for action in np.flatnonzero(self._game.legal_mask(state)).tolist()}
        return Consideration({"points ahead": of_legal}, value=("points ahead", float(leads.max())))

    def _leads(self, state: Any) -> np.ndarray:
        leads: np.ndarray = self._search.leads(state, self._deals, int(self._rng.integers(SEEDS)))
        return leads


def value_path(game: Game, value: str | Path | None = None) -> Path:
    """The given value file, or the one shipped for the game's number of players; ValueError if there is none."""
    if value is not None:
        return Path(value)
    shipped: Callable[[int], Path] | None = addition(AGENTS, game.name, "shipped_value", None)
    if shipped is None:
        raise ValueError(
            f"no value is shipped for {game.name!r}: name a file of `chocofactory train value` as value=FILE"
        )
    return shipped(game.num_players)
