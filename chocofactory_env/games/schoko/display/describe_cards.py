"""The cards as a page of Markdown: `python -m chocofactory_env.games.schoko.display.describe_cards [deck.toml]`.

The page is made from the record that the rules play with, so it shows what is played. `make site` writes it for the
shipped deck.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from ....core.cards.deck_pages import head, notes, provenance, summary, table
from ....core.command import Command
from ....core.text.words import counted, in_words, up_to
from ..cards import Cards, load_cards
from ..constants import MAX_PLAYERS, MIN_PLAYERS, WINDOW_B, WINDOW_C, Event, Express
from ..layout import CATEGORIES
from ..variants import UPSETS

NEXT_MONTH: Final = " next month"  # when an event has its effect, if not at once
EVENT_WORDS: Final = {
    Event.STOMACH_UPSET: "contracts at the bookkeepers are struck with their money",
    Event.PROTEST: "everybody loses chocolate: {bars}",
    Event.STORE_SHOCK: "everybody pays {amount} for each bar of chocolate",
    Event.WAGE_SUBSIDY: "{amount} for who paid most in salaries",
    Event.NO_COCOA: f"no cocoa{NEXT_MONTH}",
    Event.SLOW_WORK: "each worker makes at most {bars}" + NEXT_MONTH,
    Event.NO_BOOKKEEPERS: f"no new bookkeepers{NEXT_MONTH}",
}
EXPRESS_WORDS: Final = {
    Express.LEVY: "pays the bank {amount} for each employee",
    Express.GIFTS: "pays {amount} to every other player",
    Express.ILLNESS: "a worker is absent",
    Express.HOLIDAY: "an employee of choice is absent",
    Express.SLOW_SHIFT: "each worker makes at most {bars}",
    Express.TAX_INSPECTION: "shows the cash",
    Express.THIRD_TO_BANK: "loses chocolate: the bars divided by {amount}",
    Express.BAR_EACH: "gives every other player a bar of chocolate",
    Express.MISSED_MEETINGS: "marker lower by {amount}",
    Express.IDLE_BOOKS: "contracts that each bookkeeper pays out: at most {amount}",
    Express.HAND_OVER: "hands over the contract just taken",
    Express.HALF_PRICE: "gets the price of the contract divided by {amount}",
}
UPSET_ALL: Final = "all contracts are struck with their money"  # Event.STOMACH_UPSET with the option `upset="all"`


def event_in_words(cards: Cards, event: int, upset: str = UPSETS[0]) -> str:
    """What an event does. upset: the option of the variant (EV-1)."""
    if event == Event.STOMACH_UPSET and upset == UPSETS[1]:
        return UPSET_ALL
    amount = int(cards.record.event_amounts[event])
    return EVENT_WORDS[Event(event)].format(amount=amount, bars=counted(amount, "bar"))


def express_in_words(cards: Cards, card: int) -> str:
    amount = int(cards.record.express_amounts[card])
    return EXPRESS_WORDS[Express(card)].format(amount=amount, bars=counted(amount, "bar"))


def window_of(card: int) -> str:
    """XP-4"""
    return "A" if card < WINDOW_B else "B" if card < WINDOW_C else "C"


def contract_rows(cards: Cards) -> Iterator[tuple[str, ...]]:
    for identifier, card in zip(cards.contracts, cards.record.contracts, strict=False):
        yield identifier, str(card.bars), str(card.lowest), str(card.highest)


def card_tables(cards: Cards) -> Iterator[str]:
    yield from table(cards, "Contracts", "bars | lowest price | highest price", contract_rows(cards))
    events = ((identifier, event_in_words(cards, number)) for number, identifier in enumerate(cards.events))
    yield from table(cards, "Events", "what happens", events)
    express = (
        (identifier, window_of(number), express_in_words(cards, number))
        for number, identifier in enumerate(cards.express)
    )
    yield from table(cards, "Express cards", "window | the player who is struck", express)


def setup_numbers(cards: Cards) -> Iterator[str]:
    record = cards.record
    yield "## Numbers that are on no card"
    yield ""
    yield f"Money is in thousands. Source: {provenance(cards, cards.setup)}."
    yield ""
    yield "| category | salary | in the box |"
    yield "|---|---|---|"
    for category, salary, staff in zip(CATEGORIES, record.salaries, record.staff, strict=True):
        yield f"| {category} | {salary} | {staff} |"
    yield ""
    yield f"- at the start: {record.cash}; express cards in a hand: {record.hand}"
    months = (f"{record.months[players]} with {players}" for players in range(MIN_PLAYERS, MAX_PLAYERS + 1))
    yield f"- months, unless the option says otherwise: {', '.join(months)} players"
    yield f"- a look at the event: {record.look}"
    yield f"- hired of a category in a month: at most {record.most_hired}"
    yield f"- bars that a worker makes: {record.bars_a_worker}"
    yield f"- contracts that a secretary brings to the bookkeepers: {record.contracts_a_secretary}"
    yield f"- contracts that a bookkeeper pays out: {record.contracts_a_bookkeeper}"
    yield f"- bars in a factory: {record.cocoa_store} of cocoa, {record.chocolate_store} of chocolate"
    yield f"- cities: {', '.join(cards.cities)}; the highest bid for a bar: {record.highest_bid}"
    yield f"- meetings in a month: at most {record.last_field}"
    yield f"- bars sold to the bank: at most {record.bank_bars}, for {record.bank_price} each"
    yield f"- a loan: {record.loan}, its interest: {record.interest}, in the box: {record.loans}"
    yield f"- shares in the box: {record.shares}; their price by month: {', '.join(map(str, record.share_price))}"


def numbers_in_brief(cards: Cards, upset: str) -> Mapping[str, object]:
    """The deck's numbers in the rules in brief, by their names in `data/brief.md`."""
    record = cards.record
    return {
        **dict(zip(CATEGORIES, record.salaries, strict=True)),
        "bars": counted(int(record.bars_a_worker), "bar"),
        "contracts_a_secretary": contracts(int(record.contracts_a_secretary)),
        "contracts_a_bookkeeper": contracts(int(record.contracts_a_bookkeeper)),
        "most_hired": in_words(int(record.most_hired)),
        "cities": ", ".join(f"{number} {city}" for number, city in enumerate(cards.cities)),
        "cocoa_store": record.cocoa_store,
        "chocolate_store": record.chocolate_store,
        "look": record.look,
        "loan": record.loan,
        "interest": record.interest,
        "highest_bid": record.highest_bid,
        "bank_bars": f"{up_to(int(record.bank_bars))} bar{'s' if record.bank_bars > 1 else ''}",
        "bank_price": record.bank_price,
        "events": ", ".join(f"{event.name.lower()} ({event_in_words(cards, event, upset)})" for event in Event),
        "express": ", ".join(f"{card.name.lower()} ({express_in_words(cards, card)})" for card in Express),
    }


def contracts(number: int) -> str:
    return f"{in_words(number)} contract{'s' if number > 1 else ''}"


def sections(cards: Cards) -> Iterator[str]:
    """The page, line by line."""
    yield from head("The cards of Schoko & Co.", "schoko")
    kinds = {
        "contracts": cards.contracts,
        "events": cards.events,
        "express cards": cards.express,
        "numbers that are on no card": (cards.setup,),
    }
    yield from summary(cards, kinds)
    yield from card_tables(cards)
    yield from setup_numbers(cards)
    yield from notes(cards)


def describe(path: str | None = None) -> str:
    """The cards of the shipped deck, or of your own, in words; DeckError if there is no such deck.

    Args:
        path: TOML file of your own deck.
    """
    return "\n".join(sections(load_cards(path))) + "\n"


COMMAND = Command(
    "python -m chocofactory_env.games.schoko.display.describe_cards", describe, ("my_deck.toml",), positional=("path",)
)
main = COMMAND.run

if __name__ == "__main__":
    main()
