"""`mcts` of Chocolate Factory: the tree search with plans at its leaves, and `planner` as its adviser.

With `learned`, it evaluates leaves by the learned value of `expert`, which is then the adviser.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from chocofactory_env import Game
from chocofactory_env.core.reading import between

from ..mcts import Exploration, Simulations
from ..mcts import TreeAgent as AnyTreeAgent
from ..settings import Seconds, checked
from ..turns import value_path
from .expert import ExpertAgent, weights_with
from .planner import PlannerAgent


class TreeAgent(AnyTreeAgent):
    """Deterministic for a seed, unless `time_s` is given.

    simulations: per decision.
    time_s: seconds per decision; replaces `simulations`.
    plan_width: width of the beam with which every seat plans the rest of its day at a leaf; 0 plays out `days` instead.
    learned: evaluate by the shipped learned value instead of the hand-tuned one.
    advised: try the adviser's moves first.
    days, exploration: see `chocofactory_env.games.chocofactory.search.tree.PlanningSearch`.
    """

    @checked
    def __init__(
        self,
        game: Game,
        simulations: Simulations = 300,
        time_s: Seconds | None = None,
        plan_width: Annotated[int, between(0, 10_000)] = 4,
        days: Annotated[int, between(0, 5)] | None = 0,
        advised: bool = True,
        exploration: Exploration = 0.6,
        learned: bool = False,
    ) -> None:
        weights = weights_with(game, value_path(game)) if learned else None
        adviser = ExpertAgent if learned else PlannerAgent
        self._adviser = adviser(game) if advised else None
        search = {"days": days, "plan_width": plan_width, "exploration": exploration, "weights": weights}
        self._begin(game, simulations, time_s, **search)

    def _advice(self, state: Any, player: int) -> Sequence[int]:
        return self._adviser.advise(state, player) if self._adviser else ()


def by_playouts(
    game: Game, simulations: Simulations = 300, time_s: Seconds | None = None, exploration: Exploration = 0.6
) -> TreeAgent:
    """The agent `ismcts`: the tree search with playouts to the end of the game, without plans and without an adviser.

    simulations: per decision.
    time_s: seconds per decision; replaces `simulations`.
    exploration: weight of the exploration term.
    """
    return TreeAgent(game, simulations, time_s, plan_width=0, days=None, advised=False, exploration=exploration)
