"""Fetch the tables of a batch's next row into the cache while a row is played.

With many decks nearly every row reads different tables, and together they are larger than a core's own caches.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ..intrinsics import fetch_line
from ..jit import jit

LINE: Final = 64  # bytes of a cache line
FETCHED: Final = 2240  # bytes at the beginning of a record, which should hold what most observations read


@jit
def fetch_ahead(tables: np.ndarray, slots: np.ndarray, row_info: np.ndarray, rows: np.ndarray, place: int) -> None:
    """Fetch what row `rows[place]` will read. The tables of a single deck are in the cache anyway."""
    if len(tables) == 1 or place >= len(rows):
        return
    first = slots[row_info[rows[place]].variant] * tables.itemsize
    for byte in range(0, min(FETCHED, tables.itemsize), LINE):
        fetch_line(tables, first + byte)
