"""Run the Python programs of pages with the installed package: `python -m tools.programs PAGE ...`.

    python -m tools.programs --misfit

changes the manifest of the installed compiled code as if it were for another version of Numba. A program must then run
all the same, and print a line that says why it compiles.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

FENCE = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
MODULE = re.compile(r"# (\w+\.py)\n")
PLAYS = """
import chocofactory_env as cf
batch = cf.make_batch("chocofactory", 2)
print(batch.step(cf.LegalSampler(1)(batch.reset(seed=1).action_masks)).current_player)
"""


def run_page(page: Path) -> None:
    """Run a page's programs in one namespace. A program whose first line names a file is written to that file."""
    space: dict[str, Any] = {"__name__": "__main__"}
    for block in FENCE.findall(page.read_text(encoding="utf-8")):
        if module := MODULE.match(block):
            Path(module[1]).write_text(block, encoding="utf-8")
        exec(compile(block, str(page), "exec"), space)
    print(f"{page.name}: its programs run", flush=True)


def check_misfit() -> None:
    """SystemExit unless the program runs, and exactly one line says why shipped code is not used."""
    from chocofactory_env.core.compiling.shipped_code import FOLDER, MANIFEST

    file = FOLDER / MANIFEST
    manifest = json.loads(file.read_text(encoding="utf-8"))
    kept = file.read_bytes()
    manifest["made_for"]["Numba"] = "0.1"
    try:
        file.write_text(json.dumps(manifest), encoding="utf-8")
        done = subprocess.run([sys.executable, "-c", PLAYS], capture_output=True, text=True, check=False)
    finally:
        file.write_bytes(kept)
    said = [line for line in done.stderr.splitlines() if "is not used" in line]
    if done.returncode or len(said) != 1 or "Numba 0.1" not in said[0] or ": compiled " not in done.stderr:
        raise SystemExit(f"expected a line about Numba 0.1, and a program that runs; got\n{done.stderr}")
    print(said[0])


def main() -> None:
    if sys.argv[1:] == ["--misfit"]:
        check_misfit()
        return
    pages = [Path(name).resolve() for name in sys.argv[1:]]
    for page in pages:
        with tempfile.TemporaryDirectory() as folder:
            words = [sys.executable, "-c", f"import sys, pathlib; sys.path[:0] = [{folder!r}, {str(Path.cwd())!r}]; "]
            words[-1] += f"from tools.programs import run_page; run_page(pathlib.Path({str(page)!r}))"
            if subprocess.run(words, cwd=folder, check=False).returncode:
                raise SystemExit(f"{page}: a program failed: see above")


if __name__ == "__main__":
    main()
