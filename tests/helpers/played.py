"""A game that agents play to its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agents.protocol import decide, reset


def played_by(agents: Sequence[Any], game: Any, seed: int) -> np.ndarray:
    """The end of the game with this deal; all agents are reset with its seed."""
    for agent in agents:
        reset(agent, seed)
    state: np.ndarray = game.new(seed)
    while not game.is_over(state):
        game.apply(state, decide(game, agents[game.current_player(state)], state))
    return state
