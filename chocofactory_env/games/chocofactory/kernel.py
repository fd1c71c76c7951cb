"""The rules that the shared code is bound to, and what only this game asks of compiled code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ...core.binding import bind
from ...core.jit import jit_entry
from .actions import advance, write_legal_mask
from .observation import write_observation
from .records import State
from .rules.end import write_ranking, write_score_sheet, write_scores, write_standings, write_winners
from .rules.flow import begin_game
from .rules.hidden import redeal_hidden
from .rules.solo import add_up_requirements
from .rules.together import ask_seat, seats_asked

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
    "seats_asked": seats_asked,
    "ask_seat": ask_seat,
}
KERNEL: Final = bind("chocofactory", RULES)


@jit_entry
def score_sheets(tables: np.ndarray, states: np.ndarray, sheets: np.ndarray) -> None:
    """Write the money by source of every seat, (players, 5) int32, as if the game ended now."""
    state: State = states[0]
    for seat in range(state.num_players):
        write_score_sheet(tables[0], state, seat, sheets[seat])


@jit_entry
def count_requirements(tables: np.ndarray, states: np.ndarray) -> None:
    """After a position of the solo game was written from outside."""
    add_up_requirements(tables[0], states[0])
