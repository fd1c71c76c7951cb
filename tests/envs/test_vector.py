"""Native vector environments against Gymnasium's `SyncVectorEnv` over single ones: the same, step for step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from games_under_test import GAMES, GameMaker, toy
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit
from long_runs import amount
from toy_agents import Guesses, Searcher
from vector_games import follow

import chocofactory_env as cf
from chocofactory_env.core.jit import COMPILED
from chocofactory_env.core.observation.layout import Tensors
from chocofactory_env.envs.opponents import RandomOpponent
from chocofactory_env.envs.seat import SeatEnv
from chocofactory_env.envs.vector import PerGame, SeatVectorEnv

SOLO, VERSUS = "ChocoFactory/FactoryManager-v0", "ChocoFactory/Versus-v0"
MODES = pytest.mark.parametrize("mode", list(AutoresetMode), ids=lambda mode: mode.value)
SEASON = amount("CF_SEASON", 480, 900) if COMPILED else 120  # steps: several games of every row
WHOLE = 3 if COMPILED else 0  # games at least that end in a season


@MODES
@pytest.mark.parametrize("shared", [True, False], ids=["one for all", "one each"])
def test_rows_against_given_opponents_play_what_single_environments_play(mode: AutoresetMode, shared: bool) -> None:
    game = toy(num_players=3)
    batched = PerGame(Guesses) if shared else [PerGame(Guesses), PerGame(RandomOpponent)]
    native = SeatVectorEnv(game, 3, opponents=batched, autoreset_mode=mode)

    def one() -> SeatEnv:
        return SeatEnv(game, opponents=Guesses() if shared else [Guesses(), RandomOpponent()])

    assert follow(native, SyncVectorEnv([one] * 3, autoreset_mode=mode), SEASON // 2) >= WHOLE


@MODES
@pytest.mark.parametrize("limit", [1, 9], ids="{} steps".format)
@pytest.mark.parametrize(
    "options",
    [
        {"num_players": 1, "reward": "shaped"},
        {"num_players": [2, 3], "illegal_action": "terminate"},
        {"num_players": 2, "opponents": "flat_mc:playouts=1"},
    ],
    ids=str,
)
def test_games_are_truncated_as_by_gymnasiums_time_limit(
    mode: AutoresetMode, limit: int, options: dict[str, Any]
) -> None:
    """Games of the toy end after 8 decisions or so, thus some by the rules and some by the limit."""
    own = {key: value for key, value in options.items() if key != "num_players"}
    given = options["num_players"]
    games = [toy(num_players=each) for each in given] if isinstance(given, list) else toy(num_players=given)
    native = SeatVectorEnv(games, 3, autoreset_mode=mode, max_episode_steps=limit, copy=False, **own)
    single = SyncVectorEnv([lambda: TimeLimit(SeatEnv(games, **own), limit)] * 3, autoreset_mode=mode)
    assert native.single_observation_space == single.single_observation_space
    assert native.observation_space == single.observation_space
    assert native.action_space == single.action_space
    assert follow(native, single, 40, illegal=0.1) >= 40 // limit


def test_a_limit_of_steps_is_optional_and_checked() -> None:
    for none in (None, -1):
        env: Any = gymnasium.make_vec(SOLO, 2, max_episode_steps=none)
        env.reset(seed=1)
        for _ in range(20):
            assert not env.step(env.action_masks().argmax(axis=1))[3].any()
    for wrong, error in ((0, ValueError), (2.5, TypeError), (True, TypeError), ("9", TypeError)):
        with pytest.raises(error, match=r"^max_episode_steps: "):
            gymnasium.make_vec(SOLO, 2, max_episode_steps=wrong)


def test_make_vec_gives_native_environments_unless_others_are_asked_for() -> None:
    assert gymnasium.make_vec(SOLO, 2).metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    same_step = gymnasium.make_vec(VERSUS, 2, autoreset_mode="SameStep")
    assert same_step.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert isinstance(gymnasium.make_vec(SOLO, num_envs=2, vectorization_mode="sync"), SyncVectorEnv)


class Recorded:
    """A batch opponent that keeps how it was called."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.told: list[tuple[list[int], list[int]]] = []

    def begin(self, games: np.ndarray, seeds: np.ndarray) -> None:
        self.told.append((games.tolist(), seeds.tolist()))

    def __call__(self, observations: Tensors, masks: np.ndarray) -> np.ndarray:
        self.sizes.append(len(masks))
        assert np.asarray(observations).shape[0] == len(masks)
        assert all(len(tensor) == len(masks) for tensor in observations.values())
        actions: np.ndarray = masks.argmax(axis=1)
        return actions


@pytest.mark.parametrize("make", GAMES)
def test_an_opponent_is_asked_about_all_waiting_games_at_once(make: GameMaker) -> None:
    opponent = Recorded()
    env = SeatVectorEnv(make(num_players=2), 8, opponents=opponent, seat=1)
    env.reset(seed=0)
    games, seeds = opponent.told[0]
    assert games == list(range(8))
    deals = [env.game.new(row) for row in range(8)]  # they are numbered from the seed of the reset on
    assert seeds == [cf.agent_seed(env.game, deal, 0) for deal in deals]
    assert all(env.game.current_player(env.state(row)) == 1 for row in range(8))
    for _ in range(20):
        env.step(env.action_masks().argmax(axis=1))
    assert max(opponent.sizes) > 1
    assert (env.seats == 1).all()


