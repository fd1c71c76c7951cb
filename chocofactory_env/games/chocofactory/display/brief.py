"""The deck's numbers in the rules in brief, by their names in `data/brief.md`."""

from __future__ import annotations

from collections.abc import Mapping

from ....core.text.words import either, in_words
from ..cards import Cards


def numbers_in_brief(cards: Cards, only_completed: bool) -> Mapping[str, object]:
    record = cards.record
    first, second, third = record.store_prizes.tolist()
    variety = {stores: prize for stores, prize in enumerate(record.variety_prizes.tolist()) if prize} or {5: 0}
    return {
        "most_orders": record.most_orders_prize,
        "store_prizes": f"{first}, {second} and {third}",
        "variety_prizes": either([str(prize) for prize in variety.values()]),
        "variety_stores": either([in_words(stores) for stores in variety]),
        "money_alone": "money of completed orders" if only_completed else "money",
        "kept": record.kept_pieces[0],
        "kept_alone": record.kept_pieces[1],
    }
