"""Networks: every block counts, every parameter learns, one network plays any number of players, others are refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from games_played import VARIANTS, variant_name
from own_decks import order, write_deck
from positions import load

import chocofactory_env as cf
from agents.checkpoint import CheckpointError, about_network, load_checkpoint, save_checkpoint
from agents.learned import LearnedAgent
from agents.match import Entrant, play_match
from agents.network import Network, make_network, masked

EVERY = pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
SMALL = {"kind": "entity", "width": 8, "trunk": 16}
KINDS = pytest.mark.parametrize("kind", ["entity", "mlp"])


def seen_in(game: cf.Game, number: int = 64) -> tuple[np.ndarray, np.ndarray]:
    """Observations (K, O) and masks (K, A) from all over random games."""
    batch = cf.make_batch(game, number, scaled=False)  # type: ignore[arg-type]
    step, choose = batch.reset(seed=1), cf.LegalSampler(1)
    raw, masks = [], []
    for at in range(400):
        if at % 7 == 0:
            raw.append(step.observations.copy())
            masks.append(step.action_masks.copy())
        step = batch.step(choose(step.action_masks))
    return np.concatenate(raw), np.concatenate(masks)


@EVERY
@KINDS
def test_every_parameter_learns(options: dict[str, Any], kind: str) -> None:
    game = load(**options)
    torch.manual_seed(1)
    network = make_network(game, kind, width=16)
    for parameter in network.parameters():  # the heads begin at almost nothing
        if parameter.abs().max() < 0.1:
            torch.nn.init.normal_(parameter, std=0.1)
    raw, masks = (torch.from_numpy(array) for array in seen_in(game))
    output = network(raw)
    assert output.logits.shape == masks.shape
    assert output.value.shape == (len(raw),)
    chances = masked(output.logits, masks)
    assert torch.allclose(chances.exp().sum(-1), torch.ones(len(raw)), atol=1e-5)
    assert chances.exp()[masks == 0].max() == 0
    (chances.exp().square().sum() + output.value.square().sum()).backward()  # type: ignore[no-untyped-call]
    for name, parameter in network.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.abs().max() > 0, name


@EVERY
@KINDS
def test_every_block_counts(options: dict[str, Any], kind: str) -> None:
    game = load(**options)
    torch.manual_seed(2)
    network = make_network(game, kind, width=16)
    raw, _ = seen_in(game, 8)
    before = network(torch.from_numpy(raw)).value
    layout = game.observation_layout
    for block, at in zip(layout.blocks, layout.offsets, strict=True):
        changed = raw.copy()
        part = changed[:, at : at + block.size]
        part[:] = np.where(part == 0, 1, part - 1)
        assert not torch.equal(network(torch.from_numpy(changed)).value, before), block.name


def test_one_network_plays_with_two_three_and_four() -> None:
    games = [load(num_players=players) for players in (2, 3, 4)]
    network = make_network(games[1], **SMALL)
    for game in games:
        network.accept(game)
        raw, masks = seen_in(game, 4)
        assert network(torch.from_numpy(raw)).logits.shape == masks.shape


def test_the_solo_network_plays_every_difficulty() -> None:
    network = make_network(load(num_players=1), **SMALL)
    for difficulty in (1, 12):
        game = load(num_players=1, difficulty=difficulty)
        network.accept(game)
        raw, _ = seen_in(game, 4)
        network(torch.from_numpy(raw))


def test_a_network_plays_other_decks(tmp_path: Path) -> None:
    network = make_network(load(num_players=2), **SMALL)
    deck = write_deck(tmp_path / "deck.toml", orders=[order("own", ({"boxed": 1, "nuts": 1}, 9), ({"fingers": 4}, 14))])
    other = load(num_players=2, deck=str(deck))
    assert other.deck_hash != load(num_players=2).deck_hash
    network.accept(other)
    raw, _ = seen_in(other, 4)
    network(torch.from_numpy(raw))


@pytest.mark.parametrize(
    ("options", "named"),
    [({"num_players": 1}, "money_needed"), ({"num_players": 2, "expansion": "master_chocolatier"}, "extra_employee")],
)
def test_other_observations_are_refused_and_what_differs_is_named(options: dict[str, Any], named: str) -> None:
    network = make_network(load(num_players=2), **SMALL)
    with pytest.raises(ValueError, match=rf"built for other observations.*{named}"):
        network.accept(load(**options))


def test_a_flat_network_is_for_one_number_of_players() -> None:
    with pytest.raises(ValueError, match="factories"):
        make_network(load(num_players=2), "mlp").accept(load(num_players=3))
    with pytest.raises(ValueError, match=r"unknown network 'cnn'; there are: entity, mlp"):
        make_network(load(num_players=2), "cnn")


# --- checkpoints


@pytest.fixture
def saved(tmp_path: Path) -> tuple[Path, Network]:
    game = load(num_players=2)
    torch.manual_seed(3)
    network = make_network(game, **SMALL)
    path = tmp_path / "net.safetensors"
    save_checkpoint(path, about_network(network, game), {"network": network.state_dict()})
    return path, network


def test_a_checkpoint_gives_the_same_network(saved: tuple[Path, Network]) -> None:
    path, network = saved
    for players in (2, 4):
        game = load(num_players=players)
        again = load_checkpoint(path).network(game)
        network.accept(game)
        raw = torch.from_numpy(seen_in(game, 4)[0])
        assert torch.equal(again(raw).logits, network(raw).logits)


def test_a_checkpoint_for_other_observations_is_refused(saved: tuple[Path, Network]) -> None:
    with pytest.raises(CheckpointError, match=r"net\.safetensors does not fit chocofactory.*money_needed"):
        load_checkpoint(saved[0]).network(load(num_players=1))


def test_files_that_are_no_checkpoints_are_refused(saved: tuple[Path, Network], tmp_path: Path) -> None:
    path, _ = saved
    whole = path.read_bytes()
    for name, content in {"cut": whole[: len(whole) // 2], "empty": b"", "text": b"no checkpoint at all"}.items():
        other = tmp_path / name
        other.write_bytes(content)
        with pytest.raises(CheckpointError, match=name):
            load_checkpoint(other)
    with pytest.raises(CheckpointError, match="nowhere"):
        load_checkpoint(tmp_path / "nowhere")


def test_safetensors_of_others_are_refused(tmp_path: Path) -> None:
    from safetensors.torch import save_file

    save_file({"weight": torch.zeros(3)}, tmp_path / "foreign.safetensors")
    with pytest.raises(
        CheckpointError, match=r"foreign\.safetensors: expected format 'chocofactory_env network 2', got None"
    ):
        load_checkpoint(tmp_path / "foreign.safetensors")


def test_a_checkpoint_that_lacks_tensors_is_refused(tmp_path: Path) -> None:
    game = load(num_players=2)
    network = make_network(game, **SMALL)
    some = dict(list(network.state_dict().items())[3:])
    save_checkpoint(tmp_path / "some.safetensors", about_network(network, game), {"network": some})
    said = r"some\.safetensors does not hold .*'network\.part\.bias': expected float32 of shape \(8,\), got none"
    with pytest.raises(CheckpointError, match=said):
        load_checkpoint(tmp_path / "some.safetensors").network(game)


# --- the agent


@pytest.mark.parametrize("sample", [False, True])
def test_a_learned_agent_plays_whole_games_by_its_seed(saved: tuple[Path, Network], sample: bool) -> None:
    game = load(num_players=2)

    def money() -> list[tuple[int, ...]]:
        entrants = [Entrant(f"learned {n}", LearnedAgent(game, saved[0], sample)) for n in range(2)]
        return [play.money for play in play_match(game, entrants, [5], progress=False).plays]

    assert money() == money()


def test_a_learned_agent_does_what_its_network_finds_likeliest(saved: tuple[Path, Network]) -> None:
    path, network = saved
    game = load(num_players=2)
    agent, state = LearnedAgent(game, path), game.new(1)
    for _ in range(30):
        mask = game.legal_mask(state)
        raw = np.empty(game.observation_layout.size, np.uint8)
        game.write_raw_observation(state, game.current_player(state), raw)  # type: ignore[attr-defined]
        likely = masked(network(torch.from_numpy(raw)[None]).logits, torch.from_numpy(mask)[None]).argmax()
        action = agent(game.observe(state, game.current_player(state)), mask)
        assert action == int(likely)
        game.apply(state, action)
