"""One's own agents by MODULE:FACTORY: the example of the page runs, mistakes are named, and changes are noticed."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from chocofactory_games import load
from exit_status import status_of
from processes import run
from repository import ROOT

import chocofactory_env as cf
from chocofactory_env.agents.chocofactory import CHECKPOINTS
from chocofactory_env.agents.protocol import make_agent, parse_agent, sources_of
from chocofactory_env.arena import benchmark, explain, match
from chocofactory_env.arena import tournament as arena
from chocofactory_env.arena.play import JOURNAL
from chocofactory_env.core.kernel.variants import GameSet
from chocofactory_env.training import dataset
from toyrace.game import ToyRace

PAGE = ROOT / "docs" / "agents.md"
EXAMPLE = re.search(r"```python\n# my_agents.py\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
COMMANDS = re.findall(r"^chocofactory (.*my_agents.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current folder, as `python -m` puts it on the path, with the example of the page in it."""
    assert EXAMPLE is not None
    (tmp_path / "my_agents.py").write_text(EXAMPLE[1], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    for name in [name for name in sys.modules if name.partition(".")[0] in ("my_agents", "mine")]:
        del sys.modules[name]


# --- the example


@pytest.mark.programs
def test_the_example_has_ten_lines_and_plays_from_the_command_line(here: Path) -> None:
    assert EXAMPLE is not None
    assert len([line for line in EXAMPLE[1].splitlines() if line.strip()]) <= 10
    assert len(COMMANDS) == 2
    for words in COMMANDS:
        played = run("-m", "chocofactory_env.arena", *words.replace("--deals 100", "--deals 1").split(), where=here)
        assert played.returncode == 0, played.stderr
        assert "my_agents:Hasty" in played.stdout


def test_in_worker_processes_it_plays_as_in_one(here: Path) -> None:
    for processes in ("1", "2"):
        words = ("my_agents:Hasty:width=2", "random", "--deals", "2", "--processes", processes)
        assert status_of(arena.main, *words, "--out", processes) == 0
    one, two = (json.loads((here / processes / "result.json").read_text("utf-8")) for processes in ("1", "2"))
    assert one["notes"] == two["notes"]
    assert one["settings"]["agents"] == ["my_agents:Hasty:width=2", "random"]
    assert [rating["agent"] for rating in one["ratings"]] == ["my_agents:Hasty:width=2", "random"]


# --- wherever an agent is named


def test_it_enters_every_command_that_names_agents(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "my_agents:Hasty:width=2"
    monkeypatch.setattr(cf, "load", lambda name, **options: ToyRace(**options))
    assert status_of(match.main, "--agents", name, "random", "--deals", "1", "--out", "match") == 0
    assert json.loads((here / "match" / "result.json").read_text("utf-8"))["agents"][0]["agent"] == name
    assert status_of(dataset.main, "--agents", name, "random", "--deals", "1", "--out", "data") == 0
    assert dataset.read_dataset("data").names == (name, "random")
    monkeypatch.undo()
    monkeypatch.chdir(here)
    monkeypatch.syspath_prepend(here)
    assert status_of(benchmark.main, name, "--tracks", "solo-0", "--deals", "1", "--out", "solo") == 0
    assert json.loads((here / "solo" / "result.json").read_text("utf-8"))["agent"] == name
    monkeypatch.setattr(explain, "turns_of", lambda played, game: [])
    words = ("--agents", name, "random", "--check", "0", "--search", name, "--json", "game.json")
    assert status_of(explain.main, "game.json", "--play", "3", *words) == 0
    assert json.loads((here / "game.json").read_text("utf-8"))["settings"]["agents"] == [name, "random"]


def test_networks_are_evaluated_against_it(here: Path) -> None:
    pytest.importorskip("torch")
    from chocofactory_env.agents.learned import network_for
    from chocofactory_env.training.rivals import evaluated

    game = load(num_players=2)
    network = network_for(game, CHECKPOINTS / "players.safetensors")
    assert "my_agents:Hasty:width=2_2/won" in evaluated(network, [GameSet.of(game)], 1, "my_agents:Hasty:width=2")
    with pytest.raises(ValueError, match="my_agents has no 'Nobody'"):
        evaluated(network, [GameSet.of(game)], 1, "my_agents:Nobody")


@pytest.mark.parametrize(
    ("text", "name", "settings"),
    [
        ("planner", "planner", {}),
        ("planner:width=3,time_s=0.5", "planner", {"width": 3, "time_s": 0.5}),
        ("learned:checkpoint=C:/runs/a=b.safetensors", "learned", {"checkpoint": "C:/runs/a=b.safetensors"}),
        ("a.b.c:make", "a.b.c:make", {}),
        ("a.b:make:width=3,file=C:/x", "a.b:make", {"width": 3, "file": "C:/x"}),
        ("a:make:", "a:make", {}),
    ],
)
def test_a_text_is_a_name_or_module_and_factory_and_then_settings(
    text: str, name: str, settings: dict[str, Any]
) -> None:
    named = parse_agent(text, "chocofactory")
    assert (named.name, named.settings) == (name, settings)


# --- mistakes

BROKEN = """
import numpy as np
number = 5
def makes_nothing(game): return None
def makes_a_class(game): return dict
def fails(game): raise KeyError("no such card")
def policy(observation, mask): return int(mask.argmax())
class Searches:
    def __init__(self, game): self.game = game
    def choose(self, state, player): return int(self.game.legal_mask(state).argmax())
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nowhere:make", "module 'nowhere' cannot be imported: there is no such module in the current folder or among"),
        ("my_agents.deeper:make", "module 'my_agents.deeper' cannot be imported: there is no such module"),
        ("needs:make", "module 'needs' cannot be imported: ModuleNotFoundError: No module named 'nowhere_to_be_found'"),
        ("torn:make", "module 'torn' cannot be imported: SyntaxError: "),
        ("exits:make", "module 'exits' cannot be imported: ZeroDivisionError: division by zero"),
        ("mine:nothing", "mine has no 'nothing'"),
        ("mine:number", "mine:number is 5; expected a factory to call"),
        ("mine:makes_nothing", "mine:makes_nothing made None; expected a callable on (observation, mask), or an"),
        ("mine:makes_a_class", "mine:makes_a_class made <class 'dict'>; expected a callable on"),
        ("mine:fails", "mine:fails failed with KeyError: 'no such card'"),
        ("mine:policy", "mask: expected a value, got none (it is called with the game and the settings)"),
        ("mine:Searches:width=3", "unknown setting 'width'; there are: none"),
        (".mine:Searches", "module '.mine' cannot be imported: "),
    ],
)
def test_a_mistake_is_named(text: str, message: str, here: Path) -> None:
    (here / "mine.py").write_text(BROKEN)
    (here / "needs.py").write_text("import nowhere_to_be_found\n")
    (here / "torn.py").write_text("def make(game:\n")
    (here / "exits.py").write_text("1 / 0\n")
    with pytest.raises(ValueError, match=r"^agent ") as refused:
        make_agent(text, load(num_players=2))
    assert str(refused.value).startswith(f"agent {text!r}: {message}")


# --- what it is known by


def test_a_series_is_not_gone_on_with_when_the_agent_has_changed(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("my_agents:Hasty", "random", "--out", "series")
    assert status_of(arena.main, *words, "--deals", "1") == 0
    settings = json.loads((here / "series" / JOURNAL).read_text("utf-8").splitlines()[0])
    assert list(settings["sources"]) == ["my_agents:Hasty"]
    assert status_of(arena.main, *words, "--deals", "1") == 0  # as it is, it goes on
    capsys.readouterr()
    with (here / "my_agents.py").open("a") as module:
        module.write("# changed\n")
    assert status_of(arena.main, *words, "--deals", "1") == 2
    assert "sources.my_agents:Hasty is " in capsys.readouterr().err


def test_an_agent_is_known_by_the_files_of_its_package_and_those_that_its_settings_name(here: Path) -> None:
    package = here / "mine"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "agents.py").write_text("from . import helper\ndef make(game, table=''): return lambda o, m: 0\n")
    (package / "helper.py").write_text("")
    (here / "table.json").write_text("[1]")

    game = cf.load("chocofactory", num_players=2)

    def sources(*texts: str) -> dict[str, str]:
        return sources_of(texts, make_agent, game).get("sources", {})

    assert sources("greedy", "planner:width=3") == {}
    assert sources_of(["nobody that make_agent knows"], partial(make_agent), game) == {}
    plain = sources("mine.agents:make", "greedy")
    assert list(plain) == ["mine.agents:make"]
    assert sources("mine.agents:make") == plain
    (package / "helper.py").write_text("# changed")
    changed = sources("mine.agents:make")
    assert changed != plain
    named = "mine.agents:make:table=table.json"
    with_file = sources(named)
    (here / "table.json").write_text("[2]")
    assert sources(named) != with_file
    assert sources("mine.agents:make") == changed
    shipped = "learned:checkpoint=table.json"
    assert list(sources(shipped)) == [shipped]
    with pytest.raises(ValueError, match="agent 'sys:exit': sys has no source file to identify it by"):
        sources("sys:exit")


@pytest.mark.parametrize("agent", ["learned", "expert", "mcts:learned=true"])
@pytest.mark.parametrize("name", ["chocofactory", "candyfactory", "schoko"])
def test_a_shipped_agent_is_known_by_what_it_reads_by_default(
    agent: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = cf.load(name, num_players=2)
    folder = import_module(f"chocofactory_env.agents.{name}")
    without_files = ["mcts", "random", "flat_mc"]
    assert sources_of(without_files, make_agent, game) == {}  # imports them before the functions are replaced
    before = sources_of([agent], make_agent, game)["sources"][agent]
    for each in ("shipped_checkpoint", "shipped_value"):
        other = tmp_path / getattr(folder, each)(game if each == "shipped_checkpoint" else 2).name
        other.write_bytes(b"another")
        monkeypatch.setattr(folder, each, lambda *_, other=other: other)
    assert sources_of([agent], make_agent, game)["sources"][agent] != before
    assert sources_of(without_files, make_agent, game) == {}
