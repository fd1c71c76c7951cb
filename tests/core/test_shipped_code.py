"""Compiled code that a platform wheel brings along: loaded where it fits, else a line says why it is compiled."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chocofactory_env.core.compiling import code_cache, shipped_code
from chocofactory_env.core.compiling.code_cache import read
from chocofactory_env.core.compiling.shipped_code import (
    MANIFEST,
    manifest_of,
    misfit,
    packed,
    target,
    versions,
    write_archive,
)
from chocofactory_env.core.errors import CompileForbiddenError
from chocofactory_env.core.jit import COMPILED, jit_entry

pytestmark = pytest.mark.skipif(not COMPILED, reason="without the compiler nothing is loaded")

COMPILES = re.compile(r"compiling |compiled .* in \d+\.\d s$")


def answer(number: float) -> float:
    return number * 2


def other_answer(number: float) -> float:
    return number * 3


class Shipping:
    """A folder of shipped code with the function `answer`, and calls of it as a new process makes them."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self.manifest = folder, folder / MANIFEST
        self._monkeypatch, self._capsys = monkeypatch, capsys
        entry: Any = jit_entry(answer)
        entry(21)
        (signature,) = entry.overloads
        code = read(entry._cache.file(signature, entry.targetctx.codegen()))
        assert code is not None
        assert entry._cache.digest is not None
        self.file, name = folder / "game.xz", entry._cache.name
        write_archive(self.file, {entry._cache.portable_name(signature): packed(code, linked=False)})
        self.manifest.write_bytes(manifest_of({name: entry._cache.digest}, {name: self.file.name}, ()))

    def call(self, function: Callable[[Any], Any] = answer, number: float = 21) -> list[str]:
        """What a first call has on the error stream, without the two lines of compiling."""
        shipped_code.shipped.cache_clear()
        shipped_code.unpacked.cache_clear()
        self._monkeypatch.setattr(code_cache, "_reported", set())
        self._capsys.readouterr()
        assert jit_entry(function)(number) == function(number)
        lines = [line.removeprefix("chocofactory_env: ") for line in self._capsys.readouterr().err.splitlines()]
        told = [line for line in lines if COMPILES.match(line)]
        self.compiled = bool(told)
        return [line for line in lines if line not in told]

    def change(self, name: str, value: Any) -> None:
        manifest = json.loads(self.manifest.read_text())
        manifest[name] = value
        self.manifest.write_text(json.dumps(manifest))


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache that keeps nothing between calls."""
    monkeypatch.setenv("CHOCOFACTORY_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(code_cache, "cache_folder", code_cache.cache_folder.__wrapped__)
    return tmp_path / "cache"


@pytest.fixture
def shipping(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shipping:
    made = Shipping(tmp_path / "machine_code", monkeypatch, capsys)
    monkeypatch.setattr(shipped_code, "FOLDER", made.folder)
    for file in cache.rglob("*.nbc"):
        file.unlink()
    return made


def test_what_fits_is_loaded_in_silence_and_nothing_is_kept(shipping: Shipping, cache: Path) -> None:
    assert shipping.call() == []
    assert not shipping.compiled
    assert list(cache.rglob("*.nbc")) == []


@pytest.mark.parametrize(
    ("name", "other"), [("Python", ".cpython-399.so"), ("Numba", "0.1"), ("NUMBA_OPT", "7"), ("machine", "vax")]
)
def test_what_is_made_for_something_else_is_compiled_and_a_line_says_why(
    shipping: Shipping, name: str, other: str
) -> None:
    shipping.change("made_for", {**versions(), name: other})
    (line,) = shipping.call()
    assert f"it is made for {name} {other}, and here is {versions()[name]}." in line
    assert shipping.compiled


def test_the_layout_of_arrays_counts(shipping: Shipping) -> None:
    (name,) = [name for name in versions() if "NumPy" in name]
    shipping.change("made_for", {**versions(), name: "1"})
    (line,) = shipping.call()
    assert name in line


def test_a_feature_that_the_processor_lacks_is_named(shipping: Shipping) -> None:
    shipping.change("features", ["antigravity"])
    (line,) = shipping.call()
    assert "the processor lacks antigravity" in line
    assert shipping.compiled


def test_a_function_that_has_changed_is_compiled(shipping: Shipping, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("__module__", "__qualname__"):
        monkeypatch.setattr(other_answer, name, getattr(answer, name))
    (line,) = shipping.call(other_answer)
    assert f"{__name__}.answer is another function than was compiled" in line
    assert shipping.compiled


def test_other_types_are_compiled(shipping: Shipping) -> None:
    (line,) = shipping.call(number=2.5)
    assert f"it has no {__name__}.answer(float64)" in line
    assert shipping.compiled


def test_the_reason_is_said_once(shipping: Shipping, capsys: pytest.CaptureFixture[str]) -> None:
    shipping.change("features", ["antigravity"])
    shipping.call()
    assert jit_entry(answer)(2.5) == 5
    assert "antigravity" not in capsys.readouterr().err


def test_a_function_of_a_game_outside_the_package_is_not_looked_for(shipping: Shipping) -> None:
    assert shipping.call(other_answer) == []
    assert shipping.compiled


@pytest.mark.parametrize("damage", [lambda content: content[:-9], lambda content: b""], ids=["cut short", "emptied"])
def test_damaged_code_is_compiled_and_left(shipping: Shipping, damage: Callable[[bytes], bytes]) -> None:
    shipping.file.write_bytes(damage(shipping.file.read_bytes()))
    (line,) = shipping.call()
    assert f"damaged: {shipping.file}. It is compiled for this machine instead" in line
    assert shipping.compiled
    shipping.call()
    assert not shipping.compiled, "it is kept in the cache"


@pytest.mark.parametrize("content", ["", "[]", '{"made_for": 1}', "{}"])
def test_a_damaged_manifest_is_named(shipping: Shipping, content: str) -> None:
    shipping.manifest.write_text(content)
    (line,) = shipping.call()
    assert f"{shipping.manifest} is damaged" in line
    assert shipping.compiled


def test_without_a_manifest_it_is_a_pure_wheel_or_a_checkout(shipping: Shipping) -> None:
    shipping.manifest.unlink()
    assert shipping.call() == []
    assert shipping.compiled


@pytest.mark.skipif(os.name != "posix", reason="owners and modes are those of POSIX")
@pytest.mark.parametrize("opened", ["folder", "file"])
def test_code_that_others_can_change_is_not_loaded(shipping: Shipping, opened: str) -> None:
    place = shipping.folder if opened == "folder" else shipping.file
    place.chmod(0o777)
    (line,) = shipping.call()
    assert f"others can write to {place} (mode 0777)" in line
    assert shipping.compiled


def test_compiling_can_be_forbidden(shipping: Shipping, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHOCOFACTORY_COMPILE", "never")
    assert shipping.call() == []
    with pytest.raises(
        CompileForbiddenError, match=r"CHOCOFACTORY_COMPILE=never.*test_shipped_code\.answer\(float64\)"
    ):
        shipping.call(number=2.5)
    monkeypatch.setenv("CHOCOFACTORY_COMPILE", "alone")
    shipping.call(number=2.5)
    assert shipping.compiled


def test_a_misspelt_setting_does_not_compile(shipping: Shipping, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHOCOFACTORY_COMPILE", "Never")
    with pytest.raises(ValueError, match="CHOCOFACTORY_COMPILE=Never: expected 'never', 'alone' or nothing"):
        shipping.call(number=2.5)


def test_this_machine_can_run_what_is_compiled_for_it() -> None:
    portable = target()
    features = () if portable is None else portable.features
    assert misfit(json.loads(manifest_of({}, {}, features))) is None


def test_who_calls_shipped_code_is_compiled_with_it_and_not_kept(shipping: Shipping, cache: Path) -> None:
    """Its machine code would not be there in a process that has not loaded it."""
    called = jit_entry(answer)

    @jit_entry
    def caller(number: int) -> float:
        return called(number) + called(number)

    assert called(21) == 42
    assert caller(21) == 84
    assert list(cache.rglob("*.nbc")) == []


def test_code_that_becomes_a_part_of_a_caller_is_compiled_and_kept(shipping: Shipping, cache: Path) -> None:
    called = jit_entry(answer)

    @jit_entry
    def caller(number: int) -> float:
        return called(number) + called(number)

    assert caller(21) == 84
    assert len(list(cache.rglob("*.nbc"))) == 2
