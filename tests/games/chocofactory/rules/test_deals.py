"""Deals of Chocolate Factory against the rules."""

from __future__ import annotations

import pytest
from chocofactory_games import load
from oracles.chocofactory.cards import MASTER_CHOCOLATIER, read_cards
from oracles.chocofactory.pair import for_oracle
from oracles.chocofactory.setup import check_invariants, check_setup

from chocofactory_env.core.jit import COMPILED

CARDS = {expansion: read_cards(expansion) for expansion in (None, MASTER_CHOCOLATIER)}
EVERY_NUMBER = pytest.mark.parametrize("num_players", [1, 2, 3, 4])


def check_deals(num_players: int, sides: str | None, expansion: str | None) -> None:
    for seed in range(10 if COMPILED else 3):
        difficulty = seed % 4 if num_players == 1 else 0
        game = load(num_players=num_players, sides=sides, difficulty=difficulty, expansion=expansion)
        state = for_oracle(game.to_dict(game.new(seed)))
        assert state["options"]["expansion"] == expansion
        check_setup(state, CARDS[expansion], sides)
        check_invariants(state, CARDS[expansion])


@EVERY_NUMBER
@pytest.mark.parametrize("sides", [None, "A", "B", "random", "ABBAB"])
def test_the_engine_deals_as_the_rules_say(num_players: int, sides: str | None) -> None:
    """SET-1, SET-2, SET-3, SET-4, SET-5, SET-6, SET-7, SET-8, SET-9, PREP-1, PREP-2, PREP-3, SOLO-1, SOLO-2"""
    check_deals(num_players, sides, None)


@EVERY_NUMBER
@pytest.mark.parametrize("sides", [None, "A", "C", "D", "random", "DCACD", "CCCBA"])
def test_the_engine_deals_the_expansion_as_the_rules_say(num_players: int, sides: str | None) -> None:
    """MC-1, MC-3, MC-5, MC-7: what leaves the part decks, six employees in packets, sides C and D"""
    check_deals(num_players, sides, MASTER_CHOCOLATIER)
