"""Facts about a position in words: parts, employees, orders, markers, and what the solo game asks for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from ....core.text.words import counted
from ....view.tree import Face
from ..cards import Cards
from ..constants import NUM_DAYS, NUM_TILES, Function
from ..words import STORES
from . import pictures
from .describe_cards import STORE_NAMES, objectives_in_words, part_in_words, sizes_in_words
from .seen import Json, View

CLAUSES: Final = {  # of parts without one of their own
    Function.CONVERTER: "PART-1",
    Function.UPGRADER: "PART-5",
    Function.REPEATER: "PART-6",
    Function.CHUTE: "RUN-6",
}
# Requirements of the face-up cards, in the order of the observation's block `satisfied`.
ASKED: Final = ("money", "Special Orders", "chocolate orders", "completed orders", "steps on tracks")


@lru_cache(1 << 10)
def part_name(cards: Cards, part: str) -> str:
    row = cards.row("parts", part)
    return f"{cards.names[part]}, {row.cost} coal: {part_in_words(row)}"


def part_rule(cards: Cards, part: str) -> str:
    """The clause that says what the part does."""
    return cards.clauses[part] or CLAUSES[Function(cards.row("parts", part).function)]


def assigned_to(view: View, player: Json) -> str:
    name: str = view.cards.names[player["employee"]] if player["employee"] else "employee"
    return name


def piece_action(view: View, seat: int, kind: int, tile: int | None) -> int | None:
    """The action of pointing at pieces on a tile or, if `tile` is None, in the store room."""
    task = view.under_way("kind", seat)
    if task is None:
        return (
            view.action("trade" if tile is None else "chute", kind, seat)
            if tile is None or is_chute(view, seat, tile)
            else None
        )
    from_store_room = task in ("give_stage", "give_store", "give_card")
    if (
        task == "leave_out"
        or from_store_room != (tile is None)
        or (tile is not None and view.under_way("tile") != tile)
    ):
        return None
    return view.action("take", kind, seat)


def is_chute(view: View, seat: int, tile: int) -> bool:
    """Whether the part above or below the tile is the Chute."""
    built = view.position["players"][seat]["factory"]
    parts = [built[slot] for slot in (tile, tile + NUM_TILES) if built[slot]]
    return any(view.cards.row("parts", part).function == Function.CHUTE for part in parts)


def employee_status(view: View, player: Json) -> str:
    words = []
    if view.phase == "draft":
        words.append("part drafted" if player["part_drafted"] else "drafts a part")
    if player["uses"]:
        words.append(f"{counted(player['uses'], 'use')} left")
    if supplied := supplied_stores(player):
        words.append("supplied" if len(supplied) == 1 else "supplied twice")
    return ", ".join(words)


def supplied_stores(player: Json) -> list[str]:
    """Today."""
    return [store for store, supplied in player["supplied"].items() if supplied]


def title_of_employee(name: str, store: int) -> str:
    """The card's name, and its store unless the name includes it."""
    if store < 0:
        return f"{name} · no store"
    place = list(STORE_NAMES.values())[store]
    return name if place in name else f"{name} · {place}"


def special_orders_dealt(view: View) -> int:
    """SOLO-2: how many the target of the solo game brings; 0 with several players."""
    return sum(view.requirements(0).special.tolist()) if view.is_solo else 0


def empty_place(view: View, seat: int) -> str:
    """The words on a place without an order. Orders completed on the last day are not replaced (CLEAN-3)."""
    if not view.position["players"][seat]["to_replace"]:
        return "no order"
    return "to be replaced" if view.position["day"] < NUM_DAYS else "completed"


def markers_of(players: Sequence[Json], store: str) -> list[tuple[int, int, bool]]:
    """(seat, space, supplied today), in the order of arrival (FUL-6)."""
    seats = sorted(range(len(players)), key=lambda seat: players[seat]["arrival"][store])
    return [(seat, players[seat]["track"][store], players[seat]["supplied"][store]) for seat in seats]


def asked_in_words(view: View) -> list[str]:
    """What is required and what the player has, in the order of ASKED."""
    solo, player = view.position, view.position["players"][0]
    rows = [view.requirements(card) for card in range(1 + solo["face_up"])]
    money = sum(int(row.money) for row in rows)
    special = sum(rows[0].special.tolist())
    chocolate = [card for card, row in enumerate(rows) if row.order.number]
    delivered = sum(solo["delivered"][card] for card in chocolate)
    orders = [sum(numbers) for numbers in zip(*(row.orders.tolist() for row in rows), strict=True)]
    steps = [sum(numbers) for numbers in zip(*(row.steps.tolist() for row in rows), strict=True)]
    tracks = [f"{STORE_NAMES[STORES[store]]} {number}" for store, number in enumerate(steps) if number]
    tracks += [f"{row.open_boxes} of choice {row.open_steps}" for row in rows if row.open_boxes]
    return [
        money_in_words(view, money) if money else "",
        f"{player['special_completed']} of {special}" if special else "",
        f"{delivered} of {len(chocolate)} delivered" if chocolate else "",
        sizes_in_words(orders),
        ", ".join(tracks),
    ]


def money_in_words(view: View, needed: int) -> str:
    """SOLO-7: the pounds that count, and those that do not yet."""
    money, paid = view.position["players"][0]["money"], view.position["paid"]
    if view.position["options"].get("solo_money") != "completed":
        return f"£{money} of £{needed}"
    more = f", £{sum(paid)} more in open ones" if any(paid) else ""
    return f"£{money - sum(paid)} of £{needed} by completed orders{more}"


def manager_words(row: Any, money: str) -> Face:
    """The card's requirements; a chocolate order in pictograms."""
    if row.order.number:
        words = pictures.order_of_card_words(row.order)
        rest = "; ".join(objectives_in_words(row, money).split("; ")[:-1])
        return [*words, f"; {rest}"] if rest else words
    return [objectives_in_words(row, money)]
