"""OpenSpiel's DQN learns Manfredini's game in seat 0 against legal random play.

    python docs/libraries/openspiel_dqn.py [GAMES]

Needs this package, `torch`, and `open_spiel` (tested with 2.0.2).
"""

import sys

import numpy as np
import torch
from open_spiel.python.algorithms.random_agent import RandomAgent
from open_spiel.python.pytorch.dqn import DQN
from open_spiel.python.rl_environment import Environment

from chocofactory_env import openspiel

GAMES = int(sys.argv[1]) if len(sys.argv) > 1 else 800
TESTS = min(100, GAMES)

torch.set_num_threads(1)
np.random.seed(7)  # noqa: NPY002 - what OpenSpiel's random agent draws from
env = Environment(openspiel.load_game("candyfactory", num_players=2))
env.seed(7)
(size,), actions = env.observation_spec()["info_state"], env.action_spec()["num_actions"]
learner = DQN(
    0,
    size,
    actions,
    hidden_layers_sizes=[128],
    replay_buffer_capacity=50_000,
    batch_size=64,
    learning_rate=1e-3,
    optimizer_str="adam",
    loss_str="huber",
    epsilon_decay_duration=GAMES * 30,
    epsilon_decay_schedule_str="linear",
    learn_every=4,
    update_target_network_every=200,
    seed=7,
)
players = [learner, RandomAgent(1, actions)]


def play(games: int, *, testing: bool) -> float:
    """The share of games that seat 0 wins."""
    won = 0.0
    for _ in range(games):
        now = env.reset()
        while not now.last():
            now = env.step([players[now.current_player()].step(now, is_evaluation=testing).action])
        for player in players:
            player.step(now, is_evaluation=testing)
        won += (now.rewards[0] + 1) / 2
    return won / games


before = play(TESTS, testing=True)
play(GAMES, testing=False)
print(f"wins {before:.0%} of {TESTS} games before, {play(TESTS, testing=True):.0%} after {GAMES} games")
