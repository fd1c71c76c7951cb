"""Tree search over resampled hidden information, guided by a learned value, which tries `manager`'s moves first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from chocofactory_env import Game, decide

from ..mcts import Exploration, Simulations, TreeAgent
from ..scripted import ScriptedAgent
from ..settings import Seconds, checked
from ..turns import Endings, value_path
from ..values import judge_of


class ExpertAgent(TreeAgent):
    """Deterministic for a seed, unless `time_s` is given.

    simulations: per decision.
    time_s: seconds per decision; replaces `simulations`.
    exploration: weight of the exploration term.
    advised: try `manager`'s moves first.
    value: a file written by `training.value`; the shipped one by default.
    endings: limit on the ways to end an unfinished turn that are tried after a simulation.

    Raises:
        ValueError: no value is given, and none is shipped for this number of players.
        ValueFileError: the file is not a learned value of the game.
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
        self._manager = ScriptedAgent(game) if advised else None
        judge = judge_of(game, value_path(game, value))
        self._begin(game, simulations, time_s, exploration=exploration, judge=judge, endings=endings)

    def _advice(self, state: Any, player: int) -> Sequence[int]:
        """The manager's moves until another seat is to move."""
        if self._manager is None:
            return ()
        game: Any = self._game
        after = game.clone(state)
        line: list[int] = []
        while not line or (not game.is_over(after) and game.turn_goes_on(after, player)):
            line.append(decide(game, self._manager, after))
            game.apply(after, line[-1])
        return line
