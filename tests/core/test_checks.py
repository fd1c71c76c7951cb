"""Seeds, numbers, flags and options: what is taken as it is meant, what is refused, and in which words."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chocofactory_env as cf
from chocofactory_env import chocofactory_v0
from chocofactory_env.core.checks import UnknownOptionError, as_flag, as_integer, as_number
from chocofactory_env.envs.opponents import RandomOpponent
from toyrace.game import ToyRace

ANYTHING = (
    st.integers()
    | st.floats()
    | st.booleans()
    | st.none()
    | st.text(max_size=3)
    | st.binary(max_size=2)
    | st.sampled_from([np.True_, np.int64(3), np.uint8(3), np.uint64(2**63), np.float32(0.5), 1j, [1]])
    | st.sampled_from([0, 2**63 - 1, 2**63, -1, 10**30, 10**400])
)


def read_by(check: Callable[..., Any], value: Any, *more: Any) -> Any:
    """What a check makes of a value; its refusal, if it does not fit."""
    try:
        return check("it", value, *more)
    except (TypeError, ValueError) as error:
        refusal = error
    assert str(refusal).startswith("it: expected ")
    assert len(str(refusal)) < 400
    return refusal


@given(ANYTHING)
def test_whatever_it_is_it_is_a_number_that_it_equals_or_refused(value: Any) -> None:
    plain = value.item() if isinstance(value, np.generic | np.ndarray) else value
    whole = isinstance(plain, int) and not isinstance(plain, bool)
    for least, most in ((1, 3), (0, 2**63 - 1)):
        found = read_by(as_integer, value, least, most)
        if whole and least <= plain <= most:
            assert (type(found), found) == (int, plain)
        else:
            assert type(found) is (ValueError if whole else TypeError)
    found = read_by(as_number, value)
    if (whole and abs(plain) < 10**300) or (isinstance(plain, float) and np.isfinite(plain)):
        assert (type(found), found) == (float, float(plain))
    else:
        assert type(found) is (ValueError if whole or isinstance(plain, float) else TypeError)
    found = read_by(as_flag, value)
    assert found is plain if isinstance(plain, bool) else type(found) is TypeError


def seed_takers() -> list[Callable[[Any], Any]]:
    """Wherever a seed enters beside the methods of games, which `test_entries.py` tries."""
    game = cf.load("chocofactory", num_players=2)
    batch = cf.make_batch(game, 1)
    return [
        lambda seed: batch.reset(seed=[seed]),
        cf.LegalSampler,
        RandomOpponent().reset,
        lambda seed: cf.record_game(game, RandomOpponent(), seed, max_actions=1),
    ]


def test_what_is_no_seed_is_refused_everywhere() -> None:
    for take in seed_takers():
        for seed in (True, np.True_, 1.5, np.float64(1), "1", b"1", [1]):
            with pytest.raises(TypeError, match="seed: expected a whole number"):
                take(seed)
        for seed in (-1, -(10**5000)):
            with pytest.raises(ValueError, match="seed: expected 0"):
                take(seed)
        for whole in (0, np.int64(3), np.uint8(3), np.array(3)):
            take(whole)


@pytest.mark.parametrize("number", [np.int64(1), np.uint8(1), np.array(1)])
def test_options_take_integers_of_numpy_and_keep_plain_ones(number: Any) -> None:
    game = cf.load("chocofactory", num_players=number, difficulty=number)
    assert game.num_players.__class__ is game.options["difficulty"].__class__ is int
    assert json.loads(json.dumps(game.options)) == game.options
    for name in ("chocofactory", "candyfactory", "schoko"):
        assert cf.load(name, num_players=number + 1).options["num_players"].__class__ is int
    assert cf.load("chocofactory", start_player=number).options["start_player"].__class__ is int
    assert cf.make_batch("chocofactory", number, num_threads=number).num_envs == 1


@pytest.mark.parametrize("option", ["num_envs", "num_threads"])
@pytest.mark.parametrize(("value", "error"), [(True, TypeError), (1.0, TypeError), (0, ValueError)])
def test_what_is_no_number_of_games_or_threads_is_refused(option: str, value: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=f"{option}: expected"):
        cf.make_batch(ToyRace(), **{"num_envs": 1, option: value})


@pytest.mark.parametrize(
    "make",
    [
        lambda **options: gymnasium.make("ChocoFactory/FactoryManager-v0", **options),
        lambda **options: gymnasium.make_vec("ChocoFactory/Versus-v0", num_envs=2, **options),
        chocofactory_v0.env,
        lambda **options: cf.make_batch("chocofactory", 2, **options),
    ],
    ids=["solo", "versus vector", "aec", "batch"],
)
def test_an_unknown_option_is_refused_with_the_one_that_it_resembles(make: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'rewards' \(did you mean 'reward'\?\).* deck, "):
        make(rewards="win")
    with pytest.raises(TypeError, match=r"'num_playres' \(did you mean 'num_players'\?\)"):
        make(num_playres=1)
    with pytest.raises(TypeError, match=r"argument 'nonsense'; options are: .*reward, .*expansion"):
        make(nonsense=1)
    with pytest.raises(TypeError, match=r"'deckss' \(did you mean 'decks'\?\)"):
        make(deckss="generated:1-3")


def test_text_environments_name_their_own_options_too() -> None:
    with pytest.raises(TypeError, match=r"'correction' \(did you mean 'corrections'\?\); options are: .*deck"):
        gymnasium.make("ChocoFactory/VersusText-v0", correction=1)
    with pytest.raises(TypeError, match=r"'num_players': a loaded game has its own options; options are: corr"):
        gymnasium.make("ChocoFactory/VersusText-v0", games=ToyRace(), num_players=3)


def test_a_game_that_is_loaded_takes_no_more_options() -> None:
    with pytest.raises(UnknownOptionError, match=r"'rewards' \(did you mean 'reward'\?\); options are"):
        cf.make_batch(ToyRace(), 2, rewards="win")
    with pytest.raises(TypeError, match=r"'num_players': a loaded game has its own options"):
        cf.make_batch(ToyRace(), 2, num_players=3)
