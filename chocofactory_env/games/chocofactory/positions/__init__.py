"""Checks that a position which was read can be played to its end.

`serial.read` reads every field on its own; the checks here compare fields with each other. Every position that play
reaches from a new game passes, and play from a position that passes reaches only positions that pass.

A position need not come from play: pieces, coal, money, and markers may be invented within bounds, and a factory may
hold any parts that are nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.positions import reading as shared
from ....core.positions.reading import Fault, checks_in
from . import check_bounds, check_seats, check_shared
from .basis import Position
from .check_under_way import check_under_way

if TYPE_CHECKING:
    from ..game import ChocolateFactory

__all__ = ["first_fault"]

CHECKS = (
    *checks_in(check_shared, check_seats, check_bounds),
    check_under_way,
)  # in this order: later checks rely on earlier ones


def first_fault(game: ChocolateFactory, data: Mapping[str, Any], states: np.ndarray) -> Fault | None:
    """The first field that does not fit. `data`: `states` as `to_dict` describes it."""
    return shared.first_fault(Position(game, data, states), CHECKS)
