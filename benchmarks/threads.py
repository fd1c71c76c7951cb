"""The same batch on one and more threads, which need as many cores. Only steps are timed, not the choice of actions."""

from __future__ import annotations

import os
import statistics
import time

import chocofactory_env as cf

from .measure import command_line, print_row

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
COUNTS = [1, *(count for count in (2, 4, 8, 16) if count <= CORES)]


def rate(batch: cf.SelfPlayBatch, seconds: float) -> float:
    """Decisions per second of the steps, over `seconds`."""
    sample, spent, steps = cf.LegalSampler(1), 0.0, 0
    while spent < seconds:
        actions = sample(batch.buffers.action_masks)
        start = time.perf_counter()
        batch.step(actions)
        spent += time.perf_counter() - start
        steps += 1
    return steps * batch.num_envs / spent


def main() -> None:
    chosen = command_line(__doc__)
    for size, players in ((1024, 4), (4096, 4), (4096, 1)):
        batches = [
            cf.make_batch("chocofactory", size, num_players=players, scaled=False, num_threads=n) for n in COUNTS
        ]
        rates: list[list[float]] = [[] for _ in COUNTS]
        for batch in batches:
            batch.reset(seed=1)
            rate(batch, 0.5)
        for _ in range(chosen.repeats):  # alternate, so that other work affects all alike
            for batch, measured in zip(batches, rates, strict=True):
                measured.append(rate(batch, chosen.seconds))
        kind = "solo" if players == 1 else f"{players} players"
        for count, measured in zip(COUNTS, rates, strict=True):
            note = "aim: 1.8 × one" if count == 2 else ""
            name = f"batch of {size:,}, {kind}, raw, {count} threads"
            print_row("threads", name, round(statistics.median(measured)), "decisions/s", note)


if __name__ == "__main__":
    main()
