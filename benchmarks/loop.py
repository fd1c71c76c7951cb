"""The speed of PPO on the solo game, and of its evaluations.

Each kind of network trains on one CPU thread and, if there is a GPU, on it with all cores for the games.
"""

from __future__ import annotations

import os
import time
from typing import Any

import numpy as np
import torch

from chocofactory_env.training.ppo import Config, Learner
from chocofactory_env.training.rivals import evaluated

from .peers.measure import command_line, print_row

NETWORKS: tuple[dict[str, Any], ...] = ({"kind": "mlp", "width": 256}, {"kind": "afterstates"})
DEALS = 64  # per evaluation
SHAPES: dict[str, dict[str, Any]] = {
    "cpu": {"games": 512, "steps": 8, "threads": 1, "groups": 1},
    "cuda": {"games": 1024, "steps": 64, "threads": os.cpu_count() or 1, "groups": 2, "bf16": True},
}


def whole_loop(network: dict[str, Any], device: str, seconds: float) -> None:
    """Print the speed of PPO, and that of an evaluation."""
    learner = Learner(
        Config(network=network, device=device, epochs=4, minibatch=512, max_kl=0.0, **SHAPES[device]), None
    )
    learner.iterate()
    iterations: list[dict[str, float]] = []
    end = time.perf_counter() + seconds
    while not iterations or time.perf_counter() < end:
        iterations.append(learner.iterate())
    speed = float(np.median([measured["decisions_per_s"] for measured in iterations]))
    collecting = np.mean([measured["seconds_collecting"] / measured["seconds"] for measured in iterations])
    name = f"PPO, {network['kind']}, {device}"
    print_row("loop", name, round(speed), "decisions/s", f"4 epochs; {collecting:.1%} collecting")
    begun = time.perf_counter()
    evaluated(learner.network, [learner.variants[0].games], DEALS)
    took = time.perf_counter() - begun
    print_row("loop", f"{name}: evaluating", round(DEALS / took, 1), "games/s", f"{DEALS} side by side")


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
