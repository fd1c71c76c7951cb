"""What holds in every position: the page's chapter Checks, of positions as the page `protocol.md` writes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from .words import EFFECTS, HIRED, SPECIALISTS, WORKERS, Tables

Json = dict[str, Any]


def check_position(data: Json, tables: Tables, game: str) -> None:
    """Checks 1 to 3 and 6."""
    check_conservation(data, tables)
    check_places(data, tables)
    check_cards(data, tables, game)
    check_cacao(data)


def rooms_of(player: Json) -> list[Json]:
    """The warehouse, then the trucks."""
    return [player["warehouse"], *player["trucks"]]


def total(data: Json, *kinds: str) -> int:
    """Goods of these kinds in all warehouses and trucks."""
    return sum(room["goods"].get(kind, 0) for player in data["players"] for room in rooms_of(player) for kind in kinds)


def check_conservation(data: Json, tables: Tables) -> None:
    """Check 1."""
    numbers, supply = tables["setup"][0], data["supply"]
    assert supply["sugar"] + total(data, "sugar") == numbers["sugar"]
    assert supply["cacao"] + total(data, "cacao", "chocolate") == numbers["cacao"]
    assert supply["coins"] + sum(player["coins"] + player["whistle"] for player in data["players"]) == numbers["coins"]
    assert len(set(data["board"])) == len(data["board"]) <= numbers["pawns"]
    tokens = {recipe["id"]: recipe["tokens"] for recipe in tables["recipes"]}
    for recipe, left in data["recipes"].items():
        assert left + total(data, f"plain {recipe}", f"decorated {recipe}") == tokens[recipe]
    amounts = [*supply.values(), *data["recipes"].values(), *(player["coins"] for player in data["players"])]
    assert min(amounts) >= 0


def check_places(data: Json, tables: Tables) -> None:
    """Check 2."""
    places = [tables["setup"][0]["warehouse"], *(truck["places"] for truck in tables["trucks"])]
    for player in data["players"]:
        for room, has in zip(rooms_of(player), places, strict=True):
            goods, stacks = room["goods"], room["stacks"]
            assert min(*goods.values(), *stacks.values(), 1, 1) > 0
            assert sum(goods.values()) - sum(stacks.values()) <= has
            assert all(2 * number <= goods.get(kind, 0) for kind, number in stacks.items())


def specialists(cards: Iterable[str]) -> Counter[str]:
    return Counter(card for card in cards if card in SPECIALISTS)


def check_cards(data: Json, tables: Tables, game: str) -> None:
    """Check 3, as far as a position says it: played worker cards and what left the game are not in it."""
    numbers = tables["setup"][0]
    workers = Counter(str(number) for number in tables["workers"][0]["numbers"])
    there = Counter({EFFECTS[row["effect"]]: row["count"] for row in tables["specialists"]})
    there["temp"] = len(data["players"])
    owned = specialists(entry["card"] for entry in data["specialist_deck"])
    for player in data["players"]:
        unplayed = Counter(player["hand"] + player["deck"])
        assert Counter({card: number for card, number in unplayed.items() if card in WORKERS}) <= workers
        owned += specialists(player["hand"] + player["deck"] + player["played"])
        assert len(player["hand"]) <= numbers["hand"]
        if data["step"] == "play":
            assert len(player["hand"]) == numbers["hand"] or not player["deck"]
        if game == "candy":
            assert len([card for card in unplayed.elements() if card in HIRED]) <= numbers["short_specialists"]
    if game != "candy" and data["half"] == "plantation" and data["step"] != "dismiss":
        assert owned == there
    else:
        assert owned <= there


def check_cacao(data: Json) -> None:
    """Check 6."""
    for player in data["players"]:
        assert not any(truck["goods"].get("cacao") for truck in player["trucks"])
        assert data["half"] == "plantation" or not player["warehouse"]["goods"].get("cacao")
