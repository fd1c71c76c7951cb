"""A position of the candy factory's oracle as the page `protocol.md` writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .words import CARDS, KINDS, SPACES, SPECIALISTS, Player, Room

if TYPE_CHECKING:
    from .oracle import Oracle

Json = dict[str, Any]


def view_of(oracle: Oracle) -> Json:
    return {
        "half": oracle.half,
        "step": oracle.step or "over",
        "current_player": oracle.seat,
        "start_player": oracle.start_player,
        "board": [space for space in SPACES if oracle.board[space]],
        "die": oracle.die,
        "supply": {"sugar": oracle.sugar, "cacao": oracle.cacao, "coins": oracle.coins},
        "recipes": {recipe["id"]: left for recipe, left in zip(oracle.recipes, oracle.tokens, strict=True)},
        "specialist_deck": [
            {"card": card, "known_to": sorted(seats)}
            for card, seats in zip(oracle.specialist_deck, oracle.known_by, strict=True)
        ],
        "players": [view_of_player(oracle, player) for player in oracle.players],
        "turn": None if oracle.step in (None, "play") else view_of_turn(oracle),
    }


def written(oracle: Oracle, kind: str) -> str:
    """A kind by the id of its recipe: "plain lollipop" for "plain 0"."""
    how, _, place = kind.partition(" ")
    return f"{how} {oracle.recipes[int(place)]['id']}" if place else kind


def view_of_player(oracle: Oracle, player: Player) -> Json:
    warehouse, *trucks = (view_of_room(oracle, room) for room in player.rooms())
    return {
        "coins": player.coins,
        "whistle": bool(player.whistle),
        "hand": sorted(player.hand, key=CARDS.index),
        "deck": list(player.deck),
        "played": sorted(player.played_specialists(), key=SPECIALISTS.index),
        "warehouse": warehouse,
        "trucks": trucks,
    }


def view_of_room(oracle: Oracle, room: Room) -> Json:
    goods, stacks = room.goods(), room.stacked()
    return {
        "goods": {written(oracle, kind): goods[kind] for kind in KINDS if goods[kind]},
        "stacks": {written(oracle, kind): stacks[kind] for kind in KINDS if stacks[kind]},
    }


def view_of_turn(oracle: Oracle) -> Json:
    turn = oracle.turn
    return {
        "card": oracle.dismissed or turn.card,
        "number": turn.number,
        "way": turn.way,
        "counter_clockwise": turn.counter_clockwise,
        "space": turn.space,
        "left": turn.left,
        "truck": oracle.loaded_truck if oracle.step == "load" else turn.truck,
        "last": None if turn.last is None else written(oracle, turn.last),
        "space_ability": turn.space_open,
        "machinist": turn.machinist_open,
        "recipe": None if turn.recipe is None else oracle.recipes[turn.recipe]["id"],
        "uses": turn.uses,
        "recruited": turn.recruited,
        "to_load": {kind: oracle.to_load.count(kind) for kind in ("sugar", "chocolate")},
        "surplus": oracle.player.surplus() if oracle.step == "dismiss" else 0,
    }
