"""Decks of strangers: whatever a file holds, it is refused with a short and clear error, or played to the end.

`CF_MUTANTS` says how many decks (default 40); `CF_SEED` the first of them.
"""

from __future__ import annotations

import copy
import random
from pathlib import Path

import candy_decks
import numpy as np
import pytest
from candy_games import choose
from damaged_decks import Tables
from long_runs import amount
from mutations import look_at
from strange_decks import check_strange_decks

from chocofactory_env.core.jit import COMPILED
from chocofactory_env.drawing.check import faults
from chocofactory_env.games.candyfactory.constants import MAX_PLAYERS, MIN_PLAYERS
from chocofactory_env.games.candyfactory.display.describe_cards import describe
from chocofactory_env.games.candyfactory.game import CandyFactory
from chocofactory_env.games.candyfactory.variants import VARIETIES

MUTANTS = amount("CF_MUTANTS", 40 if COMPILED else 20, 3_000)
MOST_DECISIONS = 3_000
CUT = " is cut"  # the one fault of a picture that names of any length may make


@pytest.mark.slow
@pytest.mark.long
def test_whatever_a_deck_holds_it_is_refused_clearly_or_played_to_the_end(tmp_path: Path) -> None:
    check_strange_decks(tmp_path / "my_deck.toml", MUTANTS, any_deck, load, play_to_the_end, describe)


def any_deck(rng: random.Random) -> Tables:
    """The shipped one or one at random."""
    return copy.deepcopy(candy_decks.SHIPPED) if rng.random() < 0.3 else candy_decks.deck(rng)


def load(path: Path, rng: random.Random) -> CandyFactory:
    return CandyFactory(
        path,
        num_players=rng.randint(MIN_PLAYERS, MAX_PLAYERS),
        game=rng.choice([*VARIETIES]),
        play_forced=rng.random() < 0.8,
    )


def play_to_the_end(game: CandyFactory, seed: int) -> None:
    """At random, mostly doing something. Observations lie in their highs, positions come back and are drawn."""
    rng = np.random.default_rng(seed)
    state = game.new(seed)
    for step in range(MOST_DECISIONS):
        if step % 40 == 0 or game.is_over(state):
            look_at(game, state, step)
            mover = None if game.is_over(state) else game.current_player(state)
            seen = [fault for fault in faults(game.scene(state, mover)) if not fault.endswith(CUT)]
            assert seen == [], f"seed {seed}, step {step}"
        if game.is_over(state):
            return
        mask = game.legal_mask(state)
        assert mask.any(), f"seed {seed}: empty mask"
        game.apply(state, choose(game, mask, rng))
    raise AssertionError(f"seed {seed}: no end")
