"""The panel of the turn: the question, and a button for each legal action."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from .....core.text.words import counted
from .....drawing.scene import Panel, Part, Thing
from .....drawing.text import line
from ...layout import CATEGORIES
from ..describe_cards import express_in_words
from ..render import PLURALS, SECRET_TASKS, TASKS, counted_staff
from .pieces import (
    EDGE,
    GAP,
    TOP,
    amount,
    button,
    grid,
    ground,
    lines,
    note,
    seat_mark,
)
from .view import View, seat_name

QUESTION: Final = 32  # height
BUTTONS: Final = TOP + QUESTION + GAP
ROW: Final = 28
FEW: Final = 5  # at least so many numbers in a row
LABEL: Final = 44  # width, before a row of buttons


def under_way(view: View, x: float, y: float, height: float) -> Panel:
    if view.task == "over":
        return Panel("The end", x, y, view.shared_width, height, tuple(places(view)))
    if not view.is_mover:
        words = note(told(view), EDGE, TOP, view.shared_inner, QUESTION, "ink", 12)
        return Panel("Under way", x, y, view.shared_width, height, (words, *phases(view)))
    question = note(QUESTIONS[view.task](view), EDGE, TOP, view.shared_inner, QUESTION, "ink", 12)
    things = (question, *BUTTONS_OF.get(view.task, yes_or_no)(view))
    return Panel("Your move", x, y, view.shared_width, height, things)


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


# MON-1: phases with decisions, in the order of the month.
PHASES: Final = (
    ("Look", ("look",)),
    ("Staff", ("staff", "trim")),
    ("Cards", ("card_a",)),
    ("Cocoa", ("announce", "bid_bars")),
    ("Production", ("make",)),
    ("Cards", ("card_b",)),
    ("Sale", ("attend", "offer", "raise", "card_c", "bank_sale")),
    ("Money", ("money",)),
)


def phases(view: View) -> Iterator[Thing]:
    """The course of a month, shown to viewers who are not to move."""
    for (phase, tasks), place in zip(PHASES, grid(len(PHASES), 4, view.shared_inner, ROW, EDGE, BUTTONS), strict=True):
        x, y, width, height = place
        now = view.task in tasks
        words = line(phase, width / 2, height / 2 + 4, width - 8, 11, "ink" if now else "muted", now, "middle")
        name = f"phase {phase}" + (", under way" if now else "")
        parts = (ground(width, height, "card" if now else "empty"), words)
        yield Thing(name, x, y, width, height, parts, marked=now)


def places(view: View) -> Iterator[Thing]:
    """END-3"""
    for place, seat in enumerate(sorted(range(len(view.players)), key=lambda seat: view.ranking[seat])):
        words = f"{place + 1}.  {seat_name(seat)}"
        money = "bankrupt" if view.players[seat]["out"] else amount(view.money[seat])
        top = TOP + 4 + place * 30
        parts: tuple[Part, ...] = (
            ground(view.shared_inner, 26, "card" if place == 0 else "empty"),
            seat_mark(seat, 14, 13, 12),
            line(words, 28, 18, view.shared_inner - 160, 14, bold=place == 0),
            line(money, view.shared_inner - 10, 18, 120, 14, bold=True, anchor="end"),
        )
        yield Thing(f"{words}: {money}", EDGE, top, view.shared_inner, 26, parts, owner=seat, marked=place == 0)


# --- questions


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


# --- buttons


def numbers(view: View, verb: str, columns: int, first: int, named: Callable[[int], str]) -> Iterator[Thing]:
    """A button for every number, wider if there are few. `first`: the number of the verb's first action."""
    legal = view.numbers(verb)
    columns = min(columns, max(FEW, len(legal)))
    for argument, (x, y, width, height) in zip(
        legal, grid(len(legal), columns, view.shared_inner, ROW, EDGE, BUTTONS), strict=True
    ):
        number = argument + first
        yield button(str(number), x, y, width, height, view.action(verb, argument), named(number))


def staff_numbers(view: View) -> Iterator[Thing]:
    category = view.position["category"]
    yield from numbers(view, "staff", 11, 0, lambda number: f"employ {counted_staff(number, category)}")


def bars(view: View) -> Iterator[Thing]:
    yield from numbers(view, "bars", 9, 0, lambda number: counted(number, "bar"))


def prices(view: View) -> Iterator[Thing]:
    yield from numbers(view, "price", 10, 1, lambda number: f"offer {number} a bar")


