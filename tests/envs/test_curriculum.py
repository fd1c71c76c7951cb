"""`cf.Curriculum` and `cf.VectorCurriculum` choose the options of games by what has been played."""

from __future__ import annotations

import json
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import chocofactory_env as cf
from chocofactory_env.envs.curriculum import Episode, Progress
from chocofactory_env.envs.sb3 import BatchVecEnv

STAGES: list[dict[str, Any]] = [{"months": 6}, {"months": [8]}, {}]  # {}: all of MONTHS
MONTHS = [6, 8, 10]


def make(**options: Any) -> Any:
    return gymnasium.make("ChocoFactory/SchokoVersus-v0", months=MONTHS, illegal_action="terminate", **options)


def play(env: Any, games: int, *, seed: int | None = None) -> list[int]:
    """The months of `games` games, which a seat ends by its first illegal action after two moves."""
    found = []
    for number in range(games):
        _, info = env.reset(seed=seed if number == 0 else None)
        found.append(info["months"])
        for _ in range(2):
            mask = env.unwrapped.action_masks()
            env.step(int(np.flatnonzero(mask)[0]))
        env.step(int(np.flatnonzero(~env.unwrapped.action_masks())[0]))
    return found


def test_stages_end_by_games_and_by_steps() -> None:
    by_games = play(cf.Curriculum(make(), STAGES, episodes=3), 40, seed=1)
    assert by_games[:6] == [6] * 3 + [8] * 3
    assert set(by_games[6:]) == set(MONTHS)
    assert play(cf.Curriculum(make(), STAGES, steps=7), 8, seed=1)[:6] == [6] * 3 + [8] * 3  # three steps a game
    assert play(cf.Curriculum(make(), STAGES, episodes=3), 40, seed=1) == by_games


def test_a_stage_ends_when_enough_of_the_last_games_were_won() -> None:
    env = cf.Curriculum(make(), STAGES, win_rate=0.5, window=4)
    for number, won in enumerate([True, True, False, False, False, True]):
        assert env.progress.stage == int(number >= 4)
        env._stages.add(Episode(won, 0, 0.0, 1))
    assert (env.progress.stage, env.progress.episodes, env.progress.win_rate) == (1, 2, 0.5)


def test_a_function_gets_the_progress() -> None:
    seen = []

    def choose(progress: Progress) -> dict[str, Any]:
        seen.append((progress.episodes, progress.steps, len(progress.recent)))
        return {"months": MONTHS[progress.episodes % 3]}

    assert play(cf.Curriculum(make(), choose, window=2), 4, seed=1) == [6, 8, 10, 6]
    assert seen == [(0, 0, 0), (1, 3, 1), (2, 6, 2), (3, 9, 2)]
    with pytest.raises(ValueError, match=r"stages\(progress\): months: expected values of the declared"):
        cf.Curriculum(make(), lambda progress: {"months": 7}).reset(seed=1)


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_rows_of_a_batch_share_the_stage(mode: AutoresetMode) -> None:
    envs: Any = gymnasium.make_vec(
        "ChocoFactory/SchokoVersus-v0", 2, months=MONTHS, illegal_action="terminate", autoreset_mode=mode
    )
    env = cf.VectorCurriculum(envs, STAGES, episodes=4, window=3)
    dealt: list[list[int]] = [[], []]
    _, infos = env.reset(seed=3)
    begun, ended = np.ones(2, bool), np.zeros(2, bool)
    for step in range(1, 60):
        for row in np.flatnonzero(begun).tolist():
            dealt[row].append(int(infos["months"][row]))
        masks = envs.unwrapped.action_masks()
        legal, illegal = masks.argmax(axis=1), (~masks).argmax(axis=1)
        before = ended
        _, _, ended, _, infos = env.step(np.where(step % 5 == 0, illegal, legal))
        begun = before if mode == AutoresetMode.NEXT_STEP else ended
        if mode == AutoresetMode.DISABLED and ended.any():
            _, infos = env.reset(options={"reset_mask": ended.copy()})
    late = mode == AutoresetMode.SAME_STEP  # the next game has been dealt when a game counts
    for months in dealt:
        assert months[: 4 + late] == [6] * (2 + late) + [8] * 2
        assert len(months) >= 10
    assert set(dealt[0][5:] + dealt[1][5:]) == set(MONTHS)
    assert env.progress.stage == 2
    recent = {(episode.won, episode.steps) for episode in env.progress.recent}
    assert recent == {(False, 4 if mode == AutoresetMode.NEXT_STEP else 5)}


