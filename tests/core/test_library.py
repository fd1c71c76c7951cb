"""Calls of a library: what is no argument is refused by name before C runs, and plain Python plays the same."""

from __future__ import annotations

import gc
import pickle
import re
import weakref
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import reduce
from pathlib import Path
from typing import Any

import _cffi_backend
import numpy as np
import pytest
from processes import run
from repository import ROOT

from chocofactory_env.core import library
from chocofactory_env.core.jit import COMPILED, Entry
from chocofactory_env.core.kernel.rng import WORDS, seed_generator
from chocofactory_env.core.kernel.rules import MAX_SEATS
from chocofactory_env.core.kernel.stepping import choose_all
from chocofactory_env.core.seal import is_whole, sealed
from chocofactory_env.core.search.tree import Node
from chocofactory_env.core.signature import ArrayOf, Parameter, signature_of
from toyrace.game import ToyRace

GAME = ToyRace(num_players=2)
OF_THE_GAME = ("step", "observe_scaled", "outcome", "grow")
in_library = pytest.mark.skipif(not COMPILED, reason="plain Python checks no types")


ENTRIES = (seed_generator, choose_all, *(getattr(ToyRace.kernel, name) for name in OF_THE_GAME))


def entry_of(function: Any) -> Entry:
    """What the mark has made of a function."""
    assert isinstance(function, Entry)
    return function


def calls() -> dict[Any, tuple[Any, ...]]:
    """Calls that are right, by entry."""
    kernel, tables, state, mask = ToyRace.kernel, GAME.tables, GAME.new(1), np.ones(GAME.num_actions, np.int8)
    raw, size = np.zeros(GAME.observation_layout.raw_size, np.uint8), GAME.observation_layout.size
    scaled = raw, np.ones(size, np.float32), np.zeros(size, np.float32)
    search, words = GAME.tree_search(), np.ones(WORDS, np.uint32)
    nodes, priors = np.zeros(6, Node.dtype), np.ones(GAME.num_actions, np.float32)
    tree = state.copy(), state.copy(), nodes, 0, 5, 1, 0.6, priors, mask
    found = np.full(GAME.num_actions, -1, np.int32), words, np.zeros(MAX_SEATS), np.array([0, 1])
    return {
        seed_generator: (np.ones(WORDS, np.uint32), 7, 0),
        choose_all: (words, np.ones((2, 4), np.int8), np.zeros(2, np.int64)),
        kernel.step: (tables, state, 0, mask),
        kernel.observe_scaled: (tables, state, 0, *scaled),
        kernel.outcome: (tables, state, np.zeros(2, np.int32), np.zeros(2, np.int32), np.zeros(2, np.bool_)),
        kernel.grow: (tables, *tree, *found, search._leaf),
    }


def parameters_of(entry: Entry, arguments: tuple[Any, ...]) -> Iterator[tuple[Parameter, Any]]:
    """Every parameter, with its value; fields of tuples for themselves."""
    values = dict(zip(entry.plain.__code__.co_varnames, arguments, strict=False))
    for parameter in signature_of(entry.plain, entry.game).parameters:
        yield parameter, reduce(getattr, parameter.path.split(".")[1:], values[parameter.root])


def with_another(entry: Entry, arguments: tuple[Any, ...], path: str, value: Any) -> list[Any]:
    def changed(whole: Any, fields: list[str]) -> Any:
        return whole._replace(**{fields[0]: changed(getattr(whole, fields[0]), fields[1:])}) if fields else value

    root, *fields = path.split(".")
    place = entry.plain.__code__.co_varnames.index(root)
    return [*arguments[:place], changed(arguments[place], fields), *arguments[place + 1 :]]


