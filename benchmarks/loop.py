"""Profile PPO on the solo game: stepping, seeing, passes, learning, transfers, waiting, evaluating.

Each kind of network trains on one CPU thread and, if there is a GPU, on it with all cores for the games. A GPU works
asynchronously, so its time counts where the CPU waits for it.
"""

from __future__ import annotations

import os
import time
from typing import Any

import numpy as np
import torch

from training.evaluate import evaluate
from training.ppo import Learner
from training.ppo_config import Config

from .peers.measure import command_line, print_row

NETWORKS: tuple[dict[str, Any], ...] = ({"kind": "mlp", "width": 256}, {"kind": "afterstates"})
PARTS = ("stepping", "seeing", "acting", "learning", "transfers", "waiting")  # clocks of `training.ppo`
DEALS = 64  # per evaluation
SHAPES: dict[str, dict[str, Any]] = {
    "cpu": {"games": 512, "steps": 8, "threads": 1, "groups": 1},
    "cuda": {"games": 1024, "steps": 64, "threads": os.cpu_count() or 1, "groups": 2},
}


def whole_loop(network: dict[str, Any], device: str, seconds: float) -> None:
    """Print the speed of PPO with the shares of its parts, and that of an evaluation."""
    learner = Learner(
        Config(network=network, device=device, epochs=4, minibatch=512, max_kl=0.0, **SHAPES[device]), None
    )
    learner.iterate()
    iterations: list[dict[str, float]] = []
    end = time.perf_counter() + seconds
    while not iterations or time.perf_counter() < end:
        iterations.append(learner.iterate())
    speed = float(np.median([measured["decisions_per_s"] for measured in iterations]))
    shares = {part: np.mean([measured.get(f"{part}_share", 0.0) for measured in iterations]) for part in PARTS}
    where = ", ".join(f"{part} {share:.1%}" for part, share in shares.items())
    name = f"PPO, {network['kind']}, {device}"
    print_row("loop", name, round(speed), "decisions/s", f"4 epochs; {where}, rest {1 - sum(shares.values()):.1%}")
    begun = time.perf_counter()
    score = evaluate(learner.network, learner.tables[0].game, deals=DEALS)
    took = time.perf_counter() - begun
    print_row("loop", f"{name}: evaluating", round(score.games / took, 1), "games/s", f"{DEALS} side by side")


def main() -> None:
    chosen = command_line(__doc__)
    seconds = chosen.seconds * chosen.repeats
    torch.set_num_threads(1)
    for network in NETWORKS:
        if chosen.only in network["kind"]:
            for device in ("cpu", *(["cuda"] if torch.cuda.is_available() else [])):
                whole_loop(network, device, seconds)


if __name__ == "__main__":
    main()
