"""Catanatron: the board game Catan, the closest modern relative of our games.

    pip install catanatron==3.2.1 catanatron_gym==4.0.0 networkx==3.6.1 numpy==2.4.6 tyro==1.0.17
    OMP_NUM_THREADS=1 taskset -c 0 python benchmarks/peers/peer_catanatron.py

The released packages have no environment in which every player learns. So a loop over their parts does what such an
environment would: it numbers the legal actions of the player to move, sets them in a mask, builds the feature vector,
then looks up and executes the chosen action.
"""

from functools import partial
from importlib.metadata import version
from random import random

import numpy as np
from catanatron.game import TURNS_LIMIT, Game
from catanatron.models.player import Color, Player
from catanatron_gym.envs.catanatron_env import ACTION_SPACE_SIZE, from_action_space, to_action_space
from catanatron_gym.features import create_sample, get_feature_ordering
from measure import Play, Row, main


def every_player(players: int) -> Play:
    features = get_feature_ordering(players)
    colors = (Color.BLUE, Color.RED, Color.ORANGE, Color.WHITE)[:players]
    while True:
        game = Game([Player(color) for color in colors])
        while game.winning_color() is None and game.state.num_turns < TURNS_LIMIT:
            sample = create_sample(game, game.state.current_color())
            np.array([float(sample[feature]) for feature in features])
            legal = list(map(to_action_space, game.state.playable_actions))
            mask = np.zeros(ACTION_SPACE_SIZE, np.int8)
            mask[legal] = 1
            game.execute(from_action_space(legal[int(random() * len(legal))], game.state.playable_actions))
            yield 1


NOTE = "mask and features at every player's decision, from the library's own functions"

if __name__ == "__main__":
    title = f"Catanatron {version('catanatron')}: Catan"
    main("peers", [Row(f"{title}, {count} players", partial(every_player, count), NOTE) for count in (2, 4)], __doc__)
