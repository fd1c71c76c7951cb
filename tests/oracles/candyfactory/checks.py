"""What holds in every position: the page's chapter Checks. The engine's position has been found to be the oracle's."""

from __future__ import annotations

from collections import Counter

from .oracle import Oracle
from .words import DECORATED, EFFECTS, HIRED, PLAIN, SPECIALISTS, WORKERS


def check_position(oracle: Oracle) -> None:
    """Checks 1 to 3 and 6."""
    check_conservation(oracle)
    check_places(oracle)
    check_cards(oracle)
    check_cacao(oracle)


def total(oracle: Oracle, *kinds: str) -> int:
    """Goods of these kinds in all warehouses and trucks."""
    return sum(room.count(kind) for player in oracle.players for room in player.rooms() for kind in kinds)


def check_conservation(oracle: Oracle) -> None:
    """Check 1."""
    numbers = oracle.numbers
    assert oracle.sugar + total(oracle, "sugar") == numbers["sugar"]
    assert oracle.cacao + total(oracle, "cacao", "chocolate") == numbers["cacao"]
    assert oracle.coins + sum(player.coins + player.whistle for player in oracle.players) == numbers["coins"]
    assert sum(oracle.board.values()) <= numbers["pawns"]
    for place, recipe in enumerate(oracle.recipes):
        assert oracle.tokens[place] + total(oracle, PLAIN[place], DECORATED[place]) == recipe["tokens"]
    amounts = [oracle.sugar, oracle.cacao, oracle.coins, *oracle.tokens, *(player.coins for player in oracle.players)]
    assert min(amounts) >= 0


def check_places(oracle: Oracle) -> None:
    """Check 2."""
    for player in oracle.players:
        for room in player.rooms():
            assert room.free >= 0
            assert all(len(set(stack)) == 1 and len(stack) in (1, 2) for stack in room.stacks)


def check_cards(oracle: Oracle) -> None:
    """Check 3, as far as a position says it: played worker cards and what left the game are not in it."""
    numbers = oracle.numbers
    workers = Counter(str(number) for number in oracle.tables["workers"][0]["numbers"])
    there = Counter({EFFECTS[row["effect"]]: row["count"] for row in oracle.tables["specialists"]})
    there["temp"] = oracle.num_players
    owned = Counter(oracle.specialist_deck)
    for player in oracle.players:
        unplayed = Counter(player.hand + player.deck)
        assert Counter({card: number for card, number in unplayed.items() if card in WORKERS}) <= workers
        owned.update(card for card in player.hand + player.deck + player.played if card in SPECIALISTS)
        assert len(player.hand) <= numbers["hand"]
        if oracle.step == "play":
            assert len(player.hand) == numbers["hand"] or not player.deck
        if oracle.game == "candy":
            assert sum(unplayed[card] for card in HIRED) <= numbers["short_specialists"]
    if oracle.game != "candy" and oracle.half == "plantation" and oracle.step != "dismiss":
        assert owned == there
    else:
        assert owned <= there


def check_cacao(oracle: Oracle) -> None:
    """Check 6."""
    for player in oracle.players:
        assert not any(truck.count("cacao") for truck in player.trucks)
        assert oracle.half == "plantation" or not player.warehouse.count("cacao")
