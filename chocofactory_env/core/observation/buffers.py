"""Helpers with which compiled code reads masks and writes observations of every game."""

from __future__ import annotations

import numpy as np

from ..intrinsics import clear_bytes, copy_bytes
from ..jit import jit, jit_entry
from ..signature import F4, I4, I8_2, U1_3, U1_4, Bools_2, OutF4_3, OutU1_3, OutU1_4

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


# S = seats that a row shows, R = bytes of a raw observation. `runs`, (K, 3): see `ObservationLayout.runs_of`.


@jit_entry("rules")
def pick_raw(raw: U1_3, rows: I4, runs: I8_2, out: OutU1_3) -> None:
    """Copy the runs of the raw observations of `rows`, (N, S, R), to `out`, (N, S, bytes of the runs)."""
    for row in rows:
        for seat in range(raw.shape[1]):
            at = 0
            for k in range(len(runs)):
                first, size = runs[k, 0], runs[k, 1] * runs[k, 2]
                out[row, seat, at : at + size] = raw[row, seat, first : first + size]
                at += size


@jit_entry("rules")
def pick_scaled(raw: U1_3, rows: I4, runs: I8_2, scale: F4, out: OutF4_3) -> None:
    """Like `pick_raw`, times `scale`, (entries of the runs,) float32: `out` is (N, S, entries of the runs) float32."""
    for row in rows:
        for seat in range(raw.shape[1]):
            seen, at = raw[row, seat], 0
            for k in range(len(runs)):
                first, size = runs[k, 0], runs[k, 1]
                factors, entries = scale[at : at + size], out[row, seat, at : at + size]
                if runs[k, 2] == 1:
                    narrow = seen[first : first + size]
                    for entry in range(size):
                        entries[entry] = narrow[entry] * factors[entry]
                else:
                    pairs = seen[first : first + 2 * size]
                    for entry in range(size):
                        entries[entry] = (int(pairs[2 * entry]) + 256 * int(pairs[2 * entry + 1])) * factors[entry]
                at += size


# Frames are B bytes each: past (N, seats remembered, K - 1, B), now (N, S, B), and seats (N, S) says whose they are.


@jit_entry("rules")
def keep_frames(past: OutU1_4, now: U1_3, deciding: Bools_2, seats: I8_2) -> None:
    """Append the present frames where `deciding`, (N, S) bool, and drop the oldest."""
    for row in range(len(now)):
        for k in range(now.shape[1]):
            if deciding[row, k]:
                frames = past[row, seats[row, k]]
                for number in range(1, len(frames)):
                    copy_row(frames[number], frames[number - 1], 0)
                copy_row(now[row, k], frames[len(frames) - 1], 0)


@jit_entry("rules")
def show_frames(past: U1_4, now: U1_3, seats: I8_2, out: OutU1_3) -> None:
    """Write past and present frames into `out`, (N, S, K * B)."""
    for row in range(len(now)):
        for k in range(now.shape[1]):
            end = copy_row(past[row, seats[row, k]], out[row, k], 0)
            copy_row(now[row, k], out[row, k], end)
