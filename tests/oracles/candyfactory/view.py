"""A position of the candy factory's oracle as the page `protocol.md` writes it, but for what follows from the rest."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from .words import CARDS, KINDS, RECIPE_PLACES, SPECIALISTS, Player

if TYPE_CHECKING:
    from .oracle import Oracle

Json = dict[str, Any]
HOLDS = ("warehouse", *(f"truck {number}" for number in range(4)))


def view_of(oracle: Oracle) -> Json:
    nothing = RECIPE_PLACES - len(oracle.recipes)
    return {
        "half": oracle.half,
        "step": oracle.step or "over",
        "current": oracle.seat,
        "start_player": oracle.start_player,
        "turn": view_of_turn(oracle),
        "board": {f"space {space}": there for space, there in oracle.board.items()},
        "die": oracle.die,
        "supply": {"sugar": oracle.sugar, "cacao": oracle.cacao, "coins": oracle.coins},
        "recipes": [*(recipe["id"] for recipe in oracle.recipes), *[None] * nothing],
        "tokens": [*oracle.tokens, *[0] * nothing],
        "seats": [view_of_player(player) for player in oracle.players],
        "specialists": list(oracle.specialist_deck),
        "known_to": [sorted(seats) for seats in oracle.known_by],
        "specialists_left": len(oracle.specialist_deck),
    }


def written(kind: str) -> str:
    """ "plain of recipe 0" for "plain 0"."""
    return kind.replace(" ", " of recipe ")


def view_of_player(player: Player) -> Json:
    hand, played = Counter(player.hand), Counter(player.played)
    rooms = dict(zip(HOLDS, player.rooms(), strict=True))
    return {
        "coins": player.coins,
        "whistle": bool(player.whistle),
        "hand": {card: hand[card] for card in CARDS},
        "hand_size": len(player.hand),
        "deck": player.deck[::-1],
        "deck_size": len(player.deck),
        "played": {card: played[card] for card in SPECIALISTS},
        "goods": {hold: by_kind(room.goods()) for hold, room in rooms.items()},
        "stacks": {hold: by_kind(room.stacked()) for hold, room in rooms.items()},
        "free": {hold: room.free for hold, room in rooms.items()},
    }


def by_kind(goods: Counter[str]) -> dict[str, int]:
    return {written(kind): goods[kind] for kind in KINDS}


def view_of_turn(oracle: Oracle) -> Json:
    turn = oracle.turn
    return {
        "card": oracle.dismissed or turn.card,
        "number": turn.number or 0,
        "way": turn.way or "none",
        "counter": turn.counter_clockwise,
        "space": None if turn.space is None else f"space {turn.space}",
        "left": turn.left,
        "truck": oracle.loaded_truck if oracle.step == "load" else turn.truck,
        "last": None if turn.last is None else written(turn.last),
        "open": {"space": turn.space_open, "machinist": turn.machinist_open},
        "recipe": turn.recipe,
        "uses": turn.uses,
        "recruited": turn.recruited,
        "to_load": {kind: oracle.to_load.count(kind) for kind in ("sugar", "chocolate")},
        "surplus": oracle.player.surplus() if oracle.step == "dismiss" else 0,
    }
