"""The engine held against the oracle in random games, in everything there is to compare.

`CF_ORACLE_GAMES` says how many games are followed in all (default: a sample of 23). For thousands:

    CF_ORACLE_GAMES=2000 python -m pytest tests/games/schoko/rules/test_oracle_follow.py

`CF_ORACLE_FIRST` is the first seed (default 0); `-rP` prints what the games were about. A failure names the seed and
the options.
"""

from __future__ import annotations

import os
from collections import Counter, deque
from functools import cache
from typing import Any

import pytest
from long_runs import amount

from chocofactory_env.core.jit import COMPILED
from chocofactory_env.games.schoko.actions import ACTIONS

from .oracle import Oracle
from .oracle_cards import LENGTHS
from .oracle_follow import Pair
from .oracle_observation import EFFECTS_OF_EVENTS, TASKS
from .oracle_position import EFFECTS

VARIANTS = [
    (num_players, play_forced)
    for num_players in ((2, 3, 4) if COMPILED else (3,))  # uncompiled a game takes ten seconds
    for play_forced in (True, False)
]
# The sample that is followed unless a number is named: two games of every variant, and short ones of what they lack.
SAMPLE = {
    (2, True): (0, 1, 2, 5, 6, 7),
    (2, False): (0, 1, 4, 5),
    (3, True): (0, 1, 5, 6),
    (3, False): (0, 1, 3, 4),
    (4, True): (0, 1, 5),
    (4, False): (0, 1),
}
GAMES = amount("CF_ORACLE_GAMES", 0 if COMPILED else 2, 2_000) // len(VARIANTS)
FIRST_SEED = int(os.environ.get("CF_ORACLE_FIRST", "0"))


@cache
def followed(num_players: int, play_forced: bool) -> Counter[str]:
    """What the games were about; AssertionError for any difference."""
    seen: Counter[str] = Counter()
    for seed in range(FIRST_SEED, FIRST_SEED + GAMES) if GAMES else SAMPLE[num_players, play_forced]:
        pair = Pair(seed, num_players, play_forced)
        pair.play()
        seen += pair.seen
    return seen


@pytest.mark.long
@pytest.mark.parametrize(("num_players", "play_forced"), VARIANTS)
def test_the_engine_plays_as_the_oracle_does(num_players: int, play_forced: bool) -> None:
    """Legal actions, whole positions, results, and what every seat sees (SEE-1, SEE-3), after every step."""
    seen = followed(num_players, play_forced)
    print(*(f"{number:7} {what}" for what, number in sorted(seen.items())), sep="\n")  # seen with `-rP`


FULL = pytest.mark.skipif(not COMPILED, reason="uncompiled fewer games are followed")


@FULL
def test_the_games_that_are_followed_leave_nothing_untried() -> None:
    seen: Counter[str] = sum((followed(*variant) for variant in VARIANTS), Counter())
    expected = {f"verb {verb}" for verb, _ in ACTIONS.verbs}
    expected |= {f"task {task}" for task in TASKS}
    expected |= {f"card {effect}" for effect in EFFECTS}
    expected |= {f"event {effect}" for effect in EFFECTS_OF_EVENTS}
    expected |= {f"{players} players, {months} months" for players, lengths in LENGTHS.items() for months in lengths}
    expected |= {"upset all", "upset bookkeepers", "play_forced True", "play_forced False"}
    expected |= {f"leader {leader}" for leader in (None, 0, 1, 2, 3)}
    expected |= {"own deck", "the shipped deck", "gifts", "the deck is renewed", "bankrupt", "an emergency loan"}
    expected |= {"shares sold to pay", "one is left", "the last month ends"}
    expected |= {f"taken at the {price}" for price in ("lowest", "way", "highest")}
    assert expected <= {what for what, number in seen.items() if number}, expected - seen.keys()


WRONG: dict[str, Any] = {
    "may_take_loan": lambda oracle, seat: True,
    "attend": lambda oracle, player: setattr(player, "present", True),
    "cancel_contracts": lambda oracle: None,
    "subsidise": lambda oracle, amount: None,
}


@FULL
@pytest.mark.parametrize("rule", WRONG)
def test_an_oracle_with_a_wrong_rule_is_found_out(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """So the comparison can fail."""
    monkeypatch.setattr(Oracle, rule, WRONG[rule])
    pairs = (Pair(seed, 3, play_forced=True) for seed in range(100))
    with pytest.raises(AssertionError, match="differ: seed"):
        deque(map(Pair.play, pairs))
