"""MaskablePPO of sb3-contrib trains on a native batch of solo games; the masks need no wrapper.

    python docs/libraries/sb3_maskable_ppo.py [DECISIONS]

Needs this package and `stable-baselines3`, `sb3-contrib` (tested with 2.9.2). The reward is the money earned, as it is
earned.
"""

import sys

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.vec_env import VecMonitor

from chocofactory_env.envs.sb3 import BatchVecEnv

NAME, GAMES = "ChocoFactory/FactoryManager-v0", 32
DECISIONS = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000


def main() -> None:
    torch.set_num_threads(1)  # for a network this small more are slower
    games = VecMonitor(BatchVecEnv(NAME, GAMES, reward="shaped", illegal_action="raise"))
    model = MaskablePPO("MlpPolicy", games, n_steps=128, batch_size=512, n_epochs=4, seed=7, device="cpu")

    def mean_return() -> float:
        others = VecMonitor(BatchVecEnv(NAME, GAMES, reward="shaped", illegal_action="raise"))
        others.seed(1_000)
        return float(evaluate_policy(model, others, n_eval_episodes=2 * GAMES, deterministic=False)[0])

    before = mean_return()
    model.learn(DECISIONS)
    after = mean_return()
    ended = [game["r"] for game in model.ep_info_buffer]
    assert ended, "episode statistics arrive"
    assert np.isfinite([before, after, *ended]).all()
    print(f"mean return of a game {before:.1f} before, {after:.1f} after {model.num_timesteps} decisions")


if __name__ == "__main__":
    main()
