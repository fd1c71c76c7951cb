"""Profile a batch's step: the stages of the compiled call one by one, and the calls around it."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import chocofactory_env as cf
from chocofactory_env.core.kernel import stepping
from chocofactory_env.core.kernel.batch import Batch, seeds_of
from chocofactory_env.core.kernel.views import View

from .measure import command_line, print_row

NUM_ENVS = 1024
STEPS = 200


def nanoseconds(play: Callable[[], object], repeats: int) -> float:
    """Time per decision, the median of the repeats."""
    spent = []
    for _ in range(repeats):
        start = time.perf_counter()
        for _ in range(STEPS):
            play()
        spent.append((time.perf_counter() - start) / STEPS / NUM_ENVS * 1e9)
    return statistics.median(spent)


def main() -> None:
    repeats = 5 * command_line(__doc__).repeats
    for players in (4, 1):
        for scaled in (False, True):
            game = cf.load("chocofactory", num_players=players)
            batch = Batch(
                game, NUM_ENVS, autoreset=stepping.SAME_STEP, view=View(game.observation_layout, scaled=scaled)
            )
            sample = cf.LegalSampler(1)
            batch.deal(seeds_of(1, NUM_ENVS), None, stepping.PAY | stepping.SHOW)

            def choose(stages: int, batch: Batch = batch, sample: cf.LegalSampler = sample) -> None:
                batch.take(sample(batch.masks))
                batch.check()
                batch.run(stages)

            def whole(choose: Callable[[int], None] = choose) -> None:
                choose(stepping.MOVE | stepping.PAY | stepping.SHOW)

            for _ in range(STEPS):
                whole()
            layout = game.observation_layout
            size = layout.size * batch.buffers.observations.itemsize
            kind = f"{'solo' if players == 1 else f'{players} players'}, {'float32' if scaled else 'raw'}"
            in_all = nanoseconds(whole, repeats)
            unseen = nanoseconds(lambda choose=choose: choose(stepping.MOVE | stepping.PAY), repeats)  # type: ignore[misc]
            chosen = nanoseconds(lambda sample=sample, batch=batch: sample(batch.masks), repeats)  # type: ignore[misc]
            checked = nanoseconds(lambda batch=batch: (batch.take(batch.masks[:, 0]), batch.check), repeats)  # type: ignore[misc]
            paid = nanoseconds(lambda batch=batch: batch.run(stepping.PAY), repeats)  # type: ignore[misc]
            called = nanoseconds(lambda batch=batch: batch.run(0), repeats)  # type: ignore[misc]
            for what, spent in (
                ("in all", in_all),
                ("choose a legal action", chosen),
                ("rules: play it, forced moves, next mask", unseen - chosen - checked - paid),
                ("rewards, ends, new games", paid - called),
                (f"observation ({size:,} bytes) and mask", in_all - unseen),
                ("Python's part of the call", called + checked),
            ):
                print_row("stages", f"{kind}: {what}", round(spent, 1), "ns")


if __name__ == "__main__":
    main()
