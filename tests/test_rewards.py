"""What each reward sums to, and that `shaped` pays exactly what `score` does."""

from __future__ import annotations

import numpy as np
import pytest
from games_under_test import GAMES, GameMaker, pick, toy

from chocofactory_env.core import rewards
from chocofactory_env.core.rewards import REWARDS, Reward
from chocofactory_env.envs.aec import AECGameEnv


def finished(game: object, seed: int) -> object:
    state = game.new(seed)  # type: ignore[attr-defined]
    rng = np.random.default_rng(seed)
    while not game.is_over(state):  # type: ignore[attr-defined]
        game.apply(state, pick(game.legal_mask(state), rng))  # type: ignore[attr-defined]
    return state


@pytest.mark.parametrize("make", GAMES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_sums_are_as_documented(make: GameMaker, players: int) -> None:
    game = make(num_players=players)
    for seed in range(5):
        state = finished(game, seed)
        assert rewards.win(game, state).sum() == 1
        assert rewards.win(game, state)[np.argmin(game.ranking(state))] == 1
        assert rewards.rank(game, state).sum() == pytest.approx(players / 2)
        assert rewards.rank(game, state)[np.argmin(game.ranking(state))] == 1
        assert rewards.score(game, state).sum() == game.scores(state).sum()
        assert rewards.margin(game, state).sum() == pytest.approx(0)


def test_margin_is_measured_against_the_mean_of_the_others() -> None:
    game = toy(num_players=3)
    state = finished(game, 0)
    a, b, c = game.scores(state).tolist()
    assert rewards.margin(game, state).tolist() == pytest.approx([a - (b + c) / 2, b - (a + c) / 2, c - (a + b) / 2])


@pytest.mark.parametrize(("kind", "due"), [(rewards.WIN, [0.5, 0.5, 0]), (rewards.RANK, [0.75, 0.75, 0])])
def test_tied_players_share(kind: int, due: list[float]) -> None:
    out = np.empty(3)
    scores, ranking, won = np.array([9, 9, 1], np.int32), np.array([0, 0, 2], np.int32), np.array([True, True, False])
    rewards.write_rewards(kind, scores, ranking, won, out)
    assert out.tolist() == due


@pytest.mark.parametrize("make", GAMES)
@pytest.mark.parametrize("players", [1, 2, 4])
def test_the_undiscounted_return_of_shaped_is_that_of_score(make: GameMaker, players: int) -> None:
    game = make(num_players=players)
    for seed in range(3):
        returns = {}
        for kind in ("score", "shaped"):
            env = AECGameEnv(game, reward=kind)
            env.reset(seed=seed)
            rng = np.random.default_rng(seed)
            total = dict.fromkeys(env.possible_agents, 0.0)
            paid_before_the_end = 0
            for agent in env.agent_iter():
                observation, reward, terminated, _, _ = env.last()
                total[agent] += reward
                paid_before_the_end += reward != 0 and not terminated
                env.step(None if terminated else pick(observation["action_mask"], rng))
            returns[kind] = total
            assert kind == "shaped" or paid_before_the_end == 0
        assert returns["shaped"] == returns["score"]


@pytest.mark.parametrize("kind", REWARDS)
def test_one_player_has_no_rivals_to_compare_with(kind: str) -> None:
    if kind in ("rank", "margin"):
        with pytest.raises(ValueError, match="win, score, shaped"):
            Reward(toy(num_players=1), kind)
    else:
        assert Reward(toy(num_players=1), kind).kind == kind


def test_shaped_is_paid_as_it_is_earned() -> None:
    env = AECGameEnv(toy(num_players=1), reward="shaped")
    env.reset(seed=0)
    env.step(0)  # one space is one pound
    assert env.rewards == {"player_0": 1.0}
    env.step(5)
    assert env.rewards == {"player_0": 0.0}


def test_an_unknown_reward_is_refused() -> None:
    with pytest.raises(ValueError, match="win, rank, score, margin, shaped"):
        Reward(toy(), "gold")
