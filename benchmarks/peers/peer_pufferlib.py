"""PufferLib's ocean: environments in C, stepped as a batch by one call.

They build no mask of legal actions, so actions are drawn uniformly from all, many steps ahead, at almost no cost. The
rows' notes say what happens to illegal ones, which makes these rows faster than legal play would be. Only the learner's
actions count; built-in opponents reply within the step. Games restart by themselves.
"""

import numpy as np
from measure import Play, Row, main
from pufferlib.ocean.checkers.checkers import Checkers
from pufferlib.ocean.go.go import Go

GAMES = 1024
AHEAD = 256  # steps of actions drawn at once


def batch(kind: type[Checkers] | type[Go]) -> Play:
    env = kind(num_envs=GAMES)
    env.reset(seed=1)
    actions = np.random.default_rng(1).integers(env.single_action_space.n, size=(AHEAD, GAMES), dtype=np.int32)

    def play(count: int) -> int:
        steps = -(-count // GAMES)
        for step in range(steps):
            env.step(actions[step % AHEAD])
        return steps * GAMES

    return play


if __name__ == "__main__":
    checkers = (
        "64 bytes, no mask; hardly any of the 512 actions is legal: in place of others it plays a random one itself"
    )
    go = "7x7, 100 floats, no mask; 87 % of random actions are illegal: the board stays as it is, with no reply"
    main(
        "PufferLib ocean",
        "pufferlib",
        [
            Row(f"checkers, batch {GAMES}", lambda: batch(Checkers), checkers),
            Row(f"go, batch {GAMES}", lambda: batch(Go), go),
        ],
    )
