"""Our PPO on the solo game: collecting beside single environments with the same network, and the whole loop.

Epochs, minibatch and widths are those that MaskablePPO has in `benchmarks.training`; SB3 gives policy and value a body
each, our networks one for both.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import torch
from stable_baselines3.common.vec_env import DummyVecEnv

from agents.networks.network import Network, masked
from training.ppo import Clocks, Config, Learner, sample_actions

from .interfaces import SOLO
from .measure import command_line, print_row
from .threads import CORES
from .training import ROLLOUT

NETWORKS: tuple[dict[str, Any], ...] = ({"kind": "mlp", "width": 256}, {"kind": "entity"})
FEW, MANY = 8, 1024  # games


def config(network: dict[str, Any], games: int, steps: int) -> Config:
    return Config(
        network=network,
        games=games,
        steps=steps,
        epochs=4,
        minibatch=512,
        max_kl=0.0,
        threads=CORES,
    )


def single_environments(network: Network) -> Callable[[], int]:
    """A step of few copies of the single environment in SB3's `DummyVecEnv`, actions drawn as PPO draws them."""
    envs = DummyVecEnv([lambda: gymnasium.make(SOLO, reward="shaped", observation="raw")] * FEW)
    seen = envs.reset()

    def step() -> int:
        nonlocal seen
        masks = np.stack(envs.env_method("action_masks")).astype(np.int8)
        with torch.inference_mode():
            output = network(torch.from_numpy(np.asarray(seen, np.uint8)))
            actions = sample_actions(masked(output.logits, torch.from_numpy(masks)))
        seen, *_ = envs.step(actions.numpy())
        return FEW

    return step


def per_second(step: Callable[[], int], seconds: float) -> float:
    step()
    done, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        done += step()
    return done / (time.perf_counter() - start)


def main() -> None:
    chosen = command_line(__doc__)
    seconds = chosen.seconds * chosen.repeats
    for network in NETWORKS:
        kind = str(network["kind"])
        learner = Learner(config(network, MANY, 16), None)
        table = learner.tables[0]

        def collect(learner: Learner = learner) -> int:
            return learner.tables[0].collect(learner.network, None, Clocks()).actions.numel()

        few = per_second(single_environments(learner.network), seconds)
        many = per_second(collect, seconds)
        print_row(
            "ppo", f"collecting, {kind}: {FEW} single environments", round(few), "decisions/s", "SB3's DummyVecEnv"
        )
        print_row("ppo", f"collecting, {kind}: batch of {MANY}", round(many), "decisions/s", f"{many / few:.1f} x")
        table.batch.close()
        learner = Learner(config(network, ROLLOUT // 8, 8), None)
        iterations = [learner.iterate() for _ in range(max(2, round(seconds)))][1:]
        speed = float(np.median([measured["decisions_per_s"] for measured in iterations]))
        outside = float(np.median([measured["outside_network_share"] for measured in iterations]))
        print_row(
            "ppo", f"our PPO, {kind}", round(speed), "decisions/s", f"4 epochs; outside the network {outside:.1%}"
        )


if __name__ == "__main__":
    main()
