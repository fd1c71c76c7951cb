"""Makes the best of its turn, by a value of positions that is written by hand.

Idea: all ways through the turn are tried on a few deals, and the position at its end is judged: points aboard, and
what goods, coins, specialist cards and the turns that are left will probably bring. Nothing of what others may do is
looked at. Cost: some milliseconds a decision.
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

SPREAD: Final = 5.0  # points by which a lead is uncertain

# Points that a thing brings, and with how many turns left it still brings half of that: what must be carried or made
# into something first is worth less and less as the half goes on.
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

    deals: of what the seat cannot know, at every decision.
    endings: ways to end the turn that are looked at after each action and in each deal, at most.
    """

    @checked
    def __init__(self, game: Game, deals: Deals = 2, endings: Endings = 5000) -> None:
        self._begin(game, judge_by_hand(game), deals, endings)


def judge_by_hand(game: Game) -> np.ndarray:
    """(1,), for `game.turn_search` and `game.tree_search`."""
    weights = np.zeros((STAGES, len(FEATURES)), np.float32)
    for block, worth in {"plantation": PLANTATION, "candy": CANDY, "alone": ALONE}.items():
        for name, (points, half_worth) in worth.items():
            for stage in range(STAGES):
                turns = turns_left(stage)
                left = 1.0 if half_worth == 0 else turns / (turns + half_worth)
                weights[stage, FEATURES.index(f"{block}_{name}")] = points * left
    return filled(game, LearnedValue(np.zeros(STAGES, np.float32), weights), [SPREAD] * STAGES)
