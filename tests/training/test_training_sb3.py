"""Training with Stable-Baselines3: what is saved plays the same and is gone on from; other files are refused."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("stable_baselines3")
pytest.importorskip("sb3_contrib")
import torch
from sb3_contrib import MaskablePPO

import chocofactory_env as cf
from agents.networks.checkpoint import CheckpointError, load_checkpoint, save_checkpoint
from training import sb3
from training.evaluate import evaluate, likeliest
from training.runs import BEST, LAST, RunError, read_metrics

SMALL: dict[str, Any] = {
    "games": 8,
    "steps": 16,
    "minibatch": 64,
    "epochs": 2,
    "width": 16,
    "evaluate_every": 128,
    "evaluate_deals": 1,
    "rivals": ("random",),
}
ROLLOUT = SMALL["games"] * SMALL["steps"]
KINDS = [
    ("maskable", "solo", {}),
    ("maskable", "versus", {"players": 3, "opponents": ("random", "greedy")}),
    ("plain", "solo", {}),
    ("plain", "versus", {}),
]


@pytest.fixture(autouse=True)
def _one_thread() -> Any:
    threads = torch.get_num_threads()
    yield
    torch.set_num_threads(threads)


def config(algorithm: str = "maskable", env: str = "solo", **changed: Any) -> sb3.Config:
    return dataclasses.replace(sb3.PRESETS[algorithm], env=env, **{**SMALL, **changed})


def positions(game: cf.Game, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Raw observations and masks met in random play."""
    batch = cf.make_batch(game, count, scaled=False)
    sample, step = cf.LegalSampler(seed=1), batch.reset(seed=5)
    for _ in range(30):
        step = batch.step(sample(step.action_masks))
    return step.observations.copy(), step.action_masks.copy()


@pytest.mark.parametrize(("algorithm", "env", "changed"), KINDS)
def test_it_trains_and_what_is_saved_plays_the_same(
    algorithm: str, env: str, changed: dict[str, Any], tmp_path: Path
) -> None:
    asked = config(algorithm, env, **changed)
    before = sb3.network_of(sb3.make_model(asked, sb3.make_env(asked), asked.seed), asked).state_dict()
    model = sb3.train(asked, tmp_path, 3 * ROLLOUT, progress=False)
    after = sb3.network_of(model, asked).state_dict()
    assert all(bool(torch.isfinite(after[name]).all()) for name in after)
    assert not any(torch.equal(before[name], after[name]) for name in before)

    network, game = sb3.load_policy(tmp_path / LAST)
    assert game.num_players == (asked.players if env == "versus" else 1)
    raw, masks = positions(game, 32)
    chosen = likeliest(network, raw, masks)
    if algorithm == "maskable":
        assert isinstance(model, MaskablePPO)
        assert np.array_equal(chosen, model.predict(raw, action_masks=masks, deterministic=True)[0])
    else:
        any_action = likeliest(network, raw, np.ones_like(masks))
        assert np.array_equal(any_action, model.predict(raw, deterministic=True)[0])
    assert masks[np.arange(len(chosen)), chosen].all()
    assert evaluate(network, game, rival="random", deals=1).games == game.num_players

    lines = read_metrics(tmp_path)
    whom = "alone" if env == "solo" else "random"
    evaluated = [line["iteration"] for line in lines if f"eval/{whom}/low" in line]
    assert evaluated == [ROLLOUT, 2 * ROLLOUT, 3 * ROLLOUT]
    shares = [line["rollout/illegal_share"] for line in lines if "rollout/illegal_share" in line]
    assert (max(shares) == 0) if algorithm == "maskable" else (min(shares) > 0.5)
    assert (tmp_path / BEST).exists()
    assert list(tmp_path.glob("events.out.tfevents.*"))


def test_opponents_may_search(tmp_path: Path) -> None:
    asked = config(env="versus", games=2, minibatch=16, opponents=("planner:width=1",))
    sb3.train(asked, tmp_path, 32, progress=False)
    assert load_checkpoint(tmp_path / LAST).about["iteration"] == 32


def test_a_run_goes_on_where_it_ended(tmp_path: Path) -> None:
    asked = config()
    first = sb3.train(asked, tmp_path, ROLLOUT, progress=False)
    ended = load_checkpoint(tmp_path / LAST)
    assert ended.about["iteration"] == ROLLOUT

    model = sb3.make_model(asked, sb3.make_env(asked), 99)
    sb3.resume_from(ended, model, asked)
    for name, tensor in sb3.tensors(first, asked)["optimiser"].items():
        assert torch.equal(tensor, sb3.tensors(model, asked)["optimiser"][name]), name
    for name, tensor in sb3.tensors(first, asked)["network"].items():
        assert torch.equal(tensor, sb3.tensors(model, asked)["network"][name]), name
    assert sb3.about(model, asked, ROLLOUT) == sb3.about(first, asked, ROLLOUT)

    longer = sb3.train(asked, tmp_path, 3 * ROLLOUT, resume=True, progress=False)
    assert longer.num_timesteps == 3 * ROLLOUT
    moments = sb3.tensors(longer, asked)["optimiser"]
    steps_of_rollout = SMALL["epochs"] * ROLLOUT // SMALL["minibatch"]
    assert float(moments["0.step"]) == 3 * steps_of_rollout
    steps = [line["iteration"] for line in read_metrics(tmp_path) if "eval/won" in line]
    assert steps == [ROLLOUT, 2 * ROLLOUT, 3 * ROLLOUT]
    assert sb3.train(asked, tmp_path, 3 * ROLLOUT, resume=True, progress=False).num_timesteps == 3 * ROLLOUT


