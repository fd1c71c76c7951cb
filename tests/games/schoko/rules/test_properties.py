"""What holds in every position of every game; what a step may change, and that a seat has a choice, the oracle says.

`CF_GAMES` says how many random games of each number of players and each `upset` are played (default 150).
"""

from __future__ import annotations

import numpy as np
import pytest
from long_runs import amount
from schoko_games import load

from chocofactory_env.core.jit import COMPILED

from .oracle_cards import EXPRESS_EFFECTS
from .oracle_checks import check_position
from .oracle_view import view_of


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
