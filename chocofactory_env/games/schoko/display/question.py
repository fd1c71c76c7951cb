"""The question to the seat to move, and what others are told of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ....core.text.words import counted
from ..layout import CATEGORIES
from .describe_cards import express_in_words
from .position import PLURALS, SECRET_TASKS, TASKS
from .seen import View, seat_name


def told(view: View) -> str:
    """SEE-5: the words name nobody in a card window or a sealed bid."""
    task = (TASKS | SECRET_TASKS)[view.task]
    if view.task == "bid_bars" and view.city is not None:
        task += f" for {view.cards.cities[view.city]}"
    if view.mover is None:
        return task
    named = f" ({PLURALS[view.position['category']]})" if view.task == "staff" else ""
    return f"{task}{named}: {seat_name(view.mover)} decides{done_with_money(view)}"


def done_with_money(view: View) -> str:
    """LOAN-3"""
    done = view.position["money_done"]
    words = {"sold": "sold shares", "repaid": "repaid", "took_loan": "took a loan"}
    return f" – {', '.join(words[each] for each in done)} so far" if done else ""


def ask_look(view: View) -> str:
    return f"Pay {view.cards.record.look} to see this month's event before it is turned up?"


def ask_staff(view: View) -> str:
    category = view.position["category"]
    number = CATEGORIES.index(category)
    salary = int(view.cards.record.salaries[number])
    before = view.players[view.viewer or 0]["staff_before"][category]
    return (
        f"How many {PLURALS[category]} this month? {before} last month; the salary is {salary}, "
        f"who is laid off gets {salary // 2}."
    )


def ask_trim(view: View) -> str:
    return "Lay off an employee: who has a loan may not alone have the largest work force."


def ask_card(view: View) -> str:
    task = (TASKS | SECRET_TASKS)[view.task]
    return f"{task}: play one?"


def ask_target(view: View) -> str:
    card = view.position["card"]
    effect = express_in_words(view.cards, view.cards.express.index(card))
    return f"On whom do you play {view.name(card)} – {effect}?"


def ask_holiday(view: View) -> str:
    return "Holiday: which employee is absent this month?"


def ask_announce(view: View) -> str:
    return "How many bars of cocoa do you announce? It binds to no purchase."


def ask_bars(view: View) -> str:
    city = view.city or 0
    return f"{view.cards.cities[city]} sells {counted(view.position['market'][city], 'bar')}: for how many do you bid?"


def ask_price(view: View) -> str:
    city = view.city or 0
    bars = view.players[view.viewer or 0]["bid_bars"][city]
    return f"{view.cards.cities[city]}: what do you offer for each of {counted(bars, 'bar')}?"


def ask_make(view: View) -> str:
    return "How many bars of cocoa are turned into chocolate?"


def ask_attend(view: View) -> str:
    return "Do you come to this meeting? It takes one off your meetings."


def ask_offer(view: View) -> str:
    contract = view.position["offer"]
    bars = counted(int(view.contract(contract).bars), "bar")
    return f"Do you take {view.name(contract)}, {bars}, at {view.position['price']}?"


def ask_raise(view: View) -> str:
    return f"All present refused {view.position['price']}. By how much do you raise the price?"


def ask_bank_sale(view: View) -> str:
    return f"You gained no contract. How many bars of chocolate for the bank, {view.cards.record.bank_price} each?"


def ask_money(view: View) -> str:
    return (
        f"Loans and shares: a share costs {view.share_price}, a loan is {view.cards.record.loan}{done_with_money(view)}"
    )


QUESTIONS: Final[dict[str, Callable[[View], str]]] = {
    "look": ask_look,
    "staff": ask_staff,
    "trim": ask_trim,
    "card_a": ask_card,
    "card_b": ask_card,
    "card_c": ask_card,
    "target": ask_target,
    "holiday": ask_holiday,
    "announce": ask_announce,
    "bid_bars": ask_bars,
    "bid_price": ask_price,
    "make": ask_make,
    "attend": ask_attend,
    "offer": ask_offer,
    "raise": ask_raise,
    "bank_sale": ask_bank_sale,
    "money": ask_money,
}
