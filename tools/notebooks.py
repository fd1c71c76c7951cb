"""Execute the notebooks, each in its own folder, and write them with their outputs: `python -m tools.notebooks`.

    python -m tools.notebooks                            # all, in place
    python -m tools.notebooks 2_solo_win_rates --to x    # one, written to the folder x

With `CF_SMALL=1` they play few games, for tests.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode
from tqdm import tqdm
from traitlets.config import Config

from chocofactory_env.core.command import Command

from . import ROOT

FOLDER = ROOT / "notebooks"
NAMES = tuple(sorted(path.stem for path in FOLDER.glob("*.ipynb")))
TIMEOUT = 900  # seconds per cell; the first use compiles the rules


def execute(name: str) -> NotebookNode:
    """Execute a notebook, and return it with outputs. nbclient.exceptions.CellExecutionError if a cell fails."""
    notebook: NotebookNode = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    with TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
            "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", "1"),  # threads that share a core slow each other down
            "TMPDIR": folder,  # deleted with the notebooks' files
            "IPYTHONDIR": folder,  # avoids the user's start-up files and history
            "PYDEVD_DISABLE_FILE_VALIDATION": "1",  # silences a warning about the debugger's breakpoints
        }
        # Sockets in this folder, since the kernel warns that others on the machine could listen on TCP.
        kernel = {"transport": "ipc", "connection_file": f"{folder}/kernel.json"}
        client = NotebookClient(
            notebook,
            config=Config({"KernelManager": kernel}),
            timeout=TIMEOUT,
            kernel_name="python3",
            resources={"metadata": {"path": folder}},
            record_timing=False,
            coalesce_streams=True,
        )
        client.execute(env=environment)
    del notebook.metadata["language_info"]  # depends on the machine
    return notebook


def write_notebooks(names: Sequence[str] = (), *, to: Path = FOLDER) -> None:
    """Execute notebooks, and write them with their outputs.

    Args:
        names: of notebooks; all unless given.
        to: output folder.
    """
    if unknown := set(names) - set(NAMES):
        raise ValueError(f"there is no {', '.join(sorted(unknown))}; there are: {', '.join(NAMES)}")
    for name in (bar := tqdm(names or NAMES, unit="notebook")):
        bar.set_postfix_str(name)
        notebook = execute(name)
        to.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, to / f"{name}.ipynb")


main = Command("python -m tools.notebooks", write_notebooks, ("2_solo_win_rates --to x",), positional=("names",)).run

if __name__ == "__main__":
    main()
