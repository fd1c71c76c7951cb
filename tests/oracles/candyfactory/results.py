"""Scores and places of the candy factory's oracle: SCORE-1 to SCORE-4, TIE-1, TIE-2, SHORT-1, SHORT-2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .words import DECORATED, PLAIN, Player, Room, type_of

if TYPE_CHECKING:
    from .oracle import Oracle


def points_of_good(oracle: Oracle, kind: str) -> int:
    """SCORE-2."""
    if kind in PLAIN:
        return int(oracle.recipes[PLAIN.index(kind)]["points"])
    if kind in DECORATED:
        return int(oracle.recipes[DECORATED.index(kind)]["points"]) + 1
    return 1


def points_aboard(oracle: Oracle, player: Player) -> int:
    """SCORE-1, SCORE-2, SCORE-3; SHORT-1."""
    if oracle.game == "plantation":
        points = oracle.numbers["short_points"]
        return sum(points[good] for truck in player.trucks for good in truck.goods().elements())
    goods = [good for truck in player.trucks if truck.own for good in truck.goods().elements()]
    types = {type_of(good) for good in goods}
    return sum(points_of_good(oracle, good) for good in goods) + len(types)


def all_standings(oracle: Oracle) -> list[int]:
    return [points_aboard(oracle, player) for player in oracle.players]


def all_scores(oracle: Oracle) -> list[int]:
    """SCORE-4: a coin on the whistle is not among the player's coins (WHIS-1)."""
    return [points_aboard(oracle, player) + player.coins for player in oracle.players]


def goods_for_ties(oracle: Oracle, player: Player) -> int:
    """TIE-1: goods in hired trucks and warehouse; SHORT-2: in the warehouse."""
    hired: list[Room] = [] if oracle.game == "plantation" else [truck for truck in player.trucks if not truck.own]
    return sum(room.goods().total() for room in (player.warehouse, *hired))


def ranking_of(oracle: Oracle) -> list[int]:
    """TIE-1, TIE-2: how many seats are better."""
    keys = [
        (score, player.coins, goods_for_ties(oracle, player))
        for score, player in zip(all_scores(oracle), oracle.players, strict=True)
    ]
    return [sum(other > key for other in keys) for key in keys]
