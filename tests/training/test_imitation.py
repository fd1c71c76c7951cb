"""Imitation and expert iteration: what an agent does is learned, and a run goes on as if never stopped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from shutil import copyfile
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

import chocofactory_env as cf
from agents.networks.checkpoint import load_checkpoint
from agents.networks.network import make_network
from agents.protocol import decide, make_agent
from arena.play import JournalError
from training import expert_iteration, imitate
from training.dataset import DatasetError, Export, read_dataset, write_dataset
from training.runs import CONFIG, LAST, RunError, read_metrics

SMALL: dict[str, Any] = {"kind": "afterstates", "width": 8, "trunk": 32}
QUICK: dict[str, Any] = {"kind": "mlp", "width": 8}  # for what no network changes
IMITATE = imitate.Config(network=QUICK, epochs=3, minibatch=64, learning_rate=3e-3, evaluate_deals=0, threads=1)
ITERATE = expert_iteration.Config(
    network=QUICK, expert="planner:width=2", rounds=2, games=2, minibatch=64, evaluate_deals=1, threads=1, processes=1
)


def data(folder: Path, players: int, deals: int) -> Path:
    export = Export(partial(cf.load, "chocofactory", num_players=players), ("greedy",) * players, range(deals))
    write_dataset(folder, export, progress=False)
    return folder


def same(one: Path, other: Path) -> None:
    lines = [
        [{name: value for name, value in line.items() if name != "decisions_per_s"} for line in read_metrics(folder)]
        for folder in (one, other)
    ]
    assert lines[0] == lines[1]
    tensors, others = load_file(one / LAST), load_file(other / LAST)
    assert tensors.keys() == others.keys()
    assert all(torch.equal(tensor, others[name]) for name, tensor in tensors.items())


def stop_at(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Ctrl-C in the middle of a pass over the data."""
    learn = imitate.Imitator.learn
    passes = 0

    def stopped(imitator: imitate.Imitator, *arguments: Any) -> dict[str, float]:
        nonlocal passes
        passes += 1
        if passes == number:
            raise KeyboardInterrupt
        return learn(imitator, *arguments)

    monkeypatch.setattr(imitate.Imitator, "learn", stopped)


