"""Catanatron: the board game Catan, the closest modern relative of our games.

The released packages have no environment in which every player learns. So a loop over their parts does what such an
environment would: it numbers the legal actions of the player to move, sets them in a mask, builds the feature vector,
then looks up and executes the chosen action. Their own environment is for Gymnasium. There only the learner's decisions
count, each followed by those of random opponents.

Random actions are drawn from the list of legal ones.
"""

from random import random

import gymnasium
import numpy as np
from catanatron.game import TURNS_LIMIT, Game
from catanatron.models.player import Color, Player, RandomPlayer
from catanatron_gym.envs.catanatron_env import ACTION_SPACE_SIZE, from_action_space, to_action_space
from catanatron_gym.features import create_sample, get_feature_ordering
from measure import Play, Row, main

COLORS = (Color.BLUE, Color.RED, Color.ORANGE, Color.WHITE)


def every_player(players: int, observed: bool = True) -> Play:
    features = get_feature_ordering(players)

    def new() -> Game:
        return Game([Player(color) for color in COLORS[:players]])

    game = new()

    def play(count: int) -> int:
        nonlocal game
        for _ in range(count):
            if game.winning_color() is not None or game.state.num_turns >= TURNS_LIMIT:
                game = new()
            playable = game.state.playable_actions
            if not observed:
                game.execute(playable[int(random() * len(playable))])
                continue
            sample = create_sample(game, game.state.current_color())
            np.array([float(sample[feature]) for feature in features])
            legal = list(map(to_action_space, playable))
            mask = np.zeros(ACTION_SPACE_SIZE, np.int8)
            mask[legal] = 1
            game.execute(from_action_space(legal[int(random() * len(legal))], playable))
        return count

    return play


def gym(players: int) -> Play:
    opponents = [RandomPlayer(color) for color in COLORS[1:players]]
    env = gymnasium.make("catanatron_gym:catanatron-v1", config={"enemies": opponents})
    _, info = env.reset(seed=1)

    def play(count: int) -> int:
        nonlocal info
        for _ in range(count):
            legal = info["valid_actions"]
            _, _, terminated, truncated, info = env.step(legal[int(random() * len(legal))])
            if terminated or truncated:
                _, info = env.reset()
        return count

    return play


if __name__ == "__main__":
    loop = "mask and features at every player's decision, from the library's own functions"
    learner = "Gymnasium environment; the learner's decisions, random opponents in between"
    engine = "engine alone: neither mask nor observation"
    main(
        "Catanatron",
        "catanatron",
        [
            Row("Catan, 2 players", lambda: every_player(2), loop),
            Row("Catan, 4 players", lambda: every_player(4), loop),
            Row("Catan, 2 players, Gymnasium", lambda: gym(2), learner),
            Row("Catan, 4 players, Gymnasium", lambda: gym(4), learner),
            Row("Catan, 2 players, engine", lambda: every_player(2, observed=False), engine),
            Row("Catan, 4 players, engine", lambda: every_player(4, observed=False), engine),
        ],
    )