def wrong(kind: Any, value: Any) -> Iterator[Any]:
    """What is no value of this kind."""
    yield from (None, "1", 1j)
    if kind is int:
        yield from (2**63, -(2**63) - 1, 10**5000, 1.0, np.float32(1.5), np.array(1), np.uint64(2**63))
    if isinstance(kind, ArrayOf):
        yield from (value.tolist(), value.tobytes(), bytearray(value.tobytes()), memoryview(value.tobytes()), 1)
        yield value.view(np.uint8 if kind.dtype != np.uint8 else np.int8)
        if kind.dtype.names is None and kind.dtype.itemsize > 1:
            yield value.astype(kind.dtype.newbyteorder())
        yield value[None]
        yield value[0]
        yield np.repeat(value, 4, axis=0)[::2]
        if min(value.shape) > 1:
            yield np.asfortranarray(value) if kind.ndim > 1 else value[::-1]
        if kind.written:
            yield read_only(value)


def read_only(array: np.ndarray) -> np.ndarray:
    view = array.copy()
    view.flags.writeable = False
    return view


def calls_of(entry: Entry) -> tuple[Callable[..., Any], ...]:
    """With nothing bound, all bound, and arrays of the last call kept."""
    return entry, lambda *given: entry.bind(*given)(), entry.bind()


def contents(entry: Entry, arguments: tuple[Any, ...]) -> list[Any]:
    return [getattr(value, "tobytes", lambda value=value: value)() for _, value in parameters_of(entry, arguments)]


@in_library
@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.symbol)
def test_a_wrong_argument_is_refused_by_name_before_c_runs(entry: Entry) -> None:
    arguments = calls()[entry]
    before, tried = contents(entry, arguments), 0
    for parameter, value in parameters_of(entry, arguments):
        for bad in wrong(parameter.kind, value):
            given = with_another(entry, arguments, parameter.path, bad)
            for call in calls_of(entry):
                with pytest.raises((TypeError, ValueError)) as refused:
                    call(*given)
                expected = f"{entry.symbol}: expected ", f" as {parameter.path}, got "
                assert all(words in str(refused.value) for words in expected), f"{refused.value} for {bad!r}"
            tried += 1
    assert tried > 10
    assert contents(entry, arguments) == before
    for parameter, value in list(parameters_of(entry, arguments)):
        if isinstance(parameter.kind, ArrayOf) and not parameter.kind.written:
            arguments = tuple(with_another(entry, arguments, parameter.path, read_only(value)))
    entry(*arguments)
    assert contents(entry, arguments) != before, "a right call writes"


@in_library
def test_a_tuple_without_the_fields_is_refused_by_name() -> None:
    *others, leaf = calls()[ToyRace.kernel.grow]
    for bad, path in ((None, "leaf.playouts"), (leaf._replace(memory=None), "leaf.memory.stack")):
        for call in calls_of(ToyRace.kernel.grow):
            with pytest.raises(TypeError, match=f"^grow: expected a tuple with {path}, got "):
                call(*others, bad)


def test_defaults_of_parameters_are_those_of_the_function() -> None:
    drawn = []
    for stream in ((0,), (), (1,)):
        for bound in range(3):
            rng = np.zeros(WORDS, np.uint32)
            arguments = (rng, 7, *stream)
            entry_of(seed_generator).bind(*arguments[:bound])(*arguments[bound:])
            drawn.append(rng.tolist())
    assert drawn[:6] == [drawn[0]] * 6
    assert drawn[6:] == [drawn[6]] * 3 != drawn[:3]
    with pytest.raises(TypeError, match=r"seed_generator\(\) missing"):
        entry_of(seed_generator)(np.zeros(WORDS, np.uint32))


@in_library
def test_a_bound_function_takes_addresses_of_the_same_arrays_once(monkeypatch: pytest.MonkeyPatch) -> None:
    class Counting(_cffi_backend.FFI):
        def from_buffer(self, kind: Any, array: Any, written: Any = False) -> Any:
            taken.append(array)
            return super().from_buffer(kind, array, written)

    taken: list[np.ndarray] = []
    monkeypatch.setattr(_cffi_backend, "FFI", Counting)
    known = ToyRace.kernel.step
    entry = Entry(known.plain, known.game, known.part, known.symbol, known.module)  # how to call it is not yet written
    state, mask = GAME.new(1), np.zeros(GAME.num_actions, np.int8)
    step = entry.bind(GAME.tables)
    for action in (0, 5):
        step(state, action, mask)
        entry(GAME.tables, state, action, mask)
    step(other := GAME.new(1), 0, mask)
    each = [GAME.tables, state, mask]
    assert list(map(id, taken)) == list(map(id, (*each, *each, *each, other)))
    step(state, 0, mask)
    assert other.tobytes() != state.tobytes(), "the first array again"


