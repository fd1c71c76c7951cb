"""MaskablePPO of sb3-contrib on the solo game: through our `BatchVecEnv`, and through SB3's `DummyVecEnv`."""

from __future__ import annotations

import time
from typing import Any

import gymnasium
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv

from chocofactory_env.envs.sb3 import BatchVecEnv

from .interfaces import SOLO
from .measure import command_line, print_row

ROLLOUT = 4096  # decisions between two updates
NETWORK = {"net_arch": [256, 256]}


def made(kind: str, num_envs: int) -> Any:
    if kind == "BatchVecEnv":
        return BatchVecEnv(SOLO, num_envs, reward="shaped")
    return DummyVecEnv([lambda: gymnasium.make(SOLO, reward="shaped")] * num_envs)


class Timed(MaskablePPO):
    """Records the time of collection and the time of training."""

    collected = trained = 0.0

    def collect_rollouts(self, *arguments: Any, **named: Any) -> bool:
        start = time.perf_counter()
        going_on = super().collect_rollouts(*arguments, **named)
        self.collected += time.perf_counter() - start
        return bool(going_on)

    def train(self) -> None:
        start = time.perf_counter()
        super().train()
        self.trained += time.perf_counter() - start


def main() -> None:
    chosen = command_line(__doc__)
    torch.set_num_threads(1)
    for num_envs in (8, 64, 512):
        for kind in ("DummyVecEnv", "BatchVecEnv"):
            env = made(kind, num_envs)
            model = Timed(
                "MlpPolicy", env, n_steps=ROLLOUT // num_envs, batch_size=512, n_epochs=4, policy_kwargs=NETWORK, seed=1
            )
            model.learn(ROLLOUT)
            model.collected = model.trained = 0.0
            steps, start = 0, time.perf_counter()
            while time.perf_counter() - start < chosen.seconds * chosen.repeats:
                model.learn(ROLLOUT, reset_num_timesteps=False)
                steps += ROLLOUT
            name = f"MaskablePPO, {num_envs} × solo, {kind}"
            print_row(
                "training", name, round(steps / (model.collected + model.trained)), "decisions/s", "4 epochs, 2×256"
            )
            print_row("training", f"{name}: collecting alone", round(steps / model.collected), "decisions/s")
            env.close()


if __name__ == "__main__":
    main()
