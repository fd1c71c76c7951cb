"""Rules that the checks use, compiled for calls from Python."""

from ....core.jit import jit_entry
from ....core.signature import OutStateRows, StateRows, TableRows
from ..rules.express import number_of_targets, only_target
from ..rules.flow import is_asked
from ..rules.staff import cost_of, half_salaries


@jit_entry("views")
def staff_cost(tables: TableRows, states: StateRows, seat: int, decided: int) -> int:
    """The cost of the seat's first `decided` categories, and of laying off all others (STAFF-5, STAFF-6)."""
    cards, player = tables[0], states[0].players[seat]
    cost = half_salaries(cards, player, decided)
    for category in range(decided):
        cost += cost_of(cards, player, category, int(player.staff[category]))
    return cost


@jit_entry("views")
def asks_mover(tables: TableRows, states: OutStateRows) -> bool:
    """Whether the rules ask the seat to move in this task (MON-1). It may change the position."""
    return is_asked(tables[0], states[0], int(states[0].current))


@jit_entry("views")
def targets(tables: TableRows, states: StateRows) -> int:
    """The number of players on whom the seat to move can play the card under way (XP-3)."""
    state = states[0]
    return number_of_targets(tables[0], state, int(state.current), int(state.card))


@jit_entry("views")
def struck_alone(tables: TableRows, states: StateRows, card: int) -> int:
    """The only seat on which the seat to move could play the card; NONE if there are several (XP-3)."""
    state = states[0]
    return only_target(tables[0], state, int(state.current), card)
