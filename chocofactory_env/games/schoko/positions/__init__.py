"""Check that the rules can play a position to its end.

`serial.read` reads each field by itself; the checks here compare fields. Every position that play reaches from a new
game passes them, and play from a position that passes reaches only positions that pass.

A position need not have come from play: cash, bars, staff, loans, shares and contracts may be made up within bounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.positions import reading as shared
from ....core.positions.reading import Fault, checks_in
from . import check_asked, check_bounds, check_seats, check_shared
from .basis import Position

if TYPE_CHECKING:
    from ..game import Schoko

__all__ = ["first_fault"]

# Later checks rely on earlier ones.
CHECKS = tuple(checks_in(check_shared, check_seats, check_bounds, check_asked))


def first_fault(game: Schoko, data: Mapping[str, Any], states: np.ndarray) -> Fault | None:
    """The first field that does not fit. `data`: the position `states` as `to_dict` writes it."""
    return shared.first_fault(Position(game, data, states), CHECKS)
