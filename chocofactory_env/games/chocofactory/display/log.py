"""A move as one line of the log, in the rulebook's words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ..actions import ACTIONS
from ..cards import Cards
from ..constants import Effect
from ..words import EMPLOYEE_DECK_NAMES, KINDS, SIZES, STORES, SYMBOLS
from .describe_cards import STORE_NAMES, counted, pieces_in_words
from .pictures import ARROW, option_words
from .position import task_of
from .seen import Json

Words = Callable[[Json, Cards, Json, int], str]  # (position, cards, player to move, argument) -> words


def move_in_words(position: Json, cards: Cards, action: int) -> str:
    """The words for a legal action about to be applied, such as "Player 1 operates slot 2: Roaster"."""
    seat = position["current"]
    verb, argument = ACTIONS.decode(action)
    return f"Player {seat} {SENTENCES[verb](position, cards, position['players'][seat], argument)}"


def part_at(cards: Cards, player: Json, slot: int) -> str:
    return f"slot {slot}: {cards.names[player['factory'][slot]]}"


def user(position: Json, cards: Cards, player: Json) -> str:
    """The name of the part in use, or of today's employee."""
    slot = position["task"]["slot"]
    return f"the {cards.names[player['employee'] if slot is None else player['factory'][slot]]}"


def draft_part(position: Json, cards: Cards, player: Json, place: int) -> str:
    return f"takes the part {cards.names[position['display_parts'][place]]}"


def draft_employee(position: Json, cards: Cards, player: Json, deck: int) -> str:
    return f"recruits {cards.names[position['display_employees'][EMPLOYEE_DECK_NAMES[deck]]]}"


def place_part(position: Json, cards: Cards, player: Json, slot: int) -> str:
    covered = player["factory"][slot]
    over = f", over {cards.names[covered]}" if covered else ""
    return f"places {cards.names[cards.parts[position['task']['card']]]} on slot {slot}{over}"


def operate(position: Json, cards: Cards, player: Json, slot: int) -> str:
    return f"operates {part_at(cards, player, slot)}"


def assign(position: Json, cards: Cards, player: Json, slot: int) -> str:
    return f"assigns the {cards.names[player['employee']]} to {part_at(cards, player, slot)}"


def option(position: Json, cards: Cards, player: Json, number: int) -> str:
    part = player["factory"][position["task"]["slot"]]
    row = cards.record.parts[cards.parts.index(part)]
    return f"chooses {symbols(option_words(row.options[number]))}"


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


def take(position: Json, cards: Cards, player: Json, kind: int) -> str:
    task = position["task"]
    return TAKES[task["kind"]].format(
        kind=counted(1, KINDS[kind]),
        user=user(position, cards, player),
        order=order_at(cards, player, task["order"]),
        store=STORE_NAMES.get(task["store"], ""),
        card=manager_card(position, cards, task["card"] if task["kind"] == "give_card" else None),
    )


def order_at(cards: Cards, player: Json, place: int | None) -> str:
    held = None if place is None else player["orders"][place]
    return cards.names[held] if held else ""


def manager_card(position: Json, cards: Cards, card: int | None) -> str:
    if card is None:
        return ""
    return cards.names[position["target"] if card == 0 else position["demands"][card - 1]]


def make(position: Json, cards: Cards, player: Json, kind: int) -> str:
    return f"makes {counted(1, KINDS[kind])}"


TILES: Final = {
    "operate_tile": "works on tile {tile}",
    "reach_tile": "works on tile {tile}",
    "move_from": "takes from tile {tile}",
    "move_to": "moves {kind} to tile {tile}",
    "decorate_tile": "chooses tile {tile}",
    "double_tile": "doubles the pieces on tile {tile}",
}


def tile(position: Json, cards: Cards, player: Json, number: int) -> str:
    task = position["task"]
    return TILES[task["kind"]].format(tile=number, kind=counted(1, task["last_take"] or ""))


def chute(position: Json, cards: Cards, player: Json, kind: int) -> str:
    return f"sends {counted(1, KINDS[kind])} down the Chute"


def trade(position: Json, cards: Cards, player: Json, kind: int) -> str:
    return f"trades {counted(1, KINDS[kind])} for 1 coal"


def use_employee(position: Json, cards: Cards, player: Json, _: int) -> str:
    return f"uses the {cards.names[player['employee']]}"


def fulfil(position: Json, cards: Cards, player: Json, place: int) -> str:
    held, done = player["orders"][place], player["stage"][place]
    row = cards.record.orders[cards.orders.index(held)]
    stage, number = row.stages[done], f"stage {done + 1} of {cards.names[held]}"
    employee = cards.record.employees[cards.employees.index(player["employee"])]
    if task_of(position) is not None:
        return f"skips {number}" if employee.effect == Effect.SKIP_STAGE else f"chooses {number}"
    pay = int(stage.pay) + (int(employee.amount) if employee.effect == Effect.STAGE_PAY else 0)
    return f"completes {number} with {pieces_in_words(stage.pieces.tolist())} for £{pay}"


def deliver(position: Json, cards: Cards, player: Json, card: int) -> str:
    return f"delivers to {manager_card(position, cards, card)}"


def supply(position: Json, cards: Cards, player: Json, store: int) -> str:
    return f"{'borrows the rule of' if task_of(position) else 'supplies'} {STORE_NAMES[STORES[store]]}"


def choose_order(position: Json, cards: Cards, player: Json, size: int) -> str:
    return f"takes the {SIZES[size]} order {cards.names[position['offer'][SIZES[size]]]}"


def stop(position: Json, cards: Cards, player: Json, _: int) -> str:
    task = task_of(position)
    if task is None:
        return f"stops running after shift {position['shift']}"
    return (
        f"finishes the delivery to {STORE_NAMES[task['store']]}"
        if task["store"]
        else f"stops using {user(position, cards, player)}"
    )


SENTENCES: Final[dict[str, Words]] = {
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
    "end_shift": lambda position, *_: f"ends shift {position['shift']}",
    "finish_orders": lambda *_: "finishes the orders of the day",
    "finish_cleanup": lambda *_: "finishes Cleanup",
}
