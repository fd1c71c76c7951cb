"""Every setting of the training scripts is tried with the game's own kind of network, for a few decisions."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import fields, replace

import chocofactory_env as cf
from chocofactory_env.training import imitate, ppo
from chocofactory_env.training.dataset import Export, write_dataset
from chocofactory_env.training.ppo import Config
from chocofactory_env.training.runs import read_metrics

PPO = Config(
    games=4, steps=8, iterations=1, minibatch=16, epochs=1, evaluate_every=1, evaluate_deals=1, threads=1
)  # fmt: skip
IMITATE = imitate.Config(epochs=1, minibatch=64, evaluate_deals=0, held_out=0.5, threads=1)
SHARES = {"players": (2,), "iterations": 2}
# Other values than the defaults, beside those of the runs above; numbers that do not meet are tried together.
OF_PPO: dict[str, dict[str, Any]] = {
    "another game": {"game": "schoko", "players": (2,)},
    "numbers of players": {"players": (2, 3), "against": "random"},
    "options": {"options": {"difficulty": 2}, "decks": ("generated:100000-100001",), "groups": 2, "goals": 0.5},
    "numbers": {
        "network": {"width": 16, "trunk": 32}, "learning_rate": 1e-3, "last_learning_rate": 1e-4, "gamma": 0.9,
        "lam": 0.5, "clip": 0.1, "entropy": 0.1, "last_entropy": 0.1, "value_weight": 0.7, "max_norm": 1.0,
        "win": 2.0, "score": 0.1, "seed": 1, "threads": 2, "bf16": True,
    },
    "few steps": {"max_kl": 1e-6, "epochs": 2},
    "the value alone": {"warm_up": 1},
    "past selves": {"past_share": 0.5, "remember_every": 1, "most_selves": 1, **SHARES},
    "rivals": {"rival_share": 0.5, "rival": "random", **SHARES},
    "a judge": {"rival": "random", **SHARES},
}  # fmt: skip
OF_IMITATE: dict[str, dict[str, Any]] = {
    "numbers": {
        "network": {"width": 16, "trunk": 32}, "learning_rate": 1e-2, "value_weight": 1.0, "evaluate_deals": 1,
        "seed": 1, "threads": 2,
    },
    "an agent": {"of": "greedy"},
}  # fmt: skip


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("games")
    write_dataset(
        folder, Export(partial(cf.load, "chocofactory", num_players=1), ("greedy",), range(2)), progress=False
    )
    return folder


@pytest.mark.parametrize("option", OF_PPO)
def test_settings_of_ppo(option: str, tmp_path: Path) -> None:
    assert ppo.train(replace(PPO, **OF_PPO[option]), tmp_path, progress=False)
    assert read_metrics(tmp_path)[-1]["entropy"] > 0


@pytest.mark.parametrize("option", OF_IMITATE)
def test_settings_of_imitation(option: str, tmp_path: Path, games: Path) -> None:
    imitate.imitate(replace(IMITATE, **OF_IMITATE[option]), (games,), tmp_path, progress=False)
    assert read_metrics(tmp_path)[-1]["loss"] > 0


@pytest.mark.parametrize(("tried", "base"), [(OF_PPO, PPO), (OF_IMITATE, IMITATE)])
def test_no_setting_is_left_out(tried: dict[str, Any], base: Any) -> None:
    default = type(base)()
    changed = {each.name for each in fields(base) if getattr(base, each.name) != getattr(default, each.name)}
    changed |= {name for options in tried.values() for name in options}
    assert {each.name for each in fields(base)} - changed == {"device"}, "of which there may be one"
