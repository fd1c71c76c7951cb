"""Run the Python programs of a page with the installed package: `python -m tools.programs PAGE`."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

FENCE = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
MODULE = re.compile(r"# (\w+\.py)\n")


def run_page(page: Path) -> None:
    """Run a page's programs in one namespace. A program whose first line names a file is written to that file."""
    space: dict[str, Any] = {"__name__": "__main__"}
    for block in FENCE.findall(page.read_text(encoding="utf-8")):
        if module := MODULE.match(block):
            Path(module[1]).write_text(block, encoding="utf-8")
        exec(compile(block, str(page), "exec"), space)
    print(f"{page.name}: its programs run", flush=True)


def main() -> None:
    page = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sys.path.insert(0, folder)
        run_page(page)


if __name__ == "__main__":
    main()
