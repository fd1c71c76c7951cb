"""Decks of our own for the rules tests: the shipped one with other orders or manager cards."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

KINDS = ("chunks", "fingers", "caramel", "nuts", "boxed")
Stage = tuple[dict[str, int], int]


def toml(value: Any) -> str:
    """A value as TOML writes it inline."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(toml(item) for item in value) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def tables(name: str, records: list[dict[str, Any]]) -> str:
    return "\n".join(f"[[{name}]]\n" + "\n".join(f"{key} = {toml(value)}" for key, value in r.items()) for r in records)


def order(identifier: str, *stages: Stage) -> dict[str, Any]:
    sizes = ("small", "medium", "large")
    return {
        "id": identifier,
        "name": identifier,
        "size": sizes[len(stages) - 1],
        "stages": [{"pieces": pieces, "pay": pay} for pieces, pay in stages],
        "source": "reconstructed",
    }


def filler_orders(own: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Own orders, filled up to 18 of each size."""
    orders = list(own)
    for size, name in enumerate(("small", "medium", "large")):
        for number in range(18 - sum(order["size"] == name for order in own)):
            kinds = [KINDS[(number + stage) % 5] for stage in range(size + 1)]
            orders.append(order(f"filler-{name}-{number}", *((({kind: 1}), 3 + 2 * s) for s, kind in enumerate(kinds))))
    return orders


def card(identifier: str, **objectives: Any) -> dict[str, Any]:
    return {"id": identifier, "name": identifier, "source": "reconstructed", **objectives}


def repeated(name: str, cards: list[dict[str, Any]], number: int) -> list[dict[str, Any]]:
    return [{**cards[n % len(cards)], "id": f"{name}-{n}", "name": f"{name}-{n}"} for n in range(number)]


def write_deck(path: Path, **content: list[dict[str, Any]]) -> Path:
    """A deck file with these tables: `orders` filled up, `targets` and `demands` repeated up to 8 and 18."""
    fill: dict[str, Callable[[list[dict[str, Any]]], list[dict[str, Any]]]] = {
        "orders": filler_orders,
        "targets": lambda cards: repeated("target", cards, 8),
        "demands": lambda cards: repeated("demand", cards, 18),
    }
    path.write_text(
        "\n".join(tables(name, fill[name](cards)) for name, cards in content.items()) + "\n", encoding="utf-8"
    )
    return path
