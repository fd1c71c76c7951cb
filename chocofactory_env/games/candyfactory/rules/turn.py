"""A turn from the card to the worker: the number, the shift change, bring or ship (TURN, TO, FROM, WHIS)."""

from ....core.jit import jit
from ..constants import NONE, NUM_SPACES, SPECIALIST_CARDS, Specialist, Step, Way
from ..layout import Tables
from ..state import Seat, State
from .derived import add_unplayed, is_named
from .unseen import note_played

LIFT_CARD = SPECIALIST_CARDS + Specialist.LIFT_OPERATOR
SORTER_CARD = SPECIALIST_CARDS + Specialist.SORTER
RUNNER_CARD = SPECIALIST_CARDS + Specialist.RUNNER
MACHINIST_CARD = SPECIALIST_CARDS + Specialist.MACHINIST


@jit
def clear_turn(state: State) -> None:
    turn = state.turn
    turn.card = NONE
    turn.number = 0
    turn.way = Way.NONE
    turn.counter = 0
    turn.space = NONE
    turn.left = 0
    turn.truck = NONE
    turn.last = NONE
    turn.open[:] = 0
    turn.recipe = NONE
    turn.uses = 0
    turn.recruited = 0
    turn.to_load[:] = 0
    turn.surplus = 0


@jit
def begin_turn(state: State, seat: int) -> None:
    clear_turn(state)
    state.current = seat
    state.step = Step.PLAY


# --- the card and the number


@jit
def play(state: State, seat: Seat, card: int) -> None:
    """TURN-1, TURN-2, TURN-8: a worker card settles the number, a specialist card asks for the die (SPEC-1, SPEC-2)."""
    turn = state.turn
    note_played(seat, not is_named(state, card))
    seat.hand[card] -= 1
    seat.hand_size -= 1
    add_unplayed(state, seat, card, -1)
    turn.card = card
    if card < SPECIALIST_CARDS:
        turn.number = card + 1
        state.step = Step.DIRECT
    else:
        seat.played[card - SPECIALIST_CARDS] += 1
        state.step = Step.DIE


@jit
def use_die(state: State) -> None:
    """TURN-3, SPEC-5: the die's face is the number; only the Runner may still turn it."""
    if state.turn.card == RUNNER_CARD and state.step == Step.DIE:
        state.step = Step.RUNNER
    else:
        state.turn.number = state.die
        state.step = Step.DIRECT


@jit
def turn_die(state: State, steps: int) -> None:
    """SPEC-5, SPEC-9: turn the die itself; 8 and 1 are neighbours."""
    state.die = (state.die - 1 + steps) % NUM_SPACES + 1
    use_die(state)


# --- shift change


@jit
def may_change_shift(state: State, seat: Seat) -> bool:
    """WHIS-1, WHIS-2: once in a half, for a coin."""
    return seat.coins > 0 and seat.whistle == 0


@jit
def can_add_worker(cards: Tables, state: State, space: int) -> bool:
    """WHIS-3: on any empty space."""
    return state.board[space] == 0 and state.workers < cards.pawns


@jit
def change_shift(state: State, seat: Seat, space: int) -> None:
    """WHIS-1, WHIS-3: put the coin on the whistle; fill the space if it is empty, else empty it."""
    seat.coins -= 1
    seat.whistle = 1
    if state.board[space] == 0:
        place_worker(state, space)
    else:
        remove_worker(state, space)


@jit
def place_worker(state: State, space: int) -> None:
    state.board[space] = 1
    state.workers += 1


@jit
def remove_worker(state: State, space: int) -> None:
    state.board[space] = 0
    state.workers -= 1


# --- bring or ship


@jit
def tries(state: State, number: int, way: int, counter: int) -> int:
    """TO-1, TO-2, FROM-1, FROM-2: spaces tried from `number` on, including the one found; 0 if none is found.

    To bring, the search is for an empty space; to ship, for an occupied one.
    """
    occupied = way == Way.SHIP
    step = 1 - 2 * int(counter)  # SPEC-4
    space = number - 1
    for tried in range(1, NUM_SPACES + 1):
        if (state.board[space] != 0) == occupied:
            return tried
        space = (space + step) % NUM_SPACES
    return 0


@jit
def space_found(state: State, tried: int, counter: int) -> int:
    """The last of `tried` spaces."""
    steps = tried - 1
    return (int(state.turn.number) - 1 + (steps if counter == 0 else -steps)) % NUM_SPACES


@jit
def can_go(cards: Tables, state: State, way: int) -> bool:
    """TURN-4, TO-1, TO-3, FROM-3, FROM-7: bring needs an empty space and a worker in the supply, ship a worker."""
    if way == Way.BRING:
        return state.workers < NUM_SPACES and state.workers < cards.pawns
    return state.workers > 0


@jit
def can_go_counter(cards: Tables, state: State, way: int) -> bool:
    """SPEC-4: the Sorter may search counter-clockwise if that finds another space or another capacity."""
    if state.turn.card != SORTER_CARD or not can_go(cards, state, way):
        return False
    number = int(state.turn.number)
    tried, other = tries(state, number, way, 0), tries(state, number, way, 1)
    return tried != other or space_found(state, tried, 0) != space_found(state, other, 1)


@jit
def go(cards: Tables, state: State, way: int, counter: int) -> None:
    """TO-1, TO-8: place a worker, then move goods. FROM-1, FROM-6: find a worker; the space's ability comes first."""
    turn = state.turn
    tried = tries(state, int(turn.number), way, counter)
    turn.way = way
    turn.counter = counter
    turn.space = space_found(state, tried, counter)
    turn.left = tried + (cards.lift if turn.card == LIFT_CARD else 0)  # SPEC-3
    turn.open[0] = 1  # ABIL-1
    turn.open[1] = turn.card == MACHINIST_CARD  # SPEC-7
    if way == Way.BRING:
        place_worker(state, turn.space)
        state.step = Step.GOODS
    else:
        state.step = Step.ABILITY
