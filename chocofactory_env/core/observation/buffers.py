"""Helpers with which compiled code reads masks and writes observations of every game."""

from __future__ import annotations

import numpy as np

from ..intrinsics import clear_bytes, copy_bytes
from ..jit import jit

NONE = -1
SEVERAL = -1


@jit
def only_legal(mask: np.ndarray) -> int:
    """The only legal action of `mask`, (A,) int8; SEVERAL if there are more or none."""
    legal = 0
    numbers = 0
    for action in range(len(mask)):  # without an early exit this compiles to a few vector instructions
        legal += int(mask[action])
        numbers += action & -int(mask[action])
    return numbers if legal == 1 else SEVERAL


@jit
def seat_in_view(num_players: int, seat: int, place: int) -> int:
    """The seat at `place`, clockwise from `seat`. Comparing is faster than dividing."""
    other = int(seat) + place
    return other - num_players if other >= num_players else other


@jit
def mark(index: int, out: np.ndarray, at: int) -> None:
    """Write a one-hot over entries that are all 0; NONE writes nothing."""
    if index >= 0:
        out[at + int(index)] = 1


@jit
def write_one_hot(index: int, size: int, out: np.ndarray, at: int) -> None:
    """Write a one-hot of `size` entries; all 0 for NONE."""
    clear(out, at, size)
    out[at + max(0, int(index))] = index != NONE


@jit
def clear(out: np.ndarray, at: int, size: int) -> None:
    """Write 0 into `size` bytes of `out` from `at` on, unchecked."""
    clear_bytes(out, at, size)


@jit
def copy_row(row: np.ndarray, out: np.ndarray, at: int) -> int:
    """Copy `row`, of any shape, into `out` from `at` on; returns the end.

    Both must be contiguous bytes; nothing is checked.
    """
    copy_bytes(row, out, at)
    return at + row.size