def test_a_bound_function_keeps_its_arrays_alive_and_no_longer() -> None:
    rng = np.zeros(WORDS, np.uint32)
    seed_generator(rng, 7)
    expected, seen = rng.tolist(), weakref.ref(rng)
    seed = entry_of(seed_generator).bind(rng)
    del rng
    gc.collect()
    seed(7)
    array = seen()
    assert array is not None
    assert array.tolist() == expected
    del array, seed
    gc.collect()
    assert seen() is None


# --- damage


def test_a_damaged_library_of_a_wheel_is_named_with_the_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, content = tmp_path / f"tiny{library.SUFFIX}", b"\x7fELF, and what follows"
    monkeypatch.setattr(library, "SHIPPED", tmp_path)
    file.write_bytes(sealed(content))
    assert is_whole(file)
    for damaged in (b"", content, sealed(content)[:-1], sealed(content)[1:], sealed(content) + b"\0"):
        file.write_bytes(damaged)
        with pytest.raises(OSError, match=f"the library of tiny is damaged: {re.escape(str(file))}; install the pack"):
            library.library_of("tiny", "rules")


# --- copies and other processes


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.symbol)
def test_an_entry_is_the_same_when_it_is_copied_or_pickled(entry: Any) -> None:
    assert pickle.loads(pickle.dumps(entry)) is entry
    assert deepcopy(entry) is entry


@pytest.mark.parametrize("copied", [deepcopy, lambda game: pickle.loads(pickle.dumps(game))], ids=["copy", "pickle"])
def test_a_copy_of_a_game_that_was_played_reads_its_own_tables(copied: Callable[[Any], Any]) -> None:
    game = ToyRace(num_players=3)
    state = game.random_playout(game.new(1), seed=1)
    seen = game.observe(state, 1).flat.tobytes()
    other = copied(game)
    assert "rules" not in vars(other)
    game.tables.view(np.uint8)[:] = 0  # all blocks at the beginning
    assert game.observe(state, 1).flat.tobytes() != seen
    assert other.observe(state, 1).flat.tobytes() == seen


PROGRAM = """
import sys
{before}
from test_binding import everything_played

print(everything_played(), *(name for name in ("cffi", "llvmlite", "numba", "ziglang") if sys.modules.get(name)))
"""


def played(before: str = "", **variables: str) -> tuple[list[str], list[str]]:
    """The words that a new process prints, and the lines on its error stream."""
    path = [ROOT / folder for folder in ("examples", "tests/helpers", "tests/core")]
    done = run("-c", PROGRAM.format(before=before), where=ROOT, path=path, **variables)
    assert done.returncode == 0, done.stderr
    return done.stdout.split(), done.stderr.splitlines()


@pytest.mark.programs
@in_library
def test_plain_python_plays_the_same_and_needs_neither_numba_nor_cffi(tmp_path: Any) -> None:
    (digest, *loaded), _ = played()
    assert loaded == ["cffi"]
    forced, said = played(CHOCOFACTORY_RULES="python", CHOCOFACTORY_CACHE_DIR=str(tmp_path))
    assert (forced, said) == ([digest], [])
    absent = 'sys.modules["numba"] = sys.modules["ziglang"] = None'
    without, (line,) = played(absent, CHOCOFACTORY_CACHE_DIR=str(tmp_path))
    assert without == [digest]
    assert line.startswith("chocofactory_env: the rules of toyrace run as plain Python, ")
    assert line.endswith("numba and ziglang would build a library: pip install 'chocofactory-env[compile]'")
    assert list(tmp_path.iterdir()) == []
