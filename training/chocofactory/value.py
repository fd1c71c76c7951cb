"""What `training.value` needs to know of Chocolate Factory: whose days' ends it values, by what they came to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from agents.chocofactory.expert import weights_with
from agents.chocofactory.planner import PlannerAgent
from chocofactory_env import Game
from chocofactory_env.games.chocofactory.vocabulary import Phase, day_of, phase_of

from ..value import Row

WITH_EXPANSION: Final = {"expansion": "master_chocolatier", "sides": "random"}
# What is played, by the number of players: the variants take turns.
VARIANTS: Final[dict[int, tuple[dict[str, Any], ...]]] = {
    1: tuple({"difficulty": difficulty} for difficulty in range(4)),
    **dict.fromkeys((2, 3, 4), ({}, {}, {}, WITH_EXPANSION)),
}
# The share of the hand-tuned evaluation on top of which the rest is fitted, in pounds.
PRIOR: Final = {1: 0.5, 2: 0.0, 3: 0.0, 4: 0.0}
HAND_TUNED_SCALE: Final = 50.0  # pounds by which that feature is divided

DRAWN_DRAFTS: Final = 0.1  # share of the draft's decisions that are drawn, so that other factories are seen too
CHANGED_GAMES: Final = 0.3  # share of the games in which a seat plays with changed weights ...
CHANGE: Final = 0.15  # ... each by a factor e^N(0, this)
WON: Final = 20.0  # the value of a won solo game; of a lost one what the hand-tuned evaluation says is missing
MOST_MISSING: Final = 80.0
KEPT: Final = ("foresight", "won", "learned", "value")  # weights that are not changed


class Explorer:
    """A planner that strays a little, so that the fit sees more than one way to play."""

    def __init__(self, game: Game, width: int, value: Path | None) -> None:
        self._game: Any = game
        self._base = self._game.evaluation_weights() if value is None else weights_with(game, value)
        self._weights = self._base.copy()
        self._planner = PlannerAgent(game, width, weights=self._weights)

    def reset(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._planner.reset(seed)
        self._weights[:] = self._base
        if self._rng.random() < CHANGED_GAMES:
            for name in set(self._weights.dtype.names) - set(KEPT):
                change = np.exp(self._rng.normal(0, CHANGE, self._weights[name].shape))
                self._weights[name] = self._base[name] * change

    def choose(self, state: Any, player: int) -> int:
        if phase_of(state) == Phase.DRAFT and self._rng.random() < DRAWN_DRAFTS:
            self._planner.reset(0)
            return int(self._rng.choice(np.flatnonzero(self._game.legal_mask(state))))
        return self._planner.choose(state, player)


def rows_after(game: Game, before: Any, state: Any, seat: int) -> Row | None:
    """The seat's row, if its decision in `before` ended its orders of the day (but the last)."""
    day = day_of(before) - 1
    ended = phase_of(before) == Phase.FULFIL and (phase_of(state) != Phase.FULFIL or game.current_player(state) != seat)
    if not ended or day == game.value_stages - 1:  # type: ignore[attr-defined]
        return None
    features, _ = game.day_end(state, seat)  # type: ignore[attr-defined]
    return Row(seat, day, features)


def result(game: Game, state: Any, seat: int) -> float:
    """Of a finished game: the seat's money; alone how nearly it was won, in pounds."""
    if game.num_players > 1:
        return float(game.scores(state)[seat])
    if game.won(state)[seat]:
        return WON
    _, value = game.day_end(state, seat)  # type: ignore[attr-defined]
    return float(np.clip(value, -MOST_MISSING, 0))


def prior(features: Sequence[str]) -> np.ndarray:
    """The hand-tuned evaluation."""
    return np.array([HAND_TUNED_SCALE if name == "hand_tuned" else 0.0 for name in features])
