"""Write JSON files atomically, and read untrusted ones.

A file may be damaged, unfinished or made by a stranger. So only regular files of bounded size are opened, and JSON is
checked (`check`) before use. Series of games, datasets, checkpoints and training runs use this module.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from chocofactory_env.core.files import read_file, write_text
from chocofactory_env.core.reading import ReadError, field_at, parse_json, read

MOST_TEXT = 2**30  # bytes of a JSON file; a line of a journal takes a few hundred


# --- writing


def write_json(target: Path, data: Mapping[str, Any]) -> None:
    """Write `data` atomically. Numbers that JSON lacks (nan, infinity) raise ValueError, and nothing is written."""
    write_text(target, json.dumps(data, indent=1, allow_nan=False) + "\n")


# --- reading


def read_json(path: Path, kind: Any, error: type[ValueError], expected: str) -> Any:
    """Read a JSON file whose value has the type `kind` (see `check`).

    Raises `error`, which names the file, what is wrong with it, and what was `expected`.
    """
    try:
        return parsed(read_file(path, MOST_TEXT), kind)
    except OSError as problem:
        raise error(f"{path}: {problem.strerror}; expected {expected}") from problem
    except ValueError as problem:
        raise error(f"{path} {problem}; expected {expected}") from problem


def read_lines(path: Path, error: type[ValueError], lost: str) -> tuple[list[dict[str, Any]], int]:
    """The objects of a JSON Lines file, and the number of bytes they take.

    A killed process may leave an unfinished last line. It is skipped, with a warning on stderr that says what is
    `lost`. Any other line that is not a JSON object raises `error`, which names file and line.
    """
    try:
        content = read_file(path, MOST_TEXT)
    except OSError as problem:
        raise error(f"{path}: {problem.strerror}; expected lines of JSON") from problem
    end = content.rfind(b"\n") + 1
    if end < len(content):
        print(f"{path}: the last line is not whole and was dropped; {lost}", file=sys.stderr)
    objects: list[dict[str, Any]] = []
    for number, line in enumerate(content[:end].split(b"\n")[:-1], start=1):
        try:
            objects.append(parsed(line, dict[str, Any]))
        except ValueError as problem:
            raise error(f"{path}, line {number} {problem}; expected a JSON object") from problem
    return objects, end


def parsed(content: bytes | str, kind: Any) -> Any:
    """The value of a JSON text, of the type `kind`. The message of its ValueError is as that of `check`."""
    try:
        value = parse_json(content)
    except ReadError as error:
        raise ValueError(f"is not {error.expected}: {error.found}") from None
    check(value, kind)
    return value


def check(value: Any, kind: Any) -> None:
    """Raise ValueError unless a JSON value has the type `kind` (see `chocofactory_env.core.reading`).

    The message completes a sentence that begins with the name of the file: it names the field, what is there, and what
    was expected.
    """
    try:
        read(kind, value)
    except ReadError as error:
        place = field_at(error.path)
        if error.found == "nothing":
            raise ValueError(f"lacks the field {place} ({error.expected.removeprefix('this field, ')})") from None
        has = f"has {place}" if place else "is"
        raise ValueError(f"{has} {error.found}, which is not {error.expected}") from None


def listed(texts: Sequence[str], most: int = 8) -> str:
    """The first `most` texts, joined into one phrase."""
    rest = [] if len(texts) <= most else [f"and {len(texts) - most} more"]
    return "; ".join([*texts[:most], *rest])