def test_imitation_comes_to_do_as_the_agent_does(tmp_path: Path) -> None:
    folders = [data(tmp_path / str(players), players, 6 // players) for players in (2, 3)]
    config = replace(IMITATE, network=SMALL)  # it plays any number of players
    lessons = [imitate.Lessons.of(read_dataset(folder), config) for folder in folders]
    before = imitate.Imitator(config, lessons)._held_out()
    imitate.imitate(config, folders, tmp_path / "run", progress=False)
    after = read_metrics(tmp_path / "run")[-1]
    assert after["held_out/loss"] < 0.8 * before["held_out/loss"]
    assert after["held_out/agreed"] > before["held_out/agreed"] + 0.1


def test_imitation_goes_on_to_the_same_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = data(tmp_path / "data", 1, 4)
    imitate.imitate(IMITATE, [folder], tmp_path / "whole", progress=False)
    with monkeypatch.context() as patch:
        stop_at(patch, 3)
        with pytest.raises(KeyboardInterrupt):
            imitate.imitate(IMITATE, [folder], tmp_path / "parts", progress=False)
    imitate.imitate(IMITATE, [folder], tmp_path / "parts", resume=True, progress=False)
    same(tmp_path / "whole", tmp_path / "parts")


def test_imitation_in_slices_goes_on_to_the_same_network(tmp_path: Path) -> None:
    """A slice that is too short for anything is one minibatch."""
    folder, config = data(tmp_path / "data", 1, 3), replace(IMITATE, epochs=2, minibatch=128)
    imitate.imitate(config, [folder], tmp_path / "whole", progress=False)
    slices, done = 0, False
    while not done:
        try:
            imitate.imitate(config, [folder], tmp_path / "parts", resume=slices > 0, minutes=0, progress=False)
            done = True
        except KeyboardInterrupt:
            slices += 1
    assert slices > 2
    same(tmp_path / "whole", tmp_path / "parts")


def test_data_of_a_game_that_is_not_registered_are_refused(tmp_path: Path) -> None:
    """A file may come from a stranger, and `cf.load` would call what it names."""
    written = read_dataset(data(tmp_path / "data", 1, 1))
    foreign = replace(written, settings=written.settings | {"game": "types:SimpleNamespace"})
    with pytest.raises(cf.UnknownGameError, match="unknown game 'types:SimpleNamespace'"):
        imitate.Lessons.of(foreign, IMITATE)


def test_the_learning_rate_falls_to_the_end_over_several_data_sets(tmp_path: Path) -> None:
    lessons = imitate.Lessons.of(read_dataset(data(tmp_path / "data", 1, 4)), IMITATE)
    config = replace(IMITATE, epochs=2, minibatch=-(-2 * len(lessons.learned) // 3))  # two of each
    imitator = imitate.Imitator(config, [lessons, lessons])
    for _ in range(config.epochs):
        imitator.learn(progress=False)
    last = config.learning_rate * (1 + np.cos(np.pi * 7 / 8)) / 2  # of eight
    assert imitator.optimiser.param_groups[0]["lr"] == pytest.approx(last)


def test_held_out_deals_are_not_learned_from(tmp_path: Path) -> None:
    lessons = imitate.Lessons.of(read_dataset(data(tmp_path / "data", 1, 5)), replace(IMITATE, held_out=0.2))
    rows = np.concatenate([lessons.learned, lessons.held_out])
    assert np.array_equal(np.sort(rows), np.arange(len(lessons.actions)))
    assert 0.1 < len(lessons.held_out) / len(rows) < 0.35


# --- expert iteration


@pytest.mark.parametrize("players", [1, 3])
def test_every_choice_of_the_network_is_kept(players: int) -> None:
    game = cf.load("chocofactory", num_players=players)
    torch.manual_seed(3)
    network = make_network(game, **SMALL)
    deals = [11, 12]
    played = expert_iteration.play(game, network, deals)
    assert list(played.deals) == sorted(played.deals)
    for deal in deals:  # each position follows from the one before, by a choice and forced moves
        rows = np.flatnonzero(played.deals == deal)
        state = game.new(seed=deal)
        winners: list[int] = []
        for row in rows.tolist():
            while game.legal_mask(state).sum() == 1:
                game.apply(state, int(game.legal_mask(state).argmax()))
            assert state.tobytes() == played.states[row].tobytes()
            mask, seat = game.legal_mask(state), game.current_player(state)
            assert np.array_equal(played.masks[row], mask)
            raw = np.empty(game.observation_layout.size, np.uint8)
            game.write_raw_observation(state, seat, raw)
            assert np.array_equal(played.raw[row], raw)
            winners.append(seat)
            state = following(game, state, None if row == rows[-1] else played.states[row + 1])
        while not game.is_over(state):
            game.apply(state, int(game.legal_mask(state).argmax()))
        assert np.array_equal(played.won[rows], np.asarray(game.won(state), np.float32)[winners])


def test_the_temperature_says_how_likely_the_likeliest_actions_are() -> None:
    game = cf.load("chocofactory", num_players=1)
    torch.manual_seed(3)
    network = make_network(game, **SMALL)
    torch.nn.init.normal_(network.policy.weight)  # type: ignore[union-attr, arg-type]  # else all are almost as likely

    def states(seed: int, temperature: float) -> bytes:
        torch.manual_seed(seed)
        return expert_iteration.play(game, network, [11], temperature).states.tobytes()

    assert states(1, 1e-3) == states(2, 1e-3)
    assert states(1, 1.0) != states(2, 1.0)
    with pytest.raises(ValueError, match=r"temperature: expected at least 0\.001, got 0"):
        replace(ITERATE, temperature=0.0)


def following(game: Any, state: Any, wanted: Any) -> Any:
    """The position after one action that leads to `wanted`; without one, to the end of the game."""
    for action in np.flatnonzero(game.legal_mask(state)).tolist():
        after = game.clone(state)
        game.apply(after, action)
        begun = game.clone(after)
        while not game.is_over(after) and game.legal_mask(after).sum() == 1:
            game.apply(after, int(game.legal_mask(after).argmax()))
        if game.is_over(after) if wanted is None else after.tobytes() == wanted.tobytes():
            return begun
    raise AssertionError("no action leads to the next position")


def test_the_expert_answers_for_each_position_alone(tmp_path: Path) -> None:
    config = replace(ITERATE, network=SMALL, rounds=1)
    games = [cf.load("chocofactory", num_players=players) for players in (2, 3)]
    network = make_network(games[0], **SMALL)
    network.accept(games[1])
    expert_iteration.play_round(config, games, network, 1, tmp_path, False)
    first = expert_iteration.FIRST_DEAL + 2  # after two in the round before
    deals = range(first, first + 2)
    for game, lessons in zip(
        games, expert_iteration.lessons_of(tmp_path, 1, replace(config, players=(2, 3))), strict=True
    ):
        torch.manual_seed(config.seed * 1000 + 1)
        if game is games[1]:
            expert_iteration.play(games[0], network, deals)  # draws come first there
        played = expert_iteration.play(game, network, deals)
        assert np.array_equal(lessons.raw, played.raw)
        asked = [decide(game, make_agent(config.expert, game), state) for state in played.states[::21]]
        assert lessons.actions[::21].tolist() == asked


def test_expert_iteration_goes_on_to_the_same_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expert_iteration.iterate(ITERATE, tmp_path / "whole", progress=False)
    with monkeypatch.context() as patch:
        stop_at(patch, ITERATE.epochs + 1)
        with pytest.raises(KeyboardInterrupt):
            expert_iteration.iterate(ITERATE, tmp_path / "parts", progress=False)
    expert_iteration.iterate(ITERATE, tmp_path / "parts", resume=True, progress=False)
    same(tmp_path / "whole", tmp_path / "parts")
    assert read_metrics(tmp_path / "whole")[1]["decisions"] > read_metrics(tmp_path / "whole")[0]["decisions"]


def test_the_number_of_processes_may_change_on_resuming(tmp_path: Path) -> None:
    config = replace(ITERATE, rounds=1)
    expert_iteration.iterate(config, tmp_path / "whole", progress=False)
    with pytest.raises(KeyboardInterrupt):
        expert_iteration.iterate(config, tmp_path / "parts", minutes=0, progress=False)
    file = tmp_path / "parts" / CONFIG
    begun = json.loads(file.read_text())
    begun["config"]["processes"] += 1  # as if begun with two, which would take seconds to start
    file.write_text(json.dumps(begun))
    with pytest.raises(RunError, match="begun with other settings: minibatch is 64 there and 65 here; to train on"):
        expert_iteration.iterate(replace(config, minibatch=65), tmp_path / "parts", resume=True, progress=False)
    expert_iteration.iterate(config, tmp_path / "parts", resume=True, progress=False)
    same(tmp_path / "whole", tmp_path / "parts")


def test_expert_iteration_in_slices_goes_on_to_the_same_network(tmp_path: Path) -> None:
    """A slice that is too short for anything is one task of the expert, or one minibatch."""
    expert_iteration.iterate(ITERATE, tmp_path / "whole", progress=False)
    slices, learning, done = 0, 0, False
    while not done:
        try:
            expert_iteration.iterate(ITERATE, tmp_path / "parts", resume=slices > 0, minutes=0, progress=False)
            done = True
        except KeyboardInterrupt:
            slices += 1
            learning += (tmp_path / "parts" / expert_iteration.LEARNING).exists()
    assert slices > learning > ITERATE.rounds
    same(tmp_path / "whole", tmp_path / "parts")


def test_answers_of_a_stopped_round_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = replace(ITERATE, rounds=1)
    expert_iteration.iterate(config, tmp_path / "whole", progress=False)
    with asked(monkeypatch, stop_after=1), pytest.raises(KeyboardInterrupt):
        expert_iteration.iterate(config, tmp_path / "parts", progress=False)
    (journal,) = (tmp_path / "parts" / "positions").glob("*.jsonl")
    kept = journal.read_text()
    settings, answers = kept.splitlines()
    illegal = json.dumps(json.loads(answers) | {"actions": [10_000] * expert_iteration.AT_ONCE})
    journal.write_text(f"{settings}\n{illegal}\n")
    with pytest.raises(JournalError, match=r"line 2 has in actions\[0\] 10000, which is not legal there"):
        expert_iteration.iterate(config, tmp_path / "parts", resume=True, progress=False)
    journal.write_text(kept)
    with asked(monkeypatch) as tasks:
        expert_iteration.iterate(config, tmp_path / "parts", resume=True, progress=False)
    assert tasks
    firsts = [(expert_iteration.AT_ONCE * number,) for number in range(1, len(tasks) + 1)]
    assert [positions.task for positions in tasks] == firsts
    same(tmp_path / "whole", tmp_path / "parts")


@contextmanager
def asked(monkeypatch: pytest.MonkeyPatch, stop_after: int | None = None) -> Iterator[list[Any]]:
    """The tasks that the expert is given; after so many Ctrl-C."""
    tasks: list[Any] = []
    advise = expert_iteration.Advice.__call__

    def advised(advice: expert_iteration.Advice, positions: expert_iteration.Positions) -> list[int]:
        if len(tasks) == stop_after:
            raise KeyboardInterrupt
        tasks.append(positions)
        return advise(advice, positions)

    with monkeypatch.context() as patch:
        patch.setattr(expert_iteration.Advice, "__call__", advised)
        yield tasks


def test_recorded_games_are_learned_from_as_well(tmp_path: Path) -> None:
    folder = data(tmp_path / "data", 1, 3)
    config = replace(ITERATE, rounds=1)
    expert_iteration.iterate(config, tmp_path / "alone", progress=False)
    expert_iteration.iterate(config, tmp_path / "more", data=[folder], progress=False)
    alone, more = (read_metrics(tmp_path / run)[0]["decisions"] for run in ("alone", "more"))
    assert more - alone == len(read_dataset(folder))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"expert": "oracle"}, "unknown agent 'oracle'"),
        ({"players": (1, 2)}, "built for other observations"),
        ({"network": {"kind": "cnn"}}, "unknown network 'cnn'"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_played(
    changed: dict[str, Any], said: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=said):
        expert_iteration.iterate(replace(ITERATE, **changed), tmp_path / "run", progress=False)
    assert not (tmp_path / "run").exists()


def test_a_run_goes_on_with_the_network_that_it_starts_from(tmp_path: Path) -> None:
    config = replace(ITERATE, rounds=1, network={"kind": "mlp", "width": 4})
    start = expert_iteration.iterate(config, tmp_path / "start", progress=False)
    goes_on = replace(ITERATE, rounds=1, network={})
    best = expert_iteration.iterate(goes_on, tmp_path / "run", start=start, progress=False)
    assert load_checkpoint(best).about["network"] == config.network
    wider = replace(config, network={"kind": "mlp", "width": 6})
    best = expert_iteration.iterate(wider, tmp_path / "wider", start=start, progress=False)
    assert load_checkpoint(best).about["network"] == wider.network
    narrower = replace(config, network={"kind": "mlp", "width": 3})
    with pytest.raises(ValueError, match=r"network: \{'kind': 'mlp', 'width': 3\} cannot take over"):
        expert_iteration.iterate(narrower, tmp_path / "other", start=start, progress=False)
    copyfile(best, start)
    with pytest.raises(RunError, match=r"begun with other settings: start_sha256 is "):
        expert_iteration.iterate(goes_on, tmp_path / "run", start=start, resume=True, progress=False)


def test_data_with_nothing_to_hold_out_are_refused(tmp_path: Path) -> None:
    folder = data(tmp_path / "data", 1, 1)
    with pytest.raises(DatasetError, match="decisions of 1 deals: expected some to learn from"):
        imitate.imitate(IMITATE, [folder], tmp_path / "run", progress=False)
    assert not (tmp_path / "run").exists()
