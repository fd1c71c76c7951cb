"""Helpers with which compiled code reads masks and writes observations of every game."""

from __future__ import annotations

import numpy as np

from ..intrinsics import clear_bytes, copy_bytes, eight_bytes
from ..jit import jit

NONE = -1
SEVERAL = -1


@jit
def next_legal(mask: np.ndarray, first: int) -> int:
    """The first legal action from `first` on, of `mask`, (A,) int8; A if there is none. Most of a mask is 0."""
    while first + 8 <= len(mask) and eight_bytes(mask, first) == 0:
        first += 8
    while first < len(mask) and mask[first] == 0:
        first += 1
    return first


@jit
def only_legal(mask: np.ndarray) -> int:
    """The only legal action of `mask`, (A,) int8; SEVERAL if there are more or none."""
    first = next_legal(mask, 0)
    return first if first < len(mask) and next_legal(mask, first + 1) == len(mask) else SEVERAL


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
