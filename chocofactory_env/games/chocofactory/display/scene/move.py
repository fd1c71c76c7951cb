"""The panel of the move: the seat, the task under way, and buttons for choices that are not on the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from .....core.text.words import counted
from .....drawing.scene import Box, Panel, Part, Thing
from .....drawing.text import line
from ...words import KINDS, SYMBOLS
from ..describe_cards import STORE_NAMES
from . import pictures
from .factory import part_face, part_name
from .pictures import pictogram, sentence
from .view import HEADING, LEFT, Json, View

BUTTON: Final = 27  # height
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
BUTTONS: Final = {
    "end_shift": "end the shift",
    "finish_orders": "finish orders",
    "finish_cleanup": "finish Cleanup",
}


def move_panel(view: View, x: float, y: float, width: float, height: float) -> Panel:
    things = [prompt_thing(view, width - 2 * LEFT, height)]
    things += kind_buttons(view, width - 2 * LEFT, height - BUTTON - 5)
    things += word_buttons(view, height - BUTTON - 5, min(150, width / 2 - LEFT - 3))
    return Panel(heading(view), x, y, width, height, tuple(things), view.mover)


def heading(view: View) -> str:
    if view.mover is None:
        return "The game is over"
    if view.is_solo:
        return "Your move" if view.viewer == view.mover else "The manager's move"
    return f"Your move, player {view.mover}" if view.viewer == view.mover else f"Player {view.mover} to move"


def prompt_thing(view: View, width: float, height: float) -> Thing:
    """What to choose, with the pieces of the task under way: those so far, and those to come."""
    words, task = prompt(view), view.task
    part = view.cards.parts[task["card"]] if task and task["kind"] == "place_part" else None
    room = width - (110 if part else 0) - 4
    parts: list[Part] = [*sentence((words,), 4, 2, room, 32 if part else 18, 12.5)]
    said = [words]
    if task:
        details = details_of(task)
        parts += sentence(
            details, 4, 2 + (36 if part else 22), room, height - HEADING - BUTTON - (42 if part else 32), 12, "muted"
        )
        said += [in_words(details)]
    if part:
        card = part_face(view.cards, part, 104, 60, 10.5)
        parts += moved(card, width - 106, 1)
        said.append(part_name(view.cards, part))
    below = 0 if part else BUTTON + 8
    name = ". ".join(said)
    return Thing(name, LEFT, HEADING, width, height - HEADING - below - 2, tuple(parts), view.mover)


def moved(parts: tuple[Part, ...], x: float, y: float) -> Iterator[Part]:
    """The parts of a card moved to (x, y), its corner; none may be a line."""
    for part in parts:
        yield replace(part, x=part.x + x, y=part.y + y)


def prompt(view: View) -> str:
    task = view.task
    if view.phase == "over":
        return outcome(view)
    if task is None or view.mover is None:
        return PROMPTS[view.phase].format(kept=view.cards.record.kept_pieces[1 if view.is_solo else 0])
    player = view.position["players"][view.mover]
    by = player["factory"][task["slot"]] if task["slot"] is not None else player["employee"]
    store = task["store"]
    return TASK_PROMPTS[task["kind"]].format(
        part=view.cards.names[by] if by else "", store=STORE_NAMES[store] if store else ""
    )


def details_of(task: Json) -> tuple[pictures.Word, ...]:
    """The place of the task, the pieces so far, and those still to come."""
    found = [words for words in (place_of(task), *pieces_of(task), rest_of(task)) if words]
    joined: list[pictures.Word] = []
    for words in found:
        joined += [*(["·"] if joined else []), *words]
    return tuple(joined)


def place_of(task: Json) -> list[pictures.Word]:
    slot = [f"slot {task['slot']}"] if task["slot"] is not None else []
    tile = [f"tile {task['tile']}"] if task["tile"] is not None else []
    places: list[pictures.Word] = [", ".join([*slot, *tile])]
    return places if slot or tile else []


def pieces_of(task: Json) -> Iterator[list[pictures.Word]]:
    """The pieces taken, made, and given."""
    if task["rule_of"] and task["rule_of"] != task["store"]:
        yield [f"rule of {STORE_NAMES[task['rule_of']]}"]
    for name, title in (("last_take", "taken"), ("last_make", "made")):
        if task[name]:
            yield [title, KINDS.index(task[name])]
    given = [task["given"][kind] for kind in KINDS]
    if any(given):
        yield ["given", *pictures.pieces(given)]


def rest_of(task: Json) -> list[pictures.Word]:
    """The pieces still to choose."""
    still = [symbol for symbol, name in enumerate(SYMBOLS) for _ in range(task["open"][name])]
    words: list[pictures.Word] = []
    if still:
        words += ["still", *still]
    elif task["left"]:
        words.append(f"still {counted(task['left'], 'piece')}")
    if task["points"]:
        words.append(f"{counted(task['points'], 'upgrade step')} left")
    return words


def in_words(words: tuple[pictures.Word, ...]) -> str:
    return " ".join(word if isinstance(word, str) else SYMBOLS[word] for word in words)


def outcome(view: View) -> str:
    accounts = view.accounts
    if view.is_solo:
        return "Won: everything is satisfied" if accounts.won[0] else "Lost: not everything is satisfied"
    winner = accounts.won.index(True)
    return f"Player {winner} wins with £{sum(accounts.sheets[winner])}"


# --- buttons


def kind_buttons(view: View, width: float, y: float) -> Iterator[Thing]:
    """Buttons for pieces to make, or to leave out of a stage."""
    verb = "take" if view.under_way("kind") == "leave_out" else "make"
    if verb == "make" and view.under_way("kind") not in ("convert_make", "upgrade_make"):
        return
    kinds = [kind for kind in range(len(KINDS)) if view.action(verb, kind) is not None]
    pitch = (width + 4) / len(KINDS)
    for kind in kinds:
        if pitch < 50:  # the word is below the mark
            label = (
                *pictogram(kind, (pitch - 4) / 2, 8, 11),
                line(KINDS[kind], (pitch - 4) / 2, BUTTON - 4, pitch - 6, 10, anchor="middle"),
            )
        else:
            label = (*pictogram(kind, 9, BUTTON / 2, 11), line(KINDS[kind], 17, BUTTON / 2 + 3.5, pitch - 23, 10))
        face: tuple[Part, ...] = (Box(0, 0, pitch - 4, BUTTON, "card", "line"), *label)
        said = f"{'leave out' if verb == 'take' else 'choose'} {KINDS[kind]}"
        yield Thing(said, LEFT + kind * pitch, y, pitch - 4, BUTTON, face, view.mover, view.action(verb, kind))


def word_buttons(view: View, y: float, width: float) -> Iterator[Thing]:
    labels = {"stop": STOPS.get(view.under_way("kind"), "stop"), **BUTTONS}
    x: float = LEFT
    for verb, words in labels.items():
        action = view.action(verb)
        if action is not None:
            of_shift = verb in ("stop", "end_shift") and view.task is None
            label = f"{words} (shift {view.position['shift']})" if of_shift else words
            face = (
                Box(0, 0, width, BUTTON, "card", "line"),
                line(label, width / 2, BUTTON / 2 + 4.2, width - 8, 12, "ink", True, "middle"),
            )
            yield Thing(label, x, y, width, BUTTON, face, view.mover, action)
            x += width + 6
