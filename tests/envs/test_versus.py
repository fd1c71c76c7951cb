"""One seat, alone or against opponents, over the toy game and the real one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from games_under_test import GAMES, GameMaker, pick, toy
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env as gymnasium_check_env
from toy_agents import Picks, Searcher

import chocofactory_env as cf
from chocofactory_env.envs.opponents import RandomOpponent
from chocofactory_env.envs.seat import SeatEnv
from chocofactory_env.registry import GAMES as REGISTERED
from chocofactory_env.registry import environment_id

IDS = [environment_id(game.versus) for game in REGISTERED.values()]
SOLO = environment_id("FactoryManager")


class Watched:
    """A random opponent that keeps what it was shown and told."""

    def __init__(self) -> None:
        self.seeds: list[int] = []
        self.seen: list[tuple[np.ndarray, np.ndarray]] = []
        self.rng = np.random.default_rng(0)

    def reset(self, seed: int) -> None:
        self.seeds.append(seed)
        self.rng = np.random.default_rng(seed)

    def __call__(self, observation: np.ndarray, mask: np.ndarray) -> Any:  # an integer of NumPy is taken too
        self.seen.append((observation, mask))
        return np.int64(pick(mask, self.rng))


def play(env: Any, seed: int) -> list[Any]:
    rng = np.random.default_rng(seed)
    seen: list[Any] = []
    terminated = False
    while not terminated:
        observation, reward, terminated, _, info = env.step(pick(env.unwrapped.action_masks(), rng))
        seen.append((observation.tobytes(), reward, terminated, info["action_mask"].tobytes()))
    return seen


@pytest.mark.parametrize("name", IDS)
def test_passes_gymnasiums_check_env(name: str) -> None:
    gymnasium_check_env(gymnasium.make(name, num_players=3, opponents=[Picks(0), RandomOpponent()]).unwrapped)
    gymnasium_check_env(gymnasium.make(name, reward="margin", illegal_action="terminate").unwrapped)


def test_the_environment_of_one_player_passes_it() -> None:
    every: list[dict[str, Any]] = [{"render_mode": "ansi"}, {"reward": "score"}, {"reward": "shaped"}]
    for options in every:
        gymnasium_check_env(gymnasium.make(SOLO, **options).unwrapped)


@pytest.mark.parametrize("name", [*IDS, SOLO])
def test_passes_check_env_of_stable_baselines3(name: str, recwarn: pytest.WarningsRecorder) -> None:
    env_checker = pytest.importorskip("stable_baselines3.common.env_checker")
    recwarn.clear()
    env_checker.check_env(gymnasium.make(name).unwrapped)
    assert not recwarn.list


@pytest.mark.parametrize("make", GAMES)
def test_opponents_keep_what_they_saw(make: GameMaker) -> None:
    game = make(num_players=3)
    opponents = [Watched(), Watched()]
    env = SeatEnv(game, opponents=opponents, seat=1)
    env.reset(seed=3)
    play(env, 3)
    for opponent in opponents:
        assert len(opponent.seeds) == 1
        assert len({id(observation) for observation, _ in opponent.seen}) == len(opponent.seen)
        for observation, mask in opponent.seen:
            assert np.asarray(observation).shape == (game.observation_layout.size,)
            assert mask.dtype == np.int8
            assert mask.any()


@pytest.mark.parametrize("make", GAMES)
def test_a_seeded_reset_repeats_seat_deal_and_opponents(make: GameMaker) -> None:
    def run() -> list[Any]:
        opponent = Watched()
        env = SeatEnv(make(num_players=3), opponents=opponent)
        env.reset(seed=9)
        steps = [env.seat, *play(env, 1)]
        env.reset()
        return [*steps, env.seat, *play(env, 1), opponent.seeds]

    one = run()
    assert one == run()
    assert len(set(one[-1])) == 2  # one opponent in two seats is told once a game


def play_on(env: SeatEnv) -> None:
    for seed in range(20):
        env.reset(seed=seed)
        play(env, seed)


def illegal_number(observation: Any, mask: np.ndarray) -> int:
    return int(np.flatnonzero(mask == 0)[0])


def outside(observation: Any, mask: np.ndarray) -> int:
    return -1


def no_number(observation: Any, mask: np.ndarray) -> None:
    return None


@pytest.mark.parametrize("make", GAMES)
@pytest.mark.parametrize(
    ("opponent", "error"),
    [(illegal_number, cf.IllegalActionError), (outside, cf.IllegalActionError), (no_number, TypeError)],
)
def test_an_opponent_that_errs_is_named(make: GameMaker, opponent: Callable[..., Any], error: type[Exception]) -> None:
    env = SeatEnv(make(num_players=3), opponents=[Picks(0), opponent], seat=0)
    with pytest.raises(error, match=rf"opponent 1 \(<function {opponent.__name__}.*seat 2"):
        play_on(env)


def test_new_opponents_play_from_the_next_reset() -> None:
    env = SeatEnv(toy(num_players=2), opponents=Picks(0))
    env.reset(seed=0)
    newcomer = Watched()
    env.set_opponents(newcomer)
    play(env, 0)
    assert not newcomer.seen
    env.reset()
    play(env, 0)
    assert newcomer.seen


def test_an_opponent_that_searches_and_errs_is_named() -> None:
    class Fails(Searcher):
        def choose(self, state: Any, player: int) -> Any:
            return 2.5

    env = SeatEnv(toy(num_players=2), opponents=Fails(toy(num_players=2)))
    with pytest.raises(TypeError, match=r"opponent 0 \(.*Fails.*integer"):
        play_on(env)


def test_after_an_opponent_failed_only_a_reset_goes_on() -> None:
    def failing(observation: Any, mask: np.ndarray) -> int:
        raise ZeroDivisionError

    env = SeatEnv(toy(num_players=2, start_player=0), opponents=failing, seat=0)
    env.reset(seed=0)
    rest = env.game.action_layout.encode("rest")
    with pytest.raises(ZeroDivisionError):
        env.step(rest)
    with pytest.raises(ResetNeeded):
        env.step(rest)
    with pytest.raises(ZeroDivisionError):
        SeatEnv(toy(num_players=2, start_player=1), opponents=failing, seat=0).reset(seed=0)
