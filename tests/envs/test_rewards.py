"""What each reward sums to, and that `shaped` pays exactly what `score` does."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from games_under_test import GAMES, GameMaker, pick, toy, with_players
from repository import ROOT

import chocofactory_env as cf
from chocofactory_env.core.kernel import rewards
from chocofactory_env.core.kernel.rewards import REWARDS, Reward
from chocofactory_env.envs.seat import SeatEnv


def at_the_end(game: cf.Game, state: cf.State) -> list[np.ndarray]:
    """The rewards that are paid at the end, each (P,)."""
    return [Reward(game, kind).at_the_end(state) for kind in REWARDS if kind != "shaped"]


@pytest.mark.parametrize("make", GAMES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_sums_are_as_documented(make: GameMaker, players: int) -> None:
    game = make(num_players=players)
    for seed in range(5):
        state = game.random_playout(game.new(seed), seed)
        winners, (win, rank, score, margin) = game.won(state), at_the_end(game, state)
        assert win[winners].tolist() == [1 / winners.sum()] * winners.sum()
        assert win.sum() == pytest.approx(1)
        assert rank.sum() == pytest.approx(players / 2)
        shared = 1 - (winners.sum() - 1) / 2 / (players - 1)  # tied players share their places
        assert rank[winners].tolist() == pytest.approx([shared] * winners.sum())
        assert score.tolist() == game.payoffs(state).tolist()
        assert margin.sum() == pytest.approx(0)


def test_margin_is_measured_against_the_mean_of_the_others() -> None:
    game = toy(num_players=3)
    state = game.random_playout(game.new(0), 0)
    a, b, c = game.payoffs(state).tolist()
    *_, margin = at_the_end(game, state)
    assert margin.tolist() == pytest.approx([a - (b + c) / 2, b - (a + c) / 2, c - (a + b) / 2])


@pytest.mark.parametrize("make", GAMES)
@pytest.mark.parametrize("kind", REWARDS)
def test_no_reward_rates_a_seat_above_one_that_ranks_before_it(make: GameMaker, kind: str) -> None:
    """In Schoko & Co. a bankrupt seat scores more than one in debt, and ranks behind it."""
    game = make(num_players=3)
    for seed in range(20):
        start, state = game.new(seed), game.random_playout(game.new(seed), seed)
        reward = Reward(game, kind)
        reward.begin(start)
        earned = reward.at_the_end(state) + (game.standings(start) if kind == "shaped" else 0)
        by_rank = earned[np.lexsort((-earned, game.ranking(state)))]
        assert (np.diff(by_rank) <= 1e-9).all(), f"seed {seed}: {by_rank}"


@pytest.mark.parametrize(("kind", "due"), [(rewards.WIN, [0.5, 0.5, 0]), (rewards.RANK, [0.75, 0.75, 0])])
def test_tied_players_share(kind: int, due: list[float]) -> None:
    out = np.array([9.0, 9.0, 1.0])
    rewards.write_rewards(kind, np.array([0, 0, 2], np.int32), np.array([True, True, False]), out)
    assert out.tolist() == due


def test_the_page_says_what_standings_leave_out_and_where_they_begin() -> None:
    page = (ROOT / "docs" / "rewards.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \|.*\| (\d+) \|$", page, re.MULTILINE))
    assert rows.keys() == {"chocofactory", "schoko", "candyfactory"}
    for name, start in rows.items():
        game = cf.load(name, num_players=2)
        state, rng = game.new(1), np.random.default_rng(1)
        assert game.standings(state).tolist() == [int(start)] * 2
        while not game.is_over(state):
            game.apply(state, pick(game.legal_mask(state), rng))
            if name == "candyfactory":
                coins = state[0]["seats"]["coins"][:2]
                assert (game.scores(state) - coins).tolist() == game.standings(state).tolist()


class Kept:
    """A reward of one's own: standings by tens, and 100 for a win; keeps what it was called with."""

    def __init__(self) -> None:
        self.calls: list[tuple[np.ndarray, ...]] = []

    def __call__(self, scores: np.ndarray, ranking: np.ndarray, won: np.ndarray, standings: np.ndarray) -> np.ndarray:
        self.calls.append((scores, ranking, won, standings))
        return 100 * won + standings / 10


