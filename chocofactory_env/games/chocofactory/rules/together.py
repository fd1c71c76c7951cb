"""Simultaneous mode (SIM): in Run factory and Fulfil orders all seats act at once.

`state.current`, `state.turn`, `state.shift`, and `state.task` belong to the seat being asked, as in turns. The shifts
and tasks of the others are stored aside, so the rules of a move need not know the mode. Seats that have not finished
the phase are asked in turn order, one decision each, round after round.
"""

from ....core.jit import jit
from ..constants import NUM_KINDS, NUM_STORES, NUM_SYMBOLS, Phase, Task
from ..layout import Tables
from ..state import Player, State, UnderWay
from .under_way import end_task


@jit
def all_act(state: State) -> bool:
    """SIM-1: whether all seats act at once in this phase."""
    return bool(state.simultaneous != 0 and (state.phase == Phase.RUN or state.phase == Phase.FULFIL))


@jit
def everyone(state: State) -> int:
    """All seats as a bit mask."""
    return (1 << int(state.num_players)) - 1


@jit
def has_finished(state: State, seat: int) -> bool:
    return bool((int(state.finished) >> seat) & 1)


@jit
def finish(state: State) -> None:
    """End the phase for the seat being asked."""
    state.finished |= 1 << int(state.current)
    state.shift = 0


@jit
def ask_next(state: State) -> None:
    """SIM-2: ask the next unfinished seat in turn order, cyclically."""
    turn, players = int(state.turn), int(state.num_players)
    for after in range(1, players + 1):
        seat = (int(state.start_player) + turn + after) % players
        if not has_finished(state, seat):
            ask(state, seat)
            return


@jit
def ask(state: State, seat: int) -> None:
    """Store the shift and task of the seat asked so far, and restore this seat's."""
    if seat == state.current:
        return
    before = int(state.current)
    state.shifts[before] = state.shift
    state.shift = state.shifts[seat]
    state.shifts[seat] = 0
    if state.task.kind != Task.NOTHING:
        copy_task(state.task, state.tasks[before])
        end_task(state.task)
    if state.tasks[seat].kind != Task.NOTHING:
        copy_task(state.tasks[seat], state.task)
        end_task(state.tasks[seat])
    state.current = seat
    state.turn = (seat - int(state.start_player)) % int(state.num_players)


@jit
def copy_task(task: UnderWay, to: UnderWay) -> None:
    to.kind = task.kind
    to.slot = task.slot
    to.tile = task.tile
    to.option = task.option
    to.order = task.order
    to.store = task.store
    to.rule_of = task.rule_of
    to.card = task.card
    to.points = task.points
    to.last_take = task.last_take
    to.last_make = task.last_make
    to.left = task.left
    to.count = task.count
    for symbol in range(NUM_SYMBOLS):
        to.open[symbol] = task.open[symbol]
    for kind in range(NUM_KINDS):
        to.given[kind] = task.given[kind]


@jit
def task_of(state: State, seat: int) -> UnderWay:
    """The seat's own task if all seats act at once, else `state.task`."""
    if not all_act(state) or seat == state.current:
        return state.task
    return state.tasks[seat]


@jit
def shift_of(state: State, seat: int) -> int:
    """The seat's own shift if all seats act at once, else the shift of the seat to move."""
    if not all_act(state) or seat == state.current:
        return int(state.shift)
    return int(state.shifts[seat])


@jit
def play_alone(state: State, seat: int) -> None:
    """For planning: let the seat continue its day as in turns."""
    if all_act(state):
        ask(state, seat)
    clear_together(state)
    state.simultaneous = 0


@jit
def clear_together(state: State) -> None:
    state.finished = 0
    for seat in range(len(state.tasks)):
        state.shifts[seat] = 0
        end_task(state.tasks[seat])


@jit
def arrive_in_turn(state: State, player: Player, store: int) -> None:
    """SIM-3: rank a marker that has just moved before markers moved this phase by seats later in turn order."""
    players = int(state.num_players)
    for turn in range(players - 1, int(state.turn), -1):
        later = state.players[(int(state.start_player) + turn) % players]
        for other in range(NUM_STORES):
            arrival = int(later.arrival[other])
            if later.supplied[other] != 0 and 0 < arrival < player.arrival[store]:
                later.arrival[other] = player.arrival[store]
                player.arrival[store] = arrival


# --- rules for `core.kernel.joint`


@jit
def seats_asked(cards: Tables, state: State) -> int:
    if all_act(state):
        return everyone(state) & ~int(state.finished)
    return 1 << int(state.current) if state.current >= 0 else 0


@jit
def ask_seat(cards: Tables, state: State, seat: int) -> None:
    ask(state, seat)
