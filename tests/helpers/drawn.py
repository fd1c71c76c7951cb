"""What stands on a plot."""

from __future__ import annotations

import re
from pathlib import Path


def texts_of(plot: Path) -> set[str]:
    """All texts of an SVG file by Matplotlib, which names each of them in a comment beside its shapes."""
    return set(re.findall(r"<!-- (.*?) -->", plot.read_text(encoding="utf-8")))
