"""Observers show one position according to a `View`.

O = numbers of the flat vector, R = bytes of the raw one.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..game import Game, State
from ..kernel.views import Observation, View

ONLY_ROW = np.zeros(1, np.int32)

Observer = Callable[[State, int], np.ndarray]


class FlatObserver:
    """`observer(state, seat)`: the scaled observation, a fresh (O,) float32."""

    def __init__(self, game: Game) -> None:
        self._write = game.write_observation
        self._flat = np.empty(game.observation_layout.size, np.float32)  # its address is taken once; a copy is cheaper
        self._scratch = np.empty(game.observation_layout.raw_size, game.observation_layout.raw_dtype)

    def __call__(self, state: State, seat: int) -> np.ndarray:
        self._write(state, seat, self._flat, self._scratch)
        return self._flat.copy()


class RawObserver:
    """`observer(state, seat)`: the observation before scaling, a fresh (R,) uint8."""

    def __init__(self, game: Game) -> None:
        self._write = game.write_raw_observation
        self._raw = np.empty(game.observation_layout.raw_size, game.observation_layout.raw_dtype)

    def __call__(self, state: State, seat: int) -> np.ndarray:
        self._write(state, seat, self._raw)
        return self._raw.copy()


class ChosenObserver:
    """`observer(state, seat)`: the chosen blocks, a fresh (size,) array."""

    def __init__(self, game: Game, view: View) -> None:
        self._view = view
        self._write = game.write_raw_observation
        self._raw = np.empty((1, 1, game.observation_layout.raw_size), game.observation_layout.raw_dtype)

    def __call__(self, state: State, seat: int) -> np.ndarray:
        self._write(state, seat, self._raw[0, 0])
        chosen = np.empty(self._view.size, self._view.dtype)
        self._view.pick(self._raw, ONLY_ROW, chosen[None, None])
        return chosen


class StackedObserver:
    """`observer(state, seat)`: `frame`'s views of the seat's last K - 1 decisions and of the position, (K, size)."""

    def __init__(self, frame: Observer, view: View, num_players: int) -> None:
        self._frame = frame
        self._past = np.zeros((num_players, view.stack - 1, view.size), view.dtype)

    def begin(self) -> None:
        """Forget everything, for a new game."""
        self._past[:] = 0

    def keep(self, state: State, seat: int) -> None:
        """Remember the position as one in which the seat decided."""
        self._past[seat] = self(state, seat)[1:]

    def __call__(self, state: State, seat: int) -> np.ndarray:
        return np.concatenate([self._past[seat], self._frame(state, seat)[None]])


class NamedObserver:
    """`observer(state, seat)`: name -> tensor, views of one fresh array of `flat`, in the layout's order.

    Making the views one by one would cost more than the observation itself. NumPy makes all of them in one call if the
    array is a record, but returns a number instead of a view for a block without axes.
    """

    def __init__(self, flat: Observer, view: View) -> None:
        self._flat, self._view = flat, view
        blocks = view.layout.blocks
        kinds = [view.dtype if view.scaled or not block.wide else np.dtype("<u2") for block in blocks]
        self._names = tuple(block.name for block in blocks)
        self._record = np.dtype([(block.name, kind, block.shape) for block, kind in zip(blocks, kinds, strict=True)])
        self._at_once = view.stack == 1 and all(block.shape for block in blocks)

    def __call__(self, state: State, seat: int) -> dict[str, np.ndarray]:
        flat = self._flat(state, seat)
        if not self._at_once:
            return self._view.layout.views(flat)
        return dict(zip(self._names, flat.view(self._record).item(), strict=True))


def make_observer(game: Game, view: View) -> tuple[Callable[[State, int], Observation], StackedObserver | None]:
    """An observer for this view and, if it shows several frames, the part of it that must be told of decisions."""
    flat: Observer
    if view.chosen:
        flat = ChosenObserver(game, view)
    else:
        flat = FlatObserver(game) if view.scaled else RawObserver(game)
    stacked = StackedObserver(flat, view, game.num_players) if view.stack > 1 else None
    flat = stacked or flat
    return NamedObserver(flat, view) if view.named else flat, stacked
