"""The pictures of the pages are fresh, and the code of docs/pictures.md runs."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from repository import ROOT

from chocofactory_env.drawing.check import faults
from tools.picture import IMAGES, PICTURES, drawn

PAGE = (ROOT / "docs" / "pictures.md").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_fresh_and_legible(name: str) -> None:
    assert (IMAGES / f"{name}.svg").read_text(encoding="utf-8") == drawn(name), "run `python -m tools.picture`"
    assert faults(PICTURES[name].scene()) == []


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_on_the_page(name: str) -> None:
    assert f"images/{name}.svg" in PAGE


@pytest.mark.slow
def test_the_code_of_the_page_runs() -> None:
    program = "\n".join(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert "<svg Player" in lines[0]
    assert lines[1] == "(400, 640, 3)"
