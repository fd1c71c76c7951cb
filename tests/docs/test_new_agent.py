"""The worked example of docs/new-agent.md: its modules, programs and commands run in the order of the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from processes import output
from repository import ROOT

PAGE = (ROOT / "docs" / "new-agent.md").read_text(encoding="utf-8")
FENCE = re.compile(r"```(python|)\n(.*?)```", re.DOTALL)
MODULE = re.compile(r"# (\w+\.py)\n")


@pytest.mark.programs
def test_the_page_runs_from_top_to_bottom(tmp_path: Path) -> None:
    """A block that begins with the name of a file is written to it; an agent that is written anew replaces the old."""
    played = []
    for language, block in FENCE.findall(PAGE):
        if language and (module := MODULE.match(block)):
            (tmp_path / module[1]).write_text(block, encoding="utf-8")
        elif language:
            (tmp_path / "program.py").write_text(block, encoding="utf-8")
            assert output("program.py", where=tmp_path)
        else:
            commands = (
                re.sub(r"--deals \d+", "--deals 1", block)
                .replace("chocofactory ", "-m chocofactory_env.arena ")
                .splitlines()
            )
            played += [output(*command.split(), where=tmp_path) for command in commands]
    two, three, tournament = played
    assert "my_agents:Patient" in two
    assert "my_agents:Patient:random=0.5" in three
    assert "my_search:Sampler:deals=2" in tournament
    assert (tmp_path / "runs" / "mine" / "result.json").is_file()


def test_the_first_agent_has_ten_lines() -> None:
    first = FENCE.findall(PAGE)[0][1]
    assert len([line for line in first.splitlines()[1:] if line.strip()]) <= 10


@pytest.mark.slow
def test_a_setting_out_of_its_range_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import chocofactory_env as cf

    modules = [block for _, block in FENCE.findall(PAGE) if MODULE.match(block)]
    (tmp_path / "example_agents.py").write_text(modules[1], encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert "`my_agents:Patient:random=2` is rejected" in PAGE
    with pytest.raises(ValueError, match=r"random: expected a number 0\.\.1, got 2"):
        cf.make_agent("example_agents:Patient:random=2", cf.load("chocofactory"))
