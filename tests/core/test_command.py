"""Commands are made from functions: their help, what they read, and what they refuse before they begin."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

import pytest
from exit_status import status_of
from hypothesis import given, settings
from hypothesis import strategies as st
from repository import ROOT

from chocofactory_env.core.command import (
    Command,
    Count,
    Natural,
    Options,
    OutFile,
    Seed,
    _kind_of,
    documented,
    file_to_write,
    finite,
    folder_to_write,
    integer,
)
from chocofactory_env.core.files import check_writable

WIDE = "\uff11\uff12"
LONG = "9" * 20
LONGER = "9" * 5000  # Python itself refuses to read it
# Packages that a checkout may lack.
NEEDS = {"chocofactory_env.adapters.openenv": "openenv", "chocofactory_env.training.sb3": "sb3_contrib"}
FOLDERS = ("arena", "benchmarks", "chocofactory_env", "tools", "training")


def commands() -> dict[str, str]:
    """The name of every command, and its module."""
    found = {}
    for file in sorted(each for folder in FOLDERS for each in (ROOT / folder).rglob("*.py")):
        for name in re.findall(r'Command\(\s*"([a-z_. -]+)"', file.read_text(encoding="utf-8")):
            found[name] = ".".join(file.relative_to(ROOT).with_suffix("").parts)
    return found


def command_of(name: str) -> Command:
    module = commands()[name]
    needed = NEEDS.get(module)
    if needed and find_spec(needed) is None:
        pytest.skip(f"{needed} is not installed here")
    there = vars(import_module(module)).values()
    return next(
        each if isinstance(each, Command) else each.__self__
        for each in there
        if getattr(getattr(each, "__self__", each), "name", None) == name
        and isinstance(getattr(each, "__self__", each), Command)
    )


def test_every_command_is_found() -> None:
    assert {"chocofactory match", "chocofactory play", "chocofactory train dataset", "python -m benchmarks"} <= set(
        commands()
    )


@pytest.mark.parametrize("name", commands())
def test_the_help_says_what_it_does_with_an_example_and_what_each_option_means(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = command_of(name)
    assert status_of(command.run, "--help") == 0
    said = capsys.readouterr().out
    assert documented(command.function).short_description in " ".join(said.split())
    assert f"\n    {name}" in said
    for option in command._options().values():
        assert option.help, f"{name}: {option.name} has no help"


@pytest.mark.parametrize("name", commands())
def test_its_examples_are_understood(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = command_of(name)
    monkeypatch.chdir(tmp_path)
    assert command.examples
    for example in command.examples:
        command._read(shlex.split(example))


@pytest.mark.parametrize("name", commands())
def test_no_command_takes_wide_digits_or_numbers_without_end(name: str) -> None:
    for option in command_of(name)._options().values():
        kind = _kind_of(option.type)
        try:
            number = kind.parse("5")
        except ValueError:
            continue
        if isinstance(number, int | float):
            for text in (WIDE, "-" + WIDE, "", "nan", "1e999", *([LONG, LONGER] if isinstance(number, int) else [])):
                with pytest.raises(ValueError, match="expected"):
                    kind.parse(text)


def sample(
    agents: Sequence[str],
    *,
    game: int,
    deals: Count = 5,
    top: Natural | None = None,
    rate: float = 1.5,
    theme: Literal["light", "dark"] = "light",
    quick: bool = False,
    decks: str | Sequence[str] | None = None,
    out: OutFile | None = None,
) -> dict[str, Any]:
    """A sample.

    Args:
        agents: names.
        game: a number.
        deals: how many.
        top: how many.
        rate: a number.
        theme: a word.
        quick: a flag.
        decks: names.
        out: a file.
    """
    return {**locals()}


def number_of(agents: Sequence[str], option: Options = {}, seed: Seed = 3) -> int:  # noqa: B006
    """A part that reads another option.

    Args:
        option: pairs.
        seed: a number.
    """
    return len(agents) * seed + len(option)


FOUND: list[Mapping[str, Any]] = []
SAMPLE = Command("sample", sample, positional=("agents",), parts={"game": number_of}, tell=FOUND.append)


def read(*words: object) -> Mapping[str, Any]:
    FOUND.clear()
    assert status_of(SAMPLE.run, *words) == 0
    return FOUND[0]


def test_types_say_how_options_are_read() -> None:
    assert read("a", "b") == {
        "agents": ["a", "b"], "game": 6, "deals": 5, "top": None, "rate": 1.5, "theme": "light", "quick": False,
        "decks": None, "out": None,
    }  # fmt: skip
    words = ("a", "--quick", "--seed", 7, "--option", "x=1", "--option", "y=z", "--decks", "p", "q", "--decks", "r")
    found = read(*words, "--theme", "dark", "--top", 0)
    assert (found["game"], found["quick"], found["decks"], found["theme"]) == (9, True, ["p", "q", "r"], "dark")
    assert (found["top"], read("a", "--rate", "-1e3")["rate"]) == (0, -1000)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "agents: expected one or more, got none"),
        ("a --deals 0", "--deals: expected 1 or more, got 0"),
        ("a --top x", "--top: expected a whole number, got 'x'"),
        ("a --rate nan", "--rate: expected a number, got 'nan'"),
        ("a --theme red", "--theme: expected one of light, dark, got 'red'"),
        ("a --option x", "--option: expected NAME=VALUE, got 'x'"),
        ("a --option x=1 --option x=2", "--option: expected one value of x, got two"),
        (f"a --option x={'[' * 10_000}", "--option: x: expected a value of a few characters, got "),
        (f"a --option x={'9' * 5_000}", "--option: x: expected a value of a few characters, got "),
        ("a --decks", "--decks: expected one or more, got none"),
        ("a --out nowhere/x", "--out: nowhere/x: expected a file in a folder that is there"),
        ("a --deals", "--deals"),
        ("a --bogus", "--bogus"),
    ],
)
def test_an_error_is_one_line_that_names_option_value_and_what_was_expected(
    words: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(SAMPLE.run, *words.split()) == 2
    error = capsys.readouterr().err
    assert error.startswith("sample: error: ")
    assert said in error
    assert error.count("\n") == 1


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(), max_size=4))
def test_whatever_is_typed_is_read_or_refused(words: list[str]) -> None:
    assert status_of(SAMPLE.run, *words) in (0, 2)


def test_the_end_of_a_command_follows_from_what_it_returns(capsys: pytest.CaptureFixture[str]) -> None:
    class Stopped(str):
        __slots__ = ()
        interrupted = True

        def message(self) -> str:
            return "two are missing"

    def stops() -> str:
        """Stop."""
        return Stopped("some")

    def fails() -> None:
        """Fail."""
        raise RuntimeError("no room")

    def interrupts() -> None:
        """Interrupt."""
        raise KeyboardInterrupt

    assert status_of(Command("one", stops).run) == 130
    assert capsys.readouterr().out == "some\ntwo are missing\n"
    assert status_of(Command("two", fails, failures=(RuntimeError,)).run) == 1
    assert status_of(Command("three", interrupts).run) == 130
    assert capsys.readouterr().err == "two: error: no room\nthree: error: stopped\n"


@pytest.mark.parametrize("text", ["0", "-3", "11", LONG, LONGER, WIDE, "٣", "1.5", "nan", "x", ""])
def test_a_whole_number_is_in_ascii_digits_and_in_its_range_and_a_number_finite(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected (1 or more|at most 10|a whole number), got "):
        integer(1, 10)(text)
    assert [integer(1, 10)(each) for each in ("1", "10")] == [1, 10]
    assert finite("-1.5e3") == -1500


@pytest.mark.parametrize(
    ("parse", "name"),
    [
        (file_to_write, "x" * 250),
        *(
            (parse, name)
            for parse in (file_to_write, folder_to_write)
            for name in ("x" * 300, "folder/" + "x" * 300, "no\0name", "file/x")
        ),
    ],
)
def test_a_path_that_cannot_be_written_is_refused_at_once(
    parse: Callable[[str], Path], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """250 characters fit; but not those of the file that is written before one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    with pytest.raises(ValueError, match=r"expected a (path that can be written|file in a folder)"):
        parse(name)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "folder"]


def test_a_path_that_can_be_written_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "file"
    assert file_to_write(str(file)) == file
    assert list(tmp_path.iterdir()) == []
    file.write_text("before")
    (tmp_path / "file.unfinished").write_text("another process is writing")
    check_writable(file)
    assert file.read_text() == "before"
    assert (tmp_path / "file.unfinished").exists()
    assert folder_to_write(str(tmp_path / "new" / "folder")) == tmp_path / "new" / "folder"
    assert not (tmp_path / "new").exists()
