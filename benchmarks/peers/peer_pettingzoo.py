"""PettingZoo's classic games through `env()`, as its users get them.

Every step gets the observation with its mask from `last()`. Random actions are drawn from the mask.
"""

from random import random
from types import ModuleType

from measure import Play, Row, main
from pettingzoo.classic import chess_v6, connect_four_v3


def aec(game: ModuleType) -> Play:
    env = game.env()
    env.reset(seed=1)

    def play(count: int) -> int:
        decisions = 0
        while decisions < count:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                if not env.agents:
                    env.reset()
            else:
                legal = observation["action_mask"].nonzero()[0]
                env.step(int(legal[int(random() * len(legal))]))
                decisions += 1
        return decisions

    return play


if __name__ == "__main__":
    note = "AEC through env()"
    main(
        "PettingZoo classic",
        "pettingzoo",
        [
            Row("chess_v6", lambda: aec(chess_v6), note),
            Row("connect_four_v3", lambda: aec(connect_four_v3), note),
        ],
    )
