"""Observations as environments and agents get them, in two forms. O = size of the flat vector."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from .game import Game, State

Observation = np.ndarray | dict[str, np.ndarray]
ObservationForm = Literal["flat", "named"]
OBSERVATION_FORMS = ("flat", "named")


def check_choice(option: str, value: object, choices: tuple[object, ...]) -> None:
    """ValueError unless `value` is one of `choices`."""
    if value not in choices:
        raise ValueError(f"{option} must be one of {', '.join(map(repr, choices))}, got {value!r}")


class FlatObserver:
    """`observer(state, seat)`: the scaled observation, a fresh (O,) float32."""

    def __init__(self, game: Game) -> None:
        self._size = game.observation_layout.size
        self._write = game.write_observation

    def __call__(self, state: State, seat: int) -> np.ndarray:
        flat = np.empty(self._size, np.float32)
        self._write(state, seat, flat)
        return flat


class NamedObserver:
    """`observer(state, seat)`: name -> float32 tensor, fresh views of one flat vector in the layout's order.

    Cutting the views one by one costs more than the observation itself. They are cut for `AHEAD` observations at once,
    from one chunk of memory, which lives as long as any of them is kept.
    """

    AHEAD = 16

    def __init__(self, game: Game) -> None:
        self._layout = game.observation_layout
        self._write = game.write_observation
        self._fresh: list[tuple[np.ndarray, dict[str, np.ndarray]]] = []

    def __call__(self, state: State, seat: int) -> dict[str, np.ndarray]:
        if not self._fresh:
            self._cut()
        flat, tensors = self._fresh.pop()
        self._write(state, seat, flat)
        return tensors

    def _cut(self) -> None:
        chunk = np.empty((self.AHEAD, self._layout.size), np.float32)
        tensors = self._layout.views(chunk)
        # Iterating gives views at a fifth of the price of indexing, but copies of what has no axis of its own.
        columns = [
            list(tensor) if tensor.ndim > 1 else [tensor[row : row + 1].reshape(()) for row in range(self.AHEAD)]
            for tensor in tensors.values()
        ]
        names = tuple(tensors)
        rows = zip(*columns, strict=True)
        self._fresh = [(flat, dict(zip(names, row, strict=True))) for flat, row in zip(chunk, rows, strict=True)]

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_fresh": []}  # copied views would no longer share memory with their vector


def make_observer(game: Game, form: ObservationForm) -> FlatObserver | NamedObserver:
    """The observer that fills `observation_space(game, form)`.

    Raises:
        ValueError: an unknown form.
    """
    check_choice("observation", form, OBSERVATION_FORMS)
    return FlatObserver(game) if form == "flat" else NamedObserver(game)
