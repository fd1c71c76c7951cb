"""Series: the same results wherever they are played, however often they are stopped. Played on the toy game."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from random import Random
from subprocess import PIPE
from typing import Any

import pytest
from interrupted import StopsAfter, untimed
from long_runs import AT_LENGTH
from processes import output
from repository import ROOT
from toy_agents import TOYS, make_toy_agent

import chocofactory_env as cf
from chocofactory_env.arena import on_ray
from chocofactory_env.arena.games import GameSeries, PlaysGames
from chocofactory_env.arena.match import play_match
from chocofactory_env.arena.play import JOURNAL, JournalError, Json, Task, TaskError, play, results_of
from chocofactory_env.arena.tournament import seatings_of
from chocofactory_env.arena.workers import Workers, WorkersError
from chocofactory_env.core.agents.agent import naming
from toyrace.game import ToyRace

GAMES_OF_A_DEAL = 2 * 3  # two seats, three pairs
needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: dependency group `ray`")
starts_processes = pytest.mark.programs
everywhere = pytest.mark.parametrize(
    "workers",
    [
        Workers(),
        pytest.param(Workers(processes=2), marks=starts_processes),
        pytest.param(Workers(processes=2, ray="local"), marks=[starts_processes, needs_ray]),
    ],
    ids=["here", "processes", "ray"],
)


def toy_series(players: int = 2, deals: int = 6, agents: tuple[str, ...] = TOYS, **options: int) -> GameSeries:
    load = partial(ToyRace, num_players=players, **options)
    return GameSeries(load, tuple(seatings_of(agents, players)), range(deals), make_toy_agent)


def played(series: GameSeries, folder: Path | None = None, **workers: Any) -> Any:
    return play(series, PlaysGames(series), folder, progress=False, **workers)


@pytest.fixture(scope="module", autouse=True)
def end_of_ray() -> Iterator[None]:
    yield
    if "ray" in sys.modules:
        sys.modules["ray"].shutdown()


# --- the same results


@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_agents_sit_on_all_seats_of_a_deal_equally_often(players: int) -> None:
    outcome = played(toy_series(players, deals=1))
    seats = [(seat, agent) for record in outcome.records for seat, agent in enumerate(record["agents"])]
    times = {seats.count((seat, agent)) for seat in range(players) for agent in TOYS}
    assert times == {2 if players == 2 else 2 * players}


def test_a_game_of_a_series_is_the_game_of_a_match() -> None:
    record = next(
        each
        for each in played(toy_series()).records
        if each["deal"] == 4 and each["rotation"] == 1 and each["agents"] == ["rests", "guesses"]
    )
    pair = [make_toy_agent(name, None) for name in ("guesses", "rests")]
    of_match = play_match(ToyRace(num_players=2), pair, [4], progress=False).outcome.records[1]
    assert untimed([{**of_match, "agents": None}]) == untimed([{**record, "agents": None}])


@everywhere
@pytest.mark.parametrize("games", [0, 1, GAMES_OF_A_DEAL, 17])
def test_what_was_stopped_goes_on_to_the_same_results(games: int, workers: Workers, tmp_path: Path) -> None:
    series = toy_series()
    whole = played(series)
    part = play(series, StopsAfter(PlaysGames(series), games), tmp_path, progress=False)
    assert (part.interrupted, len(part.done)) == (True, games)
    assert f"{games} of 36 games are played; run the same command again" in part.message()
    rest = played(series, tmp_path, **workers)
    assert rest.message() == ""
    assert [task for task, _ in rest.done] == series.tasks
    assert untimed(rest.records) == untimed(whole.records)
    assert played(series, tmp_path) == rest, "it finds all games in the journal"


KILLS = 10 if AT_LENGTH else 2
GAME = ("--game", "candyfactory", "--deals", str(5 * KILLS))
SERIES_OF_GAMES = {
    "tournament": ("tournament", "random", "greedy", *GAME, "--processes", "2"),
    "benchmark": ("benchmark", "random", "--tracks", "two-random", *GAME),
    "ray": ("tournament", "random", "greedy", *GAME, "--processes", "2", "--ray", "local"),
}


def lines_in(folder: Path) -> int:
    return sum(file.read_bytes().count(b"\n") for file in folder.rglob(JOURNAL))


def without_times(file: Path) -> Any:
    found = json.loads(file.read_text(encoding="utf-8"))
    for track in found.get("tracks", {}).values():
        track["ms_a_decision"] = None
    return {**found, "decisions_per_second": None}


@starts_processes
@pytest.mark.long
@pytest.mark.parametrize("kind", ["tournament", "benchmark", pytest.param("ray", marks=needs_ray)])
def test_what_is_killed_again_and_again_goes_on_to_the_same_results(kind: str, tmp_path: Path) -> None:
    """Each time it is killed after some more games, at any moment of the next one."""
    words, rng = ["-m", "chocofactory_env.arena", *SERIES_OF_GAMES[kind], "--out"], Random(KILLS)
    part, whole = tmp_path / "part", tmp_path / "whole"
    for kill in range(KILLS):
        with subprocess.Popen(
            [sys.executable, *words, str(part)], cwd=ROOT, stderr=PIPE, start_new_session=True
        ) as killed:
            end, enough = time.monotonic() + 120, lines_in(part) + rng.randrange(3)
            while lines_in(part) <= enough and time.monotonic() < end and killed.poll() is None:
                time.sleep(0.01)
            time.sleep(rng.random() / 50)
            os.killpg(killed.pid, signal.SIGKILL)
        assert killed.returncode == -signal.SIGKILL, f"it was to be killed the {kill + 1}th time"
    output(*words, part)
    output(*words, whole)
    assert without_times(part / "result.json") == without_times(whole / "result.json")


# --- tasks that fail


def negative(task: Task) -> Json:
    number = task["number"]
    if number == 3:
        raise ValueError(f"a fault in process {os.getpid()}")
    if number == 4:
        sys.exit(7)
    if number == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    if number == 6:
        time.sleep(60)
    if number == 8:
        with naming(lambda: "agent 'slow'"):
            raise TimeoutError("no answer")
    return {"negative": -number}


class Numbers:
    def __init__(self, *numbers: int) -> None:
        self.tasks = [{"number": number} for number in numbers]

    def settings(self) -> Json:
        return {"series": "numbers"}

    def check_result(self, task: Task, result: Json) -> None: ...


@everywhere
def test_a_task_that_fails_is_named_and_the_others_go_on(
    workers: Workers, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = play(Numbers(1, 3, 4, 2), negative, tmp_path, progress=False, **workers)
    assert outcome.done == [({"number": 1}, {"negative": -1}), ({"number": 2}, {"negative": -2})]
    assert outcome.failed.keys() == {'{"number": 3}', '{"number": 4}'}
    assert outcome.failed['{"number": 3}'].startswith("ValueError: a fault in process ")
    assert "SystemExit" in outcome.failed['{"number": 4}']
    assert "Traceback" in capsys.readouterr().err
    lines = outcome.message().splitlines()
    assert [line.startswith("failed: ") for line in lines] == [True, True, False]
    again = play(Numbers(1, 3, 4, 2), lambda task: {"negative": 0}, tmp_path, progress=False)
    assert again.done[1:3] == [({"number": 3}, {"negative": 0}), ({"number": 4}, {"negative": 0})]


@starts_processes
def test_a_task_whose_process_dies_or_hangs_fails_alone() -> None:
    outcome = play(Numbers(1, 5, 6, 2, 7), negative, progress=False, processes=2, time_out=5.0)
    assert [task["number"] for task, _ in outcome.done] == [1, 2, 7]
    assert outcome.failed == {
        '{"number": 5}': "its process died (exit status -9)",
        '{"number": 6}': "it passed its time-out",
    }


@starts_processes
@pytest.mark.parametrize(("number", "why"), [(5, "its process died"), (6, "it passed its time-out")])
def test_a_task_whose_process_dies_or_hangs_ends_the_series_by_its_name(number: int, why: str) -> None:
    with pytest.raises(TaskError, match=rf'^{{"number": {number}}}: {why}'):
        play(Numbers(number, 1), negative, progress=False, ends=(BaseException,), processes=2, time_out=5.0)


@starts_processes
def test_one_process_keeps_a_time_out_too() -> None:
    outcome = play(Numbers(6), negative, progress=False, time_out=3.0)
    assert outcome.failed == {'{"number": 6}': "it passed its time-out"}


def test_a_cluster_keeps_no_time_out() -> None:
    with pytest.raises(WorkersError, match="time_out: expected none with ray"):
        play(Numbers(1), negative, progress=False, ray="local", time_out=3.0)


def test_a_time_out_of_the_task_itself_is_its_own() -> None:
    outcome = play(Numbers(8), negative, progress=False)
    assert outcome.failed == {'{"number": 8}': "TimeoutError: no answer; It was raised by agent 'slow'."}


@everywhere
def test_an_error_that_ends_the_series_is_raised(workers: Workers) -> None:
    with pytest.raises(ValueError, match="a fault"):
        play(Numbers(3, 1, 2), negative, progress=False, ends=(ValueError,), **workers)
    with pytest.raises(TaskError, match=r"^\{'number': 3\}: ValueError: a fault in process \d+"):
        list(results_of(negative, Numbers(1, 3).tasks, **workers))


# --- the journal


@pytest.mark.parametrize("torn", ['{"task": {"deal": 5', "", '{"task": {"deal": 5}, "result": {}}'])
def test_a_torn_last_line_is_dropped_and_its_game_played_again(
    torn: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    series = toy_series()
    whole = played(series, tmp_path)
    journal = tmp_path / JOURNAL
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(lines[:-1]) + torn)
    again = played(series, tmp_path)
    assert untimed(again.records) == untimed(whole.records)
    assert ("dropped" in capsys.readouterr().err) == bool(torn)
    assert len(journal.read_text().splitlines()) == len(lines)


def test_a_folder_whose_settings_were_torn_is_begun_anew(tmp_path: Path) -> None:
    series = toy_series(deals=1)
    (tmp_path / JOURNAL).write_text('{"format"')
    assert len(played(series, tmp_path).done) == GAMES_OF_A_DEAL
    assert json.loads((tmp_path / JOURNAL).read_text().splitlines()[0]) == series.settings()


def test_two_at_once_are_refused(tmp_path: Path) -> None:
    series = toy_series(deals=1)

    class StartsAnother(PlaysGames):
        def __call__(self, task: Task) -> Json:
            with pytest.raises(JournalError, match=r"another process is at work in it; wait for its end, or choose"):
                played(series, tmp_path)
            return super().__call__(task)

    outcome = play(series, StartsAnother(series), tmp_path, progress=False)
    assert len(outcome.done) == GAMES_OF_A_DEAL
    assert played(series, tmp_path) == outcome


@pytest.mark.parametrize(
    ("line", "edit", "said"),
    [
        (3, None, r"line 3 lacks the field task \(.*\); expected a game of the series"),  # the settings again
        (1, {"task": {}}, r"line 1 is a game; expected the settings"),
        (2, {"task": "x"}, r"line 2 has task 'x', which is not an object"),
        (2, {"task": {"deal": 9}}, r'line 2 is of task \{"deal": 9\}, which the series does not have'),
        (2, {"task": {"deal": "9" * 9_000}}, r'line 2 is of task \{"deal": "9{187}\.\.\., which the series'),
        (3, "again", r"line 3 is of task .*, as a line before it is"),
        (4, {"result": {"scores": [1]}}, r"line 4 has 1 entries in scores, which is not one a seat"),
        (4, {"result": {"notes": {"x": [[1], []]}}}, r"line 4 has notes \['x'\], which are not \[\]"),
        (4, {"result": {"seconds": [1, None]}}, r"line 4 has seconds\[1\] None, which is not a number"),
        (3, b"\xff\xfe", r"line 3 is not text in UTF-8: byte 0xff at 0"),
    ],
)
def test_what_no_game_gave_is_an_error_that_names_line_and_field(
    line: int, edit: Any, said: str, tmp_path: Path
) -> None:
    series = toy_series(deals=1)
    played(series, tmp_path)
    lines = (tmp_path / JOURNAL).read_bytes().splitlines()
    there = json.loads(lines[line - 1])
    if edit is None or edit == "again":
        lines[line - 1] = lines[0 if edit is None else line - 2]
    elif isinstance(edit, bytes):
        lines[line - 1] = edit
    else:
        result = {"result": there["result"] | edit["result"]} if "result" in edit else edit
        lines[line - 1] = json.dumps(there | result).encode()
    (tmp_path / JOURNAL).write_bytes(b"\n".join(lines) + b"\n")
    before = (tmp_path / JOURNAL).read_bytes()
    with pytest.raises(JournalError, match=r"games\.jsonl, " + said):
        played(series, tmp_path)
    assert (tmp_path / JOURNAL).read_bytes() == before


def test_other_settings_are_refused_and_named(tmp_path: Path) -> None:
    played(toy_series(deals=2), tmp_path)
    with pytest.raises(JournalError, match=r"seeds\.number is 2 there and 3 here$"):
        played(toy_series(deals=3), tmp_path)
    with pytest.raises(JournalError, match=r"options\.rounds is 5 there and 3 here$"):
        played(replace(toy_series(deals=2), load=partial(ToyRace, num_players=2, rounds=3)), tmp_path)


# --- a Ray cluster


@needs_ray
@starts_processes
def test_a_command_sends_the_users_own_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "last_of.py").write_text("def last_of(mask):\n    return int(mask.nonzero()[0][-1])\n")
    (tmp_path / "lasting.py").write_text(
        "from last_of import last_of\n\n\ndef make(game):\n    return lambda observation, mask: last_of(mask)\n"
    )
    words = ["lasting:make", "random", "--deals", "2", "--out", "ray", "--ray", "local", "--processes", "1"]
    output("-m", "chocofactory_env.arena.tournament", *words, where=tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    load = partial(cf.load, "chocofactory", num_players=2)
    series = GameSeries(load, (("lasting:make", "random"),), range(2))
    assert untimed(played(series, tmp_path / "ray").records) == untimed(played(series).records)


@needs_ray
@starts_processes
@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://localhost:1"])
def test_an_address_without_a_cluster_is_an_error_at_once(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ray.is_initialized", lambda: False)
    with pytest.raises(WorkersError, match=rf"^no Ray cluster at '{address}': "):
        on_ray.connect(address)
