"""The rules that the shared code is bound to, and what only this game asks of compiled code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ...core.binding import bind
from ...core.jit import jit_entry
from .actions import advance, write_legal_mask
from .observation import write_observation
from .rules.derived import derive
from .rules.end import write_ranking, write_scores, write_standings, write_winners
from .rules.hidden import redeal_hidden
from .rules.setup import begin_game

RULES: Final[dict[str, Callable[..., Any]]] = {
    "begin_game": begin_game,
    "write_legal_mask": write_legal_mask,
    "advance": advance,
    "write_observation": write_observation,
    "write_scores": write_scores,
    "write_standings": write_standings,
    "write_ranking": write_ranking,
    "write_winners": write_winners,
    "redeal_hidden": redeal_hidden,
}
KERNEL: Final = bind("candyfactory", RULES)


@jit_entry
def write_derived(tables: np.ndarray, states: np.ndarray) -> None:
    """Write the derived fields of a position that was written from outside."""
    derive(tables[0], states[0])
