"""The planner with a learned evaluation, and a draft that is thought through to its end: the strongest agent by name.

Idea: `planner` finds a good day if it knows what a good end of a day is. Its own evaluation is tuned by hand. This one
is linear in the features of a position (`chocofactory_env.games.chocofactory.search.features`), and was fitted to what
planners made of such positions, in rounds of playing and fitting (`training.value`). By it the run is planned, and the
draft is solved as a game among all seats (`.draft`). Orders for completed ones, and what is kept overnight, are left to
`greedy`. Cost: a day takes about 60 us for each position that a plan keeps. A draft takes some 80 plans, and with
others at the table 50 more for each of them.
"""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from chocofactory_env import Game

from ..settings import Seconds, checked
from ..values import read_value
from . import shipped_value
from .draft import PairDraft
from .planner import PlannerAgent, Width

DRAFT_WIDTHS = tuple(4 * 2**step for step in range(6))  # with a time: each is tried while there is time left


class ExpertAgent(PlannerAgent):
    """Deterministic, unless it is given a time.

    width: positions that the plan of a day keeps. draft_width: those of the plans by which the draft is judged; of the
        plans of others half as many.
    time_s: if given, seconds a decision instead: plans are made anew with twice the width while there is time left.
    value: a file of `training.value`; the shipped one unless given.

    Raises:
        ValueFileError: the file is no learned value of the game.
    """

    @checked
    def __init__(
        self,
        game: Game,
        width: Width = 128,
        draft_width: Width = 16,
        time_s: Seconds | None = None,
        value: str | Path | None = None,
    ) -> None:
        path = shipped_value(game.num_players) if value is None else Path(value)
        super().__init__(game, width, time_s, weights_with(game, path))
        self._draft_widths = (draft_width,) if time_s is None else DRAFT_WIDTHS

    def _draft(self, state: Any, player: int, legal: np.ndarray) -> int:
        if self._game.decode(int(legal[0]))[0] == "place_part":
            return super()._draft(state, player, legal)
        begun = perf_counter()
        for width in self._draft_widths:
            draft = PairDraft(self._game, self._planner(width), self._planner(max(1, width // 2)))
            action, self._slot = draft.choose(state, player)
            if self._time is None or perf_counter() - begun > self._time / 3:
                break
        return action

    def _draft_columns(self, state: Any, player: int) -> dict[str, dict[int, float]]:
        """What the day is worth to the seat with each card and its best partner."""
        width = self._draft_widths[0]
        worth = PairDraft(self._game, self._planner(width), self._planner(max(1, width // 2))).worth(state, player)
        return {"pounds with its best partner": worth}


def weights_with(game: Game, path: Path) -> np.ndarray:
    """(1,): the evaluation's weights, with the learned value of the file."""
    value = read_value(path, game.name, game.value_features, game.value_stages)  # type: ignore[attr-defined]  # of Chocolate Factory
    weights: np.ndarray = game.evaluation_weights()  # type: ignore[attr-defined]  # of Chocolate Factory
    weights["learned"] = 1
    weights["value"]["constant"] = value.constant
    weights["value"]["weights"] = value.weights
    return weights
