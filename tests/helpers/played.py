"""Play a game to its end with agents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from chocofactory_env.agents.protocol import decide, reset


def played_by(agents: Sequence[Any], game: Any, seed: int) -> np.ndarray:
    """The last state of the game dealt from `seed`, with which all agents are reset."""
    for agent in agents:
        reset(agent, seed)
    state: np.ndarray = game.new(seed)
    while not game.is_over(state):
        game.apply(state, decide(game, agents[game.current_player(state)], state))
    return state
