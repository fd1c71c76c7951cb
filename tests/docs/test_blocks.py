"""The programs of the pages run as they stand, and the commands marked `sh`, with small numbers.

The Python blocks of a page follow each other in one namespace. A block whose first line names a file is written to it.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from processes import output
from repository import ROOT

from chocofactory_env.registry import GAMES
from chocofactory_env.training.runs import in_words

DOCS = ROOT / "docs"
FENCE = re.compile(r"^```(python|sh)\n(.*?)^```", re.DOTALL | re.MULTILINE)
MODULE = re.compile(r"# (\w+\.py)\n")

# Pages whose blocks other tests run, because they need more than one after the other.
ELSEWHERE = {
    "agents.md": "tests/agents/test_own_agents.py",
    "datasets.md": "tests/training/test_dataset.py",
    "new-agent.md": "tests/docs/test_new_agent.py",
    "new-game.md": "tests/docs/test_new_game.py",
}
# Files that a page begins with: where they go, and where they come from.
FILES = {
    "libraries.md": {"selfplay.py": "examples/selfplay.py", "examples/selfplay.py": "examples/selfplay.py"},
}
# Commands and programs do less than on the page. `--games` of a rollout, `--deals` of a match.
SMALL = (
    (r"ppo duel", "ppo duel --games 16 --steps 32 --iterations 2 --evaluate-deals 1"),
    (r"--deals \d+", "--deals 3"),
    (r"--evaluate-deals \d+", "--evaluate-deals 1"),
    (r"--epochs \d+", "--epochs 1"),
    (r"--iterations \d+", "--iterations 4"),
    (r"--games \d+", "--games 16"),
    (r"--steps \d+", "--steps 32"),
    (r"--evaluate \d+", "--evaluate 8"),
    (r"deals=range\(\d+\)", "deals=range(2)"),
    (r"learn\([\d_]+\)", "learn(4_096)"),
    (r"num_envs=\d{3,}", "num_envs=64"),
    (r"range\(\d{3,}\)", "range(50)"),
)


def blocks_of(page: Path) -> list[tuple[str, str]]:
    """Language and text of the blocks of a page that run."""
    return FENCE.findall(page.read_text(encoding="utf-8"))


def pages() -> Iterator[str]:
    yield from (page.relative_to(DOCS).as_posix() for page in sorted(DOCS.rglob("*.md")) if blocks_of(page))


HERE = [page for page in pages() if page not in ELSEWHERE]


def small(block: str) -> str:
    for pattern, replacement in SMALL:
        block = re.sub(pattern, replacement, block)
    return block


def run(command: str, folder: Path) -> None:
    """A line of a shell block, which is a Python command, or that of an installation."""
    program, *words = shlex.split(command)
    words = {"python": words, "chocofactory": ["-m", "chocofactory_env.arena", *words]}[program]
    output(*words, where=folder)


@pytest.mark.programs
@pytest.mark.filterwarnings("ignore:PettingZoo in TorchRL is tested using:UserWarning")  # it names an older one
@pytest.mark.parametrize("page", HERE)
def test_the_blocks_of_a_page_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for target, source in FILES.get(page, {}).items():
        (tmp_path / target).parent.mkdir(exist_ok=True)
        shutil.copyfile(ROOT / source, tmp_path / target)
    monkeypatch.chdir(tmp_path)
    registered = dict(GAMES)
    space: dict[str, Any] = {}
    for language, block in blocks_of(DOCS / page):
        if module := MODULE.match(block):
            (tmp_path / module[1]).write_text(block, encoding="utf-8")
        elif language == "python":
            exec(compile(small(block), page, "exec"), space)
        else:
            for command in block.splitlines():
                run(small(command), tmp_path)
    GAMES.clear()
    GAMES.update(registered)


def test_other_tests_run_the_other_pages() -> None:
    for page, test in ELSEWHERE.items():
        assert blocks_of(DOCS / page)
        assert page in (ROOT / test).read_text(encoding="utf-8")


def test_self_play_takes_80_lines() -> None:
    source = (ROOT / "examples" / "selfplay.py").read_text(encoding="utf-8")
    code = re.sub(r'""".*?"""', "", source, flags=re.DOTALL).splitlines()
    assert len([line for line in code if line.strip() and not line.lstrip().startswith("#")]) <= 80


# Lines of progress, as programs print them, and their parts.
LINE = re.compile(r"^ +(\d+)  (won .*)$", re.MULTILINE)
PART = re.compile(r"(?:won )?(\S+) ([\d.,]+)(%?)")


def test_the_tutorial_shows_lines_of_progress_as_they_are_printed() -> None:
    shown = LINE.findall((ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8"))
    for _, told in shown:
        values = {
            f"{name}/won" if percent else name: float(number.replace(",", "")) / (100 if percent else 1)
            for name, number, percent in (PART.fullmatch(part).groups() for part in told.split(", "))  # type: ignore[union-attr]
        }
        values |= {"decisions": int(values["decisions"])} if "decisions" in values else {}
        assert in_words(values) == told
    assert len(shown) == 4
