"""The self-play batch against the AEC environment, and playouts."""

from __future__ import annotations

import os
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from games_under_test import chocofactory, toy

import chocofactory_env as cf
from chocofactory_env.core import compiled
from chocofactory_env.core.jit import COMPILED


@pytest.mark.parametrize("options", [{"num_players": 1}, {"num_players": 3}, {"mode": "simultaneous"}], ids=str)
def test_any_number_of_threads_gives_the_same_games(options: dict[str, Any]) -> None:
    batches = [
        cf.make_batch("chocofactory", 300, num_threads=threads, reward="shaped", **options) for threads in (1, 2, 4)
    ]
    sampler = cf.LegalSampler(1)
    steps = [batch.reset(seed=1) for batch in batches]
    for _ in range(150 if COMPILED else 3):
        actions = sampler(steps[0].action_masks)
        steps = [batch.step(actions) for batch in batches]
        for other in steps[1:]:
            assert all(np.array_equal(one, its) for one, its in zip(steps[0], other, strict=True))
    states = {batch._batch.states.tobytes() for batch in batches}
    assert len(states) == 1
    for batch in batches:
        batch.close()


# --- the caller's memory


@pytest.mark.parametrize("scaled", [True, False], ids=["scaled", "raw"])
def test_steps_write_into_the_callers_memory(scaled: bool) -> None:
    batch, other = (cf.make_batch("chocofactory", 4, num_players=2, scaled=scaled) for _ in range(2))
    size, dtype = batch.game.observation_layout.size, np.float32 if scaled else np.uint8
    storage = np.zeros((6, 4, size), dtype)
    rewards = np.zeros((6, 4, 2), np.float32)
    batch.write_into(observations=storage[0])
    batch.reset(seed=1)
    expected = other.reset(seed=1)
    assert np.array_equal(storage[0], expected.observations)
    for t in range(1, 6):
        batch.write_into(observations=storage[t], rewards=rewards[t])
        actions = expected.action_masks.argmax(axis=1)
        step, expected = batch.step(actions), other.step(actions)
        assert step.observations.base is storage or np.shares_memory(step.observations, storage)
        assert np.array_equal(storage[t], expected.observations)
    assert not np.array_equal(storage[0], storage[5])


def test_steps_write_into_tensors_and_take_tensors() -> None:
    torch = pytest.importorskip("torch")
    batch = cf.make_batch("chocofactory", 4, num_players=2)
    observations = torch.zeros(4, batch.game.observation_layout.size)
    masks = torch.zeros(4, batch.num_actions, dtype=torch.int8)
    batch.write_into(observations=observations, action_masks=masks)
    batch.reset(seed=1)
    other = cf.make_batch("chocofactory", 4, num_players=2)
    expected = other.reset(seed=1)
    assert np.array_equal(observations.numpy(), expected.observations)
    actions = expected.action_masks.argmax(axis=1)
    batch.step(torch.from_numpy(actions))
    assert np.array_equal(masks.numpy(), other.step(actions).action_masks)


@pytest.mark.parametrize(
    ("name", "buffer", "error", "match"),
    [
        ("observation", np.zeros(1), TypeError, "there are: observations"),
        ("rewards", [[0.0, 0.0]] * 3, TypeError, "NumPy array or a tensor"),
        ("rewards", np.zeros((3, 2)), ValueError, "float32"),
        ("rewards", np.zeros((2, 2), np.float32), ValueError, r"\(3, 2\)"),
        ("rewards", np.zeros((3, 4), np.float32)[:, ::2], ValueError, "contiguous"),
    ],
)
def test_memory_that_does_not_fit_is_refused(name: str, buffer: Any, error: type[Exception], match: str) -> None:
    batch = cf.SelfPlayBatch(toy(num_players=2), 3)
    kept = batch.buffers
    with pytest.raises(error, match=match):
        batch.write_into(dones=np.zeros(3, bool), **{name: buffer})
    assert all(one is other for one, other in zip(batch.buffers, kept, strict=True))
    frozen = np.zeros((3, 2), np.float32)
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="written to"):
        batch.write_into(rewards=frozen)


def test_new_memory_shows_all_games_after_some_are_reset() -> None:
    batch = cf.make_batch("chocofactory", 3, num_players=2, autoreset=False)
    shown = batch.reset(seed=1).observations.copy()
    movers = batch.buffers.current_player.copy()
    batch.write_into(
        observations=np.zeros_like(shown),
        action_masks=np.zeros_like(batch.buffers.action_masks),
        current_player=np.zeros_like(movers),
    )
    step = batch.reset(seed=[None, 7, None], games=np.array([False, True, False]))
    assert np.array_equal(step.observations[[0, 2]], shown[[0, 2]])
    assert step.action_masks.any(axis=1).all()
    assert np.array_equal(step.current_player[[0, 2]], movers[[0, 2]])
    assert batch.game.seed_of(batch.state(1)) == 7


