"""Tasks give the same in one process, in several, and on a Ray cluster; and errors say which task it was."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from interrupted import StopsAfter, untimed
from repository import ROOT
from toy_agents import make_toy_agent

import chocofactory_env as cf
from arena.series import JOURNAL, play_series
from arena.tasks import WorkersError
from arena.tournament import Tournament, TournamentWorker
from arena.workers import Workers, add_workers, cluster, results_of, workers_of
from toyrace.game import ToyRace

pytestmark = pytest.mark.programs  # Ray starts processes of its own

IN_TWO = Workers(processes=2, ray=None)
ON_RAY = Workers(processes=2, ray="local")
ONE_ON_RAY = Workers(processes=1, ray="local")
needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: dependency group `ray`")
everywhere = pytest.mark.parametrize(
    "workers",
    [Workers(processes=None, ray=None), IN_TWO, pytest.param(ONE_ON_RAY, marks=needs_ray)],
    ids=["here", "processes", "ray"],
)


@pytest.fixture(scope="module", autouse=True)
def one_ray() -> Iterator[None]:
    """A Ray of this machine with two CPUs, which the tests of this process share: it takes seconds to start."""
    with cluster(ON_RAY["ray"] if find_spec("ray") else None, processes=2):
        yield


def address() -> str:
    """Of that Ray, for another process."""
    import ray

    return str(ray.get_runtime_context().gcs_address)


def toy_tournament(deals: int = 20) -> Tournament:
    return Tournament(partial(ToyRace, num_players=2), ("guesses", "rests"), 2, range(deals), make_toy_agent)


# --- the same results


@needs_ray
def test_a_tournament_goes_on_on_ray_as_in_one_process(tmp_path: Path) -> None:
    tournament = toy_tournament()
    here = tournament.play(tmp_path / "here", progress=False)
    begun = play_series(tmp_path / "ray", tournament, StopsAfter(TournamentWorker(tournament), 5), progress=False)
    assert len(begun.records) == 5
    assert begun.interrupted
    there = tournament.play(tmp_path / "ray", **ON_RAY, progress=False)
    assert list(there.records) == tournament.tasks
    assert untimed(there.records) == untimed(here.records)
    settings = [(tmp_path / name / JOURNAL).read_text("utf-8").splitlines()[0] for name in ("here", "ray")]
    assert settings[0] == settings[1]


@needs_ray
def test_a_dataset_of_ray_has_the_same_bytes(tmp_path: Path) -> None:
    dataset = pytest.importorskip("training.dataset", reason="datasets need the dependency group `datasets`")
    game = partial(ToyRace, num_players=2)
    export = dataset.Export(game, ("guesses", "rests"), range(5), deals_per_part=2, make=make_toy_agent)
    for name, workers in {"here": Workers(processes=1, ray=None), "ray": ONE_ON_RAY}.items():
        assert dataset.write_dataset(tmp_path / name, export, **workers, progress=False)
    here, there = ({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("here", "ray"))
    assert here == there
    assert {"part-00000.parquet", "part-00001.parquet", "part-00002.parquet"} < set(here)


@needs_ray
def test_experts_on_ray_advise_the_same(tmp_path: Path) -> None:
    expert_iteration = pytest.importorskip("training.expert_iteration", reason="it needs torch: docs/training.md")
    from agents.networks.network import make_network

    config = expert_iteration.Config(
        game="toyrace.game:ToyRace", players=(2,), expert="random", games=30, threads=1, processes=1
    )
    game = ToyRace(num_players=2)
    network = make_network(game, kind="mlp", width=8)
    decisions = []
    for name, ray in {"here": None, "ray": ON_RAY["ray"]}.items():
        expert_iteration.play_round(config, [game], network, 1, tmp_path / name, False, ray)
        decisions.append(expert_iteration.decisions_of(expert_iteration.file_of(tmp_path / name, 1, 2), game))
    here, there = decisions
    assert len(here["actions"]) > 2 * expert_iteration.AT_ONCE
    assert all(here[name].equal(there[name]) for name in expert_iteration.DECISIONS)


@needs_ray
def test_a_command_sends_the_users_own_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "last_of.py").write_text("def last_of(mask):\n    return int(mask.nonzero()[0][-1])\n")
    (tmp_path / "lasting.py").write_text(
        "from last_of import last_of\n\n\ndef make(game):\n    return lambda observation, mask: last_of(mask)\n"
    )
    words = ["lasting:make", "random", "--deals", "2", "--out", "ray", "--ray", address()]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "RAY_AUTH_MODE": "token"}
    command = [sys.executable, "-m", "arena.tournament", *words]
    played = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert played.returncode == 0, played.stderr
    monkeypatch.syspath_prepend(tmp_path)
    tournament = Tournament(partial(cf.load, "chocofactory", num_players=2), ("lasting:make", "random"), 2, range(2))
    here = tournament.play(tmp_path / "here", progress=False)
    there = tournament.play(tmp_path / "ray", progress=False)  # it finds all games in the journal
    assert untimed(there.records) == untimed(here.records)


# --- errors, losses, ends


def negative(task: tuple[int, ...]) -> int:
    if task == (3,):
        raise ValueError(f"a fault in process {os.getpid()}")
    return -task[0]


class DiesOnce:
    """Its process is lost in task 2, unless the file is there."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __call__(self, task: tuple[int, ...]) -> int:
        if task == (2,) and not self.file.exists():
            self.file.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return negative(task)


