"""The subject of `training.value` for Chocolate Factory: ends of days, valued by the outcome of the game."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np

from chocofactory_env import Game
from chocofactory_env.agents.chocofactory.expert import weights_with
from chocofactory_env.agents.chocofactory.planner import PlannerAgent
from chocofactory_env.games.chocofactory.search.weights import evaluation_weights
from chocofactory_env.games.chocofactory.vocabulary import NUM_DAYS, Phase, day_of, phase_of

from ..value import Row

WITH_EXPANSION: Final = {"expansion": "master_chocolatier", "sides": "random"}
HAND_TUNED_SCALE: Final = 50.0  # divisor of that feature, in pounds
WON: Final = 20.0  # value of a won solo game; a lost one counts what is missing by the hand-tuned evaluation ...
MOST_MISSING: Final = 80.0  # ... up to this
DRAWN_DRAFTS: Final = 0.1  # share of random draft decisions, for more variety of factories
CHANGED_GAMES: Final = 0.3  # share of the games in which a seat plays with perturbed weights ...
CHANGE: Final = 0.15  # ... each by a factor e^N(0, this)
KEPT: Final = frozenset({"foresight", "won", "learned", "value", "lead"})  # weights that are not perturbed


class DayEnds:
    """The ends of a seat's days except the last, with outcomes in pounds."""

    variants: ClassVar[dict[int, tuple[dict[str, Any], ...]]] = {
        1: tuple({"difficulty": difficulty} for difficulty in range(4)),
        **dict.fromkeys((2, 3, 4), ({}, {}, {}, WITH_EXPANSION)),
    }
    prior_share: ClassVar[dict[int, float]] = {1: 0.5, 2: 0.0, 3: 0.0, 4: 0.0}

    def prior(self, features: Sequence[str]) -> np.ndarray:
        return np.array([HAND_TUNED_SCALE if name == "hand_tuned" else 0.0 for name in features])

    def explorer(self, game: Game, width: int, value: Path | None) -> Explorer:
        return Explorer(game, width, value)

    def row_after(self, game: Game, before: Any, state: Any, seat: int) -> Row | None:
        """The row after the decision that ended the seat's orders of the day."""
        stage = day_of(before) - 1
        moved_on = phase_of(state) != Phase.FULFIL or game.current_player(state) != seat
        if phase_of(before) != Phase.FULFIL or not moved_on or stage == NUM_DAYS - 1:
            return None
        return Row(seat, stage, day_end(game, state, seat)[0])

    def result(self, game: Game, state: Any, seat: int) -> float:
        """The seat's money; in the solo game, how nearly it was won."""
        if game.num_players > 1:
            return float(game.payoffs(state)[seat])
        if game.won(state)[seat]:
            return WON
        return float(np.clip(day_end(game, state, seat)[1], -MOST_MISSING, 0))


class Explorer:
    """A planner with some random decisions, for more variety in the fit. value: None uses the hand-tuned one."""

    def __init__(self, game: Game, width: int, value: Path | None) -> None:
        self._game = game
        self._base = evaluation_weights() if value is None else weights_with(game, value)
        self._changed = [name for name in self._base.dtype.fields or () if name not in KEPT]
        self._width = width
        self._planner = PlannerAgent(game, width, weights=self._base)

    def reset(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        weights = self._base.copy()
        if self._rng.random() < CHANGED_GAMES:
            for name in self._changed:
                weights[name] *= np.exp(self._rng.normal(0, CHANGE, weights[name].shape))
        self._planner = PlannerAgent(self._game, self._width, weights=weights)  # which resets itself

    def choose(self, state: Any, player: int) -> int:
        if phase_of(state) == Phase.DRAFT and self._rng.random() < DRAWN_DRAFTS:
            self._planner.reset(0)
            return int(self._rng.choice(np.flatnonzero(self._game.legal_mask(state))))
        return self._planner.choose(state, player)


def day_end(game: Game, state: Any, seat: int) -> tuple[np.ndarray, float]:
    """The features, (F,), and the hand-tuned value of the end of the seat's day."""
    found: tuple[np.ndarray, float] = game.day_end(state, seat)  # type: ignore[attr-defined]  # of Chocolate Factory
    return found


DAY_ENDS = DayEnds()
