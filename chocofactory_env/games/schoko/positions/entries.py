"""Rules that the checks ask, compiled for Python to call."""

import numpy as np

from ....core.jit import jit_entry
from ..rules.express import number_of_targets, only_target
from ..rules.flow import is_asked
from ..rules.staff import cost_of, half_salaries


@jit_entry
def staff_cost(tables: np.ndarray, states: np.ndarray, seat: int, decided: int) -> int:
    """What the first so many categories of the seat cost, and to lay off all others (STAFF-5, STAFF-6)."""
    cards, player = tables[0], states[0].players[seat]
    cost = half_salaries(cards, player, decided)
    for category in range(decided):
        cost += cost_of(cards, player, category, int(player.staff[category]))
    return cost


@jit_entry
def asks_mover(tables: np.ndarray, states: np.ndarray) -> bool:
    """Whether the task is one for the seat to move (MON-1); the position may be changed by it."""
    return is_asked(tables[0], states[0], int(states[0].current))


@jit_entry
def targets(tables: np.ndarray, states: np.ndarray) -> int:
    """On how many the seat to move can play the card under way (XP-3)."""
    state = states[0]
    return number_of_targets(tables[0], state, int(state.current), int(state.card))


@jit_entry
def struck_alone(tables: np.ndarray, states: np.ndarray, card: int) -> int:
    """The one seat on which the seat to move could play an express card; NONE if there are several (XP-3)."""
    state = states[0]
    return only_target(tables[0], state, int(state.current), card)
