"""Agents that other people's files name: nothing is imported, opened or sent for them without trust."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from exit_status import status_of

import chocofactory_env as cf
from chocofactory_env.agents.protocol import check_named_by_stranger, make_agent
from chocofactory_env.arena import benchmark, results, tracks
from chocofactory_env.arena.match import RESULT
from chocofactory_env.play.agents import may_be_made
from chocofactory_env.record import GameRecord, RecordError
from chocofactory_env.registry import UnknownGameError

MODULE = "a_strangers_module"
SMALL: dict[str, Any] = {
    "protocol": 1,
    "tracks": {
        "two": {"options": {"num_players": 2}, "opponent": "random", "first_deal": 5, "deals": 1},
        "three": {"options": {"num_players": 3}, "opponent": "random", "first_deal": 5, "deals": 1},
    },
}


class Trap:
    """What a stranger's file would set off. url: of an endpoint. sprung: whether the module was imported."""

    def __init__(self, folder: Path, server: socket.socket) -> None:
        self.url = f"http://127.0.0.1:{server.getsockname()[1]}"
        self._server, self._mark = server, folder / "imported"
        agent = "from chocofactory_env.agents.random_agent import for_game as make"
        text = f"{agent}\nopen({str(self._mark)!r}, 'w').close()\n"
        (folder / f"{MODULE}.py").write_text(text, encoding="utf-8")
        self._server.setblocking(False)

    def sprung(self) -> bool:
        try:
            self._server.accept()[0].close()
        except BlockingIOError:
            return self._mark.exists()
        return True

    def agents(self) -> list[str]:
        """Names that may not come from a file."""
        return [
            f"{MODULE}:make",
            f"{MODULE}:make:width=3",
            f"llm:model=x,url={self.url},key=PATH",
            f"llm:url={self.url},model=x",
            f"learned:checkpoint={MODULE}.py",
            f"chocofactory_env.agents.readers:ScriptedReader:agent={MODULE}:make",
            "os:system",
        ]


@pytest.fixture
def trap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    folder = tmp_path / "trap"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(__import__("sys").modules, MODULE, raising=False)
    monkeypatch.setattr(tracks, "DEFAULT", SMALL)
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield Trap(folder, server)


@pytest.fixture
def entry(trap: Trap, tmp_path: Path) -> Callable[[str], Path]:
    """The file of an entry with a track of games, in the name of some agent."""
    folder = tmp_path / "entry"
    assert status_of(benchmark.main, "--game", "candyfactory", "random", "--tracks", "two", "--out", folder) == 0

    def named(agent: str) -> Path:
        data = json.loads((folder / RESULT).read_text(encoding="utf-8"))
        data["agent"] = agent
        for result in data["tracks"].values():
            result["settings"] |= {"agents": list(dict.fromkeys([agent, "random"])), "tables": [[agent, "random"]]}
            result["settings"].pop("sources", None)
        path = tmp_path / "named.json"
        path.write_text(json.dumps(data), encoding="utf-8")
        return path

    return named


def test_the_trap_is_one(trap: Trap) -> None:
    assert not trap.sprung()
    make_agent(f"{MODULE}:make", cf.load("candyfactory", num_players=2))
    assert trap.sprung()


def test_an_entrys_agent_is_shown_and_not_made(
    entry: Callable[[str], Path], trap: Trap, capsys: pytest.CaptureFixture[str]
) -> None:
    for agent in trap.agents():
        assert status_of(benchmark.CHECK.run, entry(agent), "--games", 1) == 2
        said = capsys.readouterr().err
        assert repr(agent) in said
        assert "to make it, give --trust" in said
    assert not trap.sprung()


def test_an_entrys_agent_is_made_with_trust_and_a_shipped_one_without(entry: Callable[[str], Path], trap: Trap) -> None:
    benchmark.check_entry(entry("random"), games=2, progress=False)
    assert not trap.sprung()
    status_of(benchmark.CHECK.run, entry(f"{MODULE}:make"), "--games", 2, "--trust")
    assert trap.sprung()


def test_an_entry_by_the_clock_is_refused_without_making_its_agent(entry: Callable[[str], Path], trap: Trap) -> None:
    path = entry(f"{MODULE}:make")
    path.write_text(path.read_text(encoding="utf-8").replace('"timed": false', '"timed": true'), encoding="utf-8")
    with pytest.raises(ValueError, match="decides by the clock"):
        benchmark.check_entry(path)
    assert not trap.sprung()


def test_a_files_results_make_no_agent_and_no_game(trap: Trap) -> None:
    settings = {"game": "candyfactory", "options": {"num_players": 2}}
    for agent in trap.agents():
        with pytest.raises(ValueError, match=r"no agent|is no number"):
            results.changed_since({**settings, "agents": ["random", agent]})
    with pytest.raises(UnknownGameError):
        results.changed_since({**settings, "game": f"{MODULE}:make", "agents": ["random"]})
    with pytest.raises(UnknownGameError):
        results.rules_of(f"{MODULE}:make", 1)
    assert not trap.sprung()


def test_a_record_makes_no_game_of_a_module(trap: Trap, tmp_path: Path) -> None:
    record = cf.record_game(cf.load("candyfactory", num_players=2), "random", 1)
    record.game = f"{MODULE}:make"
    record.write(tmp_path / "game.json")
    with pytest.raises(RecordError, match="unknown game"):
        GameRecord.read(tmp_path / "game.json").replay()
    assert not trap.sprung()


def test_a_table_makes_no_agent_of_a_strangers_name(trap: Trap) -> None:
    """Those of a record."""
    game = cf.load("candyfactory", num_players=2)
    for agent in trap.agents():
        assert not may_be_made(agent, game, own=())
    assert not trap.sprung()


@pytest.mark.parametrize("game", ["chocofactory", "candyfactory", "schoko"])
def test_shipped_agents_with_numbers_and_flags_need_no_trust(game: str) -> None:
    for name in ("random", "flat_mc:playouts=20", "mcts:simulations=20", "expert", "learned"):
        check_named_by_stranger(name, game)
    for name in ("mcts:simulations=1000000000000", "mcts:time_s=1e300", "flat_mc:playouts=Infinity"):
        with pytest.raises(ValueError, match="expected at most"):
            check_named_by_stranger(name, game)
    for name in ("", ":", "mcts:simulations", 'mcts:simulations="5"', "mcts:simulations=[5]", "random:make", "Random"):
        with pytest.raises(ValueError, match=r"agent|no number"):
            check_named_by_stranger(name, game)
