"""Makes the best of its turn, by a value of positions that is written by hand.

Idea: try every way through the turn on a few deals, and judge the position at its end: points aboard, and what goods,
coins, specialist cards and the remaining turns will probably bring. Opponents' moves are ignored. Cost: a tenth
of a millisecond per decision.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from chocofactory_env import Game
from chocofactory_env.games.candyfactory.vocabulary import FEATURES, STAGES, turns_left

from ..settings import checked
from ..turns import Deals, Endings, TurnAgent
from ..values import LearnedValue, filled

SPREAD: Final = 5.0  # uncertainty of a lead, in points

# Points per unit of a feature, and the number of remaining turns at which it is worth half of that. What must first be
# carried or turned into something else loses value as the half goes on.
Worth = Mapping[str, tuple[float, float]]
PLANTATION: Final[Worth] = {
    "turns": (1.5, 0),  # a recruit adds one (TURN-5)
    "coins": (1.0, 0),
    "sugar": (0.8, 2),
    "cacao": (1.0, 3),
    "chocolate": (1.8, 1.5),
    "own_sugar": (1.6, 0),
    "own_chocolate": (2.8, 0),
    "hired_sugar": (1.5, 0),
    "hired_chocolate": (2.7, 0),
    "kept": (0.7, 0),
}
CANDY: Final[Worth] = {
    "coins": (0.9, 0),
    "points_aboard": (1.0, 0),
    "own_sugar": (0.6, 4),
    "own_chocolate": (1.0, 4),
    "hired_sugar": (1.2, 3),
    "hired_chocolate": (1.6, 3),
    "sugar": (1.3, 2),
    "chocolate": (1.8, 2),
    "makeable": (0.5, 2),
    "candies": (0.3, 1),
    "candy_points": (0.9, 1),
    "decorated": (0.9, 1),
    "hired_candy_points": (0.6, 3),
}
ALONE: Final[Worth] = {
    "turns": (1.5, 0),
    "coins": (1.0, 0),
    "points_aboard": (1.0, 0),
    "sugar": (0.4, 1.5),
    "cacao": (0.4, 3),
    "chocolate": (1.4, 1),
}


class GreedyAgent(TurnAgent):
    """Deterministic for a seed.

    deals: samples of the hidden information per decision.
    endings: limit on the ways to end the turn that are tried per action and deal.
    """

    @checked
    def __init__(self, game: Game, deals: Deals = 2, endings: Endings = 5000) -> None:
        self._begin(game, judge_by_hand(game), deals, endings)


def judge_by_hand(game: Game) -> np.ndarray:
    """The hand-written value as a judge, (1,), for `game.turn_search` and `game.tree_search`."""
    weights = np.zeros((STAGES, len(FEATURES)), np.float32)
    for block, worth in {"plantation": PLANTATION, "candy": CANDY, "alone": ALONE}.items():
        for name, (points, half_worth) in worth.items():
            for stage in range(STAGES):
                turns = turns_left(stage)
                left = 1.0 if half_worth == 0 else turns / (turns + half_worth)
                weights[stage, FEATURES.index(f"{block}_{name}")] = points * left
    return filled(game, LearnedValue(np.zeros(STAGES, np.float32), weights), [SPREAD] * STAGES)
