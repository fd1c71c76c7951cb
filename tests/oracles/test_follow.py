"""The engines held against the oracles in random games, in everything there is to compare.

`CF_ORACLE_GAMES` says how many games of each group are followed (default: a sample). For thousands:

    CF_ORACLE_GAMES=700 python -m pytest tests/oracles/test_follow.py -k candyfactory -n 3

`CF_ORACLE_FIRST` is the first seed (default 0); `-rP` prints what the games were about. A failure names the seed and
the options; to see one game again, from the folder `tests`:

    python -c "from oracles.candyfactory.pair import Pair; Pair(seed, own_deck, **options).play()"
"""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import product
from typing import Any

import pytest
from long_runs import amount

from chocofactory_env.core.jit import COMPILED

from .candyfactory.pair import Pair as CandyPair
from .candyfactory.words import CARDS, STEPS
from .chocofactory.pair import Pair as ChocoPair
from .follow import GamePair, load
from .schoko.cards import LENGTHS
from .schoko.observation import EFFECTS_OF_EVENTS, TASKS
from .schoko.oracle import Oracle
from .schoko.pair import Pair as SchokoPair
from .schoko.position import EFFECTS

FIRST = int(os.environ.get("CF_ORACLE_FIRST", "0"))
FORCED = (True, False)
FULL = pytest.mark.skipif(not COMPILED, reason="uncompiled fewer games are followed")


class Chocofactory(ChocoPair):
    """With results of made-up ends, too."""

    def play(self) -> None:
        super().play()
        self.play_ends(10)


def chocofactory(players: int, forced: bool) -> Iterator[GamePair]:
    for seed in range(FIRST, FIRST + amount("CF_ORACLE_GAMES", 2, 500)):
        yield Chocofactory(seed, players, forced)


def candyfactory(variety: str) -> Iterator[GamePair]:
    """Uncompiled, a game takes half a minute; what seats observe takes half of the time."""
    games = amount("CF_ORACLE_GAMES", 6 if COMPILED else 1, 700)
    variants = list(product((2, 3, 4), FORCED))
    for number in range(games):
        players, forced = variants[number % len(variants)]
        own = number % 5 == 4
        pair = CandyPair(FIRST + number, own_deck=own, game=variety, num_players=players, play_forced=forced)
        pair.observe_every = 1 if games > 12 else 3 if COMPILED else 15
        yield pair


# Two games of every variant, and short ones of what they lack.
SCHOKO = {
    (2, True): (0, 1, 2, 5, 6, 7),
    (2, False): (0, 1, 4, 5),
    (3, True): (0, 1, 5, 6),
    (3, False): (0, 1, 3, 4),
    (4, True): (0, 1, 5),
    (4, False): (0, 1),
}


def schoko(players: int, forced: bool) -> Iterator[GamePair]:
    games = amount("CF_ORACLE_GAMES", 0 if COMPILED else 1, 350)
    for seed in range(FIRST, FIRST + games) if games else SCHOKO[players, forced]:
        yield SchokoPair(seed, players, forced)


GROUPS: list[Any] = [
    *(pytest.param(chocofactory, group, marks=pytest.mark.slow) for group in product((1, 2, 3, 4), FORCED)),
    *((candyfactory, (variety,)) for variety in ("full", "plantation", "candy")),
    *((schoko, group) for group in SCHOKO if COMPILED or group[0] == 3),
]


@cache
def followed(pairs: Callable[..., Iterable[GamePair]], group: tuple[Any, ...]) -> Counter[str]:
    """What the games were about; AssertionError for any difference."""
    seen: Counter[str] = Counter()
    for pair in pairs(*group):
        pair.play()
        seen += pair.seen
    return seen


@pytest.mark.long
@pytest.mark.parametrize(("pairs", "group"), GROUPS, ids=lambda value: getattr(value, "__name__", str(value)))
def test_the_engine_follows_the_oracle(pairs: Callable[..., Iterable[GamePair]], group: tuple[Any, ...]) -> None:
    """Legal actions, positions, results, and what every seat sees, after every step."""
    seen = followed(pairs, group)
    print(*(f"{number:7} {what}" for what, number in sorted(seen.items())), sep="\n")  # seen with `-rP`


# --- The games leave nothing untried ----------------------------------------------------------------------------


def verbs_of(name: str) -> set[str]:
    return {verb for verb, _ in load(name).action_layout.verbs}


WITHOUT = {
    "full": {"step load"},
    "plantation": {"make", "decorate", "decorate_all", "dismiss", "step load", "step recipe", "step dismiss"},
    "candy": {"mix", "recruit", "hire", "dismiss", "step hire", "step dismiss"},
}


@FULL
@pytest.mark.parametrize("variety", WITHOUT)
def test_games_of_candyfactory_leave_nothing_untried(variety: str) -> None:
    seen = followed(candyfactory, (variety,))
    assert (verbs_of("candyfactory") | {f"step {step}" for step in STEPS}) - seen.keys() == WITHOUT[variety]
    halves = [{f"{card} in the {half} half" for half in ("plantation", "candy")} for card in CARDS]
    assert all(seen.keys() & half for half in halves)
    assert seen["a recipe without tokens" if variety == "candy" else "a known card"]


@FULL
def test_games_of_schoko_leave_nothing_untried() -> None:
    seen: Counter[str] = sum((followed(schoko, group) for group in SCHOKO), Counter())
    expected = {f"verb {verb}" for verb in verbs_of("schoko")}
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


# --- The comparison can fail ------------------------------------------------------------------------------------

WRONG: dict[str, Any] = {
    "may_take_loan": lambda oracle, seat: True,
    "attend": lambda oracle, player: setattr(player, "present", True),
    "cancel_contracts": lambda oracle: None,
    "subsidise": lambda oracle, amount: None,
}


@FULL
@pytest.mark.parametrize("rule", WRONG)
def test_an_oracle_with_a_wrong_rule_is_found_out(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Oracle, rule, WRONG[rule])
    pairs = (SchokoPair(seed, 3, play_forced=True) for seed in range(100))
    with pytest.raises(AssertionError, match="differ: seed"):
        deque(map(SchokoPair.play, pairs))
