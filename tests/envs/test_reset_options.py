"""`reset(options=...)` chooses between values that were declared when the environment was made."""

from __future__ import annotations

import copy
from typing import Any

import gymnasium
import numpy as np
import pytest

import chocofactory_env as cf

DECLARED: dict[str, Any] = {"num_players": [3, 2], "months": [6, 12], "decks": [None, "generated:100003"]}


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"months": 7}, ValueError, r"months: expected values of the declared \[6, 12\], got 7"),
        ({"months": "6"}, ValueError, "months: .* got '6'"),
        ({"months": [6, True]}, ValueError, "months: .* got True"),
        ({"months": []}, ValueError, "months: .* got none"),
        ({"months": 6, "decks": "generated:9"}, ValueError, "decks: .* got 'generated:9'"),
        ({"num_players": 5}, ValueError, r"num_players: expected values of the declared \[3, 2\], got 5"),
        ({"months": 6, "leader": 0}, TypeError, "'leader', which is an option of the environment.* months, decks"),
    ],
)
def test_what_was_not_declared_is_refused_and_changes_nothing(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    single: Any = gymnasium.make("ChocoFactory/SchokoVersus-v0", **DECLARED)
    native: Any = gymnasium.make_vec("ChocoFactory/SchokoVersus-v0", 2, **DECLARED)
    for env in (single, native, *(make("schoko", **DECLARED) for make in (cf.make_env, cf.make_parallel_env))):
        other = copy.deepcopy(env)
        env.reset(seed=1)
        other.reset(seed=1)
        with pytest.raises(error, match=message):
            env.reset(seed=2, options=options)
        assert [str(env.reset(seed=seed)) for seed in (None, 3, 4)] == [str(other.reset(seed=s)) for s in (None, 3, 4)]
    batch = cf.make_batch("schoko", 2, **DECLARED)
    batch.reset(seed=1)
    before = batch.snapshot()
    for call in (batch.set_options, lambda options: batch.reset(seed=2, options=options)):
        with pytest.raises(error, match=message):
            call(options)
    assert all(np.array_equal(before[name], array) for name, array in batch.snapshot().items())


@pytest.mark.parametrize(
    ("env", "options", "message"),
    [
        ("FactoryManager", {"difficulty": [0, 99]}, r"difficulty\[1\]: difficulty: expected 0 to "),
        (
            "CandyFactoryVersus",
            {"game": ["full", "candy"]},
            r"^game\[1\]: the games cannot share an environment: block known_specialists .*expected private to be True",
        ),
        ("Versus", {"mode": ["turns", "simultaneous"]}, r"mode\[1\]: expected the simultaneous of the first game"),
        ("SchokoVersus", {"months": [6, 99]}, r"months\[1\]: months: expected 6 to 12, got 99"),
        ("SchokoVersus", {"months": []}, "months: expected a value, or one or more in a list, got none"),
        ("SchokoVersus", {"colour": [1, 2]}, "unexpected keyword argument 'colour'"),
    ],
)
def test_sets_that_cannot_be_played_are_refused(env: str, options: dict[str, Any], message: str) -> None:
    for make in (gymnasium.make, lambda name, **options: gymnasium.make_vec(name, 2, **options)):
        with pytest.raises((TypeError, ValueError), match=message):
            make(f"ChocoFactory/{env}-v0", **options)


def test_numpy_integers_are_values_like_others() -> None:
    env: Any = gymnasium.make("ChocoFactory/SchokoVersus-v0", months=[6, 8])
    assert [env.reset(seed=s, options={"months": np.int64(8)})[1]["months"] for s in range(4)] == [8] * 4
