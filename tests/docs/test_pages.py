"""The generated pages are fresh, of every game that is registered."""

from pathlib import Path

import pytest

from tools.pages import pages


@pytest.mark.parametrize(("file", "text"), [pytest.param(file, text, id=file.stem) for file, text in pages()])
def test_a_generated_page_is_fresh(file: Path, text: str) -> None:
    assert file.read_text(encoding="utf-8") == text, "run `make docs`"
