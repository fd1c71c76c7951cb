"""Tree search over deals of what is hidden, by a learned value, that looks first at what `manager` would do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from chocofactory_env import Game, decide

from ..mcts import Exploration, Simulations, TreeAgent
from ..settings import Seconds, checked
from ..turns import Endings, value_path
from ..values import judge_of
from .manager import ManagerAgent


class ExpertAgent(TreeAgent):
    """Deterministic for a seed, unless it is given a time.

    simulations: for each decision. time_s: if given, so many seconds a decision instead.
    exploration: the weight of what has been tried little.
    advised: look first at what `manager` would do.
    value: a file of `training.value`; the shipped one unless given.
    endings: ways to end a turn under way that are looked at after a simulation, at most.

    Raises:
        ValueError: none is shipped for so many players, and none is given.
        ValueFileError: the file is no learned value of the game.
    """

    @checked
    def __init__(
        self,
        game: Game,
        simulations: Simulations = 300,
        time_s: Seconds | None = None,
        exploration: Exploration = 0.2,
        advised: bool = True,
        value: str | Path | None = None,
        endings: Endings = 30,
    ) -> None:
        self._manager = ManagerAgent(game) if advised else None
        judge = judge_of(game, value_path(game, value))
        self._begin(game, simulations, time_s, exploration=exploration, judge=judge, endings=endings)

    def _advice(self, state: Any, player: int) -> Sequence[int]:
        """What the manager does with the rest of the turn, until somebody else moves."""
        if self._manager is None:
            return ()
        game: Any = self._game
        after = game.clone(state)
        line: list[int] = []
        while not line or (not game.is_over(after) and game.turn_goes_on(after, player)):
            line.append(decide(game, self._manager, after))
            game.apply(after, line[-1])
        return line
