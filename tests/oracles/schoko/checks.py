"""What the page of rules wants of every position with the shipped deck (its chapter of checks)."""

from __future__ import annotations

from .cards import CONTRACTS, EXPRESS_EFFECTS, Json
from .view import face_down, held

BARS = {card["id"]: card["bars"] for card in CONTRACTS}
PRICES = {card["id"]: (card["lowest"], card["highest"]) for card in CONTRACTS}


def check_position(data: Json, months: int) -> None:
    """Invariants 1, 4 to 9 and 11"""
    players = data["players"]
    for player in players:
        assert player["cash"] >= 0
        assert 0 <= player["cocoa"] <= 16
        assert 0 <= player["chocolate"] <= 16
        assert all(number - player["staff_before"][category] <= 2 for category, number in player["staff"].items())
        assert not player["out"] or sum(player["staff"].values()) == player["cash"] == len(held(player)) == 0
        for name, price in held(player):
            lowest, highest = PRICES[name]
            assert lowest <= price <= highest or price == highest // 2
    offered = [data["offer"]] if data["offer"] else []
    there = [*face_down(data), *offered, *(name for player in players for name, _ in held(player))]
    assert len(set(there)) == len(there)
    assert set(there) <= BARS.keys()
    assert data["express"].keys() == EXPRESS_EFFECTS.keys()
    assert max(data["market"]) <= 13
    check_pieces(data)
    check_events(data, months)
    if data["current"] is not None:
        assert not players[data["current"]]["out"]
    played = sum(player["has_played"] for player in players)
    assert played == sum(player["struck_by"] is not None for player in players)
    assert data["month"] > 1 or played == 0


def check_pieces(data: Json) -> None:
    """Invariant 8"""
    box, players = data["box"], data["players"]
    for category, number in {"worker": 20, "salesman": 16, "secretary": 16, "bookkeeper": 10}.items():
        assert box[category] + sum(player["staff"][category] for player in players) == number
    for name, number in {"loans": 13, "shares": 10}.items():
        assert box[name] + sum(player[name] for player in players) == number
    assert min(box.values()) >= 0


def check_events(data: Json, months: int) -> None:
    """Invariant 7"""
    first, second = data["events"][:7], data["events"][7:months]
    assert len(set(first)) == len(first)
    assert len(set(second)) == len(second)
    assert len(first[:months]) + len(second) == months
