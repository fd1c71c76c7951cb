"""Shared parts of our own measurements: every script prints one JSON object per row on stdout.

    python -m benchmarks.NAME [--seconds 5] [--repeats 3] [--only TEXT]

They measure uniformly random legal play, as in `peers/measure.py`: every step builds the legal actions and the
observation of the next mover, and new games follow finished ones.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from typing import Any

from .peers.measure import Play, Row, measure

__all__ = ["Play", "Row", "command_line", "main", "print_row"]


def command_line(description: str | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5.0, help="seconds per repeat (5)")
    parser.add_argument("--repeats", type=int, default=3, help="repeats per row, of which the median counts (3)")
    parser.add_argument("--only", default="", help="measure only rows whose name contains this")
    return parser.parse_args()


def print_row(group: str, row: str, value: float, unit: str, note: str = "") -> None:
    print(json.dumps({"group": group, "row": row, "value": value, "unit": unit, "note": note}), flush=True)


def main(group: str, rows: Iterable[Row], description: str | None, unit: str = "decisions/s") -> None:
    """Measure and print rows, each as the median of its repeats."""
    chosen: Any = command_line(description)
    for row in rows:
        if chosen.only in row.name:
            figures = measure(row.name, row.make(), chosen.seconds, chosen.repeats)
            print_row(group, row.name, figures["per_second"], unit, row.note)
