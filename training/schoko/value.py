"""The subject of `training.value` for Schoko & Co.: a few positions of every game, for any seat.

`manager` plays the first round, and a tree search with the value of the round before plays the others. Both make some
random decisions. The result is the seat's payoff at the end of the game, or `LEAST`.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any, Final

from chocofactory_env import Game
from chocofactory_env.agents.schoko.expert import ExpertAgent
from chocofactory_env.agents.scripted import ScriptedAgent

from ..turn_ends import StrayingAgent, TurnEnds
from ..value import Row

STRAYS: Final = 0.03  # share of random decisions
LEAST: Final = -300.0  # floor of payoffs in thousands, as the few bankrupt seats would distort a linear fit
EVERY: Final = 5  # one of this many positions is valued, since neighbours are similar


class Decisions(TurnEnds):
    def explorer(self, game: Game, width: int, value: Path | None) -> StrayingAgent:
        """Make an agent. width: simulations per decision."""
        plays = ScriptedAgent(game) if value is None else ExpertAgent(game, simulations=width, value=value)
        return StrayingAgent(game, plays, STRAYS)

    def row_after(self, game: Any, before: Any, state: Any, seat: int) -> Row | None:
        """The row of a position; the position itself determines whether it is valued, and for which seat."""
        if game.is_over(state) or game.turn_goes_on(state, seat):
            return None
        drawn, places = divmod(zlib.crc32(state.tobytes()), game.num_players)
        if drawn % EVERY:
            return None
        valued = (seat + places) % game.num_players
        features, stage = game.features(state, valued)
        return Row(valued, stage, features)

    def result(self, game: Game, state: Any, seat: int) -> float:
        return max(LEAST, super().result(game, state, seat))


DECISIONS: Final = Decisions(dict.fromkeys((2, 3, 4), ({},)), ScriptedAgent)
