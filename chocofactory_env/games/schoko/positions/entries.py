"""Rules that the checks use, compiled for calls from Python."""

import numpy as np

from ....core.jit import jit_entry
from ..rules.express import number_of_targets, only_target
from ..rules.flow import is_asked
from ..rules.staff import cost_of, half_salaries


@jit_entry
def staff_cost(tables: np.ndarray, states: np.ndarray, seat: int, decided: int) -> int:
    """The cost of the seat's first `decided` categories, and of laying off all others (STAFF-5, STAFF-6)."""
    cards, player = tables[0], states[0].players[seat]
    cost = half_salaries(cards, player, decided)
    for category in range(decided):
        cost += cost_of(cards, player, category, int(player.staff[category]))
    return cost


@jit_entry
def asks_mover(tables: np.ndarray, states: np.ndarray) -> bool:
    """Whether the rules ask the seat to move in this task (MON-1). It may change the position."""
    return is_asked(tables[0], states[0], int(states[0].current))


@jit_entry
def targets(tables: np.ndarray, states: np.ndarray) -> int:
    """The number of players on whom the seat to move can play the card under way (XP-3)."""
    state = states[0]
    return number_of_targets(tables[0], state, int(state.current), int(state.card))


@jit_entry
def struck_alone(tables: np.ndarray, states: np.ndarray, card: int) -> int:
    """The only seat on which the seat to move could play the card; NONE if there are several (XP-3)."""
    state = states[0]
    return only_target(tables[0], state, int(state.current), card)
