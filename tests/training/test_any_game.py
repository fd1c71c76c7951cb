"""A game without folders of its own: it is played, compared and learned by what serves all games."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from exit_status import status_of

import chocofactory_env as cf
from chocofactory_env import registry
from chocofactory_env.agents.networks.network import FlatNetwork, make_network, numbers_of
from chocofactory_env.arena import match, tournament
from chocofactory_env.core.observation.layout import Block, ObservationLayout
from chocofactory_env.training import dataset, imitate, ppo
from chocofactory_env.training.ppo import Config
from chocofactory_env.training.runs import read_metrics
from chocofactory_env.training.settings import presets_of
from toyrace.game import ToyRace

TINY = Config(
    game="toyrace", players=(2,), games=6, steps=16, iterations=2, minibatch=32, rival_share=0.5, goals=1.0,
    evaluate_every=1, evaluate_deals=2, threads=1,
)  # fmt: skip


class WideToy(ToyRace):
    """Its last entry may be larger than a byte."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        *narrow, last = self.observation_layout.blocks  # wide blocks come last
        self.observation_layout = ObservationLayout([*narrow, Block(last.name, last.shape, 1000, last.meaning)])


@pytest.fixture(params=[ToyRace, WideToy], ids=["bytes", "wider"], autouse=True)
def toy(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> type[ToyRace]:
    """The toy in place of every game that is loaded."""
    toy: type[ToyRace] = request.param

    def load(name: str, **options: Any) -> Any:
        assert name == "toyrace"
        return toy(**options)

    monkeypatch.setattr(cf, "load", load)
    monkeypatch.setattr(registry, "load", load)
    return toy


def test_a_flat_network_is_made_unless_another_is_asked_for(toy: type[ToyRace]) -> None:
    game = toy(num_players=2)
    network = make_network(game, width=4)
    assert isinstance(network, FlatNetwork)
    raw = np.zeros((3, game.observation_layout.raw_size), game.observation_layout.raw_dtype)
    assert network(torch.from_numpy(raw)).logits.shape == (3, game.num_actions)
    with pytest.raises(ValueError, match=r"unknown network 'afterstates'; there are: mlp"):
        make_network(game, "afterstates")


def test_a_network_reads_entries_of_one_byte_and_of_two(toy: type[ToyRace]) -> None:
    layout = toy(num_players=2).observation_layout
    raw = np.arange(3 * layout.raw_size, dtype=layout.raw_dtype).reshape(3, -1)
    wide = raw[:, layout.narrow :].copy().view("<u2")
    numbers = numbers_of(torch.from_numpy(raw), layout.narrow).numpy()
    assert numbers.shape == (3, layout.size)
    assert np.array_equal(numbers, np.hstack([raw[:, : layout.narrow], wide]))


def test_ppo_learns_against_random_rivals(tmp_path: Path) -> None:
    best = ppo.train(TINY, tmp_path, progress=False)
    assert best is not None
    assert {"random_2/won", "score", "return/2"} <= read_metrics(tmp_path)[-1].keys()
    assert presets_of(Config, "toyrace", "PPO") == {}
    assert status_of(ppo.main, "solo", "--game", "toyrace", "--out", tmp_path / "other") == 2


def test_games_are_written_and_imitated(tmp_path: Path, toy: type[ToyRace]) -> None:
    export = dataset.Export(partial(cf.load, "toyrace", num_players=2), ("flat_mc:playouts=3", "random"), range(8))
    assert dataset.write_dataset(tmp_path / "data", export, progress=False)
    data = dataset.read_dataset(tmp_path / "data")
    assert data.observations.dtype == toy().observation_layout.raw_dtype
    network = {"width": 4}
    config = imitate.Config(network=network, epochs=1, evaluate_deals=1, threads=1, held_out=0.2)
    imitate.imitate(config, (tmp_path / "data",), tmp_path / "imitation", progress=False)
    assert read_metrics(tmp_path / "imitation")[0]["loss"] > 0


def test_tournament_and_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--game", "toyrace", "--deals", "2", "--option", "rounds=2")
    assert status_of(tournament.main, "random", "flat_mc:playouts=2", *words, "--out", tmp_path) == 0
    result = json.loads((tmp_path / "result.json").read_text("utf-8"))
    assert result["notes"] == {"random": {}, "flat_mc:playouts=2": {}}
    assert result["settings"]["options"]["rounds"] == 2
    assert {path.name for path in tmp_path.glob("*.svg")} == {"ratings.svg", "scores.svg"}
    assert status_of(match.main, "--agents", "random", "random", *words) == 0
    printed = capsys.readouterr().out
    assert re.search(r"games won +score +place", printed)
