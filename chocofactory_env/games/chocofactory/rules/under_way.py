"""The task under way: a composite move that the current player has begun and not finished."""

from ....core.jit import jit
from ..constants import NONE, NUM_KINDS, NUM_SYMBOLS, Task
from ..state import State, UnderWay


@jit
def nothing_under_way(state: State) -> None:
    """End the composite move."""
    end_task(state.task)


@jit
def end_task(task: UnderWay) -> None:
    task.kind = Task.NOTHING
    task.slot = NONE
    task.tile = NONE
    task.option = NONE
    task.order = NONE
    task.store = NONE
    task.rule_of = NONE
    task.card = NONE
    task.points = 0
    task.last_take = NONE
    task.last_make = NONE
    task.left = 0
    task.count = 0
    for symbol in range(NUM_SYMBOLS):
        task.open[symbol] = 0
    for kind in range(NUM_KINDS):
        task.given[kind] = 0
