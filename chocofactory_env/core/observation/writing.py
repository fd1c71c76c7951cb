"""What compiled code writes into observations of every game."""

from __future__ import annotations

import numpy as np

from ..jit import jit

NONE = -1


@jit
def seat_in_view(num_players: int, seat: int, place: int) -> int:
    """The seat that `seat` sees in place `place`, clockwise; compared and not divided, since it is asked very often."""
    other = int(seat) + place
    return other - num_players if other >= num_players else other


@jit
def clear(out: np.ndarray, at: int, size: int) -> None:
    out[at : at + size] = 0


@jit
def mark(index: int, out: np.ndarray, at: int) -> None:
    """A one-hot where all entries are 0 already; NONE leaves them so."""
    if index >= 0:
        out[at + int(index)] = 1


@jit
def write_one_hot(index: int, size: int, out: np.ndarray, at: int) -> None:
    """NONE leaves all entries 0."""
    clear(out, at, size)
    out[at + max(0, int(index))] = index != NONE