def test_stable_baselines_plays_the_stages() -> None:
    options: dict[str, Any] = {
        "months": MONTHS,
        "illegal_action": "terminate",
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }
    envs = gymnasium.make_vec("ChocoFactory/SchokoVersus-v0", 2, **options)
    env = cf.VectorCurriculum(envs, STAGES, episodes=2)
    games = BatchVecEnv(env)
    games.reset()
    for _ in range(6):
        games.step((~games.action_masks()).argmax(axis=1))
    assert (env.progress.stage, env.progress.episodes) == (2, 8)


def test_options_given_to_reset_hold_for_these_games_alone() -> None:
    batch = gymnasium.make_vec("ChocoFactory/SchokoVersus-v0", 2, months=MONTHS, illegal_action="terminate")
    env: Any = cf.VectorCurriculum(batch, [{"months": 6}])
    _, infos = env.reset(seed=1, options={"months": 10})
    assert infos["months"].tolist() == [10, 10]
    for _ in range(2):  # the games end, and the next ones are dealt
        *_, infos = env.step((~batch.unwrapped.action_masks()).argmax(axis=1))  # type: ignore[attr-defined]
    assert infos["months"].tolist() == [6, 6]


def test_a_curriculum_is_made_again_from_its_spec() -> None:
    env: Any = cf.Curriculum(make(), STAGES, episodes=2)
    again: Any = gymnasium.make(env.spec)
    assert play(again, 5, seed=1) == play(env, 5, seed=1)
    assert again.progress == env.progress != Progress()


@pytest.mark.parametrize("kind", ["single", "vector"])
def test_the_progress_is_saved_as_json(kind: str) -> None:
    envs: Any = make() if kind == "single" else gymnasium.make_vec("ChocoFactory/SchokoVersus-v0", 2, months=MONTHS)
    wrapper: Any = cf.Curriculum if kind == "single" else cf.VectorCurriculum
    env, other = (wrapper(envs, STAGES, episodes=2, window=3) for _ in range(2))
    for won in (True, False, True):
        env._stages.add(Episode(won, 5, 1.5, 9))
    other.restore(json.loads(json.dumps(env.snapshot())))
    assert other.progress == env.progress
    assert other.snapshot() == env.snapshot() == {
        "stage": 1, "episodes": 1, "steps": 9, "recent": [[True, 5, 1.5, 9]],
    }  # fmt: skip
    assert np.all(other.reset(seed=1)[1]["months"] == 8)
    wrong = {"recent": [["no", 1, "nan", -5]]}
    for change in ({"stage": 3}, {"steps": -1}, {"recent": [[1, 2]]}, wrong, {"more": 1}):
        with pytest.raises(ValueError, match="snapshot"):
            other.restore({**env.snapshot(), **change})
    assert other.snapshot() == env.snapshot()


@pytest.mark.parametrize(
    ("stages", "limits", "error", "message"),
    [
        ([], {}, ValueError, "stages: expected one or more"),
        ([{"months": 6}, {"months": 7}], {"episodes": 1}, ValueError, r"stages\[1\]: months: expected .*, got 7"),
        ([{"leader": 0}], {}, TypeError, r"stages\[0\]: .*'leader', which is an option of the environment"),
        ([{"months": 6}, 5], {"episodes": 1}, TypeError, r"stages\[1\]: expected options as a dictionary, got 5"),
        (STAGES, {}, TypeError, "expected episodes, steps, or win_rate"),
        (STAGES, {"episodes": 0}, ValueError, "episodes: expected"),
        (STAGES, {"win_rate": 60}, ValueError, "win_rate: expected a share from 0 to 1, got 60"),
        (dict, {"steps": 5}, TypeError, "expected none with a function"),
    ],
)
def test_bad_curricula_are_refused(stages: Any, limits: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        cf.Curriculum(make(), stages, **limits)


def test_environments_of_others_are_refused() -> None:
    with pytest.raises(TypeError, match="environment of this package"):
        cf.Curriculum(gymnasium.make("CartPole-v1"), STAGES)
    with pytest.raises(TypeError, match="native vector environment of this package"):
        cf.VectorCurriculum(gymnasium.make_vec("CartPole-v1", 2), STAGES)
