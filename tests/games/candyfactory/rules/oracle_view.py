"""The candy factory's oracle as plain data, for comparison with a position of the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .oracle_words import CARDS, KINDS, SPACES, SPECIALISTS, Player, Room

if TYPE_CHECKING:
    from .oracle import Oracle


def view_of(oracle: Oracle) -> dict[str, Any]:
    return {
        "half": oracle.half,
        "step": oracle.step,
        "seat": oracle.seat,
        "start_player": oracle.start_player,
        "last_mover": oracle.last_mover,
        "board": [oracle.board[space] for space in SPACES],
        "die": oracle.die,
        "supply": {
            "sugar": oracle.sugar,
            "cacao": oracle.cacao,
            "coins": oracle.coins,
            "workers": oracle.numbers["pawns"] - sum(oracle.board.values()),
        },
        "recipes": [
            {"id": recipe["id"], "tokens": left} for recipe, left in zip(oracle.recipes, oracle.tokens, strict=True)
        ],
        "specialist_deck": list(oracle.specialist_deck),
        "known_by": [sorted(seats) for seats in oracle.known_by],
        "out_of_game": sorted(oracle.out_of_game, key=SPECIALISTS.index),
        "to_load": {kind: oracle.to_load.count(kind) for kind in ("sugar", "chocolate")},
        "loaded_truck": oracle.loaded_truck,
        "dismissed": oracle.dismissed,
        "turn": dict(vars(oracle.turn)),
        "players": [view_of_player(player) for player in oracle.players],
    }


def view_of_player(player: Player) -> dict[str, Any]:
    """`rooms`: the warehouse, then the trucks."""
    return {
        "coins": player.coins,
        "whistle": player.whistle,
        "hand": sorted(player.hand, key=CARDS.index),
        "deck": list(player.deck),
        "played": list(player.played),
        "rooms": [view_of_room(room) for room in player.rooms()],
    }


def view_of_room(room: Room) -> dict[str, Any]:
    goods, stacks = room.goods(), room.stacked()
    return {
        "goods": {kind: goods[kind] for kind in KINDS if goods[kind]},
        "stacks": {kind: stacks[kind] for kind in KINDS if stacks[kind]},
        "free": room.free,
    }
