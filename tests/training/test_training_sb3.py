"""Training with Stable-Baselines3: a short run gets stronger, and the saved player plays legally where it is loaded."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

pytest.importorskip("stable_baselines3")
pytest.importorskip("sb3_contrib")
import torch
from sb3_contrib import MaskablePPO

from chocofactory_env.training import sb3

VERSUS = "ChocoFactory/Versus-v0"


@pytest.fixture(autouse=True)
def _one_thread() -> Any:
    threads = torch.get_num_threads()
    yield
    torch.set_num_threads(threads)


@pytest.mark.slow
def test_a_short_run_gets_stronger_and_what_is_saved_plays_legally(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    sb3.main([VERSUS, "--option", "num_players=2", "--steps", "16384", "--out", str(folder)])
    before, after = (float(share) for share in re.findall(r"won ([\d.]+)%", capsys.readouterr().out))
    assert after > before + 10
    written = {path.name for path in folder.iterdir()}
    assert written >= {"best_model.zip", "last_model.zip", "evaluations.npz", "progress.csv", "checkpoints"}
    evaluated = np.load(folder / "evaluations.npz")["timesteps"]
    assert len(list((folder / "checkpoints").iterdir())) == len(evaluated) >= sb3.EVALUATIONS

    model = MaskablePPO.load(folder / "last_model")
    env: Any = gymnasium.make(VERSUS, num_players=2, illegal_action="raise")
    observation, info = env.reset(seed=5)
    over = False
    while not over:
        action, _ = model.predict(observation, action_masks=info["action_mask"], deterministic=True)
        observation, _, over, _, info = env.step(int(action))
    assert info["score"] > 0


def test_the_strength_is_measured_on_the_same_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sb3, "MEASURED", sb3.GAMES)
    games = sb3.make_games(VERSUS, {"num_players": 2}, training=False)
    model = MaskablePPO("MlpPolicy", games, seed=3, device="cpu")
    first = sb3.measure(model, games)
    assert re.fullmatch(r"won (?!0\.0%|100)[\d.]+%, scored [\d.]+", first)
    assert sb3.measure(model, games) == first


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        sb3.main([VERSUS, "--out", str(tmp_path)])
    assert "File exists" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