def raises(view: View) -> Iterator[Thing]:
    price = view.position["price"]
    legal = view.numbers("raise")
    for argument, (x, y, width, height) in zip(
        legal, grid(len(legal), 5, view.shared_inner, ROW, EDGE, BUTTONS), strict=True
    ):
        number = argument + 1
        words = f"+{number} = {price + number}"
        action = view.action("raise", argument)
        yield button(words, x, y, width, height, action, f"raise by {number} to {price + number}")


def categories(view: View) -> Iterator[Thing]:
    places = grid(4, 2 if view.narrow else 4, view.shared_inner, ROW, EDGE, BUTTONS)
    for category, (x, y, width, height) in zip(CATEGORIES, places, strict=True):
        action = view.category(category)
        if action is not None:
            yield button(category, x, y, width, height, action, f"choose a {category}", category)


def targets(view: View) -> Iterator[Thing]:
    seats = [seat for seat in range(len(view.players)) if view.target(seat) is not None]
    for seat, (x, y, width, height) in zip(
        seats, grid(len(seats), 3, view.shared_inner, ROW, EDGE, BUTTONS), strict=True
    ):
        yield button(f"on {seat_name(seat)}", x, y, width, height, view.target(seat))


def express_cards(view: View) -> Iterator[Thing]:
    """Cards of the hand that can be played now, with their effects."""
    cards = [card for card in view.hand(view.viewer or 0) if view.play(card) is not None]
    columns, high = (1, 42.0) if view.narrow else (3, 62.0)
    places = grid(len(cards), columns, view.shared_inner, high, EDGE, BUTTONS)
    for card, (x, y, width, height) in zip(cards, places, strict=True):
        effect = express_in_words(view.cards, view.cards.express.index(card))
        parts: tuple[Part, ...] = (
            ground(width, height),
            *lines(view.name(card), 5, 3, width - 10, 15, 11, bold=True),
            *lines(effect, 5, 19, width - 10, height - 22, 10, "muted"),
        )
        yield Thing(f"play {view.name(card)}: {effect}", x, y, width, height, parts, action=view.play(card))
    below = BUTTONS + (len(cards) if view.narrow else 1) * (high + GAP)
    yield button("play none", EDGE, below, view.shared_inner, ROW, view.action("pass"))


def money(view: View) -> Iterator[Thing]:
    """LOAN-3: in this order; buying shares ends the turn."""
    top = float(BUTTONS)
    wide = view.shared_inner - LABEL
    rows = (("sell", "sell_shares", "sell"), ("buy", "buy_shares", "buy"))
    for words, verb, doing in rows:
        legal = view.numbers(verb)
        if legal:
            yield note(words, EDGE, top, LABEL - GAP, ROW, size=11)
        for argument, (x, y, width, height) in zip(
            legal, grid(len(legal), 10, wide, ROW, EDGE + LABEL, top), strict=True
        ):
            name = f"{doing} {counted(argument + 1, 'share')} at {view.share_price}"
            yield button(str(argument + 1), x, y, width, height, view.action(verb, argument), name)
        top += ROW + GAP
    choices = (("repay", "repay a loan", "loans"), ("take_loan", "take a loan", "loans"), ("pass", "done", ""))
    offered = [choice for choice in choices if view.action(choice[0]) is not None]
    for (verb, words, kind), (x, y, width, height) in zip(
        offered, grid(len(offered), 3, view.shared_inner, ROW, EDGE, top), strict=True
    ):
        yield button(words, x, y, width, height, view.action(verb), mark=kind)


ANSWERS: Final = {
    "look": ("look", "pay and look", "do not look"),
    "attend": ("attend", "come", "stay away"),
    "offer": ("accept", "take the contract", "refuse"),
}


def yes_or_no(view: View) -> Iterator[Thing]:
    verb, yes, no = ANSWERS[view.task]
    answers = [(words, view.action(verb)) for verb, words in ((verb, yes), ("pass", no))]
    offered = [(words, action) for words, action in answers if action is not None]
    for (words, action), (x, y, width, height) in zip(
        offered, grid(2, 2, view.shared_inner, 40, EDGE, BUTTONS), strict=False
    ):
        yield button(words, x, y, width, height, action)


BUTTONS_OF: Final[dict[str, Callable[[View], Iterator[Thing]]]] = {
    "staff": staff_numbers,
    "trim": categories,
    "card_a": express_cards,
    "card_b": express_cards,
    "card_c": express_cards,
    "target": targets,
    "holiday": categories,
    "announce": bars,
    "bid_bars": bars,
    "bid_price": prices,
    "make": bars,
    "raise": raises,
    "bank_sale": bars,
    "money": money,
}
