"""Reading masks of legal actions in compiled code."""

from __future__ import annotations

import numpy as np

from ..jit import jit

SEVERAL = -1


@jit
def only_legal(mask: np.ndarray) -> int:
    """The one legal action of `mask`, (A,) int8; SEVERAL where there are more, or none."""
    legal = 0
    numbers = 0
    for action in range(len(mask)):  # no early end: so the whole mask takes a few vector instructions
        legal += int(mask[action])
        numbers += action & -int(mask[action])
    return numbers if legal == 1 else SEVERAL
