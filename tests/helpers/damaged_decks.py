"""Decks as text, and random damage to them."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

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


# what files were refused for before, or what broke a check
JUNK = (
    0, -1, 9, 10, 30, 31, 60, 61, 127, 128, 255, 256, 32_767, 32_768, 2**31, 2**63 - 1, 2**64, 10**30, -(2**63), 1e308,
    "any", "chunks", "A", "chute", "id", "\0", "é" * 50, "🍫", "a" * 5_000, "\u202e", {"a": {"b": [1]}}, [0] * 2_000,
    [[[[[[[[[[1]]]]]]]]]],
)  # fmt: skip
INSERTED = (
    b"\xef\xbb\xbf", b"\0", b"\r", b'"', b"'''", b'"""', b"[", b"]", b"[[", b"{", b"}", b"=", b"#", b".", b"\\",
    b"\n[[parts]]\n", b"\n[parts]\n", b"a.b.c.d.e.f.g.h.i.j = 1\n", b"9" * 4_000, b"0x" + b"f" * 400, b"[" * 2_000,
    b"1979-05-27T07:32:00Z", b"\n" * 100, b"nan", b"-", "é🍫".encode(), b"'" + b"a" * 1_000 + b"' = 1\n",
)  # fmt: skip
VALUES = st.recursive(
    st.sampled_from(JUNK) | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def damaged(draw: st.DrawFn, deck: Tables) -> bytes:
    """The file of a deck, sound or with some values and then some bytes removed, repeated or replaced."""
    deck = copy.deepcopy(deck)
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 2, 5]))):
        damage(draw, deck)
    content = document(deck).encode("utf-8", "surrogatepass")
    for _ in range(draw(st.sampled_from([0, 0, 0, 0, 1, 3]))):
        at = draw(st.integers(0, len(content)))
        end = min(len(content), at + draw(st.sampled_from([0, 1, 2, 20, 2_000, len(content)])))
        content = content[:at] + draw(st.sampled_from(INSERTED) | st.binary(max_size=20)) + content[end:]
    return content


def damage(draw: st.DrawFn, value: Any) -> None:
    """Change one place in tables or lists."""
    while value:
        key = draw(st.sampled_from([*value] if isinstance(value, dict) else range(len(value))))
        if isinstance(value[key], dict | list) and draw(st.integers(0, 9)):
            value = value[key]
            continue
        match draw(st.sampled_from(["remove", "repeat", "step", "replace"])):
            case "remove":
                del value[key]
            case "repeat" if isinstance(value, list):
                value.extend([copy.deepcopy(value[key])] * draw(st.sampled_from([1, 1, 50])))
            case "step" if type(value[key]) is int:
                value[key] += draw(st.sampled_from([-1, 1, 10]))
            case _:
                value[key] = draw(VALUES)
        return
