"""The observer of one game for environments, which show a position at every step."""

from __future__ import annotations

import numpy as np

from ..game import Game, State


class Observer:
    """`observer(state, seat)`: the scaled observation, a fresh (O,) float32."""

    def __init__(self, game: Game) -> None:
        self._write = game.write_observation
        self._flat = np.empty(game.observation_layout.size, np.float32)  # its address is taken once; a copy is cheaper
        self._scratch = np.empty(game.observation_layout.raw_size, game.observation_layout.raw_dtype)

    def __call__(self, state: State, seat: int) -> np.ndarray:
        self._write(state, seat, self._flat, self._scratch)
        return self._flat.copy()
