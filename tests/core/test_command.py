"""Every command refuses a number or an output path that it cannot use, before it begins."""

from __future__ import annotations

import argparse
import re
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from repository import ROOT

from chocofactory_env.core.command import CommandParser, file_to_write, finite, folder_for, integer
from chocofactory_env.core.files import check_writable

WIDE = "\uff11\uff12"
LONG = "9" * 20
LONGER = "9" * 5000  # Python itself refuses to read it
OUTPUT = ("--out", "--json", "--page", "--plot", "--video", "--folder")  # options that name what is written
NEEDS = {
    "training.sb3": "sb3_contrib",
    "chocofactory_env.adapters.openenv": "openenv",
}  # packages that a checkout may lack
MADE = re.compile(r"(?:CommandParser|command_parser)\(\n? *(?:\"|prog|description)")


def modules() -> list[str]:
    """The modules whose `main` reads a command line."""
    found = []
    for package in ("arena", "training", "chocofactory_env"):
        for file in sorted((ROOT / package).rglob("*.py")):
            text = file.read_text(encoding="utf-8")
            if MADE.search(text) and "def main(" in text and file.name != "options.py":
                found.append(".".join(file.relative_to(ROOT).with_suffix("").parts))
    return found


class _CaughtError(Exception):
    pass


def parser_of(module: str, monkeypatch: pytest.MonkeyPatch) -> CommandParser:
    found: list[CommandParser] = []

    def catch(parser: CommandParser, *given: Any) -> None:
        found.append(parser)
        raise _CaughtError

    monkeypatch.setattr(CommandParser, "parse_known_args", catch)
    with suppress(_CaughtError):
        import_module(module).main([])
    return found[0]


def parse(parser: CommandParser, action: argparse.Action, text: str) -> Any:
    return parser._get_value(action, text)


def test_every_command_is_found() -> None:
    found = list(modules())
    for module in (
        "arena.match",
        "arena.chocofactory.clairvoyant",
        "chocofactory_env.play.__main__",
    ):
        assert module in found
    texts = [(ROOT / Path(*module.split("."))).with_suffix(".py").read_text(encoding="utf-8") for module in found]
    assert not any("argparse.ArgumentParser(" in text for text in texts)


@pytest.mark.parametrize("module", modules())
def test_no_command_takes_wide_digits_or_numbers_without_end(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    needed = NEEDS.get(module)
    if needed and find_spec(needed) is None:
        pytest.skip(f"{needed} is not installed here")
    parser = parser_of(module, monkeypatch)
    for action in parser._actions:
        try:
            number = parse(parser, action, "5")
        except argparse.ArgumentError:
            continue
        if isinstance(number, int | float):
            for text in (WIDE, "-" + WIDE, "", "nan", "1e999", *([LONG, LONGER] if isinstance(number, int) else [])):
                with pytest.raises(argparse.ArgumentError, match=r"expected|invalid choice"):
                    parse(parser, action, text)
        if set(action.option_strings) & set(OUTPUT) and action.nargs != 0:
            with pytest.raises(argparse.ArgumentError, match="expected a path that can be written"):
                parse(parser, action, "x" * 300)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0", "expected 1 or more, got 0"),
        ("-3", "expected 1 or more, got -3"),
        ("11", "expected at most 10, got 11"),
        (LONG, f"expected at most 10, got {LONG}"),
        (LONGER, "expected a whole number, got '999"),
        (WIDE, f"expected a whole number, got '{WIDE}'"),
        ("٣", "expected a whole number"),
        ("1.5", "expected a whole number"),
        ("", "expected a whole number"),
    ],
)
def test_a_whole_number_is_in_ascii_digits_and_in_its_range(text: str, said: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match=said):
        integer(1, 10)(text)
    assert [integer(1, 10)(each) for each in ("1", "10")] == [1, 10]


@pytest.mark.parametrize("text", ["\uff11.5", "nan", "inf", "1e999", "x", ""])
def test_a_number_is_finite_and_in_ascii(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="expected a number"):
        finite(text)
    assert finite("-1.5e3") == -1500


@pytest.mark.parametrize("name", ["x" * 300, "x" * 250, "folder/" + "x" * 300, "no\0name", "file/x"])
def test_a_file_that_cannot_be_written_is_refused_at_once(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """250 characters fit; but not those of the file that is written first."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    with pytest.raises(argparse.ArgumentTypeError, match=r"expected a (path that can be written|file in a folder)"):
        file_to_write(name)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "folder"]


@pytest.mark.parametrize("name", ["x" * 300, "file/x", "no\0name"])
def test_a_folder_that_cannot_be_made_is_refused_at_once(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(argparse.ArgumentTypeError, match="expected a path that can be written"):
        folder_for("*.svg")(name)


def test_a_path_that_can_be_written_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "file"
    assert file_to_write(str(file)) == file
    assert list(tmp_path.iterdir()) == []
    file.write_text("before")
    (tmp_path / "file.unfinished").write_text("another process is writing")
    check_writable(file)
    assert file.read_text() == "before"
    assert (tmp_path / "file.unfinished").exists()
    assert folder_for()(str(tmp_path / "new" / "folder")) == tmp_path / "new" / "folder"
    assert not (tmp_path / "new").exists()
