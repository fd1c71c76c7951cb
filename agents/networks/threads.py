"""Divide the rows of a batch among threads, for compiled code that a network calls."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import Any, Final

FEWEST_ROWS_A_THREAD: Final = 64


def shares_of(rows: int, threads: int) -> list[slice]:
    """Divide the rows among as many threads as are worth starting."""
    count = max(1, min(threads, rows // FEWEST_ROWS_A_THREAD))
    bounds = [rows * number // count for number in range(count + 1)]
    return [slice(first, end) for first, end in pairwise(bounds)]


def fill_shares(fill: Any, shares: Sequence[Sequence[Any]]) -> None:
    """Call `fill` with the arguments of each share, in a thread per share: the caller's, and those of a pool."""
    own, *others = shares
    under_way = [_pool().submit(fill, *arguments) for arguments in others]
    fill(*own)
    for other in under_way:
        other.result()


@cache
def _pool() -> ThreadPoolExecutor:
    """Threads for all callers, who may be several at a time. They start when they are needed."""
    return ThreadPoolExecutor(os.cpu_count(), "rows")
