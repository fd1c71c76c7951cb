"""What rules read from masks and writes into observations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from chocofactory_env.core.observation.buffers import (
    SEVERAL,
    clear,
    copy_row,
    mark,
    only_legal,
    seat_in_view,
    write_one_hot,
)


@pytest.mark.parametrize(
    ("legal", "only"), [([4], 4), ([0], 0), ([98], 98), ([0, 4], SEVERAL), ([1, 2, 3], SEVERAL), ([], SEVERAL)]
)
def test_the_only_legal_action(legal: list[int], only: int) -> None:
    mask = np.zeros(99, np.int8)
    mask[legal] = 1
    assert only_legal(mask) == only


def write(index: int, row: np.ndarray, out: np.ndarray) -> int:
    """A one-hot of 3 from 1 on, a mark in a cleared one of 3, then a row."""
    write_one_hot(index, 3, out, 1)
    clear(out, 4, 3)
    mark(index, out, 4)
    return copy_row(row, out, 7)


@pytest.mark.parametrize(("index", "shown"), [(0, [1, 0, 0]), (2, [0, 0, 1]), (-1, [0, 0, 0])])
def test_blocks_are_written_and_nothing_else(index: int, shown: list[int]) -> None:
    out = np.full(15, 7, np.uint8)
    assert write(index, np.array([[1, 2, 3], [4, 5, 6]], np.int8), out) == 13
    assert out.tolist() == [7, *shown, *shown, 1, 2, 3, 4, 5, 6, 7, 7]


def test_seats_are_seen_clockwise_from_the_observer_on() -> None:
    seen: Any = seat_in_view
    assert [[seen(3, seat, place) for place in range(3)] for seat in range(3)] == [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
