"""Games of a set may differ in the number of players, and in what an observation holds."""

from __future__ import annotations

import pickle
from typing import Any

import gymnasium
import numpy as np
import pettingzoo.test
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from vector_games import assert_same

import chocofactory_env as cf
from chocofactory_env.core.jit import COMPILED
from chocofactory_env.testing import check_game

GAMES = pytest.mark.parametrize("name", ["chocofactory", "candyfactory", "schoko"])
PLAYERS = [3, 2, 4]  # the first is neither the smallest nor the largest
VERSUS = {"chocofactory": "Versus", "candyfactory": "CandyFactoryVersus", "schoko": "SchokoVersus"}
STEPS = 1_200 if COMPILED else 40


@pytest.mark.parametrize(
    ("name", "opponents"),
    [("chocofactory", "greedy"), ("candyfactory", "flat_mc:playouts=2"), ("schoko", "manager")],
)
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_rows_are_what_single_environments_play(name: str, opponents: str, mode: AutoresetMode) -> None:
    options: dict[str, Any] = {"num_players": PLAYERS, "opponents": opponents, "reward": "rank"}
    native: Any
    single: Any
    native, single = (
        gymnasium.make_vec(f"ChocoFactory/{VERSUS[name]}-v0", 3, vectorization_mode=kind, **options, **more)
        for kind, more in (
            ("vector_entry_point", {"autoreset_mode": mode}),
            ("sync", {"vector_kwargs": {"autoreset_mode": mode}}),
        )
    )
    rng, players = np.random.default_rng(1), set()
    one, other = (env.reset(seed=5) for env in (native, single))
    for step in range(STEPS // 12):
        for mine, its in zip(one, other, strict=True):
            assert_same(mine, its, f"step {step}")
        players |= {native.unwrapped.game_of(row).num_players for row in range(3)}
        masks = native.unwrapped.action_masks()
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        one, other = (env.step(actions) for env in (native, single))
    assert len(players) > 1 or not COMPILED


@pytest.mark.filterwarnings("ignore")  # PettingZoo's, about observations that are dictionaries, and options
@GAMES
def test_sets_pass_the_conformance_suites(name: str) -> None:
    pettingzoo.test.api_test(cf.make_env(name, num_players=PLAYERS), num_cycles=STEPS // 6)
    pettingzoo.test.parallel_api_test(cf.make_parallel_env(name, num_players=PLAYERS), num_cycles=STEPS // 6)
    seats = [gymnasium.make(f"ChocoFactory/{VERSUS[name]}-v0", num_players=PLAYERS)]
    if name == "chocofactory":
        seats += [gymnasium.make("ChocoFactory/FactoryManager-v0", difficulty=[1, 0, 3, 2])]
    for made in seats:
        seat: Any = made.unwrapped
        check_env(seat, skip_render_check=True)
        check_game(seat.games.padded(seat.games[1]), seeds=[1], hidden=False)


@GAMES
def test_the_state_of_a_smaller_game_ends_with_zeros(name: str) -> None:
    env = cf.make_env(name, num_players=PLAYERS)
    for players in PLAYERS:
        env.reset(seed=1, options={"num_players": players})
        state = env.state()
        assert env.state_space.contains(state)
        assert [seen.any() for seen in np.split(state, 4)] == [seat < players for seat in range(4)]


def test_what_shares_no_environment_is_refused() -> None:
    for players in ([1, 2], [2, 1]):
        with pytest.raises(ValueError, match=r"num_players\[1\]: games of . and . players cannot share an environment"):
            cf.make_batch("chocofactory", 2, num_players=players)
    with pytest.raises(ValueError, match=r"num_players\[0\], difficulty\[1\]: difficulty: only the solo game has it"):
        cf.make_env("chocofactory", num_players=[2, 3], difficulty=[0, 1])
    agent = cf.make_agent("greedy", cf.load("chocofactory", num_players=2))
    for make in (gymnasium.make, lambda name, **options: gymnasium.make_vec(name, 2, **options)):
        with pytest.raises(ValueError, match="seat: expected 0 to 1, got 2"):
            make("ChocoFactory/Versus-v0", num_players=[2, 3], seat=2)
        with pytest.raises(ValueError, match="expected 2, or one for all of them, in a game of 3 players, got 3"):
            make("ChocoFactory/Versus-v0", num_players=[2, 3], opponents=["random"] * 3)
    with pytest.raises(TypeError, match=r"opponent 0: .* made for 3 players .* and not for 2"):
        gymnasium.make("ChocoFactory/Versus-v0", num_players=[2, 3], opponents=agent)
    with pytest.raises(ValueError, match=r"partners: expected some, but not all"):
        cf.make_parallel_env("schoko", num_players=[2, 3], partners={"player_0": "random", "player_1": "random"})
    env = cf.make_env("schoko", num_players=[2, 3])
    env.reset(seed=1, options={"num_players": 2})
    with pytest.raises(ValueError, match="expected one of player_0, player_1 in this game, got player_2"):
        env.observe("player_2")


def test_what_is_no_snapshot_is_refused_and_changes_nothing() -> None:
    batch = cf.make_batch("schoko", 2, num_players=[2, 3])
    alone = cf.make_batch("schoko", 2, num_players=2)
    batch.reset(seed=1, options={"num_players": 3})
    other = cf.make_batch("schoko", 2, num_players=[2, 3])
    other.reset(seed=7, options={"num_players": 2})
    kept, before, snapshot = pickle.dumps(batch.buffers), batch.snapshot(), other.snapshot()
    choices = snapshot["choices"]
    damaged: list[Any] = [{**snapshot, "choices": each} for each in (None, choices + 9, choices[:0], choices / 1, 3)]
    damaged += [5, None, [snapshot], {"states": [1]}, {**snapshot, "states": snapshot["states"].tolist()}]
    damaged += [{name: array for name, array in snapshot.items() if name != left_out} for left_out in snapshot]
    for each in damaged:
        with pytest.raises(ValueError, match=r"^(the )?snapshot"):
            batch.restore(each)
    with pytest.raises(ValueError, match="does not fit"):
        alone.restore(snapshot)
    assert all(np.array_equal(array, before[name]) for name, array in batch.snapshot().items())
    assert pickle.dumps(batch.buffers) == kept
    batch.reset()
    assert {batch.game_of(row).num_players for row in range(2)} == {3}
