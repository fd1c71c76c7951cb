"""Training over decks: what is dealt, what checkpoints say of it, and that a run resumes. With the default network."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch

import chocofactory_env as cf
from chocofactory_env.agents.networks.checkpoint import CheckpointError, load_checkpoint
from chocofactory_env.agents.networks.network import make_network
from chocofactory_env.arena.match import play_match
from chocofactory_env.training import dataset, imitate
from chocofactory_env.training.dataset import DatasetError, Export, read_dataset, write_dataset
from chocofactory_env.training.ppo import Config, Learner, train
from chocofactory_env.training.runs import LAST
from chocofactory_env.training.settings import note_measured

DECKS = ("generated:100000-100002",)
NAMES = [f"generated:{number}" for number in range(100_000, 100_003)]


@pytest.mark.slow
def test_imitation_learns_from_games_on_many_decks(tmp_path: Path) -> None:
    words = ["--agents", "greedy", "--deals", "6", "--deals-per-part", "2", "--out", str(tmp_path / "data")]
    dataset.main([*words, "--decks", *DECKS])
    data = read_dataset(tmp_path / "data")
    game = cf.load("chocofactory", num_players=1)
    of_match = play_match(game, ["greedy"], range(100_000, 100_006), decks=DECKS, progress=False).games
    scores = {int(deal): data.scores[data.deals == deal][0] for deal in np.unique(data.deals)}
    assert scores == of_match.set_index("deal")["score"].to_dict()
    run, few = ["--data", str(tmp_path / "data"), "--out", str(tmp_path / "run")], ["--evaluate-deals", "2"]
    imitate.main([*run, *few, "--epochs", "1", "--held-out", "0.2", "--threads", "1"])
    assert load_checkpoint(tmp_path / "run" / LAST).about["decks"] == list(DECKS)
    lessons = imitate.Lessons.of(data, imitate.Config(held_out=0.2))
    network = make_network(lessons.game, "afterstates", width=8, trunk=8)
    for rows in (lessons.learned, lessons.held_out):
        raw, seats = torch.from_numpy(data.observations[rows]), data.seats[rows].astype(np.int32)
        states = data.positions[rows].view(game.blank_states(1).dtype)[:, 0]
        seen = lessons.seen(network, rows)
        for name, deal in zip(NAMES, range(100_002, 100_005), strict=True):  # deal 100,002 is the first deck's
            with_deck = make_network(cf.load("chocofactory", num_players=1, deck=name), "afterstates")
            of_deck = np.flatnonzero((data.deals[rows] - deal) % 3 == 0)
            assert torch.equal(seen[of_deck], with_deck.see(raw[of_deck], states[of_deck], seats[of_deck]))


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """The file of a deck."""
    cf.generate_deck("chocofactory", 100_000).save(tmp_path / "own.toml")
    return tmp_path / "own.toml"


def edit(deck: Path) -> str:
    """Put another deck in the file; a pattern of the difference."""
    deck.unlink()
    cf.generate_deck("chocofactory", 100_001).save(deck)
    return rf'deck_files\.{re.escape(str(deck))} is "\w+" there and "\w+" here$'


def test_data_notice_that_a_deck_was_edited(own: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    load = partial(cf.load, "chocofactory", num_players=1)
    decks = ("shipped", str(own), NAMES[0])
    export = Export(load, ("greedy",), range(100_000, 100_003), deals_per_part=1, decks=decks)
    write_dataset(tmp_path / "data", export, progress=False)
    data = read_dataset(tmp_path / "data")
    assert data.settings["deck_files"] == {str(own): load(deck=own).deck_hash}
    assert write_dataset(tmp_path / "data", replace(export), progress=False)
    data.check(load())
    imitate.Lessons.of(data, imitate.Config())
    difference = edit(own)
    with pytest.raises(DatasetError, match=rf"written with other settings: {difference}"):
        write_dataset(tmp_path / "data", replace(export), progress=False)
    with pytest.raises(DatasetError, match=rf"the data are of another game: {difference}"):
        data.check(load())
    with pytest.raises(DatasetError, match=rf"the data are of another game: {difference}"):
        imitate.Lessons.of(data, imitate.Config())


def test_data_on_generated_decks_follow_from_their_names() -> None:
    load = partial(cf.load, "chocofactory", num_players=1)
    assert "deck_files" not in Export(load, ("greedy",), range(3), decks=("shipped", *DECKS)).settings()


def test_a_resumed_run_of_ppo_notices_that_a_deck_was_edited(own: Path, tmp_path: Path) -> None:
    config = Config(
        players=(1,), decks=("shipped", str(own)), network={"kind": "mlp", "width": 4}, games=4, steps=8, iterations=2,
        minibatch=8, evaluate_every=2, evaluate_deals=1, threads=1,
    )  # fmt: skip
    assert train(config, tmp_path / "run", minutes=0, progress=False) is None
    checkpoint = load_checkpoint(tmp_path / "run" / LAST)
    assert checkpoint.about["decks"] == ["shipped", str(own)]
    assert checkpoint.about["deck_files"] == {str(own): cf.load("chocofactory", deck=own).deck_hash}
    Learner(config, None).resume_from(checkpoint)
    unedited = own.read_bytes()
    difference = edit(own)
    with pytest.raises(CheckpointError, match=rf"last\.safetensors: its games are not those of this run: {difference}"):
        train(config, tmp_path / "run", resume=True, progress=False)
    own.write_bytes(unedited)
    Learner(config, None).resume_from(load_checkpoint(checkpoint.path))


def test_decks_for_measurement_are_noted(capsys: pytest.CaptureFixture[str]) -> None:
    note_measured(DECKS)
    assert capsys.readouterr().err == ""
    note_measured(["generated:99998-100000"])
    assert "2 of the decks are for measurement, the first is generated:99998" in capsys.readouterr().err
