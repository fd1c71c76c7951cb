"""The flat network with room for several numbers of players."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

import chocofactory_env as cf
from chocofactory_env.agents.networks.checkpoint import load_checkpoint, save_network
from chocofactory_env.agents.networks.network import make_network

GAMES = pytest.mark.parametrize("name", ["candyfactory", "schoko"])


def positions(game: cf.Game) -> np.ndarray:
    """(B, R): raw observations after some random moves."""
    batch = cf.make_batch(game, 16, scaled=False)
    step, rng = batch.reset(seed=range(16)), np.random.default_rng(1)
    for _ in range(30):
        step = batch.step(np.array([rng.choice(np.flatnonzero(mask)) for mask in step.action_masks]))
    return step.observations.copy()


@GAMES
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_of_fewer_players_looks_like_a_larger_one_whose_last_seats_are_empty(name: str, players: int) -> None:
    game, largest = cf.load(name, num_players=players), cf.load(name, num_players=4)
    torch.manual_seed(1)  # with some weights all units of a layer are off
    network = make_network(game, "mlp", width=8, players=4)
    raw = positions(game)
    room = np.zeros((len(raw), largest.observation_layout.raw_size), np.uint8)
    here, there = game.observation_layout.tensors(raw), largest.observation_layout.tensors(room)
    for block, values in here.items():
        there[block][:, : values.shape[1]] = values
    alone = make_network(largest, "mlp", width=8)
    alone.load_state_dict(network.state_dict())
    ours, theirs = network(torch.from_numpy(raw)), alone(torch.from_numpy(room))
    assert torch.allclose(ours.logits, theirs.logits, atol=1e-6)
    assert torch.allclose(ours.value, theirs.value, atol=1e-6)
    assert ours.value.unique().numel() > 1


@GAMES
def test_its_file_plays_with_every_number_of_players(name: str, tmp_path: Path) -> None:
    three, two = (cf.load(name, num_players=players) for players in (3, 2))
    network = make_network(three, "mlp", width=8, players=4)
    save_network(tmp_path / "n.safetensors", network, three)
    read = load_checkpoint(tmp_path / "n.safetensors").network(two)
    network.accept(two)
    raw = torch.from_numpy(positions(two))
    assert torch.equal(read(raw).logits, network(raw).logits)


def test_more_players_than_the_game_has_are_refused() -> None:
    game = cf.load("schoko", num_players=2)
    with pytest.raises(ValueError, match="num_players: expected 2 to 4, got 9"):
        make_network(game, "mlp", players=9)
    with pytest.raises(ValueError, match=r"network 'mlp': players is -1, which is not"):
        make_network(game, "mlp", players=-1)
    with pytest.raises(ValueError, match="with the setting players an mlp takes several numbers"):
        make_network(game, "mlp").accept(cf.load("schoko", num_players=3))
