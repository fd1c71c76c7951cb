"""Corner-shop orders as cards."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from .....drawing.scene import Box, Line, Look, Mark, Part, Text, Thing
from .....drawing.text import block_or_line, line
from ...cards import Cards
from ...constants import NUM_DAYS, OWN_ORDERS
from ...words import SIZES
from ..describe_cards import pieces_in_words
from . import pictures
from .pictures import sentence
from .view import GAP, LEFT, NARROW_BELOW, Heights, Json, View


def order_cards(
    view: View, seat: int, player: Json, numbers: range, top: float, width: float, rows: Heights
) -> Iterator[Thing]:
    """The orders with these numbers, in a row."""
    pitch = (width + GAP) / OWN_ORDERS
    for place, number in enumerate(numbers):
        x, wide, first = LEFT + place * pitch, pitch - GAP, number >= OWN_ORDERS
        title = "Special Order" if first else "order"
        card, stage = player["orders"][number], player["stage"][number]
        if card is None:
            words = "completed" if first else empty_place(view, seat)
            yield Thing(f"{title} {number}: {words}", x, top, wide, rows.orders, no_order(words, wide, rows), seat)
            continue
        face = order_face(view.cards, card, stage, wide, rows.orders, rows.size)
        action = view.action("fulfil", number, seat)
        name = f"{title} {number}: {order_name(view.cards, card, stage)}"
        marked = view.under_way("order", seat) == number
        at = x, top, wide, rows.orders
        yield Thing(name, *at, face, seat, action, marked, rule="FUL-2", piece=f"order {card}")


def empty_place(view: View, seat: int) -> str:
    """The words on a place without an order. Orders completed on the last day are not replaced (CLEAN-3)."""
    if not view.position["players"][seat]["to_replace"]:
        return "no order"
    return "to be replaced" if view.position["day"] < NUM_DAYS else "completed"


def no_order(words: str, width: float, rows: Heights) -> tuple[Part, ...]:
    ground = Box(0, 0, width, rows.orders, "empty", "line", dashed=True)
    return ground, Text(width / 2, rows.orders / 2 + 4, words, rows.size - 0.5, "muted", anchor="middle")


@lru_cache(1 << 10)
def order_name(cards: Cards, order: str, done: int) -> str:
    row = cards.record.orders[cards.orders.index(order)]
    stages = [
        f"{pieces_in_words(stage.pieces.tolist())} for £{stage.pay}{' (done)' if number < done else ''}"
        for number, stage in enumerate(row.stages[: row.num_stages])
    ]
    return f"{cards.names[order]}, {SIZES[int(row.deck)]}: {', then '.join(stages)}"


@lru_cache(1 << 12)
def order_face(cards: Cards, order: str, done: int, width: float, height: float, size: float) -> tuple[Part, ...]:
    """An order as a card: its name and a row per stage. An arrow marks the next stage; a line crosses done ones."""
    row = cards.record.orders[cards.orders.index(order)]
    parts: list[Part] = [Box(0, 0, width, height, "card", "line")]
    if width < NARROW_BELOW:
        parts += block_or_line(cards.names[order], 4, 3, width - 8, 2.3 * size, size, bold=True)
    else:
        parts.append(line(cards.names[order], 5, 4 + 0.9 * size, width - 10, size, bold=True))
    for number in range(row.num_stages):
        stage = row.stages[number]
        x, y, wide, high = stage_place(number, width, height, size)
        look: Look = "muted" if number < done else "ink"
        asked = stage.pieces.tolist()
        parts += sentence(pictures.pieces(asked, room=6), x, y, wide, high, min(size + 2, high * 0.8), look, True)
        parts.append(
            line(f"£{stage.pay}", width - 5, y + high / 2 + 0.36 * size, 30, size, look, number == done, "end")
        )
        if number < done:
            parts.append(Line(4, y + high / 2, width - 4, y + high / 2, "muted", 1.5))
        elif number == done:
            parts.append(Mark(8, y + high / 2, "arrow", "accent", min(size - 1, 10)))
    return tuple(parts)


def stage_place(number: int, width: float, height: float, size: float) -> tuple[float, float, float, float]:
    """(x, y, width, height) for the pieces of a stage."""
    top = 6 + 2.2 * size if width < NARROW_BELOW else 8 + 1.1 * size
    each = (height - top - 2) / 3
    return 16, top + number * each, width - 16 - (28 if width < NARROW_BELOW else 32), each
