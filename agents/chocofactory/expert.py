"""The planner with a learned evaluation: what the end of a day is worth was fitted to the results of games.

Idea: `planner` finds a good day if it knows what a good end of a day is. Its own evaluation is tuned by hand; this one
is linear in the features of a position (`chocofactory_env.games.chocofactory.search.features`), and was fitted to what
planners made of such positions, in rounds of playing and fitting (`training.value`). It judges the plans of the run and
those of the draft. Cost: `time_s` a decision, or the planner's of the same `width` and some more.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from chocofactory_env import Game

from ..settings import Seconds, checked
from ..values import read_value
from . import shipped_value
from .draft import PairDraft
from .planner import PlannerAgent, Width


class ExpertAgent(PlannerAgent):
    """Deterministic, unless it is given a time.

    width, time_s: as of `planner`.
    draft_width: of the plans by which the draft is judged.
    value: a file of `training.value`; the shipped one unless given.

    Raises:
        ValueFileError: the file is no learned value of the game.
    """

    @checked
    def __init__(
        self,
        game: Game,
        width: Width = 400,
        time_s: Seconds | None = None,
        draft_width: Width = 16,
        value: str | Path | None = None,
    ) -> None:
        path = shipped_value(game.num_players) if value is None else Path(value)
        weights = weights_with(game, path)
        super().__init__(game, width, time_s, weights)
        self._pairs = PairDraft(game, self._planner(draft_width), self._planner(max(1, draft_width // 2)))

    def _draft(self, state: Any, player: int, legal: np.ndarray) -> int:
        if self._game.decode(int(legal[0]))[0] == "place_part":
            return super()._draft(state, player, legal)
        action, self._slot = self._pairs.choose(state, player)
        return action


def weights_with(game: Game, path: Path) -> np.ndarray:
    """(1,): the evaluation's weights, with the learned value of the file."""
    value = read_value(path, game.name, game.value_features, game.value_stages)  # type: ignore[attr-defined]  # of Chocolate Factory
    weights: np.ndarray = game.evaluation_weights()  # type: ignore[attr-defined]  # of Chocolate Factory
    weights["learned"] = 1
    weights["value"]["constant"] = value.constant
    weights["value"]["weights"] = value.weights
    return weights
