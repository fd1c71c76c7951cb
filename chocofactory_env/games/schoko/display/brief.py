"""The deck's numbers in the rules in brief, by their names in `data/brief.md`."""

from __future__ import annotations

from collections.abc import Mapping

from ....core.text.words import counted, in_words, up_to
from ..cards import Cards
from ..constants import Category, Event, Express
from .describe_cards import CATEGORIES, event_in_words, express_in_words


def numbers_in_brief(cards: Cards, upset: str) -> Mapping[str, object]:
    record = cards.record
    salaries = {CATEGORIES[category]: record.salaries[category] for category in Category}
    secretary, bookkeeper = int(record.contracts_a_secretary), int(record.contracts_a_bookkeeper)
    return {
        **salaries,
        "bars": counted(int(record.bars_a_worker), "bar"),
        "contracts_a_secretary": contracts(secretary),
        "contracts_a_bookkeeper": contracts(bookkeeper),
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
