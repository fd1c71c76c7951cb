"""The command `chocofactory`, `draw`, and the function that plays a tournament."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from exit_status import status_of
from processes import run
from toy_agents import Picks

import chocofactory_env as cf
from chocofactory_env.arena import __main__ as chocofactory
from chocofactory_env.arena import draw, match, needs, tournament
from chocofactory_env.core.text.printing import UNREAD
from chocofactory_env.registry import GAMES
from toyrace.game import ToyRace


def output_of(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as stopped:
        chocofactory.main(words)
    assert stopped.value.code == 0
    return capsys.readouterr().out


def test_help_lists_all_commands_and_so_does_no_command(capsys: pytest.CaptureFixture[str]) -> None:
    said = output_of(capsys, "--help")
    assert said == output_of(capsys)
    for name, (_, _, purpose) in chocofactory.COMMANDS.items():
        assert f"  {name} " in said
        assert purpose in said
    assert cf.__version__ in output_of(capsys, "--version")


@pytest.mark.parametrize(
    "words",
    ["--help", "--version", "match --help", "train dataset --help", "draw --game schoko", "match --agents random"],
)
def test_a_command_ends_quietly_once_nobody_reads_what_it_prints(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w", encoding="utf-8") as out, contextlib.redirect_stdout(out):
        assert status_of(chocofactory.main, *words.split()) == UNREAD
    assert "Broken pipe" not in capsys.readouterr().err


def test_ctrl_c_while_a_command_is_loading_is_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(chocofactory, "import_module", interrupted)
    for words in (["draw"], ["train", "ppo"]):
        assert status_of(chocofactory.main, *words) == 130
        assert capsys.readouterr().err == "chocofactory error: stopped\n"


def test_a_command_without_its_packages_names_the_extra(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pebble", None)
    with pytest.raises(SystemExit, match="1"):
        chocofactory.main(["match", "--agents", "random", "random"])
    assert (
        f"chocofactory match needs pebble, not installed here: pip install {needs.INSTALL}" in capsys.readouterr().err
    )
    with pytest.raises(ImportError, match=r"a tournament needs pebble"):
        cf.play_tournament(ToyRace(num_players=2), ["random", "flat_mc"], range(1))
    assert "usage: chocofactory draw" in output_of(capsys, "draw", "--help")


def test_a_position_of_a_game_and_the_same_of_its_record_are_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pictures = [tmp_path / name for name in ("played.svg", "recorded.svg")]
    record, game = tmp_path / "game.json", cf.load("schoko", num_players=2)
    cf.record_game(game, [cf.make_agent("random", game) for _ in range(2)], seed=3).write(record)
    draw.main(["--game", "schoko", "--seed", "3", "--moves", "9", "--seat", "1", "--out", str(pictures[0])])
    draw.main(["--record", str(record), "--moves", "9", "--seat", "1", "--out", str(pictures[1])])
    first, second = (picture.read_text(encoding="utf-8") for picture in pictures)
    assert first == second
    assert ET.fromstring(first).tag.endswith("svg")
    draw.main(["--record", str(record)])
    assert capsys.readouterr().out.strip() == game.render(cf.GameRecord.read(record).replay()).strip()


def test_a_record_of_a_game_of_ones_own_is_drawn_by_its_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    record, game = tmp_path / "game.json", ToyRace(num_players=3)
    cf.record_game(game, "random", seed=3).write(record)
    monkeypatch.delitem(GAMES, "toyrace", raising=False)
    draw.main(["--record", str(record), "--game", "toyrace.game:ToyRace"])
    assert capsys.readouterr().out.strip() == game.render(cf.GameRecord.read(record).replay(game)).strip()


def test_a_tournament_in_a_notebook_takes_names_and_objects_and_resumes(tmp_path: Path) -> None:
    game = ToyRace(num_players=3)
    result = cf.play_tournament(game, ["random", Picks(0)], range(4), out=tmp_path, progress=False)
    found = result.to_dict()
    assert [rating["agent"] for rating in found["ratings"]] == ["random", "Picks"]
    assert sum(one["nash"] for one in found["solutions"]) == pytest.approx(1)
    assert list(result.games.columns[:3]) == ["game", "deal", "deck"]
    kept = (tmp_path / "games.jsonl").read_bytes()
    again = cf.play_tournament(game, ["random", Picks(0)], range(4), out=tmp_path, progress=False)
    assert (tmp_path / "games.jsonl").read_bytes() == kept
    assert repr(again) == repr(result)
    assert "alpha-rank" in repr(result)
    shown = ET.fromstring(f"<div>{result._repr_html_()}</div>")
    assert [each.tag for each in shown] == ["table", "details", "details"]


@pytest.mark.parametrize("agents", ["random", ["random"], ["random", "random"], ["random", Picks]])
def test_what_is_no_tournament_is_refused(agents: list[str]) -> None:
    with pytest.raises((TypeError, ValueError), match="expected"):
        cf.play_tournament(ToyRace(num_players=2), agents, range(1))


@pytest.mark.parametrize("deals", [[0, 1], range(0, 6, 2), 2])
def test_a_tournaments_deals_count_up_by_one(deals: Any) -> None:
    """Its settings name the first deal and the number of deals."""
    with pytest.raises(TypeError, match=r"a range of seeds that count up by one, such as range\(10\), got "):
        cf.play_tournament(ToyRace(num_players=2), ["random", "greedy"], deals)


@pytest.mark.parametrize(
    ("command", "missing", "install"),
    [
        ("chocofactory_env.arena.match", "tqdm", "-e . --group arena"),
        ("chocofactory_env.arena.tournament", "scipy", "-e . --group arena"),
        ("chocofactory_env.training.ppo", "torch", '-e ".[train]"'),
        ("chocofactory_env.training.dataset", "pyarrow", '-e ".[data]"'),
    ],
)
def test_a_missing_package_is_named_with_its_group(command: str, missing: str, install: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(f"import sys; sys.modules[{missing!r}] = None\n")
    done = run("-m", command, "--help", path=[tmp_path])
    assert done.returncode == 1
    said = f"python -m {command} needs {missing}, not installed here: pip install {install} (in the checkout"
    assert done.stderr.startswith(said)
    assert "Traceback" not in done.stderr


class Buggy:
    def __init__(self, game: cf.Game) -> None: ...

    def __call__(self, observation: object, mask: np.ndarray) -> int:
        raise ValueError("shapes do not fit")


def test_an_error_of_ones_own_agent_keeps_its_traceback_and_names_the_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agents = [f"{__name__}:Buggy", "random"]
    with pytest.raises(ValueError, match="shapes do not fit") as raised:
        match.main(["--agents", *agents, "--game", "schoko"])
    assert "agent" in raised.value.__notes__[0]
    with pytest.raises(SystemExit, match="1"):
        tournament.main([*agents, "--game", "schoko", "--deals", "3", "--out", str(tmp_path)])
    said = capsys.readouterr()
    assert said.err.count("Traceback") == 1
    assert f"raised by agent '{agents[0]}' (seat 0, deal 0, rotation 0, decision " in said.out
    assert said.out.count("failed: ") == 4, "three, and how many more"
