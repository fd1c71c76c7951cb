"""AgileRL's PPO learns the solo game on a native batch; it finds the masks in `info`.

    python docs/libraries/agilerl_ppo.py [DECISIONS]

Needs this package and `agilerl` (tested with 2.58.0). The return is the money earned.
"""

import sys

import gymnasium
import numpy as np
import torch
from agilerl.algorithms import PPO
from agilerl.rollouts import collect_rollouts

import chocofactory_env  # noqa: F401 - registers the environments

DECISIONS = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
GAMES, STEPS = 64, 128

torch.manual_seed(7)
torch.set_num_threads(1)
envs = gymnasium.make_vec(
    "ChocoFactory/FactoryManager-v0", num_envs=GAMES, autoreset_mode="SameStep", reward="shaped", illegal_action="raise"
)
agent = PPO(
    envs.single_observation_space,
    envs.single_action_space,
    num_envs=GAMES,
    learn_step=GAMES * STEPS,
    batch_size=1024,
    lr=1e-3,
    gamma=1.0,
    net_config={"encoder_config": {"hidden_size": [128]}},
)
now, finished = {}, []
for _ in range(max(1, DECISIONS // (GAMES * STEPS))):
    scores, *last = collect_rollouts(agent, envs, **now)
    now = dict(zip(("last_obs", "last_done", "last_scores", "last_info"), last, strict=True))
    agent.learn()
    finished += np.ravel(scores).tolist()
print(
    f"mean return {np.mean(finished[:GAMES]):.1f} before, {np.mean(finished[-GAMES:]):.1f} after {DECISIONS} decisions"
)
