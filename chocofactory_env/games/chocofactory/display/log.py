"""Moves as events, in the rulebook's words: in a line of the log, and in that of a turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ....core.text.events import Event
from ..actions import ACTIONS
from ..constants import Effect
from ..words import EMPLOYEE_DECK_NAMES, KINDS, SIZES, STORES
from .describe_cards import STORE_NAMES, counted, pieces_in_words
from .pictures import in_words, option_words
from .seen import View


def event_of(view: View, action: int) -> Event:
    """Tell a legal action about to be applied, such as "operates slot 2: Roaster"."""
    verb, argument = ACTIONS.decode(action)
    return EVENTS[verb](view, argument)


def part_at(view: View, slot: int) -> str:
    return f"slot {slot}: {view.cards.names[view.moving['factory'][slot]]}"


def draft_part(view: View, place: int) -> Event:
    return Event(f"takes the part {view.cards.names[view.position['display_parts'][place]]}")


def draft_employee(view: View, deck: int) -> Event:
    name = view.cards.names[view.position["display_employees"][EMPLOYEE_DECK_NAMES[deck]]]
    return Event(f"recruits {name}", "hired", name)


def place_part(view: View, slot: int) -> Event:
    covered = view.moving["factory"][slot]
    over = f", over {view.cards.names[covered]}" if covered else ""
    name = view.cards.names[view.cards.parts[view.under_way("card")]]
    return Event(f"places {name} on slot {slot}{over}", "built", name)


def option(view: View, number: int) -> Event:
    part = view.cards.row("parts", view.moving["factory"][view.under_way("slot")])
    return Event(f"chooses {in_words(option_words(part.options[number]))}")


TAKES: Final = {
    "convert_take": "puts {kind} into {user}",
    "upgrade_take": "upgrades {kind}",
    "repeat_take": "copies {kind} with {user}",
    "reach_take": "sends {kind} to the store room",
    "move_take": "picks up {kind}",
    "leave_out": "leaves out {kind} of {order}",
    "give_stage": "gives {kind} for {order}",
    "give_store": "gives {kind} to {store}",
    "give_card": "gives {kind} for {card}",
}


def take(view: View, kind: int) -> Event:
    task, player = view.position["task"], view.moving
    order = None if task["order"] is None else player["orders"][task["order"]]
    words = TAKES[task["kind"]].format(
        kind=counted(1, KINDS[kind]),
        user=f"the {view.tool}",
        order=view.cards.names[order] if order else "",
        store=STORE_NAMES.get(task["store"], ""),
        card=view.cards.names[view.manager_card(task["card"])] if task["kind"] == "give_card" else "",
    )
    return Event(words, "stored", KINDS[kind], 1) if task["kind"] == "reach_take" else Event(words)


def make(_: View, kind: int) -> Event:
    return Event(f"makes {counted(1, KINDS[kind])}", "made", KINDS[kind], 1)


TILES: Final = {
    "operate_tile": "works on tile {tile}",
    "reach_tile": "works on tile {tile}",
    "move_from": "takes from tile {tile}",
    "move_to": "moves {kind} to tile {tile}",
    "decorate_tile": "chooses tile {tile}",
    "double_tile": "doubles the pieces on tile {tile}",
}


def tile(view: View, number: int) -> Event:
    moved = counted(1, view.under_way("last_take") or "")
    return Event(TILES[view.under_way("kind")].format(tile=number, kind=moved))


def chute(_: View, kind: int) -> Event:
    return Event(f"sends {counted(1, KINDS[kind])} down the Chute", "stored", KINDS[kind], 1)


def trade(_: View, kind: int) -> Event:
    return Event(f"trades {counted(1, KINDS[kind])} for 1 coal", "traded", KINDS[kind], 1)


def fulfil(view: View, place: int) -> Event:
    held, done = view.moving["orders"][place], view.moving["stage"][place]
    stage, name = view.cards.row("orders", held).stages[done], view.cards.names[held]
    number = f"stage {done + 1} of {name}"
    employee = view.cards.row("employees", view.moving["employee"])
    if view.task is not None and employee.effect == Effect.SKIP_STAGE:
        return Event(f"skips {number}", "skipped a stage of", name)
    if view.task is not None:
        return Event(f"chooses {number}", "delivered to", name)
    pay = int(stage.pay) + (int(employee.amount) if employee.effect == Effect.STAGE_PAY else 0)
    words = f"completes {number} with {pieces_in_words(stage.pieces.tolist())} for £{pay}"
    return Event(words, "delivered to", name)


def supply(view: View, store: int) -> Event:
    name = STORE_NAMES[STORES[store]]
    return Event(f"borrows the rule of {name}") if view.task else Event(f"supplies {name}", "supplied", name)


def choose_order(view: View, size: int) -> Event:
    name = view.cards.names[view.position["offer"][SIZES[size]]]
    return Event(f"takes the {SIZES[size]} order {name}", "took the order", name)


def stop(view: View, _: int) -> Event:
    if view.task is None:
        return Event(f"stops running after shift {view.position['shift']}")
    if store := view.under_way("store"):
        return Event(f"finishes the delivery to {STORE_NAMES[store]}")
    return Event(f"stops using the {view.tool}")


EVENTS: Final[dict[str, Callable[[View, int], Event]]] = {
    "draft_part": draft_part,
    "draft_employee": draft_employee,
    "place_part": place_part,
    "operate": lambda view, slot: Event(f"operates {part_at(view, slot)}"),
    "assign": lambda view, slot: Event(
        f"assigns the {view.cards.names[view.moving['employee']]} to {part_at(view, slot)}"
    ),
    "option": option,
    "take": take,
    "make": make,
    "tile": tile,
    "chute": chute,
    "trade": trade,
    "use_employee": lambda view, _: Event(f"uses the {view.cards.names[view.moving['employee']]}"),
    "fulfil": fulfil,
    "deliver": lambda view, card: Event(f"delivers to {view.cards.names[view.manager_card(card)]}"),
    "supply": supply,
    "choose_order": choose_order,
    "stop": stop,
    "end_shift": lambda view, _: Event(f"ends shift {view.position['shift']}"),
    "finish_orders": lambda *_: Event("finishes the orders of the day"),
    "finish_cleanup": lambda *_: Event("finishes Cleanup"),
}
