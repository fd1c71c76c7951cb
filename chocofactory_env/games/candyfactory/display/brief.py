"""The deck's numbers in the rules in brief, by their names in `data/brief.md`."""

from __future__ import annotations

from collections.abc import Mapping

from ....core.text.words import counted, up_to
from ..cards import Cards
from ..constants import WAREHOUSE, Half


def numbers_in_brief(cards: Cards) -> Mapping[str, object]:
    record = cards.record
    return {
        "warehouse": record.places[WAREHOUSE],
        "short_sugar": record.short_points[0],
        "short_chocolate": record.short_points[1],
        "load_sugar": record.load[0],
        "load_chocolate": record.load[1],
        "lift": record.lift,
        "turn": record.turn,
        "turned": up_to(int(record.turn)),
        "outlet": counted(int(record.outlet_coins[Half.PLANTATION]), "coin"),
        "candy_outlet": record.outlet_coins[Half.CANDY],
    }
