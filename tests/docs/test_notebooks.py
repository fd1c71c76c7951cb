"""The notebooks run, define nothing of their own, and are committed as they ran, with no trace of a machine."""

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest
from processes import output
from repository import ROOT

from chocofactory_env.agents.chocofactory import CHECKPOINTS as SHIPPED

NAMES = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
CHECKPOINTS = {"4_heuristic_against_learned": ("players", "solo")}
PATHS = re.compile(r"(?<![\w.])/(bin|home|mnt|opt|private|root|srv|tmp|usr|Users|var|work|workspace)\b|\b[A-Z]:\\")


def cells_of(name: str, folder: Path = ROOT / "notebooks") -> list[dict[str, Any]]:
    """The cells with code."""
    notebook = json.loads((folder / f"{name}.ipynb").read_text(encoding="utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def texts_of(cell: dict[str, Any]) -> list[str]:
    """What the outputs of a cell say; not their pixels."""
    texts = ["".join(output.get("text", "")) for output in cell["outputs"]]
    data = [output.get("data", {}) for output in cell["outputs"]]
    return texts + ["".join(said) for each in data for kind, said in each.items() if not kind.startswith("image/png")]


def skip_without_checkpoints(name: str) -> None:
    missing = [each for each in CHECKPOINTS.get(name, ()) if not (SHIPPED / f"{each}.safetensors").exists()]
    if missing:
        pytest.skip(f"agents/chocofactory/checkpoints has no {' and no '.join(missing)} to play with yet")


def test_there_are_four() -> None:
    assert [name[0] for name in NAMES] == ["1", "2", "3", "4"]


@pytest.mark.programs
@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_runs_with_small_numbers(name: str, tmp_path: Path) -> None:
    skip_without_checkpoints(name)
    # In a process of its own: warnings of Jupyter's event loop are none of ours.
    output("-m", "tools.notebooks", name, "--to", tmp_path, CF_SMALL="1")
    ran = cells_of(name, tmp_path)
    assert [cell["source"] for cell in ran] == [cell["source"] for cell in cells_of(name)]
    assert [cell["execution_count"] for cell in ran] == list(range(1, len(ran) + 1))


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_imports_and_defines_nothing(name: str) -> None:
    for cell in cells_of(name):
        for node in ast.walk(ast.parse("".join(cell["source"]))):
            assert not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda)


@pytest.mark.parametrize("name", NAMES)
def test_a_committed_notebook_shows_no_error_and_no_machine(name: str) -> None:
    for cell in cells_of(name):
        for shown in cell["outputs"]:
            assert shown["output_type"] != "error"
            assert shown.get("name") != "stderr"
        for text in ["".join(cell["source"]), *texts_of(cell)]:
            assert PATHS.search(text) is None
            assert "Warning" not in text


@pytest.mark.parametrize("name", NAMES)
def test_a_committed_notebook_was_executed_from_top_to_bottom(name: str) -> None:
    """`make notebooks` does it."""
    skip_without_checkpoints(name)
    cells = cells_of(name)
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    assert any("image/png" in output.get("data", {}) for cell in cells for output in cell["outputs"])
