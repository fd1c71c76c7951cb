"""Write JSON files atomically, and read untrusted ones.

A file may be damaged, unfinished or made by a stranger. So only regular files of bounded size are opened, and JSON is
checked (`check`) before use. Series of games, datasets, checkpoints and training runs use this module.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, NoReturn, Union, get_args, get_origin, get_type_hints, is_typeddict

from chocofactory_env.core import strict_json
from chocofactory_env.core.files import read_file, write_text
from chocofactory_env.core.messages import shortened, shown

from .settings import Within

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
        value = parse_json(read_file(path, MOST_TEXT))
        check(value, kind)
    except OSError as problem:
        raise error(f"{path}: {problem.strerror}; expected {expected}") from problem
    except ValueError as problem:
        raise error(f"{path} {problem}; expected {expected}") from problem
    return value


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
            value = parse_json(line)
            check(value, dict[str, Any])
        except ValueError as problem:
            raise error(f"{path}, line {number} {problem}; expected a JSON object") from problem
        objects.append(value)
    return objects, end


def parse_json(text: bytes | str) -> Any:
    """Parse JSON, rejecting duplicate keys and numbers that JSON lacks.

    The message of its ValueError completes a sentence that begins with the name of the file.
    """
    try:
        return strict_json.parse_json(text.decode() if isinstance(text, bytes) else text)
    except UnicodeDecodeError as error:
        raise ValueError(f"is not text in UTF-8: byte {error.start} is 0x{error.object[error.start]:02x}") from error
    except ValueError as error:
        raise ValueError(f"is not JSON: {error}") from error


# --- checking


Count = Annotated[int, Within(0)]
_SCALARS: dict[Any, tuple[str, tuple[type, ...]]] = {
    bool: ("true or false", (bool,)),
    int: ("an integer of 64 bits", (int,)),
    float: ("a number", (int, float)),
    str: ("a string", (str,)),
    NoneType: ("null", (NoneType,)),
}


def check(value: Any, kind: Any, at: str = "") -> None:
    """Raise ValueError unless a JSON value has the type `kind`. It names the field, the expected type and the value.

    kind: a scalar, `Any`, `list[...]`, `dict[str, ...]`, a union, a TypedDict (further keys are allowed), or
        `Annotated` with `Within`. Integers have at most 64 bits, so that they fit into arrays.
    """
    origin, parts = get_origin(kind), get_args(kind)
    if kind is Any:
        return
    if origin is Annotated:
        check(value, parts[0], at)
        if not all(bounds.holds(value) for bounds in parts[1:]):
            _refuse(value, _name(kind), at)
    elif origin in (Union, UnionType):
        if not any(_is(value, part) for part in parts):
            _refuse(value, " or ".join(map(_name, parts)), at)
    elif is_typeddict(kind):
        _check_fields(value, kind, at)
    elif origin is list:
        if not isinstance(value, list):
            _refuse(value, "a list", at)
        for number, each in enumerate(value):
            check(each, parts[0], f"{at}[{number}]")
    elif origin is dict:
        if not isinstance(value, dict):
            _refuse(value, "an object", at)
        for name, each in value.items():
            check(each, parts[1], _inside(at, name))
    elif not _is_scalar(value, kind):
        _refuse(value, _name(kind), at)


def _check_fields(value: Any, kind: Any, at: str) -> None:
    if not isinstance(value, dict):
        _refuse(value, "an object", at)
    for name in sorted(kind.__required_keys__ - value.keys()):
        raise ValueError(f"lacks the field {_inside(at, name)}")
    for name, of_field in _fields(kind).items():
        if name in value:
            check(value[name], of_field, _inside(at, name))


@cache
def _fields(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _is_scalar(value: Any, kind: Any) -> bool:
    types = _SCALARS[kind][1]
    if isinstance(value, bool) != (kind is bool):
        return False
    return isinstance(value, types) and not (isinstance(value, int) and not -(2**63) <= value < 2**63)


def _is(value: Any, kind: Any) -> bool:
    try:
        check(value, kind)
    except ValueError:
        return False
    return True


def _name(kind: Any) -> str:
    if kind in _SCALARS:
        return _SCALARS[kind][0]
    if get_origin(kind) is Annotated:
        return " ".join([_name(get_args(kind)[0]), *map(str, get_args(kind)[1:])])
    return {list: "a list", dict: "an object"}.get(get_origin(kind), "another value")


def _inside(at: str, name: str) -> str:
    name = shortened(name)
    return f"{at}.{name}" if at else name


def _refuse(value: Any, expected: str, at: str) -> NoReturn:
    raise ValueError(f"{f'has {at}' if at else 'is'} {shown(value)}, which is not {expected}")


def listed(texts: Sequence[str], most: int = 8) -> str:
    """The first `most` texts, joined into one phrase."""
    rest = [] if len(texts) <= most else [f"and {len(texts) - most} more"]
    return "; ".join([*texts[:most], *rest])
