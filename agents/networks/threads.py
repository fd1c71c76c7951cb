"""Divide the rows of a batch among threads, for compiled code that a network calls."""

from __future__ import annotations

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
    """Call `fill` with the arguments of each share, in a thread per share."""
    if len(shares) == 1:
        fill(*shares[0])
    else:
        list(_pool(len(shares)).map(lambda arguments: fill(*arguments), shares))


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, "rows")
