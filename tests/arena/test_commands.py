"""The command `chocofactory`, `draw`, and the function that plays a tournament."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import chocofactory_env as cf
from arena import __main__ as chocofactory
from arena import draw, needs
from toyrace.game import ToyRace

OWN_WORDS = ("play", "warm-up")  # their help is that of the modules


def output_of(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as stopped:
        chocofactory.main(words)
    assert stopped.value.code == 0
    return capsys.readouterr().out


def test_help_lists_all_commands_and_so_does_no_command(capsys: pytest.CaptureFixture[str]) -> None:
    said = output_of(capsys, "--help")
    assert said == output_of(capsys)
    for name, (_, purpose) in chocofactory.commands().items():
        assert f"  {name} " in said
        assert purpose in said
    assert cf.__version__ in output_of(capsys, "--version")


@pytest.mark.parametrize("name", chocofactory.commands())
def test_the_help_of_a_command_shows_two_examples_that_begin_with_it(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = output_of(capsys, name, "--help")
    assert said.startswith(f"usage: chocofactory {name} ")
    assert said.count(f"\n  chocofactory {name}" if name not in OWN_WORDS else f"\n    chocofactory {name}") >= 2


def test_a_command_without_its_packages_names_the_extra(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "choix", None)
    with pytest.raises(SystemExit, match="1"):
        chocofactory.main(["match", "--agents", "random", "random"])
    assert f"chocofactory match needs choix, not installed here: pip install {needs.INSTALL}" in capsys.readouterr().err
    with pytest.raises(ImportError, match=r"a tournament needs choix"):
        cf.play_tournament(ToyRace(num_players=2), ["random", "flat_mc"], range(1))
    assert "usage: chocofactory draw" in output_of(capsys, "draw", "--help")


def test_a_position_of_a_game_and_the_same_of_its_record_are_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pictures = [tmp_path / name for name in ("played.svg", "recorded.svg")]
    record, game = tmp_path / "game.jsonl", cf.load("schoko", num_players=2)
    cf.record_game(game, [cf.make_agent("random", game) for _ in range(2)], seed=3).write(record)
    draw.main(["--game", "schoko", "--seed", "3", "--moves", "9", "--seat", "1", "--out", str(pictures[0])])
    draw.main(["--record", str(record), "--moves", "9", "--seat", "1", "--out", str(pictures[1])])
    first, second = (picture.read_text(encoding="utf-8") for picture in pictures)
    assert first == second
    assert ET.fromstring(first).tag.endswith("svg")
    draw.main(["--record", str(record)])
    assert capsys.readouterr().out.strip() == game.render(cf.GameRecord.read(record).replay()).strip()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--out", "position.gif"], "expected a file ending in .svg or .png"),
        (["--moves", "-1"], "expected 0 or more"),
        (["--record", "nowhere.jsonl"], "nowhere.jsonl"),
        (["--seat", "7"], "7"),
    ],
)
def test_what_cannot_be_drawn_is_named(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        draw.main(["--game", "schoko", "--agent", "random", *words])
    assert said in capsys.readouterr().err


class First:
    """Plays the first legal action, as its copies do."""

    def __call__(self, observation: object, mask: np.ndarray) -> int:
        return int(mask.argmax())


def test_a_tournament_in_a_notebook_takes_names_and_objects_and_resumes(tmp_path: Path) -> None:
    game = ToyRace(num_players=3)
    result = cf.play_tournament(game, ["random", First()], range(4), folder=tmp_path, progress=False)
    assert [rating.agent for rating in result.ratings] == ["random", "First"]
    assert result.solutions[0].nash + result.solutions[1].nash == pytest.approx(1)
    kept = (tmp_path / "games.jsonl").read_bytes()
    again = cf.play_tournament(game, ["random", First()], range(4), folder=tmp_path, progress=False)
    assert (tmp_path / "games.jsonl").read_bytes() == kept
    assert repr(again) == repr(result)
    assert "alpha-rank" in repr(result)
    shown = ET.fromstring(f"<div>{result._repr_html_()}</div>")
    assert [each.tag for each in shown] == ["table", "details", "details"]


@pytest.mark.parametrize("agents", ["random", ["random"], ["random", "random"], ["random", First]])
def test_what_is_no_tournament_is_refused(agents: list[str]) -> None:
    with pytest.raises((TypeError, ValueError), match="expected"):
        cf.play_tournament(ToyRace(num_players=2), agents, range(1))


@pytest.mark.parametrize("deals", [[0, 1], range(0, 6, 2), 2])
def test_a_tournaments_deals_count_up_by_one(deals: object) -> None:
    """Its settings name the first deal and the number of deals."""
    with pytest.raises(TypeError, match=r"a range of seeds that count up by one, such as range\(10\), got "):
        cf.play_tournament(ToyRace(num_players=2), ["random", "greedy"], deals)
