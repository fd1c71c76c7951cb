"""What holds in every position of the candy factory: the page's chapter Checks, read off the oracle's view."""

from __future__ import annotations

from collections import Counter
from typing import Any

from .oracle_words import CARDS, DECORATED, HIRED, KINDS, PLAIN, SPECIALISTS, WORKERS, Tables

Json = dict[str, Any]


def check_position(view: Json, tables: Tables, game: str) -> None:
    check_conservation(view, tables)
    check_places(view, tables)
    check_cards(view, game)
    check_cacao(view)


def total(view: Json, kinds: tuple[str, ...]) -> int:
    """Goods of these kinds in all warehouses and trucks."""
    return sum(room["goods"].get(kind, 0) for player in view["players"] for room in player["rooms"] for kind in kinds)


def check_conservation(view: Json, tables: Tables) -> None:
    """Check 1."""
    numbers, supply = tables["setup"][0], view["supply"]
    assert supply["sugar"] + total(view, ("sugar",)) == numbers["sugar"]
    assert supply["cacao"] + total(view, ("cacao", "chocolate")) == numbers["cacao"]
    assert supply["coins"] + sum(player["coins"] + player["whistle"] for player in view["players"]) == numbers["coins"]
    assert supply["workers"] + sum(view["board"]) == numbers["pawns"]
    tokens = {recipe["id"]: recipe["tokens"] for recipe in tables["recipes"]}
    for place, recipe in enumerate(view["recipes"]):
        assert recipe["tokens"] + total(view, (PLAIN[place], DECORATED[place])) == tokens[recipe["id"]]
    amounts = [*supply.values(), *(recipe["tokens"] for recipe in view["recipes"])]
    amounts += [player[name] for player in view["players"] for name in ("coins", "whistle")]
    assert min(amounts) >= 0


def check_places(view: Json, tables: Tables) -> None:
    """Check 2."""
    places = [tables["setup"][0]["warehouse"], *(truck["places"] for truck in tables["trucks"])]
    for player in view["players"]:
        for room, has in zip(player["rooms"], places, strict=True):
            taken = sum(room["goods"].values()) - sum(room["stacks"].values())
            assert room["free"] == has - taken >= 0
            assert all(2 * room["stacks"].get(kind, 0) <= room["goods"].get(kind, 0) for kind in KINDS)


def check_cards(view: Json, game: str) -> None:
    """Check 3."""
    owned: Counter[str] = Counter(view["specialist_deck"]) + Counter(view["out_of_game"])
    for player in view["players"]:
        cards = Counter(player["hand"] + player["deck"] + player["played"])
        assert all(cards[worker] == 1 for worker in WORKERS)
        assert cards.keys() <= set(CARDS)
        owned += Counter({card: cards[card] for card in SPECIALISTS})
        if view["step"] == "play":
            assert len(player["hand"]) <= 3
            assert len(player["hand"]) == 3 or not player["deck"]
        if game == "candy":
            assert sum(cards[card] for card in HIRED) == 3
    assert owned["temp"] == len(view["players"])
    if game == "candy":
        assert all(owned[card] <= 3 for card in HIRED)
    else:
        assert all(owned[card] == 3 for card in HIRED)


def check_cacao(view: Json) -> None:
    """Check 6."""
    for player in view["players"]:
        warehouse, *trucks = player["rooms"]
        assert not any(truck["goods"].get("cacao") for truck in trucks)
        assert view["half"] == "plantation" or not warehouse["goods"].get("cacao")
