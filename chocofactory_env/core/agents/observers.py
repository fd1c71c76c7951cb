"""Observations as environments and agents get them, in three forms.

O = numbers of the flat vector, R = bytes of the raw one.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from ..checks import check_choice
from ..game import Game, State

Observation = np.ndarray | dict[str, np.ndarray]
ObservationForm = Literal["flat", "named", "raw"]
OBSERVATION_FORMS = ("flat", "named", "raw")
FLOAT32 = np.dtype(np.float32)  # allocating with a dtype object is faster than with its class


class FlatObserver:
    """`observer(state, seat)`: the scaled observation, a fresh (O,) float32."""

    def __init__(self, game: Game) -> None:
        self._size = game.observation_layout.size
        self._write = game.write_observation
        self._scratch = np.empty(game.observation_layout.raw_size, game.observation_layout.raw_dtype)

    def __call__(self, state: State, seat: int) -> np.ndarray:
        flat = np.empty(self._size, FLOAT32)
        self._write(state, seat, flat, self._scratch)
        return flat


class RawObserver:
    """`observer(state, seat)`: the observation before scaling, a fresh (R,) uint8."""

    def __init__(self, game: Game) -> None:
        self._size = game.observation_layout.raw_size
        self._dtype = game.observation_layout.raw_dtype
        self._write = game.write_raw_observation

    def __call__(self, state: State, seat: int) -> np.ndarray:
        raw = np.empty(self._size, self._dtype)
        self._write(state, seat, raw)
        return raw


class NamedObserver:
    """`observer(state, seat)`: name -> float32 tensor, views of one fresh flat vector in the layout's order.

    Cut one by one, the views would cost more than the observation itself. NumPy cuts them all in one call where the
    vector is seen as a record; only what has no axis would come as a number instead of a view.
    """

    def __init__(self, game: Game) -> None:
        self._layout = layout = game.observation_layout
        self._write = game.write_observation
        self._names = tuple(block.name for block in layout.blocks)
        self._record = np.dtype([(block.name, np.float32, block.shape) for block in layout.blocks])
        self._at_once = all(block.shape for block in layout.blocks)
        self._scratch = np.empty(layout.raw_size, layout.raw_dtype)

    def __call__(self, state: State, seat: int) -> dict[str, np.ndarray]:
        flat = np.empty(self._layout.size, FLOAT32)
        self._write(state, seat, flat, self._scratch)
        if not self._at_once:
            return self._layout.views(flat)
        return dict(zip(self._names, flat.view(self._record).item(), strict=True))


def make_observer(game: Game, form: ObservationForm) -> FlatObserver | NamedObserver | RawObserver:
    """The observer that fills `observation_space(game, form)`.

    Raises:
        ValueError: an unknown form.
    """
    check_choice("observation", form, OBSERVATION_FORMS)
    if form == "named":
        return NamedObserver(game)
    return FlatObserver(game) if form == "flat" else RawObserver(game)
