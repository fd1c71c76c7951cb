"""Measure this package in one run, and print a table: `python -m benchmarks [--only GROUP] [--json FILE]`.

Every group runs in its own process, on one core to which it is pinned before it starts (start and loop: on all cores).
The scripts of `peers/` measure other libraries.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from json import dumps, loads
from typing import Annotated, Any

from tqdm import tqdm

import chocofactory_env as cf
from chocofactory_env.arena.games import versions as versions_of
from chocofactory_env.core.command import Command, Count, OutFile, one_of

from . import ONE_THREAD, ROOT

ON_ONE_CORE = {"interfaces": True, "batches": True, "start": False, "loop": False}
Group = Annotated[str, one_of(ON_ONE_CORE)]


def versions() -> dict[str, Any]:
    """What is measured, and where; the commit has a mark if files differ from it."""
    described = ["git", "describe", "--always", "--dirty"]
    commit = subprocess.run(described, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    return versions_of("gymnasium", "pettingzoo", "torch") | {
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "chocofactory_env": f"{cf.__version__} at {commit or 'no commit'}",
        "deck": cf.load("chocofactory").deck_hash,
    }


def one_core() -> None:
    """Pin a new process before its program starts, since libraries start threads on import."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def rows_of(group: str, options: list[str]) -> list[dict[str, Any]]:
    """Measure a group. subprocess.CalledProcessError if it fails."""
    print(f"measuring {group}", file=sys.stderr, flush=True)
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{group}", *options],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, **ONE_THREAD},
        preexec_fn=one_core if ON_ONE_CORE[group] else None,
        check=True,
    )
    return [loads(line) for line in done.stdout.splitlines()]


def table(rows: list[dict[str, Any]]) -> str:
    """The rows in Markdown."""
    lines = ["| what | figure | unit | note |", "|---|---:|---|---|"]
    for row in rows:
        figure = f"{row['value']:,.0f}" if row["value"] >= 100 else f"{row['value']:,.2f}"
        lines.append(f"| {row['row']} | {figure} | {row['unit']} | {row['note']} |")
    return "\n".join(lines)


def measure(
    *, seconds: float = 5.0, repeats: Count = 3, only: Group | None = None, json: OutFile | None = None
) -> None:
    """Measure this package in one run, and print a table.

    Args:
        seconds: seconds per repeat.
        repeats: repeats per row, of which the median counts.
        only: measure only this group.
        json: also write the rows, with versions, to this file.
    """
    options = [f"--seconds={seconds}", f"--repeats={repeats}"]
    groups = [group for group in ON_ONE_CORE if only in (None, group)]
    rows = [row for group in tqdm(groups, unit="group") for row in rows_of(group, options)]
    print(table(rows))
    if json:
        result = {"seconds": seconds, "repeats": repeats, "versions": versions(), "rows": rows}
        json.write_text(dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


main = Command("python -m benchmarks", measure, ("", "--only loop --seconds 2")).run

if __name__ == "__main__":
    main()