def test_there_are_no_more_threads_than_there_is_work_for(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []

    class Pool(ThreadPoolExecutor):
        def __init__(self, number: int, *args: Any) -> None:
            started.append(number)
            super().__init__(number, *args)

    monkeypatch.setattr(compiled, "ThreadPoolExecutor", Pool)
    game = cf.load("schoko")
    game.random_playouts(game.new(1), [1, 2], num_threads=1000)
    game.random_playouts(game.new(1), [], num_threads=1000)
    game.random_playouts(game.new(1), [1], num_threads=1000)
    assert started == [2]
    for games, threads in ((2, 1), (130, 2)):
        batch = cf.make_batch(game, games, num_threads=1000)
        assert batch._batch.num_threads == len(batch._batch._play) == threads
        batch.reset(seed=1)
        assert batch._batch._pool is None or len(batch._batch._pool._threads) == threads - 1
        batch.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.skipif(not COMPILED, reason="the threads are those of compiled code")
def test_a_forked_process_gets_threads_of_its_own() -> None:
    batch = cf.make_batch("chocofactory", 200, num_players=2, num_threads=2)
    actions = batch.reset(seed=1).action_masks.argmax(axis=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # newer Pythons warn of forking with threads, which is what is tried here
        child = os.fork()
    if child == 0:
        batch.step(actions)
        os._exit(0)
    for _ in range(100):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        time.sleep(0.1)
    else:
        os.kill(child, 9)
        os.waitpid(child, 0)
        pytest.fail("the forked process waits for ever")
    assert status == 0
    batch.close()


# --- playouts


def test_calls_that_do_not_fit_a_batch_are_refused() -> None:
    batch = cf.SelfPlayBatch(toy(num_players=2), 3)
    batch.reset(seed=1)
    with pytest.raises(ValueError, match=r"^actions: expected shape \(3,\), got \[\[0\], \[0, 0\]\]$"):
        batch.step([[0], [0, 0]])
    for rows, said in (
        ([0, 3], "^games: expected rows 0 to 2, got 3$"),
        ([-1], "^games: expected rows 0 to 2, got -1$"),
        ([True, False], "^games: expected a bool for each of 3 games, got 2$"),
    ):
        with pytest.raises(IndexError, match=said):
            batch.results(np.array(rows))
    with pytest.raises(ValueError, match=r"^num_envs: expected at most 2,147,483,647, got "):
        cf.make_batch("chocofactory", 10**12)


@pytest.mark.parametrize("player", [None, 0])
def test_any_number_of_threads_gives_the_same_playouts(player: int | None) -> None:
    game, seeds = chocofactory(num_players=2), np.arange(40 if COMPILED else 3)
    results, by_three = (game.random_playouts(game.new(3), seeds, player=player, num_threads=n) for n in (1, 3))
    assert all(np.array_equal(one, other) for one, other in zip(results, by_three, strict=True))


def test_a_playout_of_a_game_that_is_over_plays_nothing() -> None:
    game = chocofactory(num_players=2)
    end = game.random_playout(game.new(1), 1)
    results = game.random_playouts(end, [1, 2])
    assert results.decisions.tolist() == [0, 0]
    assert results.scores[1].tolist() == game.scores(end).tolist()


@pytest.mark.parametrize("other", [{"difficulty": 3}, {"expansion": "master_chocolatier"}], ids=str)
def test_a_state_that_shows_more_than_the_variant_is_refused(other: dict[str, Any]) -> None:
    solo = chocofactory(num_players=1)
    with pytest.raises(ValueError, match="expected one position of this variant"):
        solo.observe(chocofactory(num_players=1, **other).new(1), 0)


# --- legal samples


@pytest.mark.parametrize("dtype", ["bool", "int8"])
def test_masks_in_tensors_are_sampled(dtype: str) -> None:
    torch = pytest.importorskip("torch")
    masks = np.array([[0, 1, 1], [1, 0, 0]], np.int8)
    tensors = torch.tensor(masks).to(getattr(torch, dtype))
    assert np.array_equal(cf.LegalSampler(4)(tensors), cf.LegalSampler(4)(masks))
    assert np.array_equal(cf.LegalSampler(4)(tensors[:, None]), cf.LegalSampler(4)(masks[:, None]))
    assert cf.LegalSampler(4).one(tensors[1]) == 0


def test_masks_whose_shape_was_changed_in_place_are_sampled_in_the_new_one() -> None:
    masks, sample = np.tile(np.array([0, 1], np.int8), 12).reshape(4, 6), cf.LegalSampler(0)
    sample(masks)
    masks[0] = 0
    masks.shape = (2, 12)
    assert sample(masks)[0] in (7, 9, 11)


def test_what_is_no_array_is_no_mask() -> None:
    for sample in (cf.LegalSampler(0), cf.LegalSampler(0).one):
        with pytest.raises(TypeError, match=r"^masks?: expected .* int8 or bool, got \[\[1, 0\]\]$"):
            sample([[1, 0]])  # type: ignore[arg-type]  # the mistake


def test_the_sampler_takes_every_legal_action_alike() -> None:
    masks = np.tile(np.array([0, 1, 0, 1, 1], np.int8), (3000, 1))
    chosen = np.bincount(cf.LegalSampler(0)(masks), minlength=5)
    assert chosen[[0, 2]].sum() == 0
    assert (abs(chosen[[1, 3, 4]] - 1000) < 150).all()
    assert np.array_equal(cf.LegalSampler(4)(masks), cf.LegalSampler(4)(masks))
    assert not np.array_equal(cf.LegalSampler(4)(masks), cf.LegalSampler(5)(masks))
