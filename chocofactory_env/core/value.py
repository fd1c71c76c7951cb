"""A learned value of a position: linear in features that a game names, with weights of its own for each stage.

A game says what its stages are. F = features, S = stages.
"""

from __future__ import annotations

import numpy as np

from .jit import Row, jit


def value_dtype(features: int, stages: int) -> np.dtype:
    """A record of such a value: `constant` (S,) and `weights` (S, F), float32."""
    return np.dtype([("constant", "f4", stages), ("weights", "f4", (stages, features))])


@jit
def value_of(value: Row, features: np.ndarray, stage: int) -> float:
    """features: (F,) float32 of a position in that stage."""
    total = float(value.constant[stage])
    for at in range(len(features)):
        total += value.weights[stage, at] * features[at]
    return total
