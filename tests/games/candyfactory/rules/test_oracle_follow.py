"""The engine held against the oracle in random games.

`CF_ORACLE_GAMES` says how many games of every variety are followed (default 6). For thousands:

    CF_ORACLE_GAMES=700 python -m pytest tests/games/candyfactory/rules/test_oracle_follow.py -n 3

`CF_ORACLE_FIRST` is the first seed (default 0); `-rP` prints what the games were about. A failure names the seed and
the options; to see one game again, from the folder `tests/games`:

    python -c "from candyfactory.rules.oracle_follow import Pair; Pair(seed, own_deck, **options).play()"
"""

from __future__ import annotations

import os
from collections import Counter
from itertools import product

import pytest
from long_runs import amount

from chocofactory_env.core.jit import COMPILED

from .oracle_follow import GAMES as VARIETIES
from .oracle_follow import Pair, load
from .oracle_words import CARDS, STEPS, VERBS

GAMES = amount("CF_ORACLE_GAMES", 6 if COMPILED else 1, 700)  # uncompiled a game takes half a minute
FIRST_SEED = int(os.environ.get("CF_ORACLE_FIRST", "0"))
OBSERVE_EVERY = 1 if GAMES > 12 else 3 if COMPILED else 15  # it takes half of the time
COMBINATIONS = list(product((2, 3, 4), (True, False)))  # num_players, play_forced
VERBS_WITHOUT = {
    "full": set[str](),
    "plantation": {"make", "decorate", "decorate_all", "dismiss"},
    "candy": {"mix", "recruit", "hire", "dismiss"},
}
STEPS_WITHOUT = {
    "full": {"load"},
    "plantation": {"load", "recipe", "dismiss"},
    "candy": {"hire", "dismiss"},
}


@pytest.mark.parametrize("game", VARIETIES)
@pytest.mark.long
def test_the_engine_follows_the_oracle(game: str) -> None:
    seen: Counter[str] = Counter()
    starts = set()
    for number in range(GAMES):
        num_players, play_forced = COMBINATIONS[number % len(COMBINATIONS)]
        pair = Pair(
            FIRST_SEED + number, own_deck=number % 5 == 4, game=game, num_players=num_players, play_forced=play_forced
        )
        pair.play(OBSERVE_EVERY)
        seen += pair.seen
        starts.add(pair.options["start_player"] is None)
    for what, times in sorted(seen.items()):
        print(f"{times:7}  {what}")
    if COMPILED:  # else there are too few games
        assert len(COMBINATIONS) <= GAMES
        assert starts == {True, False}
        assert_all_was_played(game, seen)


def assert_all_was_played(game: str, seen: Counter[str]) -> None:
    assert VERBS.keys() - seen.keys() == VERBS_WITHOUT[game]
    assert {step for step in STEPS if f"step {step}" not in seen} == STEPS_WITHOUT[game]
    unplayed = [
        card for card in CARDS if not {f"{card} in the plantation half", f"{card} in the candy half"} & seen.keys()
    ]
    assert not unplayed, unplayed
    assert seen["a known card"] if game != "candy" else seen["a recipe without tokens"]


def test_every_option_of_the_game_is_followed() -> None:
    assert set(Pair(0).options) | {"deck"} == set(load().options)
