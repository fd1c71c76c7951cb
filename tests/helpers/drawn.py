"""The texts of a plot."""

from __future__ import annotations

import re
from pathlib import Path


def texts_of(plot: Path) -> set[str]:
    """All texts of a Matplotlib SVG file, which has each one in a comment beside its shapes."""
    return set(re.findall(r"<!-- (.*?) -->", plot.read_text(encoding="utf-8")))
