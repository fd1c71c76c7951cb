"""Check that the rules can play a position to its end.

`serial.read` reads each field by itself; the checks here compare fields. Every position that play reaches from a new
game passes them, and play from a position that passes reaches only positions that pass.

A position need not have come from play: goods, coins, workers and cards may lie anywhere that the rules allow, as long
as nothing is lost or added.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.positions import reading as shared
from ....core.positions.reading import Fault, checks_in
from . import check_seats, check_shared, check_turn
from .basis import Position

if TYPE_CHECKING:
    from ..game import CandyFactory

__all__ = ["first_fault"]

# Later checks rely on earlier ones.
CHECKS = tuple(checks_in(check_shared, check_seats, check_turn))


def first_fault(game: CandyFactory, data: Mapping[str, Any], states: np.ndarray) -> Fault | None:
    """The first field that does not fit. `data`: the position `states` as `to_dict` writes it."""
    return shared.first_fault(Position(game, data, states), CHECKS)
