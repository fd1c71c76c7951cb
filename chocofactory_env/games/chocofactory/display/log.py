"""Moves as events, in the rulebook's words: in a line of the log, and in that of a turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ....core.text.events import Event
from ..actions import ACTIONS
from ..cards import Cards
from ..constants import Effect
from ..words import EMPLOYEE_DECK_NAMES, KINDS, SIZES, STORES, SYMBOLS
from .describe_cards import STORE_NAMES, counted, pieces_in_words
from .pictures import ARROW, option_words
from .position import task_of
from .seen import Json

Tell = Callable[[Json, Cards, Json, int], Event]  # (position, cards, player to move, argument) -> event


def event_of(position: Json, cards: Cards, action: int) -> Event:
    """Tell a legal action about to be applied, such as "operates slot 2: Roaster"."""
    verb, argument = ACTIONS.decode(action)
    return EVENTS[verb](position, cards, position["players"][position["current"]], argument)


def part_at(cards: Cards, player: Json, slot: int) -> str:
    return f"slot {slot}: {cards.names[player['factory'][slot]]}"


def user(position: Json, cards: Cards, player: Json) -> str:
    """The name of the part in use, or of today's employee."""
    slot = position["task"]["slot"]
    return f"the {cards.names[player['employee'] if slot is None else player['factory'][slot]]}"


def draft_part(position: Json, cards: Cards, player: Json, place: int) -> Event:
    return Event(f"takes the part {cards.names[position['display_parts'][place]]}")


def draft_employee(position: Json, cards: Cards, player: Json, deck: int) -> Event:
    name = cards.names[position["display_employees"][EMPLOYEE_DECK_NAMES[deck]]]
    return Event(f"recruits {name}", "hired", name)


def place_part(position: Json, cards: Cards, player: Json, slot: int) -> Event:
    covered = player["factory"][slot]
    over = f", over {cards.names[covered]}" if covered else ""
    name = cards.names[cards.parts[position["task"]["card"]]]
    return Event(f"places {name} on slot {slot}{over}", "built", name)


def operate(position: Json, cards: Cards, player: Json, slot: int) -> Event:
    return Event(f"operates {part_at(cards, player, slot)}")


def assign(position: Json, cards: Cards, player: Json, slot: int) -> Event:
    return Event(f"assigns the {cards.names[player['employee']]} to {part_at(cards, player, slot)}")


def option(position: Json, cards: Cards, player: Json, number: int) -> Event:
    part = player["factory"][position["task"]["slot"]]
    row = cards.record.parts[cards.parts.index(part)]
    return Event(f"chooses {symbols(option_words(row.options[number]))}")


def symbols(words: tuple[Any, ...]) -> str:
    return " ".join(word if isinstance(word, str) else "→" if word == ARROW else SYMBOLS[word] for word in words)


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


def take(position: Json, cards: Cards, player: Json, kind: int) -> Event:
    task = position["task"]
    words = TAKES[task["kind"]].format(
        kind=counted(1, KINDS[kind]),
        user=user(position, cards, player),
        order=order_at(cards, player, task["order"]),
        store=STORE_NAMES.get(task["store"], ""),
        card=manager_card(position, cards, task["card"] if task["kind"] == "give_card" else None),
    )
    return Event(words, "stored", KINDS[kind], 1) if task["kind"] == "reach_take" else Event(words)


def order_at(cards: Cards, player: Json, place: int | None) -> str:
    held = None if place is None else player["orders"][place]
    return cards.names[held] if held else ""


def manager_card(position: Json, cards: Cards, card: int | None) -> str:
    if card is None:
        return ""
    return cards.names[position["target"] if card == 0 else position["demands"][card - 1]]


def make(position: Json, cards: Cards, player: Json, kind: int) -> Event:
    return Event(f"makes {counted(1, KINDS[kind])}", "made", KINDS[kind], 1)


TILES: Final = {
    "operate_tile": "works on tile {tile}",
    "reach_tile": "works on tile {tile}",
    "move_from": "takes from tile {tile}",
    "move_to": "moves {kind} to tile {tile}",
    "decorate_tile": "chooses tile {tile}",
    "double_tile": "doubles the pieces on tile {tile}",
}


def tile(position: Json, cards: Cards, player: Json, number: int) -> Event:
    task = position["task"]
    return Event(TILES[task["kind"]].format(tile=number, kind=counted(1, task["last_take"] or "")))


def chute(position: Json, cards: Cards, player: Json, kind: int) -> Event:
    return Event(f"sends {counted(1, KINDS[kind])} down the Chute", "stored", KINDS[kind], 1)


def trade(position: Json, cards: Cards, player: Json, kind: int) -> Event:
    return Event(f"trades {counted(1, KINDS[kind])} for 1 coal", "traded", KINDS[kind], 1)


def use_employee(position: Json, cards: Cards, player: Json, _: int) -> Event:
    return Event(f"uses the {cards.names[player['employee']]}")


def fulfil(position: Json, cards: Cards, player: Json, place: int) -> Event:
    held, done = player["orders"][place], player["stage"][place]
    row = cards.record.orders[cards.orders.index(held)]
    name, stage, number = cards.names[held], row.stages[done], f"stage {done + 1} of {cards.names[held]}"
    employee = cards.record.employees[cards.employees.index(player["employee"])]
    if task_of(position) is not None and employee.effect == Effect.SKIP_STAGE:
        return Event(f"skips {number}", "skipped a stage of", name)
    if task_of(position) is not None:
        return Event(f"chooses {number}", "delivered to", name)
    pay = int(stage.pay) + (int(employee.amount) if employee.effect == Effect.STAGE_PAY else 0)
    words = f"completes {number} with {pieces_in_words(stage.pieces.tolist())} for £{pay}"
    return Event(words, "delivered to", name)


def deliver(position: Json, cards: Cards, player: Json, card: int) -> Event:
    return Event(f"delivers to {manager_card(position, cards, card)}")


def supply(position: Json, cards: Cards, player: Json, store: int) -> Event:
    name = STORE_NAMES[STORES[store]]
    return Event(f"borrows the rule of {name}") if task_of(position) else Event(f"supplies {name}", "supplied", name)


def choose_order(position: Json, cards: Cards, player: Json, size: int) -> Event:
    name = cards.names[position["offer"][SIZES[size]]]
    return Event(f"takes the {SIZES[size]} order {name}", "took the order", name)


def stop(position: Json, cards: Cards, player: Json, _: int) -> Event:
    task = task_of(position)
    if task is None:
        return Event(f"stops running after shift {position['shift']}")
    if task["store"]:
        return Event(f"finishes the delivery to {STORE_NAMES[task['store']]}")
    return Event(f"stops using {user(position, cards, player)}")


EVENTS: Final[dict[str, Tell]] = {
    "draft_part": draft_part,
    "draft_employee": draft_employee,
    "place_part": place_part,
    "operate": operate,
    "assign": assign,
    "option": option,
    "take": take,
    "make": make,
    "tile": tile,
    "chute": chute,
    "trade": trade,
    "use_employee": use_employee,
    "fulfil": fulfil,
    "deliver": deliver,
    "supply": supply,
    "choose_order": choose_order,
    "stop": stop,
    "end_shift": lambda position, *_: Event(f"ends shift {position['shift']}"),
    "finish_orders": lambda *_: Event("finishes the orders of the day"),
    "finish_cleanup": lambda *_: Event("finishes Cleanup"),
}
