"""Pictures of positions, compared with files that were looked at; with CF_WRITE_GOLDEN set they are written anew."""

from __future__ import annotations

import os
from pathlib import Path


def check_golden(drawn: str, path: Path) -> None:
    """AssertionError if the text is not that of the file."""
    if os.environ.get("CF_WRITE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(drawn, encoding="utf-8")
    assert drawn == path.read_text(encoding="utf-8")
