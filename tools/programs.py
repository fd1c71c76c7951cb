"""Run the Python programs of pages with the installed package: `python -m tools.programs PAGE ...`."""

from __future__ import annotations

import re
import subprocess
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
    pages = [Path(name).resolve() for name in sys.argv[1:]]
    for page in pages:
        with tempfile.TemporaryDirectory() as folder:
            words = [sys.executable, "-c", f"import sys, pathlib; sys.path[:0] = [{folder!r}, {str(Path.cwd())!r}]; "]
            words[-1] += f"from tools.programs import run_page; run_page(pathlib.Path({str(page)!r}))"
            if subprocess.run(words, cwd=folder, check=False).returncode:
                raise SystemExit(f"{page}: a program failed: see above")


if __name__ == "__main__":
    main()