def play_out(env: Any, seed: int) -> float:
    """The sum of what a Gymnasium environment pays over a game of random legal play."""
    env.reset(seed=seed)
    rng, over, total = np.random.default_rng(seed), False, 0.0
    while not over:
        _, reward, over, _, _ = env.step(pick(env.action_masks(), rng))
        total += reward
    return total


@pytest.mark.parametrize(("make", "players"), with_players(GAMES, [1, 2, 3]))
def test_a_reward_of_ones_own_pays_by_the_end_what_it_returns_there(make: GameMaker, players: int) -> None:
    game, kept = make(num_players=players), Kept()
    env = SeatEnv(game, reward=kept)
    total = play_out(env, 3)
    state = env.game_state
    expected = 100 * np.asarray(game.won(state)) + np.asarray(game.standings(state)) / 10
    assert total == pytest.approx(expected[env.seat])
    scores, ranking, won, standings = kept.calls[-1]
    assert scores.tolist() == game.scores(state).tolist()
    assert ranking.tolist() == game.ranking(state).tolist()
    assert won.tolist() == game.won(state).tolist()
    assert standings.tolist() == game.standings(state).tolist()
    for call in kept.calls:
        assert [each.shape for each in call] == [(players,)] * 4
        assert [each.dtype for each in call] == [np.int64, np.int64, np.bool_, np.int64]
    assert not any(call[2].any() for call in kept.calls[:-1])  # nobody has won before the end


def test_what_a_reward_of_ones_own_does_to_its_arguments_is_its_own_matter() -> None:
    def careless(scores: np.ndarray, ranking: np.ndarray, won: np.ndarray, standings: np.ndarray) -> np.ndarray:
        scores += 1000
        standings[:] = 0
        return won * 1.0

    careful, other = SeatEnv(toy(num_players=1)), SeatEnv(toy(num_players=1), reward=careless)
    assert play_out(careful, 1) == play_out(other, 1)
    assert careful.game_state.tobytes() == other.game_state.tobytes()


@pytest.mark.parametrize(
    ("answer", "error", "match"),
    [
        (1.0, ValueError, r"expected shape \(2,\), a number for every seat, got \(\): 1.0"),
        ([1.0, 2.0, 3.0], ValueError, r"expected shape \(2,\).*got \(3,\)"),
        ([[1.0, 2.0]], ValueError, r"expected shape \(2,\)"),
        (["1", "2"], TypeError, "expected 2 numbers"),
        (None, TypeError, "expected 2 numbers, got None"),
        ([1.0, [2.0]], TypeError, "expected 2 numbers"),
        ([1.0, np.nan], ValueError, "finite"),
        (["x" * 9999, 0], TypeError, r"x\.\.\."),
    ],
)
def test_what_a_reward_of_ones_own_returns_is_checked(answer: Any, error: type[Exception], match: str) -> None:
    env = SeatEnv(toy(num_players=2), reward=lambda scores, ranking, won, standings: answer)
    env.reset(seed=0)
    with pytest.raises(error, match=f"reward <function.*{match}"):
        env.step(5)


def test_a_function_of_other_arguments_is_refused_at_once() -> None:
    with pytest.raises(TypeError, match=r"expected a function of \(scores, ranking, won, standings\)"):
        SeatEnv(toy(num_players=1), reward=lambda scores: scores)  # type: ignore[arg-type, misc]  # of scores alone
    with pytest.raises(ValueError, match=r"did you mean 'shaped'"):
        SeatEnv(toy(num_players=1), reward="shape")
    with pytest.raises(ValueError, match="reward must be one of"):
        SeatEnv(toy(num_players=1), reward=5)  # type: ignore[arg-type]  # no name
