"""The engine held against the oracle in random games, and its deals against the rules.

`CF_ORACLE_GAMES` says how many games are followed (default 16). For thousands:

    CF_ORACLE_GAMES=4000 python -m pytest tests/games/chocofactory/rules/test_oracle.py -k follows -n 4

`CF_ORACLE_FIRST` is the first seed (default 0); `-rP` prints what the games were about. A failure names the seed and
the variant; to see one game again:

    python -c "from oracle_follow import Pair; Pair(seed, num_players, play_forced).play()"      # in tests/
"""

from __future__ import annotations

import os
from collections import Counter

import pytest
from long_runs import amount
from oracle import Json
from oracle_cards import MASTER_CHOCOLATIER, read_cards
from oracle_follow import Pair, for_oracle, load
from oracle_setup import check_invariants, check_setup

from chocofactory_env.core.jit import COMPILED

GAMES = amount("CF_ORACLE_GAMES", 16, 4_000)
FIRST_SEED = int(os.environ.get("CF_ORACLE_FIRST", "0"))
CARDS_SHIPPED = {expansion: read_cards(expansion) for expansion in (None, MASTER_CHOCOLATIER)}


def check_deals(num_players: int, sides: str | None, expansion: str | None) -> None:
    for seed in range(10 if COMPILED else 3):
        game = load(num_players, sides, seed % 4 if num_players == 1 else 0, True, expansion)
        state: Json = for_oracle(game.to_dict(game.new(seed)))
        assert state["options"]["expansion"] == expansion
        check_setup(state, CARDS_SHIPPED[expansion], sides)
        check_invariants(state, CARDS_SHIPPED[expansion])


@pytest.mark.parametrize("num_players", [1, 2, 3, 4])
@pytest.mark.parametrize("sides", [None, "A", "B", "random", "ABBAB"])
def test_the_engine_deals_as_the_rules_say(num_players: int, sides: str | None) -> None:
    """SET-1, SET-2, SET-3, SET-4, SET-5, SET-6, SET-7, SET-8, SET-9, PREP-1, PREP-2, PREP-3, SOLO-1, SOLO-2"""
    check_deals(num_players, sides, None)


@pytest.mark.parametrize("num_players", [1, 2, 3, 4])
@pytest.mark.parametrize("sides", [None, "A", "C", "D", "random", "DCACD", "CCCBA"])
def test_the_engine_deals_the_expansion_as_the_rules_say(num_players: int, sides: str | None) -> None:
    """MC-1, MC-3, MC-5, MC-7: what leaves the part decks, six employees in packets, sides C and D"""
    check_deals(num_players, sides, MASTER_CHOCOLATIER)


@pytest.mark.slow
@pytest.mark.parametrize("play_forced", [True, False])
@pytest.mark.parametrize("num_players", [1, 2, 3, 4])
@pytest.mark.long
def test_the_engine_follows_the_oracle(num_players: int, play_forced: bool) -> None:
    """Legal actions and states at every step, results at the end, and results of made-up ends."""
    seen: Counter[str] = Counter()
    for seed in range(FIRST_SEED, FIRST_SEED + max(1, GAMES // 8)):
        pair = Pair(seed, num_players, play_forced)
        pair.play()
        pair.play_ends(10)
        seen += pair.seen
    print(*(f"{number:6} {what}" for what, number in sorted(seen.items())), sep="\n")  # seen with `-rP`
