"""Every position of play is accepted and comes back; one that is tampered with is refused, or can be played to its end.

`CF_MUTANTS` says how many positions are tampered with (default 70); the helpers' scripts play them bounds-checked, too.
"""

from __future__ import annotations

import json
from typing import Any

import candyfactory_mutants
import chocofactory_mutants
import pytest
import schoko_mutants
from all_games import EVERY_VARIANT, steps
from long_runs import AT_LENGTH, amount
from mutations import check_uncompiled, results_of

from chocofactory_env.core.jit import COMPILED

ATTACKED = {
    "chocofactory": chocofactory_mutants.ATTACKED,
    "candyfactory": candyfactory_mutants.ATTACKED,
    "schoko": schoko_mutants.ATTACKED,
}
MUTANTS = amount("CF_MUTANTS", 70, 20_000) if COMPILED else 24
STRIDE = 1 if AT_LENGTH else 5


@pytest.mark.long
@pytest.mark.parametrize("name", ATTACKED)
def test_every_mutant_is_refused_with_its_field_or_played_to_its_end(name: str) -> None:
    results = results_of(ATTACKED[name], MUTANTS, seed=1)
    assert min(results["accepted"], results["refused"]) > MUTANTS / 10, "an attack that says little"


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="the other tests are uncompiled already")
@pytest.mark.long
@pytest.mark.parametrize("name", ["chocofactory", "candyfactory"])
def test_mutants_are_played_uncompiled_too(name: str) -> None:
    check_uncompiled(name, max(12, MUTANTS // 20), seed=2)


@pytest.mark.slow
@pytest.mark.long
@EVERY_VARIANT
def test_every_position_of_a_random_game_comes_back_and_plays_on_alike(name: str, options: dict[str, Any]) -> None:
    """Random numbers included: the generator is part of the position."""
    game = ATTACKED[name].load(**options)
    for seed in range(max(1, MUTANTS // 400)):
        for step, (state, action) in enumerate(steps(game, seed)):
            if step % STRIDE and action >= 0:
                continue
            described = game.to_dict(state)
            again = game.from_dict(json.loads(json.dumps(described)))
            assert game.to_dict(again) == described
            assert game.legal_mask(again).tobytes() == game.legal_mask(state).tobytes()
            assert name == "chocofactory" or again.tobytes() == state.tobytes()
            if action >= 0:
                after = game.clone(state)
                for position in (after, again):
                    game.apply(position, action)
                assert game.to_dict(after) == game.to_dict(again)
