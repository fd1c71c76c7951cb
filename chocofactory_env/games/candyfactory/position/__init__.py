"""Whether what was read is a position that the rules can play to its end.

`serial.from_dict` reads every field by itself; the checks here hold the fields against each other. Two things are
true of them together: every position that play reaches from a new game passes, and play from a position that passes
reaches only such positions.

A position need not have come from play: goods, coins, workers and cards may lie anywhere that the rules let them lie,
as long as nothing is lost and nothing is added.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.position import Fault
from .basis import Position
from .seats import SEATS
from .table import TABLE
from .turn import TURN

if TYPE_CHECKING:
    from ..game import CandyFactory

__all__ = ["first_fault"]


def first_fault(game: CandyFactory, data: Mapping[str, Any], states: np.ndarray) -> Fault | None:
    """The first field that does not fit; later checks rely on earlier ones. `data`: what `to_dict` says of `states`."""
    position = Position(game, data, states)
    checks = (*TABLE, *SEATS, *TURN)
    return next(chain.from_iterable(check(position) for check in checks), None)
