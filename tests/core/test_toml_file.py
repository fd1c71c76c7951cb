"""The file of a deck may come from a stranger: it is bounded before it is parsed, and nothing in it is waited for."""

from __future__ import annotations

import os
import re
import time
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from chocofactory_env.core.cards import toml_file as deck_file
from chocofactory_env.core.cards.toml_file import MAX_BYTES, read_toml
from chocofactory_env.core.errors import DeckError
from chocofactory_env.games.chocofactory.cards import load_cards


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "my_deck.toml"


# --- which files


@pytest.mark.parametrize(
    ("deck", "message"),
    [
        ("my\0deck.toml", "expected a file that can be read, got "),
        ("a" * 100_000, r"^a{297}\.\.\.: expected a file that can be read, got "),
        (".", "expected a regular file, got a folder"),
    ],
    ids=["null byte", "long", "folder"],
)
def test_a_path_to_no_file_is_refused(deck: str, message: str) -> None:
    with pytest.raises(DeckError, match=message):
        load_cards(deck)


@pytest.mark.skipif(os.name != "posix", reason="pipes are files of POSIX systems")
def test_a_file_that_becomes_a_pipe_before_it_is_opened_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_text("", encoding="utf-8")
    open_file: Callable[[str, int], int] = os.open

    def open_another(name: str, flags: int) -> int:
        path.unlink()
        os.mkfifo(path)
        return open_file(name, flags)

    monkeypatch.setattr(os, "open", open_another)
    with pytest.raises(DeckError, match="expected a regular file, got a pipe"):
        read_toml(path)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="a file that is longer than it says")
def test_no_more_is_read_than_a_deck_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deck_file, "MAX_BYTES", 20)
    with pytest.raises(DeckError, match=r"/proc/self/status: expected 0 bytes, which is the file.s size, got more"):
        read_toml("/proc/self/status")


# --- what is in them


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[[parts]\n", "expected TOML, got "),
        (b"parts = 1\nparts = 2\n", "expected TOML, got "),
        ("parts = 'Bäckerei'".encode("latin-1"), "expected text in UTF-8, got another byte at 10"),
        ("parts = 1".encode("utf-16"), "expected text in UTF-8, got another byte at 0"),
        (b"\xef\xbb\xbfparts = []", "expected UTF-8 without a byte order mark, got a file that begins with one (save "),
        (b"day = 2026-02-30", "expected TOML, got "),
        (b"x = {'" + b"a" * 10_000 + b"'=1,'" + b"a" * 10_000 + b"'=1}", "expected TOML, got Duplicate inline table"),
        (b"\n" * (MAX_BYTES + 1), "expected at most 500,000 bytes, got 500,001"),
    ],
    ids=["syntax", "key twice", "latin-1", "utf-16", "byte order mark", "no such day", "long words", "large"],
)
def test_a_file_that_is_not_toml_is_refused(content: bytes, message: str, path: Path) -> None:
    path.write_bytes(content)
    with pytest.raises(DeckError, match=re.escape(message)) as raised:
        load_cards(path)
    assert len(str(raised.value)) < len(str(path)) + 300


