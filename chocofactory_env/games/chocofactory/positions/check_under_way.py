"""The check of the task under way: play the composite move again, by the rules, up to where it stands.

The position before the move is rebuilt from the task's choices and the pieces chosen so far. The task keeps only the
last piece of a part, so every possible history is tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any, Final

import numpy as np

from ....core.positions.reading import Fault, Faults, difference
from ..actions import ACTIONS
from ..constants import NONE, NUM_KINDS, STORE_ROOM, UPGRADES, Task
from ..part_functions import MAX_POINTS
from ..rules.under_way import nothing_under_way
from .basis import Position

Pieces = Sequence[tuple[str, int]]  # verb and kind of every step that chose a piece
UPGRADE_STEPS: Final = [
    (one, into) for one in range(NUM_KINDS) for into in range(NUM_KINDS) if UPGRADES[one] >> into & 1
]
MUCH_COAL: Final = 99  # more than the use of a part costs
# Task -> the field that keeps the player's answer, and the verb of the answer.
ANSWERS: Final[Mapping[int, tuple[str, str]]] = {
    Task.OPERATE_TILE: ("tile", "tile"),
    Task.REACH_TILE: ("tile", "tile"),
    Task.MOVE_FROM: ("tile", "tile"),
    Task.DECORATE_TILE: ("tile", "tile"),
    Task.OPTION: ("option", "option"),
    Task.EMPLOYEE_ORDER: ("order", "fulfil"),
    Task.BORROW: ("rule_of", "supply"),
}


def check_under_way(p: Position) -> Faults:
    """The rules lead from a position without a task under way to this one."""
    if p.all_act:
        for seat in range(len(p.players)):
            if p.task_of(seat) is not None:
                place = "" if seat == p.mover else f"together.under_way[{seat}]"
                for fault in check_move(p.alone(seat)):
                    yield fault._replace(path=fault.path.replace("under_way", place, 1) if place else fault.path)
    else:
        yield from check_move(p)


def check_move(p: Position) -> Faults:
    """Like `check_under_way`, for the task of the seat to move."""
    if p.task is None:
        return
    if p.mover is None:
        yield Fault("under_way", "null when the game is over", p.task)
    if p.state.task.kind == Task.PLACE_PART:
        found = difference_from(p, with_part_in_hand(p))
    else:
        found = Fault("under_way", "pieces that can have been named so far", p.task)
        for pieces in histories(p):
            found = fault_after(p, pieces)
            if found is None:
                return
    if found:
        yield found


def with_part_in_hand(p: Position) -> np.ndarray:
    """DRAFT-4: the position in which the drafted part must be placed; `check_drafted` checks the draft."""
    states = p.states.copy()
    row = states.view(np.recarray)[0]
    nothing_under_way(row)
    row.task.kind, row.task.card = Task.PLACE_PART, p.state.task.card
    return states


def difference_from(p: Position, states: np.ndarray) -> Fault | None:
    """Where the position differs from `states`. Coal is not compared: the task does not keep the cost of a use."""
    states["play_forced"] = p.states["play_forced"]
    states["players"]["coal"] = p.states["players"]["coal"]
    if states.tobytes() == p.states.tobytes():
        return None
    return difference(p.data, p.game.to_dict(states)) or Fault("under_way", "a move of this position", p.task)


def fault_after(p: Position, pieces: Pieces) -> Fault | None:
    """Play the move with these choices of pieces, and compare."""
    states = before_the_move(p, pieces)
    if states is None:
        return Fault("under_way", "a move whose pieces and uses are accounted for", p.task)
    task, mask = states.view(np.recarray)[0].task, np.empty(ACTIONS.size, np.int8)
    still_to_name = list(reversed(pieces))
    step: tuple[str, str, int | None] | None = first_step(p)
    while step is not None:
        field, verb, argument = step
        p.game.kernel.legal_mask(p.game.tables, states, mask)
        if argument is None or not mask[ACTIONS.encode(verb, argument)]:
            return Fault(f"under_way.{field}", "a legal step of the move", p.data["under_way"][field])
        p.game.kernel.step(p.game.tables, states, ACTIONS.encode(verb, argument), mask)
        step = next_step(p, task.kind, still_to_name)
    return difference_from(p, states)


def first_step(p: Position) -> tuple[str, str, int | None]:
    """The first action of the move, as verb and argument, after the field that keeps it."""
    task = p.state.task
    for field, verb in (("slot", "operate"), ("store", "supply"), ("card", "deliver")):
        if task[field] != NONE:
            return field, verb, int(task[field])
    return "task", "use_employee", 0


def next_step(p: Position, kind: int, still_to_name: list[tuple[str, int]]) -> tuple[str, str, int | None] | None:
    """Like `first_step`, for the action that answers task `kind`; None if the move stands there."""
    if kind == Task.NOTHING or (kind == p.state.task.kind and not still_to_name):
        return None
    if kind in ANSWERS:
        field, verb = ANSWERS[kind]
        answer = int(p.state.task[field])
        return field, verb, None if answer == NONE else answer
    if not still_to_name:
        return None
    verb, piece = still_to_name.pop()
    return "given" if p.state.task.given.any() else f"last_{verb}", verb, piece


def before_the_move(p: Position, pieces: Pieces) -> np.ndarray | None:
    """(1,) State before the move, without a task under way; None if the move cannot be undone."""
    states, task = p.states.copy(), p.state.task
    states["play_forced"] = 0
    row = states.view(np.recarray)[0]
    nothing_under_way(row)
    player = row.players[p.mover]
    if first_step(p)[1] == "use_employee":
        card = p.employee_of(row.current)
        if card is None or player.uses >= card.uses:
            return None
        player.uses += 1
    if task.slot != NONE and task.tile != NONE:
        player.operated[task.slot] = 0
        player.coal += MUCH_COAL
    place = STORE_ROOM if task.tile == NONE else task.tile
    for verb, kind in pieces:
        player.pieces[place, kind] += 1 if verb == "take" else -1
        if task.kind == Task.REACH_TAKE:
            player.pieces[STORE_ROOM, kind] -= 1
    return None if (player.pieces < 0).any() else states


# --- possible choices of pieces so far


def histories(p: Position) -> Iterator[Pieces]:
    """Every possible sequence of pieces chosen so far."""
    task = p.state.task
    if task.kind == Task.CONVERT_MAKE:
        yield from conversions(p)
    elif task.kind in (Task.UPGRADE_TAKE, Task.UPGRADE_MAKE):
        yield from upgrades(p)
    elif task.kind == Task.REACH_TAKE:
        yield from chute_takes(p)
    elif task.given.any():  # in the order of kinds
        yield [("take", kind) for kind in range(NUM_KINDS) for _ in range(task.given[kind])]
    else:
        yield [("take", task.last_take)] if task.last_take != NONE else []


def conversions(p: Position) -> Iterator[Pieces]:
    """PART-1: all pieces that the option takes, and the pieces made so far."""
    task = p.state.task
    part = None if task.slot == NONE else p.part_on(p.state.current, task.slot)
    if part is None or not 0 <= task.option < part.num_options:
        return
    option = part.options[task.option]
    for takes in in_order(range(NUM_KINDS), int(option.num_takes), task.last_take):
        for makes in in_order(range(NUM_KINDS), int(option.num_makes) - int(task.left), task.last_make):
            yield [*(("take", kind) for kind in takes), *(("make", kind) for kind in makes)]


def upgrades(p: Position) -> Iterator[Pieces]:
    """PART-5, EMP-6: for every point spent, a piece taken and one made; possibly another piece taken."""
    task = p.state.task
    in_hand = task.kind == Task.UPGRADE_MAKE
    if task.count > MAX_POINTS or (in_hand and task.last_take == NONE):
        return
    last = None if in_hand else (task.last_take, task.last_make)
    for steps in in_order(UPGRADE_STEPS, int(task.count), last):
        pieces = [piece for one, into in steps for piece in (("take", one), ("make", into))]
        yield [*pieces, ("take", task.last_take)] if in_hand else pieces


def chute_takes(p: Position) -> Iterator[Pieces]:
    """RUN-6: pieces of the store room up to the last kind chosen; any will do, as pieces of a kind are alike."""
    task = p.state.task
    room = p.state.players[p.state.current].pieces[STORE_ROOM]
    pieces = [("take", kind) for kind in range(task.last_take, NONE, -1) for _ in range(room[kind])][: task.count]
    if len(pieces) == task.count:
        yield pieces[::-1]


def in_order(choices: Sequence[Any] | range, number: int, last: Any = None) -> Iterator[tuple[Any, ...]]:
    """Non-decreasing sequences of `number` choices that end with `last`, unless it is None."""
    if number >= 0:
        for chosen in combinations_with_replacement(choices, number):
            if not chosen or last is None or chosen[-1] == last:
                yield chosen
