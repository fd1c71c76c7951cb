"""Measure other libraries' environments, each in its own virtual environment, one after the other on one core.

    python -m benchmarks.peers [--only NAME] [--seconds 5] [--repeats 3] [--venvs FOLDER] [--json FILE]

`measure.py` explains the measure. A peer that cannot be installed or run gets a row with an error.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
VENVS = HERE.parent / ".venvs"
INSTALL_LIMIT = 900  # seconds
RUN_LIMIT = 3600
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def one_core() -> None:
    """Pin a new process before its program starts, since libraries start threads on import."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


class Peer(NamedTuple):
    """The packages to install, and the settings of the script."""

    requirements: tuple[str, ...]
    environment: Mapping[str, str] = {}
    build: str = ""  # a script to run once in the new virtual environment


# By the name of the script after `peer_`.
PEERS: dict[str, Peer] = {
    "open_spiel": Peer(("open_spiel==2.0.2", "numpy==2.4.6")),
    "pgx": Peer(
        ("pgx==2.6.0", "jax==0.10.2", "jaxlib==0.10.2", "numpy==2.4.6"),
        {
            "JAX_PLATFORMS": "cpu",
            "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
            # Keeps the memory of large arrays instead of mapping it again at every step: see the script.
            "MALLOC_ARENA_MAX": "1",
            "MALLOC_MMAP_THRESHOLD_": str(4 << 30),
            "MALLOC_TRIM_THRESHOLD_": str(16 << 30),
            "MALLOC_TOP_PAD_": str(256 << 20),
        },
    ),
    "pettingzoo": Peer(("pettingzoo[classic]==1.27.0", "gymnasium==1.4.0", "chess==1.11.2", "numpy==2.4.6")),
    "rlcard": Peer(("rlcard==1.2.0", "numpy==2.4.6")),
    "catanatron": Peer(("catanatron==3.2.1", "catanatron_gym==4.0.0", "networkx==3.6.1", "numpy==2.4.6")),
    "pufferlib": Peer(
        ("numpy==2.4.6", "gymnasium==1.1.1", "gym==0.23.1", "setuptools==80.9.0"), build="build_pufferlib.py"
    ),
}


class FailedError(Exception):
    """A command failed, for the reason it printed."""


def run(command: Sequence[str | Path], limit: float, **options: Any) -> str:
    """Run a command, and return its stdout."""
    done: subprocess.CompletedProcess[str]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False, **options)
    except subprocess.TimeoutExpired:
        raise FailedError(f"not done after {limit} s") from None
    if done.returncode:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        errors = [line for line in lines if "error" in line.lower()] or lines or [f"exit status {done.returncode}"]
        raise FailedError(errors[-1][:300])
    return done.stdout


def python_of(name: str, folder: Path) -> Path:
    """The interpreter of the peer's virtual environment, which is created if missing or outdated."""
    peer, home = PEERS[name], folder.resolve() / name
    python = home / "bin" / "python"
    build = (HERE / peer.build).read_text(encoding="utf-8") if peer.build else ""
    wanted = "\n".join([platform.python_version(), *peer.requirements, build])
    stamp = home / "installed.txt"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return python
    print(f"{name}: installing {', '.join(peer.requirements)}", file=sys.stderr, flush=True)
    shutil.rmtree(home, ignore_errors=True)
    run([sys.executable, "-m", "venv", home], INSTALL_LIMIT)
    run([python, "-m", "pip", "install", "--quiet", *peer.requirements], INSTALL_LIMIT)
    if peer.build:
        run([python, HERE / peer.build], INSTALL_LIMIT)
    stamp.write_text(wanted, encoding="utf-8")
    return python


def rows_of(name: str, seconds: float, repeats: int, folder: Path) -> list[dict[str, Any]]:
    try:
        python = python_of(name, folder)
    except FailedError as error:
        return [{"peer": name, "row": "", "error": f"did not install: {error}"}]
    print(f"{name}: measuring", file=sys.stderr, flush=True)
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    command = [str(python), str(HERE / f"peer_{name}.py"), "--seconds", str(seconds), "--repeats", str(repeats)]
    environment |= {**ONE_THREAD, **PEERS[name].environment}
    try:  # in the virtual environment's folder, since a library may leave files in the working directory
        out = run(command, RUN_LIMIT, cwd=folder / name, env=environment, preexec_fn=one_core)
    except FailedError as error:
        return [{"peer": name, "row": "", "error": str(error)}]
    return [json.loads(line) for line in out.splitlines() if line.startswith("{")]


def run_peers(seconds: float = 5.0, repeats: int = 3, only: str = "", folder: Path = VENVS) -> list[dict[str, Any]]:
    """Measure every peer whose name contains `only`, with virtual environments in `folder`; returns the rows."""
    rows = []
    for name in PEERS:
        if only in name:
            for row in rows_of(name, seconds, repeats, folder):
                print(line(row), file=sys.stderr, flush=True)
                rows.append(row)
    return rows


def line(row: Mapping[str, Any]) -> str:
    figure = row["error"] if "error" in row else f"{row['per_second']:12,.0f}  {row['note']}"
    return f"{row['peer']:18} {row.get('version', ''):7} {row['row']:28} {figure}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help=f"peers whose name contains this ({', '.join(PEERS)})")
    parser.add_argument("--seconds", type=float, default=5.0, help="seconds per repeat (5)")
    parser.add_argument("--repeats", type=int, default=3, help="repeats per row, of which the median counts (3)")
    parser.add_argument("--venvs", type=Path, default=VENVS, help="folder of the virtual environments")
    parser.add_argument("--json", type=Path, help="also write the rows to this file")
    arguments = parser.parse_args()

    rows = run_peers(arguments.seconds, arguments.repeats, arguments.only, arguments.venvs)
    print("\n".join(line(row) for row in rows))
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
