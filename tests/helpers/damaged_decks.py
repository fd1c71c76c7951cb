"""Decks as text, and random damage to them."""

from __future__ import annotations

import copy
import random
import tomllib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

Tables = dict[str, Any]


def tables_in(folder: Path, files: Iterable[str]) -> Tables:
    """The tables of all files, as parsed TOML."""
    tables: Tables = {}
    for name in files:
        tables |= tomllib.loads((folder / name).read_text(encoding="utf-8"))
    return tables


def toml(value: Any) -> str:
    """A value as TOML; tables are inline."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + "".join(c if c.isprintable() and c not in '"\\' else f"\\U{ord(c):08X}" for c in value) + '"'
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{toml(str(key))} = {toml(entry)}" for key, entry in value.items()) + "}"
    return repr(value)


def document(tables: Tables) -> str:
    return "\n".join(f"{toml(key)} = {toml(value)}" for key, value in tables.items())


def write(path: Path, tables: Tables) -> Path:
    path.write_text(document(tables), encoding="utf-8")
    return path


JUNK: tuple[Any, ...] = (
    0, -1, 1, 2, 9, 10, 30, 31, 60, 61, 127, 128, 255, 256, 32_767, 32_768, 2**31, 2**63 - 1, 2**64, 10**30, -(2**63),
    True, False, 0.5, 1e308, float("inf"), float("nan"), "", "any", "chunks", "A", "chute", "id", "\0", "é" * 50, "🍫",
    "a" * 5_000, "\u202e", [], {}, [[]], [{}], {"a": {"b": [1]}}, [0] * 2_000, [[[[[[[[[[1]]]]]]]]]], {"": 0},
)  # fmt: skip


def damage(rng: random.Random, tables: Any, junk: Sequence[Any] = JUNK) -> None:
    """Change, remove, repeat or add something at a random place in tables or lists, usually deep inside."""
    value: Any = tables
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not keys:
            return
        key = rng.choice(keys)
        if isinstance(value[key], dict | list) and value[key] and rng.random() < 0.9:
            value = value[key]
            continue
        kind = rng.randrange(6)
        if kind == 0:
            del value[key]
        elif kind == 1 and isinstance(value, list):
            value.extend([copy.deepcopy(value[key])] * rng.choice((1, 1, 50)))
        elif kind == 1:
            value[str(rng.choice(junk))[:200]] = copy.deepcopy(value[key])
        elif kind == 2 and isinstance(value, list):
            rng.shuffle(value)
        elif kind == 3 and type(value[key]) is int:
            value[key] += rng.choice((-1, 1, 1, 10))
        elif kind == 4:
            value[key] = copy.deepcopy(rng.choice(junk))
        else:
            other = rng.choice(keys)
            value[key] = copy.deepcopy(value[other])
        return


INSERTED = (
    b"\xef\xbb\xbf", b"\0", b"\r", b'"', b"'''", b'"""', b"[", b"]", b"[[", b"{", b"}", b"=", b"#", b".", b"\\",
    b"\n[[parts]]\n", b"\n[parts]\n", b"a.b.c.d.e.f.g.h.i.j = 1\n", b"9" * 4_000, b"0x" + b"f" * 400, b"[" * 2_000,
    b"1979-05-27T07:32:00Z", b"\n" * 100, b"nan", b"-", "é🍫".encode(), b"'" + b"a" * 1_000 + b"' = 1\n",
)  # fmt: skip


def damage_text(rng: random.Random, text: bytes) -> bytes:
    """Change, cut, repeat or insert bytes."""
    at = rng.randrange(len(text) + 1)
    end = min(len(text), at + rng.choice((1, 2, 20, 2_000)))
    replaced: Callable[[], bytes] = rng.choice(
        (
            lambda: b"",
            lambda: bytes(rng.randrange(256) for _ in range(end - at)),
            lambda: text[at:end] * rng.choice((2, 3, 20)),
            lambda: rng.choice(INSERTED),
            lambda: rng.choice(INSERTED) + text[at:end],
        )
    )
    return text[:at] + replaced() + text[end:] if rng.random() < 0.95 else text[:at]
