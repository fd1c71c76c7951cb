"""Player order, and small functions of one seat or of all."""

from ....core.jit import jit
from ..constants import NUM_CATEGORIES
from ..state import Player, State


@jit
def seat_after(state: State, seat: int, places: int) -> int:
    """The seat `places` to the left; `places` is less than the number of players."""
    after = int(seat) + places
    return after - state.num_players if after >= state.num_players else after


@jit
def places_from_leader(state: State, seat: int) -> int:
    return int(seat - state.leader) % int(state.num_players)


@jit
def chairman(state: State) -> int:
    """The last seat in player order that is not bankrupt: the nearest to the leader's right."""
    for places in range(state.num_players - 1, 0, -1):
        seat = seat_after(state, state.leader, places)
        if state.players[seat].out == 0:
            return seat
    return state.leader


@jit
def players_left(state: State) -> int:
    left = 0
    for seat in range(state.num_players):
        if state.players[seat].out == 0:
            left += 1
    return left


@jit
def work_force(player: Player) -> int:
    """All employees, absent ones included."""
    staff = 0
    for category in range(NUM_CATEGORIES):
        staff += int(player.staff[category])
    return staff


@jit
def largest_other(state: State, seat: int) -> int:
    """The largest work force of the others. Bankrupt players have 0."""
    largest = 0
    for other in range(state.num_players):
        if other != seat:
            largest = max(largest, work_force(state.players[other]))
    return largest


@jit
def others_have_loans(state: State, seat: int) -> bool:
    """LOAN-6: whether all others that are not bankrupt have loans."""
    for other in range(state.num_players):
        if other != seat and state.players[other].out == 0 and state.players[other].loans == 0:
            return False
    return True


@jit
def at_work(player: Player, category: int) -> int:
    """Employees who are not absent."""
    return max(0, int(player.staff[category]) - int(player.absent[category]))


@jit
def has_bit(bits: int, seat: int) -> bool:
    return bool((int(bits) >> seat) & 1)


@jit
def with_bit(bits: int, seat: int) -> int:
    return int(bits) | (1 << seat)


@jit
def number_of(bits: int) -> int:
    """The number of seats in a set, given as bits."""
    number = int(bits)
    return (number & 1) + ((number >> 1) & 1) + ((number >> 2) & 1) + ((number >> 3) & 1)
