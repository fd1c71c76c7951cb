"""TOML files of decks. They may come from strangers, so they are bounded before they are parsed.

The time to parse is linear in the size of the file but quadratic in the parts of a dotted key, and every level of
nesting takes a level of the stack. So all three are bounded, with room to spare for a whole deck.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import DeckError
from ..files import UnfitFileError, read_file
from ..messages import shortened

MAX_BYTES = 500_000  # the shipped cards take 35,000
MAX_LEVELS = 8  # of nested lists and tables, and parts of a dotted key
MAX_PATH = 300  # characters of a file's name in a message
MAX_DIGITS = 19  # of a TOML integer, which has 64 bits

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# A string or comment, closed or not; it contains no keys, brackets, or numbers.
STRING_OR_COMMENT = re.compile(
    r"""
      ["]{3} (?: [^"\\]++ | \\. | "(?!"") )*+ (?: ["]{3,5} | \\?\Z )
    | [']{3} (?: [^']++ | '(?!'') )*+ (?: [']{3,5} | \Z )
    | ["] (?: [^"\\\n]++ | \\. )*+ ["]?
    | ['] [^'\n]*+ [']?
    | [#] [^\n]*+
    """,
    re.DOTALL | re.VERBOSE,
)
BRACKET = re.compile(r"[\[\]{}]")
KEY_OR_VALUE = re.compile(r"[^=,\n\[\]{}]++")
LONG_NUMBER = re.compile(rf"(?<![A-Za-z0-9_])(?:0[xob][0-9a-fA-F_]|[0-9])[0-9a-fA-F_]{{{MAX_DIGITS},}}")


def unfit(name: str, expected: str, found: str) -> DeckError:
    """The error for a file, or a generated deck, of this name as a whole."""
    return DeckError(f"{shortened(name, MAX_PATH)}: expected {expected}, got {found}")


def read_toml(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The tables of a deck file; `DeckError` if it is not a regular file, is too large, or is not TOML."""
    name = os.fspath(path)
    try:
        content = read_file(path, MAX_BYTES)
    except UnfitFileError as error:
        raise unfit(name, error.expected, error.got) from error
    except OSError as error:
        raise unfit(name, "a file that can be read", error.strerror or str(error)) from error
    except ValueError as error:  # a name that no file can have
        raise unfit(name, "a file that can be read", str(error)) from error
    if content.startswith(BYTE_ORDER_MARK):
        raise unfit(name, "UTF-8 without a byte order mark", "a file that begins with one (save it without)")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise unfit(name, "text in UTF-8", f"another byte at {error.start}") from error
    check_bounds(text, name)
    try:
        return tomllib.loads(text)
    except ValueError as error:
        raise unfit(name, "TOML", shortened(str(error), 200)) from error


def check_bounds(text: str, name: str) -> None:
    """Raise `DeckError` for text that would take too long to parse."""
    bare = STRING_OR_COMMENT.sub(blanked, text)
    check_nesting(bare, name)
    check_dots(bare, name)
    check_digits(bare, name)


def blanked(found: re.Match[str]) -> str:
    """Replace a string or comment with one character and its line ends, so that line numbers stay valid."""
    return '"' + "\n" * found.group().count("\n")


def line_of(bare: str, position: int) -> int:
    return bare.count("\n", 0, position) + 1


def check_nesting(bare: str, name: str) -> None:
    level = 0
    for bracket in BRACKET.finditer(bare):
        level += 1 if bracket.group() in "[{" else -1
        if level > MAX_LEVELS:
            line = line_of(bare, bracket.start())
            raise unfit(name, f"lists and tables in each other {MAX_LEVELS} deep at most", f"more in line {line}")


def check_dots(bare: str, name: str) -> None:
    for token in KEY_OR_VALUE.finditer(bare):
        if token.group().count(".") >= MAX_LEVELS:
            line = line_of(bare, token.start())
            raise unfit(name, f"dotted keys of at most {MAX_LEVELS} parts", f"more in line {line}")


def check_digits(bare: str, name: str) -> None:
    number = LONG_NUMBER.search(bare)
    if number is not None:
        found = f"one of {len(number.group()):,} in line {line_of(bare, number.start())}"
        raise unfit(name, f"numbers of at most {MAX_DIGITS} digits", found)


def toml_text(tables: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """Write tables of cards as the text of a deck's file; `read_toml` is the inverse."""
    cards = [(name, card) for name, table in tables.items() for card in table]
    return "\n".join(
        f"[[{name}]]\n" + "".join(f"{key} = {inline(value)}\n" for key, value in card.items()) for name, card in cards
    )


def inline(value: Any) -> str:
    """A string, integer, flag, list, or table as TOML on one line; strings are written as in JSON."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {inline(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(inline, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