@pytest.mark.parametrize(
    ("answer", "error", "match"),
    [
        (lambda masks: np.full(len(masks), -1), cf.IllegalActionError, "action -1 in game"),
        (lambda masks: masks.argmin(axis=1), cf.IllegalActionError, "which its mask forbids"),
        (lambda masks: np.zeros(len(masks)), TypeError, "expected .* integers"),
        (lambda masks: np.zeros(len(masks) + 1, int), TypeError, "expected .* integers"),
    ],
)
def test_an_opponent_that_errs_is_named(answer: Callable[..., Any], error: type[Exception], match: str) -> None:
    def erring(observations: Tensors, masks: np.ndarray) -> np.ndarray:
        return np.asarray(answer(masks))

    env = SeatVectorEnv(toy(num_players=2, start_player=1), 4, opponents=erring, seat=0)
    with pytest.raises(error, match=rf"opponent <function .*erring.*{match}"):
        env.reset(seed=0)


def test_what_is_out_of_order_is_refused() -> None:
    env = SeatVectorEnv(toy(num_players=1, rounds=1), 2, autoreset_mode=AutoresetMode.DISABLED)
    env.reset(seed=1)
    for mask, error in (([True, False], TypeError), (np.zeros(2, bool), ValueError), (np.ones(3, bool), ValueError)):
        with pytest.raises(error, match="mask"):
            env.reset(options={"reset_mask": mask})
    with pytest.raises(ValueError, match="seed"):
        env.reset(seed=[1, 2, 3])
    with pytest.raises(ValueError, match="seed"):
        env.reset(seed=[1, -2])
    rest = toy().action_layout.encode("rest")
    env.step(np.array([rest, rest]))
    with pytest.raises(ResetNeeded, match=r"games \[0, 1\] are over"):
        env.step(np.array([rest, rest]))
    env.reset(seed=[None, 5], options={"reset_mask": np.array([False, True])})
    assert env.game.seed_of(env.state(1)) == 5
    with pytest.raises(ResetNeeded, match=r"games \[0\] are over"):
        env.step(np.array([rest, rest]))


def test_without_copies_two_buffers_take_turns() -> None:
    env = SeatVectorEnv(toy(num_players=1), 3, copy=False)
    first = env.reset(seed=0)[0]
    assert isinstance(first, np.ndarray)
    kept = first.copy()
    second = env.step(env.action_masks().argmax(axis=1))[0]
    assert np.array_equal(first, kept)
    assert second is not first
    assert env.step(env.action_masks().argmax(axis=1))[0] is first
    copying = SeatVectorEnv(toy(num_players=1), 3)
    assert copying.reset(seed=0)[0] is not copying.step(copying.action_masks().argmax(axis=1))[0]


def test_a_caller_may_write_into_the_infos_of_a_reset_and_go_on_using_its_mask() -> None:
    env, everyone = SeatVectorEnv(toy(num_players=2), 3), np.ones(3, np.bool_)
    for options in (None, {"reset_mask": everyone}):
        infos = env.reset(seed=0, options=options)[1]
        for name, values in infos.items():
            if name.startswith("_"):
                values[:] = False
        assert not env.step(env.action_masks().argmax(axis=1))[3].any()
        assert everyone.all()


def test_a_reward_of_ones_own_is_refused_with_where_it_goes() -> None:
    def mine(scores: np.ndarray, ranking: np.ndarray, won: np.ndarray, standings: np.ndarray) -> np.ndarray:
        return won * 2.0

    for make in (
        lambda: gymnasium.make_vec(SOLO, num_envs=2, reward=mine),
        lambda: cf.make_batch(toy(), 2, reward=mine),
    ):
        with pytest.raises(TypeError, match=r'compiled code.*vectorization_mode="sync"'):
            make()
    env: Any = gymnasium.make_vec(SOLO, num_envs=2, reward=mine, vectorization_mode="sync")
    env.reset(seed=1)
    assert env.step(np.array([mask.argmax() for mask in env.call("action_masks")]))[1].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("make", GAMES)
def test_agents_that_search_play_in_batches_by_redealt_positions(make: GameMaker) -> None:
    game = make(num_players=3)
    batched: list[bytes] = []
    alone: list[bytes] = []
    native = SeatVectorEnv(game, 3, opponents=PerGame(lambda: Searcher(game, batched)), autoreset_mode="SameStep")

    def one() -> SeatEnv:
        return SeatEnv(game, opponents=Searcher(game, alone))

    follow(native, SyncVectorEnv([one] * 3, autoreset_mode=AutoresetMode.SAME_STEP), SEASON // 10)
    assert sorted(batched) == sorted(alone)
    assert {game.seed_of(np.frombuffer(seen, native.state(0).dtype)) for seen in batched}.isdisjoint(range(11, 14))
    with pytest.raises(TypeError, match=r"opponent 0: .*PerGame\(make_agent\), got .*Searcher"):
        SeatVectorEnv(game, 3, opponents=Searcher(game))  # type: ignore[arg-type]  # of single games


def test_after_an_opponent_failed_only_a_reset_goes_on() -> None:
    opponent = Recorded()
    env = SeatVectorEnv(toy(num_players=2, start_player=0), 3, opponents=opponent, seat=0)
    env.reset(seed=0)
    env.set_opponents(lambda observations, masks: 1 / 0)  # type: ignore[arg-type]  # it fails
    assert env.opponents == [opponent]  # until all games are reset
    env.opponents = env._next_opponents
    rest = np.full(3, env.game.action_layout.encode("rest"))
    with pytest.raises(ZeroDivisionError):
        env.step(rest)
    env.set_opponents(opponent)
    with pytest.raises(ResetNeeded):
        env.step(rest)
    env.reset(seed=0)
    env.step(rest)


def test_only_games_that_are_reset_are_told() -> None:
    opponent = Recorded()
    env = SeatVectorEnv(toy(num_players=2), 3, opponents=opponent)
    env.reset(seed=0)
    env.reset(options={"reset_mask": np.array([False, True, False])})
    assert [games for games, _ in opponent.told] == [[0, 1, 2], [1]]
