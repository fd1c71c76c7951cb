"""What a seat of the candy factory may know, in the blocks of the page's table of observations: OPEN-1 to OPEN-4."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .words import ABILITIES, CARDS, HIRED, KINDS, RECIPE_PLACES, SPACES, SPECIALISTS, STEPS, WORKERS, Player, Room

if TYPE_CHECKING:
    from .oracle import Oracle

HALVES = ("plantation", "candy")
RECIPE_FIELDS = ("sugar", "chocolate", "uses", "candies", "points")


def one_hot(value: Any, values: Iterable[Any]) -> list[int]:
    """All zeros if `value` is none of them."""
    return [int(value == other) for other in values]


def counts(things: list[str], names: Iterable[str]) -> list[int]:
    return [things.count(name) for name in names]


def by_kind(goods: Counter[str]) -> list[int]:
    return [goods[kind] for kind in KINDS]


def observable(oracle: Oracle, seat: int) -> dict[str, Any]:
    """Seats count clockwise from the observer."""
    seats = [(seat + step) % oracle.num_players for step in range(oracle.num_players)]
    players = [oracle.players[other] for other in seats]
    return (
        table_blocks(oracle, seat, seats)
        | turn_blocks(oracle, seat)
        | own_blocks(oracle, oracle.players[seat])
        | player_blocks(oracle, players)
    )


def table_blocks(oracle: Oracle, seat: int, seats: list[int]) -> dict[str, Any]:
    """OPEN-1; OPEN-4: of the specialist deck what the observer knows."""
    known = [card for card, knows in zip(oracle.specialist_deck, oracle.known_by, strict=True) if seat in knows]
    recipes = [
        [*(recipe[field] for field in RECIPE_FIELDS), tokens]
        for recipe, tokens in zip(oracle.recipes, oracle.tokens, strict=True)
    ]
    nothing = [[0] * (len(RECIPE_FIELDS) + 1)] * (RECIPE_PLACES - len(recipes))
    return {
        "half": one_hot(oracle.half, HALVES),
        "step": one_hot(oracle.step, STEPS),
        "to_move": one_hot(oracle.seat, seats),
        "board": [int(oracle.board[space]) for space in SPACES],
        "die": one_hot(oracle.die, SPACES),
        "abilities": [one_hot(ability, ABILITIES) for ability in oracle.board_now["spaces"]],
        "supply": [oracle.sugar, oracle.cacao, oracle.coins],
        "specialist_deck": [len(oracle.specialist_deck)],
        "known_specialists": counts(known, HIRED),
        "recipes": recipes + nothing,
        "trucks": [[truck["places"], truck["berths"], int(truck["own"])] for truck in oracle.tables["trucks"]],
    }


def turn_blocks(oracle: Oracle, seat: int) -> dict[str, Any]:
    turn = oracle.turn
    offer = oracle.offer() if oracle.seat == seat else []
    return {
        "task_card": one_hot(oracle.dismissed or turn.card, CARDS),
        "task_number": one_hot(turn.number, SPACES),
        "task_way": [int(turn.way == "bring"), int(turn.way == "ship"), int(turn.counter_clockwise)],
        "task_space": one_hot(turn.space, SPACES),
        "task_left": [turn.left],
        "task_truck": one_hot(oracle.loaded_truck if oracle.step == "load" else turn.truck, range(4)),
        "task_last": one_hot(turn.last, KINDS),
        "task_open": [int(turn.space_open), int(turn.machinist_open)],
        "task_recipe": one_hot(turn.recipe, range(RECIPE_PLACES)),
        "task_uses": [turn.uses],
        "offer": counts(offer, HIRED),
        "to_load": counts(oracle.to_load, ("sugar", "chocolate")),
        "surplus": [oracle.player.surplus() if oracle.step == "dismiss" else 0],
    }


def own_blocks(oracle: Oracle, player: Player) -> dict[str, Any]:
    """OPEN-2: the own deck without order; SHORT-4: without the three that its owner has not seen."""
    deck = [card for card in player.deck if oracle.game != "candy" or card not in HIRED]
    return {"hand": counts(player.hand, CARDS), "own_deck": counts(deck, CARDS)}


def nameable(oracle: Oracle, player: Player) -> list[str]:
    """OPEN-3: unplayed cards that everybody can name."""
    unplayed = player.hand + player.deck
    if oracle.game == "full" and oracle.half == "candy":
        return unplayed
    return [card for card in unplayed if card in WORKERS or card == "temp"]


def player_blocks(oracle: Oracle, players: list[Player]) -> dict[str, Any]:
    named = [nameable(oracle, player) for player in players]
    rooms: list[list[Room]] = [player.rooms() for player in players]
    return {
        "coins": [player.coins for player in players],
        "whistle": [player.whistle for player in players],
        "hand_size": [len(player.hand) for player in players],
        "deck_size": [len(player.deck) for player in players],
        "unplayed": [counts(cards, CARDS) for cards in named],
        "unknown_specialists": [
            len(player.hand) + len(player.deck) - len(cards) for player, cards in zip(players, named, strict=True)
        ],
        "played_specialists": [counts(player.played, SPECIALISTS) for player in players],
        "goods": [[by_kind(room.goods()) for room in mine] for mine in rooms],
        "stacks": [[by_kind(room.stacked()) for room in mine] for mine in rooms],
        "free": [[room.free for room in mine] for mine in rooms],
    }
