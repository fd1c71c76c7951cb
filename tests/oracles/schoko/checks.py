"""What the page of rules wants of every position, with the shipped deck (its chapter of checks).

A position is plain data as `Oracle.view` has it; `view.view_of` makes the same of the engine's.
"""

from __future__ import annotations

from .cards import CONTRACTS, Json
from .position import EFFECTS

BARS = {card["id"]: card["bars"] for card in CONTRACTS}
PRICES = {card["id"]: (card["lowest"], card["highest"]) for card in CONTRACTS}


def rows(player: Json) -> list[list[object]]:
    return [*player["at_bookkeepers"], *player["open"]]


def check_position(view: Json) -> None:
    """Invariants 1, 4 to 9 and 11"""
    players = view["players"]
    for player in players:
        assert player["cash"] >= 0
        assert type(player["cash"]) is int
        assert 0 <= player["cocoa"] <= 16
        assert 0 <= player["chocolate"] <= 16
        assert all(now - before <= 2 for now, before in zip(player["staff"], player["staff_before"], strict=True))
        assert not player["out"] or sum(player["staff"]) == player["cash"] == len(rows(player)) == 0
        for name, price in [*player["at_bookkeepers"], *player["open"]]:
            lowest, highest = PRICES[name]
            assert lowest <= price <= highest or price == highest // 2
    offered = [view["offer"][0]] if view["offer"] else []
    taken = [name for player in players for name, _ in rows(player)]
    assert sorted([*view["deck"], *view["held_back"], *offered, *taken]) == sorted(BARS)
    hands = [effect for player in players for effect in player["hand"]]
    assert sorted([*hands, *view["face_up"], *view["out_of_game"]]) == sorted(EFFECTS)
    assert max(view["market"]) <= 13
    check_pieces(view)
    check_events(view)
    if view["seat"] is not None:
        assert not players[view["seat"]]["out"]
    played = sum(player["has_played"] for player in players)
    assert played == sum(player["struck_by"] is not None for player in players)
    assert view["month"] > 1 or played == 0


def check_pieces(view: Json) -> None:
    """Invariant 8"""
    box, players = view["box"], view["players"]
    for category, number in enumerate((20, 16, 16, 10)):
        assert box["staff"][category] + sum(player["staff"][category] for player in players) == number
    assert box["loans"] + sum(player["loans"] for player in players) == 13
    assert box["shares"] + sum(player["shares"] for player in players) == 10
    assert min(*box["staff"], box["loans"], box["shares"]) >= 0


def check_events(view: Json) -> None:
    """Invariant 7"""
    first, second = view["events"][:7], view["events"][7:]
    assert len(set(first)) == len(first)
    assert len(set(second)) == len(second)
    assert len(first) + len(second) == view["months"]