def test_ctrl_c_stops_and_saves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0
    on_step = sb3.EvaluationCallback._on_step

    def interrupted(watch: sb3.EvaluationCallback) -> bool:
        nonlocal calls
        calls += 1
        if calls == SMALL["steps"] + 3:
            os.kill(os.getpid(), signal.SIGINT)
        return on_step(watch)

    monkeypatch.setattr(sb3.EvaluationCallback, "_on_step", interrupted)
    handler = signal.getsignal(signal.SIGINT)
    sb3.train(config(evaluate_every=10**9), tmp_path, 10**9, progress=False)
    assert signal.getsignal(signal.SIGINT) is handler
    # The rollout under way is thrown away, and not counted.
    assert load_checkpoint(tmp_path / LAST).about["iteration"] == ROLLOUT
    monkeypatch.undo()
    sb3.train(config(evaluate_every=10**9), tmp_path, 2 * ROLLOUT, resume=True, progress=False)
    assert load_checkpoint(tmp_path / LAST).about["iteration"] == 2 * ROLLOUT


def test_files_that_are_something_else_are_refused(tmp_path: Path) -> None:
    asked = config()
    sb3.train(asked, tmp_path / "run", ROLLOUT, progress=False)
    last = tmp_path / "run" / LAST
    whole = last.read_bytes()

    with pytest.raises(CheckpointError, match=r"nothing\.safetensors"):
        sb3.load_policy(tmp_path / "nothing.safetensors")
    last.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(CheckpointError, match=r"last\.safetensors: no checkpoint can be read"):
        sb3.load_policy(last)
    with pytest.raises(CheckpointError, match=r"last\.safetensors"):
        sb3.train(asked, tmp_path / "run", 2 * ROLLOUT, resume=True, progress=False)
    last.write_bytes(b"PK\x03\x04" + b"0" * 1000)  # as a zip of SB3's begins
    with pytest.raises(CheckpointError, match=r"last\.safetensors"):
        sb3.load_policy(last)

    last.write_bytes(whole)
    checkpoint = load_checkpoint(last)
    own = {"network": checkpoint.of("network")}
    other = tmp_path / "other.safetensors"
    save_checkpoint(other, checkpoint.about | {"made_by": "somebody"}, own)
    with pytest.raises(CheckpointError, match=r"expected a checkpoint of training\.sb3, got one of 'somebody'"):
        sb3.load_policy(other)
    save_checkpoint(other, checkpoint.about | {"options": {"num_players": 2}}, own)
    with pytest.raises(CheckpointError, match="does not fit"):
        sb3.load_policy(other)
    model = sb3.make_model(asked, sb3.make_env(asked), 0)
    save_checkpoint(last, {**checkpoint.about, "reward_scale": []}, own)
    with pytest.raises(CheckpointError, match="resume from"):
        sb3.resume_from(load_checkpoint(last), model, asked)


def test_a_run_is_gone_on_with_only_as_it_was_begun(tmp_path: Path) -> None:
    sb3.train(config(), tmp_path, ROLLOUT, progress=False)
    with pytest.raises(RunError, match="holds a run already"):
        sb3.train(config(), tmp_path, ROLLOUT, progress=False)
    with pytest.raises(RunError, match="gamma is"):
        sb3.train(config(gamma=0.5), tmp_path, ROLLOUT, resume=True, progress=False)


def test_settings_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown algorithm 'dqn'"):
        dataclasses.replace(config(), algorithm="dqn")
    with pytest.raises(ValueError, match="expected 1 or 2 opponents, got 3"):
        config(env="versus", players=3, opponents=("random",) * 3)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            "--game schoko",
            r"env: solo needs a game with a solo variant, which schoko lacks \(num_players: expected 2 to",
        ),
        ('--options {"months":6}', "months"),
        ("--env versus --opponents nobody", "unknown agent 'nobody'"),
        ("--env versus --rivals nobody", "unknown agent 'nobody'"),
        ("--device nothing", "device: "),
    ],
)
def test_a_start_that_fails_leaves_no_folder(
    words: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        sb3.main([*words.split(), "--out", str(tmp_path / "run")])
    assert re.search(said, capsys.readouterr().err)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("setting", "value", "least"),
    [
        ("players", 1, 2),
        ("games", 0, 1),
        ("steps", 0, 1),
        ("width", 0, 1),
        ("epochs", 0, 1),
        ("minibatch", 1, 2),
        ("evaluate_every", 0, 1),
        ("evaluate_deals", 0, 1),
        ("seed", -1, 0),
        ("threads", 0, 1),
    ],
)
def test_settings_that_are_too_small_are_refused(
    setting: str, value: int, least: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        sb3.main([f"--{setting.replace('_', '-')}", str(value), "--out", str(tmp_path / "run")])
    assert f"{setting}: expected at least {least}, got {value}" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_the_command_line_starts_from_the_preset_of_the_algorithm(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = ["--games", "4", "--steps", "8", "--minibatch", "32", "--width", "8", "--evaluate-deals", "1"]
    sb3.main(["--algorithm", "plain", "--out", str(tmp_path), "--total-steps", "32", *said])
    written = json.loads((tmp_path / "config.json").read_text(encoding="utf-8"))["config"]
    assert written["illegal_penalty"] == sb3.PRESETS["plain"].illegal_penalty
    assert written["games"] == 4
    assert "steps/s" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        sb3.main(["--out", str(tmp_path), "--total-steps", "32", *said])
    assert "holds a run already" in capsys.readouterr().err


def test_the_rival_of_the_game_is_among_those_that_it_is_evaluated_against() -> None:
    assert sb3.Config(env="versus").evaluated_against() == ["random", "greedy"]
    assert sb3.Config(env="versus", rivals=("greedy", "rival")).evaluated_against() == ["greedy"]
    assert sb3.Config(env="solo").evaluated_against() == [""]
