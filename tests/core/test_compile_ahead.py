"""The second process that compiles: when it is started, and that what it compiles is what a game needs."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from repository import ROOT

from chocofactory_env import warm_up
from chocofactory_env.core.compiling import compile_ahead
from chocofactory_env.core.jit import COMPILED, game_of
from chocofactory_env.core.kernel.rng import seed_generator
from chocofactory_env.games.schoko import actions
from chocofactory_env.games.schoko.kernel import KERNEL

FIRST_STEP = """
import sys, chocofactory_env as cf
batch = cf.make_batch(sys.argv[1], num_envs=2)
batch.reset(seed=0)
game = cf.load(sys.argv[1])
state = game.new(seed=0)
game.observe(state, 0)
game.apply(state, int(game.legal_mask(state).argmax()))
"""


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that would be started, on two cores."""
    commands: list[list[str]] = []
    monkeypatch.delenv(compile_ahead.VARIABLE, raising=False)
    monkeypatch.setattr(compile_ahead, "cores", lambda: 2)
    monkeypatch.setattr(subprocess, "Popen", lambda command, **_: commands.append(command))
    monkeypatch.setattr(atexit, "register", lambda *_: None)
    monkeypatch.setattr(compile_ahead, "share_compiling", compile_ahead.share_compiling.__wrapped__)
    return commands


def test_a_second_process_compiles_the_game(started: list[list[str]]) -> None:
    compile_ahead.share_compiling("schoko")
    ((python, *words),) = started
    assert python == sys.executable
    assert words == ["-m", "chocofactory_env.warm_up", "schoko", "--parts", "ahead", "--processes", "1"]


def test_on_one_core_and_where_it_is_not_wanted_there_is_none(
    started: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(compile_ahead.VARIABLE, "alone")
    compile_ahead.share_compiling("schoko")
    monkeypatch.delenv(compile_ahead.VARIABLE)
    monkeypatch.setattr(compile_ahead, "cores", lambda: 1)
    compile_ahead.share_compiling("schoko")
    assert not started


def test_where_none_can_be_started_one_process_compiles(
    started: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr(subprocess, "Popen", fail)
    compile_ahead.share_compiling("schoko")
    assert not started


def test_it_ends_with_the_first_one() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as second:
        compile_ahead.end(second)
        assert second.poll() is not None


@pytest.mark.skipif(not COMPILED, reason="plain functions have no Python function within")
def test_functions_know_their_game() -> None:
    assert game_of(actions.advance.py_func) == "schoko"  # type: ignore[attr-defined]
    assert game_of(KERNEL.step_rows.py_func) == "schoko"
    assert game_of(seed_generator.py_func) is None  # type: ignore[attr-defined]
    assert game_of(os.path.join) is None


@pytest.mark.programs
@pytest.mark.skipif(not COMPILED, reason="without the compiler there is nothing to keep")
@pytest.mark.parametrize("game", ["candyfactory", "chocofactory", "schoko"])
def test_what_it_compiles_is_what_a_batch_and_a_game_call(game: str, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "CHOCOFACTORY_CACHE_DIR": str(tmp_path)}
    ahead = [sys.executable, "-m", warm_up.__name__, game, "--parts", "ahead", "--processes", "1"]
    subprocess.run(ahead, env=environment, check=True, capture_output=True)
    kept = {file: file.stat().st_mtime_ns for file in tmp_path.glob("*/*.nbc")}
    subprocess.run([sys.executable, "-c", FIRST_STEP, game], env=environment, check=True, capture_output=True)
    for rule in ("advance", "write_observation"):
        (file,) = tmp_path.glob(f"*/*.{rule}-*.nbc")  # a second one would be of other types
        assert file.stat().st_mtime_ns == kept[file]
