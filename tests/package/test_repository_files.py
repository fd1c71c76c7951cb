"""What pages, workflows and messages quote exists: commands, dependency groups, extras, versions of Python."""

from __future__ import annotations

import re
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest
from links import lost_links
from repository import ROOT

DECLARED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "agents").rglob("*.md")])
WITH_COMMANDS = [*PAGES, ROOT / "Makefile", *sorted((ROOT / ".github").rglob("*.yml"))]


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=name_of)
def test_the_modules_that_a_page_runs_exist(page: Path) -> None:
    modules = set(re.findall(r"python -m ([\w.]+\w)", page.read_text(encoding="utf-8")))
    assert [module for module in sorted(modules) if find_spec(module) is None] == []


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=name_of)
def test_the_groups_and_extras_that_a_page_names_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert set(re.findall(r"--group (\w+)", text)) <= set(DECLARED["dependency-groups"])
    named = re.findall(r"(?:chocofactory-env|-e \"?\.|--editable \"?\.)\[([\w,]+)\]", text)
    extras = {extra for names in named for extra in names.split(",")}
    assert extras <= set(DECLARED["project"]["optional-dependencies"])


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_the_links_of_a_page_lead_to_files_of_the_repository(page: Path) -> None:
    assert lost_links(page) == []


@pytest.mark.parametrize("name", ["ci", "release"])
def test_workflows_run_the_versions_of_python_that_are_declared(name: str) -> None:
    declared = {
        line.rpartition(" ")[2] for line in DECLARED["project"]["classifiers"] if re.search(r"Python :: 3\.\d+$", line)
    }
    workflow = (ROOT / ".github" / "workflows" / f"{name}.yml").read_text(encoding="utf-8")
    assert set(re.findall(r'"(3\.\d+)"', workflow)) == declared
