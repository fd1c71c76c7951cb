"""What is to be chosen, in words, and the task under way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ....core.text.words import counted
from ....view.tree import Face
from ..words import KINDS, SYMBOLS
from . import pictures
from .describe_cards import STORE_NAMES
from .seen import Json, View

PROMPTS: Final = {
    "draft": "Take a part or an employee from the display",
    "run": "Operate parts, trade pieces, or end the shift",
    "fulfil": "Fulfil orders, supply a department store, or finish",
    "agents": "The Department Store Agent may supply one other store",
    "cleanup": "Keep up to {kept} pieces in the store room; trade the others",
    "replace": "Choose the order that replaces a completed one",
}
TASK_PROMPTS: Final = {
    "place_part": "Place the part on a slot; what it covers is gone",
    "operate_tile": "{part}: choose the tile to work on",
    "option": "{part}: choose what it does",
    "convert_take": "{part}: choose a piece to put in",
    "convert_make": "{part}: choose a piece to make",
    "upgrade_take": "{part}: choose a piece to upgrade",
    "upgrade_make": "{part}: choose what it becomes",
    "repeat_take": "{part}: choose the piece to copy",
    "reach_tile": "{part}: choose a neighbouring tile",
    "reach_take": "{part}: choose pieces for the store room",
    "move_from": "{part}: choose the tile to move a piece from",
    "move_take": "{part}: choose the piece to move",
    "move_to": "{part}: choose the tile that it moves to",
    "decorate_tile": "{part}: choose the tile of the piece",
    "double_tile": "{part}: choose the tile to double",
    "employee_order": "{part}: choose an order",
    "leave_out": "{part}: choose the piece to leave out",
    "give_stage": "{part}: choose refined pieces for the stage",
    "give_store": "{store}: choose pieces to deliver",
    "give_card": "Choose pieces for the chocolate order",
    "borrow": "{store}: choose the store whose rule it borrows",
}
STOPS: Final = {
    None: "stop running",
    "upgrade_take": "no more upgrades",
    "reach_take": "no more pieces",
    "give_store": "finish the delivery",
}


def heading(view: View) -> str:
    if view.mover is None:
        return "The game is over"
    if view.is_solo:
        return "Your move" if view.viewer == view.mover else "The manager's move"
    return f"Your move, player {view.mover}" if view.viewer == view.mover else f"Player {view.mover} to move"


def prompt(view: View) -> str:
    task = view.task
    if view.phase == "over":
        return outcome(view)
    if task is None or view.mover is None:
        return PROMPTS[view.phase].format(kept=view.cards.record.kept_pieces[1 if view.is_solo else 0])
    return TASK_PROMPTS[task["kind"]].format(part=view.tool, store=STORE_NAMES.get(task["store"], ""))


def details_of(task: Json) -> Face:
    """The place of the task, the pieces so far, and those still to come."""
    found = [words for words in (place_of(task), *pieces_of(task), rest_of(task)) if words]
    return [word for words in found for word in ("·", *words)][1:]


def others_under_way(view: View) -> Iterator[str]:
    """SIM-1: the tasks of the other seats that decide now."""
    for seat in view.acting:
        kind = view.position["tasks"][seat]["kind"]
        if seat != view.mover and kind != "nothing":
            yield f"Player {seat}: {kind.replace('_', ' ')}"


def place_of(task: Json) -> Face:
    found = [f"{name} {task[name]}" for name in ("slot", "tile", "order") if task[name] is not None]
    return [", ".join(found)] if found else []


def pieces_of(task: Json) -> Iterator[Face]:
    """The pieces taken, made, and given."""
    if task["rule_of"] and task["rule_of"] != task["store"]:
        yield [f"rule of {STORE_NAMES[task['rule_of']]}"]
    for name, title in (("last_take", "taken"), ("last_make", "made")):
        if task[name]:
            yield [title, f":{task[name]}"]
    given = [task["given"][kind] for kind in KINDS]
    if any(given):
        yield ["given", *pictures.pieces(given)]


def rest_of(task: Json) -> Face:
    """The pieces still to choose."""
    still = [f":{name}" for name in SYMBOLS for _ in range(task["open"][name])]
    words = []
    if still:
        words += ["still", *still]
    elif task["left"]:
        words.append(f"still {counted(task['left'], 'piece')}")
    if task["points"]:
        words.append(f"{counted(task['points'], 'upgrade step')} left")
    return words


def outcome(view: View) -> str:
    if view.is_solo:
        return "Won: everything is satisfied" if view.won[0] else "Lost: not everything is satisfied"
    winner = view.won.index(True)
    return f"Player {winner} wins with £{sum(view.sheets[winner])}"
