"""Compare two checkouts by rows of our benchmarks: `python -m benchmarks.compare OLD NEW [--row NAME ...]`.

Each checkout plays a row in a process of its own, in short bursts that take turns and are timed by the processor's
clock: what else the machine does meets both alike. A ratio is the speed of a new burst to that of the old one beside
it; above 1, NEW is faster.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from time import process_time

from tqdm import tqdm

from . import ONE_THREAD, ROOT
from .peers.measure import GLANCE, Row, chunk_of, rate

PLAYER = """import sys
sys.path[0] = {checkout!r}
import chocofactory_env
sys.path[0] = {root!r}
from benchmarks.compare import play
play({name!r})"""


ROWS = [  # of docs/performance.md
    *(f"batch of {size}, 4 players, raw" for size in ("1,024", "64", "1")),
    *(f"{game}: batch of 1,024, 2 players, raw, one deck" for game in ("candyfactory", "schoko")),
    *("game from Python, 4 players", "AEC, 4 players", "solo through gymnasium.make"),
]


def rows() -> dict[str, Row]:
    from .batches import BATCHES, GAMES_AND_DECKS
    from .interfaces import ROWS as INTERFACES

    return {row.name: row for row in (*BATCHES, *GAMES_AND_DECKS, *INTERFACES)}


def play(name: str) -> None:
    """Print the speed of a burst of a row for each line of the input."""
    games = rows()[name].make()
    chunk = chunk_of(games, 1.0)
    for _ in sys.stdin:
        print(rate(games, chunk, GLANCE, process_time), flush=True)


@contextmanager
def player(checkout: Path, name: str) -> Iterator[subprocess.Popen[str]]:
    words = [sys.executable, "-c", PLAYER.format(checkout=str(checkout.resolve()), root=str(ROOT), name=name)]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True, env={**os.environ, **ONE_THREAD}) as process:
        yield process


def burst(process: subprocess.Popen[str]) -> float:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("\n")
    process.stdin.flush()
    return float(process.stdout.readline())


def compare(old: Path, new: Path, name: str, bursts: int) -> str:
    """A row of the table, in Markdown."""
    with player(old, name) as first, player(new, name) as second:
        ratios, speeds = [], ([burst(first)], [burst(second)])
        for _ in range(bursts):
            speeds[0].append(burst(first))
            speeds[1].append(burst(second))
            ratios.append(speeds[1][-1] / speeds[0][-1])
    low, _, high = quantiles(ratios, n=4)
    each = " | ".join(f"{median(one):,.0f}" for one in speeds)
    return f"| {name} | {each} | {median(ratios):.2f} | {low:.2f} to {high:.2f} |"


def compare_checkouts(old: Path, new: Path, *, row: Sequence[str] = (), bursts: int = 100) -> None:
    """Compare two checkouts by rows of our benchmarks. A ratio above 1 means that the new one is faster.

    Args:
        old: a checkout.
        new: another one.
        row: names of rows; those of docs/performance.md unless given.
        bursts: how many times each plays for a twentieth of a second.
    """
    if unknown := [name for name in row if name not in rows()]:
        raise ValueError(f"--row: there is no {unknown[0]!r}; there are: {', '.join(rows())}")
    print("| what | old | new | new to old | quartiles |\n|---|---:|---:|---:|---|")
    for name in tqdm(row or ROWS, unit="row"):
        tqdm.write(compare(old, new, name, bursts))


NAME, EXAMPLE = "python -m benchmarks.compare", '../before . --row "AEC, 4 players" --bursts 20'


def main() -> None:
    from chocofactory_env.core.command import Command  # not of the checkouts, which may be older than commands

    Command(NAME, compare_checkouts, (EXAMPLE,), positional=("old", "new")).run()


if __name__ == "__main__":
    main()