def tasks(*numbers: int) -> Sequence[tuple[int, ...]]:
    return [(number,) for number in numbers]


@everywhere
def test_an_error_names_its_task_and_ends_the_workers(workers: Workers) -> None:
    with pytest.raises(ValueError, match="a fault") as caught, results_of(negative, tasks(0, 3), **workers) as results:
        list(results)
    assert any(note.startswith("The task was (3,)") for note in caught.value.__notes__)
    worker = int(str(caught.value).rpartition(" ")[2])
    assert (worker == os.getpid()) == (workers["processes"] is None)
    if worker != os.getpid():
        wait_for_its_end(worker)


def wait_for_its_end(worker: int, seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while is_there(worker):
        assert time.monotonic() < end, f"process {worker} is still there"
        time.sleep(0.05)


def is_there(worker: int) -> bool:
    try:
        os.kill(worker, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_lost_process_is_an_error(tmp_path: Path) -> None:
    with (
        pytest.raises(WorkersError, match=r"^a process that played was lost .* was not finished$"),
        results_of(DiesOnce(tmp_path / "lost"), tasks(0, 1, 2, 4, 5, 6, 7, 8), **IN_TWO) as results,
    ):
        list(results)


class CannotBeLoaded:
    def __reduce__(self) -> tuple[type, tuple[str]]:
        return int, ("nonsense",)

    def __call__(self, task: tuple[int, ...]) -> int:
        return 0


def test_what_a_process_cannot_load_is_an_error() -> None:
    with pytest.raises(WorkersError, match="was lost"), results_of(CannotBeLoaded(), tasks(0, 1), **IN_TWO) as results:
        list(results)


@needs_ray
def test_what_a_lost_worker_was_doing_is_done_again(tmp_path: Path) -> None:
    lost = tmp_path / "lost"
    with results_of(DiesOnce(lost), tasks(0, 1, 2), **ONE_ON_RAY) as results:
        assert sorted(results) == [((0,), 0), ((1,), -1), ((2,), -2)]
    assert lost.exists()


@needs_ray
def test_many_small_tasks_go_several_at_a_time() -> None:
    from arena.ray_workers import QUEUE, RayWorkers

    asked = tasks(*range(4, 500))
    with RayWorkers(negative, asked, 1) as workers:
        found, calls = {}, set()
        for number, result in workers:
            found[number] = result
            calls |= set(workers._calls)
            assert len(workers._calls) <= QUEUE
    assert [found[number] for number in range(len(asked))] == [-task[0] for task in asked]
    assert len(calls) < len(asked) / 4


@needs_ray
def test_machines_with_other_versions_are_refused() -> None:
    from arena.ray_workers import check_versions, versions

    check_versions("there", versions())
    with pytest.raises(WorkersError, match=rf"^there .* numpy is 1\.0 there and {np.__version__} here$"):
        check_versions("there", {**versions(), "numpy": "1.0"})


# --- the command line


def parsed(*words: str) -> Workers:
    parser = argparse.ArgumentParser()
    add_workers(parser)
    return workers_of(parser.parse_args(words))


def test_the_options_say_who_works(capsys: pytest.CaptureFixture[str]) -> None:
    assert parsed() == {"processes": None, "ray": None}
    assert parsed("--processes", "3", "--ray", "auto") == {"processes": 3, "ray": "auto"}
    with pytest.raises(SystemExit):
        parsed("--processes", "0")
    assert "argument --processes: expected 1 or more, got 0" in capsys.readouterr().err


def test_without_ray_the_message_names_its_group(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.workers.find_spec", lambda name: None)
    with (
        pytest.raises(WorkersError, match=r"needs ray, not installed here: pip install -e . --group ray"),
        results_of(negative, tasks(1), ray="auto"),
    ):
        pass


@needs_ray
@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://localhost:1", "nonsense"])
def test_an_address_without_a_cluster_is_an_error_at_once(address: str) -> None:
    from arena.ray_workers import join

    with pytest.raises(WorkersError, match=rf"^no Ray cluster at '{address}': "):
        join(address, None, ".")
