"""`python -m chocofactory_env.warm_up`: afterwards nothing is left to compile."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from repository import ROOT

from chocofactory_env import registry, warm_up
from chocofactory_env.core.binding import ENTRIES, SHARED
from chocofactory_env.core.compiling import code_cache
from chocofactory_env.core.jit import COMPILED
from chocofactory_env.games.chocofactory.game import ChocolateFactory
from chocofactory_env.games.chocofactory.search import tree
from toyrace.game import ToyRace

pytestmark = pytest.mark.programs  # what is left to compile is seen by the next process
compiled = pytest.mark.skipif(not COMPILED, reason="without the compiler there is nothing to warm up")

# What users do, by kind of argument: every compiled function has to be called with the types that were warmed up.
USES = """
import pickle
import gymnasium
import numpy as np
import chocofactory_env as cf
from agents.protocol import make_agent, decide
from chocofactory_env import chocofactory_v0

AGENTS = "greedy", "planner:width=2", "expert:width=2,draft_width=1", "mcts:simulations=2", "flat_mc:playouts=1"

class Opponents:
    def begin(self, rows, seeds):
        pass

    def __call__(self, observations, masks):
        return masks.argmax(axis=1)

for options in ({}, {"expansion": "master_chocolatier"}, {"num_players": 1, "difficulty": 1}):
    for reward in ("win", "shaped"):
        env = chocofactory_v0.env(**{"num_players": 4, "reward": reward, **options})
        env.reset(seed=1)
        for agent in env.agent_iter():
            observation, _, over, cut, _ = env.last()
            env.step(None if over or cut else int(observation["action_mask"].argmax()))
    game = cf.load("chocofactory", **options)
    for scaled in (False, True):
        batch = cf.make_batch(game, 3, scaled=scaled, num_threads=2)
        batch.step(cf.LegalSampler(1)(batch.reset(seed=1).action_masks))
    state = game.from_dict(game.to_dict(pickle.loads(pickle.dumps(game.new(1)))))
    for number in range(3):
        for name in AGENTS:
            action = decide(game, make_agent(name, game), state)
        game.apply(state, np.int64(action))
    game.random_playouts(state, np.arange(200), num_threads=2, player=0)
envs = [
    gymnasium.make("ChocoFactory/FactoryManager-v0"),
    gymnasium.make("ChocoFactory/Versus-v0"),
    gymnasium.make_vec("ChocoFactory/FactoryManager-v0", 2),
    gymnasium.make_vec("ChocoFactory/Versus-v0", 2, opponents=Opponents()),
]
for env in envs:
    _, info = env.reset(seed=1)
    for _ in range(300):
        *_, over, cut, info = env.step(info["action_mask"].argmax(axis=-1))
        if np.ndim(over) == 0 and over:
            _, info = env.reset()
