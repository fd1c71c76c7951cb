"""RLlib's PPO plays every seat of Manfredini's game against itself, with the masked module of RLlib's own examples.

    python docs/libraries/rllib_ppo.py [ITERATIONS]

Needs this package, `torch` and `ray[rllib]` (tested with 2.60.0). `make rllib` installs them into an environment of
their own. One process plays and learns; `num_env_runners` adds others, also on the machines of a Ray cluster.
"""

import os
import sys

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # otherwise Ray reports usage to its makers

import ray
import torch
from pettingzoo.utils import BaseWrapper
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from torch.distributions import Categorical

import chocofactory_env as cf
from chocofactory_env import candyfactory_v0

ITERATIONS = int(sys.argv[1]) if len(sys.argv) > 1 else 20
GAME, PLAYERS, SEED = "candyfactory", 2, 7


def renamed(seen):
    """An observation, or its space, by the names that the masked module reads."""
    return type(seen)({"observations": seen["observation"], "action_mask": seen["action_mask"]})


class Renamed(BaseWrapper):
    def observation_space(self, agent):
        return renamed(self.env.observation_space(agent))

    def observe(self, agent):
        return renamed(self.env.observe(agent))


class Table(PettingZooEnv):
    def __init__(self, config):
        super().__init__(Renamed(candyfactory_v0.env(num_players=PLAYERS, reward="win")))
        self.dealt = False

    def reset(self, *, seed=None, options=None):
        if self.dealt:
            seed = None  # RLlib repeats its seed before every batch, which would deal the same games again
        self.dealt = True
        return super().reset(seed=seed, options=options)


@torch.no_grad()
def policy(observations, masks):
    """A sample of the module's actions, for many games at once."""
    seen = {"observations": torch.tensor(observations), "action_mask": torch.tensor(masks)}
    module = algorithm.get_module("everyone")
    return Categorical(logits=module.forward_inference({Columns.OBS: seen})[Columns.ACTION_DIST_INPUTS]).sample()


def share_won():
    """Against random legal play, on deals that training does not use."""
    game = cf.load(GAME, num_players=PLAYERS)
    return cf.evaluate(policy, game, deals=range(900_000, 900_100)).agents()[0]["win_rate"]


torch.set_num_threads(1)
ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, logging_level="error")
masked = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [128, 128]})
algorithm = (
    PPOConfig()
    .environment(Table, disable_env_checking=True)  # the check plays illegal actions
    .env_runners(num_env_runners=0, num_envs_per_env_runner=16, batch_mode="complete_episodes")
    .multi_agent(policies={"everyone"}, policy_mapping_fn=lambda agent, episode, **_: "everyone")
    .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"everyone": masked}))
    .training(lr=1e-3, gamma=1.0, train_batch_size_per_learner=4096, minibatch_size=512, num_epochs=4)
    .debugging(seed=SEED, log_level="ERROR")
    .build_algo()
)
before, steps = share_won(), 0
for _ in range(ITERATIONS):
    steps += algorithm.train()["env_runners"]["num_env_steps_sampled"]
print(f"wins {before:.0%} of 200 games before, {share_won():.0%} after {steps:,.0f} steps")
algorithm.stop()
ray.shutdown()
