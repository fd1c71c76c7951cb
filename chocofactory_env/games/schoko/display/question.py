"""The question to the seat to move, and what others are told of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ....core.text.words import counted
from ..layout import CATEGORIES
from .describe_cards import express_in_words
from .seen import PLURALS, SECRET_TASKS, TASKS, View


def told(view: View) -> str:
    """SEE-5: the words name nobody in a card window or a sealed bid."""
    task = (TASKS | SECRET_TASKS)[view.task]
    if view.task == "bid_bars" and view.city is not None:
        task += f" for {view.cards.cities[view.city]}"
    if view.mover is None:
        return task
    named = f" ({PLURALS[view.position['category']]})" if view.task == "staff" else ""
    return f"{task}{named}: Player {view.mover} decides{done_with_money(view)}"


def done_with_money(view: View) -> str:
    """LOAN-3"""
    done = view.position["money_done"]
    words = {"sold": "sold shares", "repaid": "repaid", "took_loan": "took a loan"}
    return f" – {', '.join(words[each] for each in done)} so far" if done else ""


def ask_staff(view: View) -> str:
    category = view.position["category"]
    salary = int(view.cards.record.salaries[CATEGORIES.index(category)])
    before = view.players[view.viewer or 0]["staff_before"][category]
    return (
        f"How many {PLURALS[category]} this month? {before} last month; the salary is {salary}, "
        f"who is laid off gets {salary // 2}."
    )


def ask_card(view: View) -> str:
    return f"{SECRET_TASKS[view.task]}: play one?"


def ask_target(view: View) -> str:
    card = view.position["card"]
    effect = express_in_words(view.cards, view.cards.express.index(card))
    return f"On whom do you play {view.name(card)} – {effect}?"


def ask_bars(view: View) -> str:
    city = view.city or 0
    return f"{view.cards.cities[city]} sells {counted(view.position['market'][city], 'bar')}: for how many do you bid?"


def ask_price(view: View) -> str:
    city = view.city or 0
    bars = view.players[view.viewer or 0]["bid_bars"][city]
    return f"{view.cards.cities[city]}: what do you offer for each of {counted(bars, 'bar')}?"


def ask_offer(view: View) -> str:
    contract = view.position["offer"]
    bars = counted(int(view.contract(contract).bars), "bar")
    return f"Do you take {view.name(contract)}, {bars}, at {view.position['price']}?"


def ask_money(view: View) -> str:
    record = view.cards.record
    price = record.share_price[view.position["month"] - 1]
    return f"Loans and shares: a share costs {price}, a loan is {record.loan}{done_with_money(view)}"


QUESTIONS: Final[dict[str, Callable[[View], str]]] = {
    "look": lambda view: f"Pay {view.cards.record.look} to see this month's event before it is turned up?",
    "staff": ask_staff,
    "trim": lambda _: "Lay off an employee: who has a loan may not alone have the largest work force.",
    "card_a": ask_card,
    "card_b": ask_card,
    "card_c": ask_card,
    "target": ask_target,
    "holiday": lambda _: "Holiday: which employee is absent this month?",
    "announce": lambda _: "How many bars of cocoa do you announce? It binds to no purchase.",
    "bid_bars": ask_bars,
    "bid_price": ask_price,
    "make": lambda _: "How many bars of cocoa are turned into chocolate?",
    "attend": lambda _: "Do you come to this meeting? It takes one off your meetings.",
    "offer": ask_offer,
    "raise": lambda view: f"All present refused {view.position['price']}. By how much do you raise the price?",
    "bank_sale": lambda view: (
        f"You gained no contract. How many bars of chocolate for the bank, {view.cards.record.bank_price} each?"
    ),
    "money": ask_money,
}
