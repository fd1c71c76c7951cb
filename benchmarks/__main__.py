"""Measure this package and its peers in one run, on one core, and print a table.

    python -m benchmarks [--seconds 5] [--repeats 3] [--only GROUP] [--no-peers] [--json FILE] [--plots FOLDER]

Every group runs in its own process, pinned to one core before it starts (threads, start and loop: to all cores). Each
peer has a virtual environment under `benchmarks/.venvs`; see `peers/`. `--plots` draws the plots of
`docs/performance.md`.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import chocofactory_env as cf

from . import ROOT
from .peers.__main__ import ONE_THREAD, VENVS, one_core, run_peers

GROUPS = (
    "floors",
    "interfaces",
    "batches",
    "games",
    "frames",
    "simultaneous",
    "text",
    "scaling",
    "threads",
    "stages",
    "start",
    "training",
    "loop",
)
ALL_CORES = ("threads", "start", "loop")
PACKAGES = ("numpy", "gymnasium", "pettingzoo", "torch", "stable_baselines3", "sb3_contrib")


def commit() -> str:
    """The commit measured, with a mark if files differ from it."""
    described = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return described.stdout.strip() or "no commit"


def machine() -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "chocofactory_env": f"{cf.__version__} at {commit()}",
        "deck": cf.load("chocofactory").deck_hash,
        **{name: version(name) for name in PACKAGES},
    }


def rows_of(group: str, seconds: float, repeats: int) -> list[dict[str, Any]]:
    """The rows of one of our groups, printed as they come."""
    command = [sys.executable, "-m", f"benchmarks.{group}", "--seconds", str(seconds), "--repeats", str(repeats)]
    pinned = None if group in ALL_CORES else one_core
    environment = {**os.environ, **ONE_THREAD}
    rows = []
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=environment,
        preexec_fn=pinned,  # noqa: PLW1509 - there are no threads here
    ) as process:
        assert process.stdout is not None
        for text in process.stdout:
            rows.append(json.loads(text))
            print(line(rows[-1]), file=sys.stderr, flush=True)
    if process.returncode:
        raise SystemExit(f"benchmarks.{group} failed with exit status {process.returncode}")
    return rows


def peer_rows(seconds: float, repeats: int, folder: Path) -> list[dict[str, Any]]:
    rows = []
    for row in run_peers(seconds, repeats, folder=folder):
        name = f"{row['peer']} {row.get('version', '')}: {row['row']}".replace(" :", ":")
        figure = {"error": row["error"]} if "error" in row else {"value": row["per_second"]}
        rows.append({"group": "peers", "row": name, "unit": "decisions/s", "note": row.get("note", ""), **figure})
    return rows


def line(row: dict[str, Any]) -> str:
    """The row as a line of a Markdown table."""
    value = row.get("value")
    figure = row["error"] if value is None else f"{value:,.0f}" if value >= 100 else f"{value:,.2f}"
    return f"| {row['row']} | {figure} | {row['unit']} | {row['note']} |"


def table(rows: list[dict[str, Any]]) -> str:
    return "\n".join(["| what | figure | unit | note |", "|---|---:|---|---|", *map(line, rows)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5.0, help="seconds per repeat (5)")
    parser.add_argument("--repeats", type=int, default=3, help="repeats per row, of which the median counts (3)")
    parser.add_argument("--only", choices=[*GROUPS, "peers"], help="measure only this group")
    parser.add_argument("--no-peers", action="store_true", help="leave other libraries out")
    parser.add_argument("--venvs", type=Path, default=VENVS, help="folder of the peers' virtual environments")
    parser.add_argument("--json", type=Path, help="also write the rows, with versions, to this file")
    parser.add_argument("--plots", type=Path, help="also draw the plots into this folder")
    chosen = parser.parse_args()

    about = machine()
    print(", ".join(f"{name} {value}" for name, value in about.items()), file=sys.stderr)
    rows: list[dict[str, Any]] = []
    for group in GROUPS:
        if chosen.only in (None, group):
            rows += rows_of(group, chosen.seconds, chosen.repeats)
    if chosen.only in (None, "peers") and not chosen.no_peers:
        rows += peer_rows(chosen.seconds, chosen.repeats, chosen.venvs)
    print(table(rows))
    if chosen.json:
        result = {"seconds": chosen.seconds, "repeats": chosen.repeats, "versions": about, "rows": rows}
        chosen.json.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    if chosen.plots:
        from .plots import draw

        draw(rows, chosen.plots)


if __name__ == "__main__":
    main()
