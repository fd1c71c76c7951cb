"""The worked example of docs/new-effect.md: its patches fit, its test passes, and the card is played."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from repository import ROOT

import chocofactory_env as cf
from chocofactory_env.games.chocofactory.cards import DATA

PAGE = ROOT / "docs" / "new-effect.md"
COPIED = ("agents", "chocofactory_env", "examples", "docs/chocofactory/rules.md", "pyproject.toml", "tests", "tools")
PLAY = """
import sys
import chocofactory_env as cf
import numpy as np

shipped_hash, shipped_size = sys.argv[1], int(sys.argv[2])
assert cf.load("chocofactory").deck_hash == shipped_hash
game = cf.load("chocofactory", deck="deck.toml")
assert game.deck_hash != shipped_hash
assert game.observation_layout.size > shipped_size
rng, taken = np.random.default_rng(0), 0
for seed in range(2):
    state = game.new(seed)
    while not game.is_over(state):
        legal = {game.describe(action): action for action in np.flatnonzero(game.legal_mask(state))}
        action = rng.choice(list(legal.values()))
        if game.to_dict(state)["display"]["employees"]["palace_boutique"] == "storekeeper":
            action = legal.get("draft employee palace_boutique", action)
            taken += game.describe(action) == "draft employee palace_boutique"
        game.apply(state, action)
print(taken)
"""


def hunks_of(page: Path) -> Iterator[tuple[str, str, str]]:
    """For every hunk of the page's patches: the file, the lines that it expects there, and those that it leaves."""
    for patch in re.findall(r"```diff\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
        head, *hunks = re.split(r"^@@.*\n", patch, flags=re.MULTILINE)
        path = head.splitlines()[1].removeprefix("+++ b/")
        for hunk in hunks:
            lines = hunk.splitlines(keepends=True)
            yield path, "".join(x[1:] for x in lines if x[0] in " -"), "".join(x[1:] for x in lines if x[0] in " +")


@pytest.fixture(scope="module")
def patched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository with the patches of the page."""
    copy = tmp_path_factory.mktemp("patched")
    for name in COPIED:
        source, target = ROOT / name, copy / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "*.safetensors"))
        else:
            shutil.copy(source, target)
    for path, before, after in hunks_of(PAGE):
        text = (copy / path).read_text(encoding="utf-8")
        assert text.count(before) == 1, f"a patch of new-effect.md does not fit {path}; expected there:\n{before}"
        (copy / path).write_text(text.replace(before, after), encoding="utf-8")
    return copy


def run(copy: Path, *words: str) -> str:
    """The output of a Python process that sees the copy alone, uncompiled."""
    environment = {**os.environ, "PYTHONPATH": str(copy), "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, *words], cwd=copy, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.programs
def test_its_test_and_those_of_the_chapter_pass(patched: Path) -> None:
    """And its clause has code and a test, in the same process."""
    files = ("tests/games/chocofactory/rules/test_rules_cleanup.py", "tests/docs/test_clauses.py")
    printed = run(patched, "-m", "pytest", "-v", *files, "-k", "test_rules_cleanup or (every and chocofactory)")
    assert re.search(r"storekeeper\S* PASSED", printed)
    assert re.search(r"test_clauses.py::test_every\S*chocofactory\S* PASSED", printed)


@pytest.mark.programs
def test_its_card_is_played_and_the_shipped_deck_stays(patched: Path) -> None:
    """With the deck of the page's test."""
    added = (patched / "tests/games/chocofactory/rules/test_rules_cleanup.py").read_text(encoding="utf-8")
    [card] = re.findall(r'storekeeper = """(.*?)"""', added, re.DOTALL)
    employees = (DATA / "employees.toml").read_text(encoding="utf-8")
    one_miner = re.sub(r'(id = "miner".*?count) = 2', r"\1 = 1", employees, flags=re.DOTALL)
    (patched / "deck.toml").write_text(one_miner + card, encoding="utf-8")
    game = cf.load("chocofactory")
    assert int(run(patched, "-c", PLAY, game.deck_hash, str(game.observation_layout.size))) > 0