MANY_PARTS = ".".join("a" * 50_000)
TOO_DEEP = "expected lists and tables in each other 8 deep at most, got more in line 2"
TOO_LONG_A_KEY = "expected dotted keys of at most 8 parts, got more in line 2"
TOO_MANY_DIGITS = "expected numbers of at most 19 digits, got one of {} in line 2"
OUT_OF_BOUNDS = {
    "lists": ("\nparts = " + "[" * 100_000, TOO_DEEP),
    "tables": ("\nparts = " + "{a=" * 100_000, TOO_DEEP),
    "nine lists": ("\nparts = " + "[" * 9 + "]" * 9, TOO_DEEP),
    "dotted key": (f"\n{MANY_PARTS} = 1", TOO_LONG_A_KEY),
    "dotted key of quoted parts": ("\n" + " . ".join(['"."', "'='"] * 25_000) + " = 1", TOO_LONG_A_KEY),
    "dotted name of a table": ("\n[" + ".".join("a" * 9) + "]", TOO_LONG_A_KEY),
    "dotted key in a table": ("\nx = {y = 1, " + MANY_PARTS + " = 1}", TOO_LONG_A_KEY),
    "behind a string": (f"\nx = 'a', {MANY_PARTS} = 1", TOO_LONG_A_KEY),
    "behind a string of lines": ('x = """\n""\\""""", ' + MANY_PARTS + " = 1", TOO_LONG_A_KEY),
    "behind a literal string of lines": ("x = '''\n''\\''', " + MANY_PARTS + " = 1", TOO_LONG_A_KEY),
    "behind a comment": (f'# """\n{MANY_PARTS} = 1', TOO_LONG_A_KEY),
    "digits": ("\nparts = " + "9" * 4_000, TOO_MANY_DIGITS.format("4,000")),
    "digits of a negative number": ("\nparts = -" + "9" * 20, TOO_MANY_DIGITS.format("20")),
    "hexadecimal digits": ("\nparts = 0x" + "f" * 10_000, TOO_MANY_DIGITS.format("10,002")),
    "digits of a fraction": ("\nparts = 0." + "9" * 10_000, TOO_MANY_DIGITS.format("10,000")),
}


@pytest.mark.parametrize(("content", "message"), OUT_OF_BOUNDS.values(), ids=OUT_OF_BOUNDS)
def test_what_is_out_of_bounds_is_refused_before_it_is_parsed(
    content: str, message: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_text(content, encoding="utf-8")
    monkeypatch.setattr(tomllib, "loads", lambda text: pytest.fail("parsed"))
    with pytest.raises(DeckError, match=re.escape(message)):
        read_toml(path)


MARKS = "[" * 100 + "{" * 100 + "." * 100 + "9" * 100
WITHIN_BOUNDS = {
    "lists": "parts = " + "[" * 8 + "]" * 8,
    "dotted key": ".".join("a" * 8) + " = 1",
    "number": f"number = {2**63 - 1}",
    "literal string": f"name = '{MARKS}\\'",
    "string": f'name = "\\"{MARKS}"',
    "literal string of lines": f"name = '''\n'{MARKS}''{MARKS}'''''",
    "string of lines": f'name = """\n"{MARKS}\\"""{MARKS}"""""',
    "comment": f"# {MARKS}",
    "quoted key": f"'{MARKS}' = 'x'",
}


@pytest.mark.parametrize("content", WITHIN_BOUNDS.values(), ids=WITHIN_BOUNDS)
def test_what_is_within_bounds_is_parsed(content: str, path: Path) -> None:
    """What stands in strings and comments is neither a key nor a bracket nor a number."""
    path.write_text(content, encoding="utf-8")
    assert read_toml(path) == tomllib.loads(content)


def most(content: str, begin: str = "", end: str = "") -> str:
    """As much of the content, again and again, as a deck's file may have."""
    return begin + content * ((MAX_BYTES - len(begin) - len(end)) // len(content)) + end


SLOW = {
    "tables in tables": most("[[parts]]\n[parts.a]\n"),
    "dotted keys": "".join(f"a.b.c.d.e.f.g.k{number}=1\n" for number in range(20_000)),
    "lists": most("[],", "parts=[", "]"),
    "open strings": most('"""\\'),
    "dots": most("a.a.a.a "),
}


@pytest.mark.parametrize("content", SLOW.values(), ids=SLOW)
def test_the_largest_file_takes_seconds_at_most(content: str, path: Path) -> None:
    """Twenty would be a hang; an idle machine needs one or two."""
    assert len(content) <= MAX_BYTES
    path.write_text(content, encoding="utf-8")
    begun = time.process_time()
    with pytest.raises(DeckError, match=r"my_deck\.toml: "):
        load_cards(path)
    assert time.process_time() - begun < 20
