"""What holds in every position of every game; what a step may change, the oracle says.

`CF_GAMES` says how many random games of each number of players and each `upset` are played (default 150).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from long_runs import amount
from schoko_games import VARIANTS, load, moves, variant_name

from chocofactory_env.core.jit import COMPILED

from .oracle_cards import EXPRESS_EFFECTS
from .oracle_checks import check_position
from .oracle_view import view_of

EVERY = pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
GAMES = amount("CF_CHECKED_GAMES", 3, 30) if COMPILED else 1


@EVERY
@pytest.mark.long
def test_the_seat_to_move_has_a_choice(options: dict[str, Any]) -> None:
    """MON-1, PAY-3: it is not bankrupt, and with `play_forced` has two answers at least."""
    game = load(**options)
    least = 2 if game.options["play_forced"] else 1
    for seed in range(GAMES):
        for state, mask, _ in moves(game, seed, wild=0.05):
            if not game.is_over(state):
                assert state["players"][0, game.current_player(state)]["out"] == 0
                assert mask.sum() >= least


@pytest.mark.parametrize("upset", ["bookkeepers", "all"])
@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.long
def test_random_games_end_and_keep_what_always_holds(num_players: int, upset: str) -> None:
    """Invariants 1, 4 to 9 and 11 in some positions; no error, no empty mask, no stuck state in any."""
    count = amount("CF_GAMES", 60, 5_000) if COMPILED else 1
    game = load(num_players=num_players, upset=upset)
    rng = np.random.default_rng(num_players)
    state, mask = game.new(num_players), np.empty(game.num_actions, np.int8)
    for number in range(count):
        if number:
            game.renew(state)
        game.write_mask(state, mask)
        for step in range(12_000):
            legal = np.flatnonzero(mask)
            assert len(legal), f"empty mask: seed {game.seed_of(state)}"
            if step % 97 == number % 97:
                check_position(view_of(game.to_dict(state), game.months, EXPRESS_EFFECTS))
            if game.advance(state, int(legal[int(rng.random() * len(legal))]), mask) < 0:
                break
        assert game.is_over(state), f"stuck: seed {game.seed_of(state)}"
        check_position(view_of(game.to_dict(state), game.months, EXPRESS_EFFECTS))
        assert not mask.any()