"""


def run(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    return subprocess.run([sys.executable, *words], env=environment, capture_output=True, text=True, check=False)


@compiled
def test_afterwards_every_entry_is_compiled(capsys: pytest.CaptureFixture[str]) -> None:
    warm_up.main(["--processes", "1"])
    lines = capsys.readouterr().out.splitlines()
    parts = [part for part in warm_up.PARTS if part != "ahead"]  # what that compiles the others need, too
    expected = [f"{name}, {part}" for part in parts for name in sorted(registry.GAMES)]
    assert [line.split(":")[0] for line in lines[:-1]] == expected
    assert lines[-1] == f"kept in {code_cache.cache_folder()}"
    entries = [
        *entries_of(ROOT / "chocofactory_env" / "core"),
        # What checks positions from outside is compiled when a position first needs it.
        *(each for each in entries_of(ROOT / "chocofactory_env" / "games") if ".positions." not in each.__module__),
        *(getattr(ToyRace.kernel, name) for name in ENTRIES),
        *(getattr(ChocolateFactory.kernel, name) for name in ENTRIES - JUDGING),
    ]
    entries.remove(ChocolateFactory.kernel.grow)  # its search binds another one, with leaves judged by its own rules
    entries.append(tree.KERNEL.grow)
    assert len(entries) > 30
    assert [each for each in entries if not each.signatures] == []


# Games whose turns are searched by `core.search.turns` use them.
JUDGING = {name for name in ENTRIES if SHARED[name].__module__.endswith((".turns", ".value"))}


def entries_of(folder: Path) -> list[Any]:
    """The functions that Python calls, of all modules below a folder."""
    entries = []
    for file in sorted(folder.rglob("*.py")):
        module = ".".join(file.relative_to(ROOT).with_suffix("").parts)
        names = re.findall(r"^@jit_entry\ndef (\w+)", file.read_text(), re.MULTILINE)
        entries += [getattr(import_module(module), name) for name in names]
    return entries


@compiled
def test_afterwards_nothing_is_compiled() -> None:
    warm_up.main([])
    done = run("-W", "ignore", "-c", USES)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""


@compiled
def test_any_registered_game_is_warmed_up(capsys: pytest.CaptureFixture[str]) -> None:
    warm_up.main(["toyrace", "--parts", "rules", "batches", "--processes", "1"])
    out = capsys.readouterr().out
    assert re.fullmatch(
        r"toyrace, rules: \d+\.\d s \(1 of 2\)\ntoyrace, batches: \d+\.\d s \(2 of 2\)\nkept in .*\n", out
    )


@compiled
def test_processes_share_the_parts_and_keep_what_they_compile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CHOCOFACTORY_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(warm_up, "cache_folder", code_cache.cache_folder.__wrapped__)
    warm_up.main(["toyrace", "--parts", "rules", "batches", "--processes", "2"])
    out, err = capfd.readouterr()
    done = [re.sub(r": \d+\.\d s", "", line) for line in out.splitlines()[:-1]]
    assert sorted(line.partition(" (")[0] for line in done) == ["toyrace, batches", "toyrace, rules"]
    assert [line.partition(" (")[2] for line in done] == ["1 of 2)", "2 of 2)"]
    compiled_once = re.findall(r": compiled (.*) in ", err)
    assert len(compiled_once) == len(set(compiled_once)) > 5
    program = "from toyrace.game import ToyRace; from chocofactory_env import warm_up as w; w.use_rules(ToyRace())"
    variables = {"CHOCOFACTORY_CACHE_DIR": str(tmp_path), "CHOCOFACTORY_COMPILE": "never"}
    again = run("-c", program, PYTHONPATH=os.pathsep.join([str(ROOT), str(ROOT / "examples")]), **variables)
    assert again.returncode == 0, again.stderr


@compiled
@pytest.mark.parametrize("opened", [False, True], ids=["cannot be made", "open to others"])
def test_it_fails_where_the_code_cannot_be_kept(tmp_path: Path, opened: bool) -> None:
    if opened and os.name != "posix":
        pytest.skip("modes are those of POSIX")
    cache = tmp_path / "cache"
    if opened:
        cache.mkdir()
        cache.chmod(0o777)
    else:
        cache.write_text("")
    program = "from chocofactory_env import warm_up; warm_up.PARTS = {'rules': lambda game: None}; "
    program += "warm_up.main(['--processes', '1'])"
    done = run("-c", program, CHOCOFACTORY_CACHE_DIR=str(cache))
    assert done.returncode == 1
    assert str(cache) in done.stderr
    assert "kept in" not in done.stdout


@compiled
def test_it_fails_where_a_file_could_not_be_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(warm_up, "PARTS", {"rules": lambda game: code_cache.report_once("unwritable", "disk full")})
    monkeypatch.setattr(code_cache, "_reported", set())
    with pytest.raises(SystemExit) as end:
        warm_up.main(["--processes", "1"])
    assert end.value.code == 1
    assert "could not be kept" in capsys.readouterr().err


def test_uncompiled_there_is_nothing_to_do() -> None:
    done = run("-m", "chocofactory_env.warm_up", NUMBA_DISABLE_JIT="1")
    assert done.returncode == 1
    assert "NUMBA_DISABLE_JIT" in done.stderr


def test_the_help_explains_and_unknown_games_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    for words, code in ((["--help"], 0), (["chess"], 2)):
        with pytest.raises(SystemExit) as end:
            warm_up.main(words)
        assert end.value.code == code
    captured = capsys.readouterr()
    for part in ("for images and CI", "CHOCOFACTORY_CACHE_DIR", "--parts", "chocofactory"):
        assert part in captured.out
    assert f"unknown game 'chess'; there are: {', '.join(sorted(registry.GAMES))}" in captured.err
