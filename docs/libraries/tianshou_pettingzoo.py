"""Tianshou trains a masked DQN in seat 0 of Manfredini's game against legal random play, by its PettingZoo wrapper.

    python docs/libraries/tianshou_pettingzoo.py [ROUNDS]

Needs this package with the extra `arena`, and `tianshou` (tested with 2.0.1). Returns run to the end of the
game (a horizon longer than any game): Tianshou keeps the moves of both players in one row, so a return of one step
often looks ahead to the other player's observation, and misses the reward of every game in which the other player moves
last.
"""

import logging
import sys

import numpy as np
import torch
from tianshou.algorithm import DQN, MARLRandomDiscreteMaskedOffPolicyAlgorithm, MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.utils.net.common import Net
from tianshou.utils.torch_utils import policy_within_training_step

import chocofactory_env as cf
from chocofactory_env import candyfactory_v0

GAMES, ROUNDS = 4, int(sys.argv[1]) if len(sys.argv) > 1 else 60
TESTS = range(900_000, 900_050)  # deals that training does not use, played from both seats


def make() -> PettingZooEnv:
    return PettingZooEnv(candyfactory_v0.env(num_players=2))


logging.disable(logging.WARNING)  # that returns are of two players, once a round
torch.set_num_threads(1)
np.random.seed(7)  # noqa: NPY002 - what Tianshou draws from
torch.manual_seed(7)
env = make()
box, actions = env.observation_space["observation"], env.action_space
network = Net(state_shape=box.shape, action_shape=actions.n, hidden_sizes=(128,))
policy = DiscreteQLearningPolicy(model=network, action_space=actions, observation_space=box, eps_training=0.1)
learner = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=1.0, n_step_return_horizon=1_000)
players = MultiAgentOffPolicyAlgorithm(
    algorithms=[learner, MARLRandomDiscreteMaskedOffPolicyAlgorithm(actions)], env=env
)
memory = VectorReplayBuffer(200_000, GAMES)
collector = Collector(players, DummyVectorEnv([make] * GAMES), memory, exploration_noise=True)


def share_won() -> float:
    """By the actions of the highest value."""
    return float(cf.evaluate(network, cf.load("candyfactory", num_players=2), deals=TESTS).agents()[0]["win_rate"])


before = share_won()
collector.reset(gym_reset_kwargs={"seed": 7})
with policy_within_training_step(players.policy):
    for _ in range(ROUNDS):
        collector.collect(n_episode=GAMES)
        for _ in range(100):
            players.update(memory, sample_size=128)

moves = memory[:]
over = moves.done.astype(bool)
assert moves.obs.mask[np.arange(len(moves)), moves.act].all(), "only legal actions were played"
assert over.sum() == ROUNDS * GAMES, "whole games"
assert np.allclose(moves.rew[over].sum(axis=1), 1), "every game has been won by somebody"
print(f"wins {before:.0%} of {2 * len(TESTS)} games before, {share_won():.0%} after {ROUNDS * GAMES} games")
