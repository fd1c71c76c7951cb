"""PufferLib's ocean: environments in C, stepped as a batch by one call.

    pip install numpy==2.4.6 tyro==1.0.17 gymnasium==1.1.1 gym==0.23.1 setuptools==80.9.0
    git show 3864b9b8f667:benchmarks/peers/build_pufferlib.py | python -
    OMP_NUM_THREADS=1 taskset -c 0 python benchmarks/peers/peer_pufferlib.py

The second command compiles the two environments measured, in a virtual environment; the package's own build compiles
everything against PyTorch. They build no mask of legal actions, so actions are drawn uniformly from all, many steps
ahead, at almost no cost. The rows' notes say what happens to illegal ones, which makes these rows faster than legal
play would be. Only the learner's actions count; built-in opponents reply within the step.
"""

from functools import partial
from importlib import import_module
from itertools import cycle

import numpy as np
from measure import Play, Row, main

GAMES = 1024
NOTES = {
    "checkers": "64 bytes, no mask; few of the 512 actions are legal; it replaces an illegal one by a random legal one",
    "go": "7x7, 100 floats, no mask; 87 % of random actions are illegal; they change nothing, and nobody replies",
}


def batch(name: str) -> Play:
    env = getattr(import_module(f"pufferlib.ocean.{name}.{name}"), name.title())(num_envs=GAMES)
    env.reset(seed=1)
    ahead = np.random.default_rng(1).integers(env.single_action_space.n, size=(256, GAMES), dtype=np.int32)
    for actions in cycle(ahead):
        env.step(actions)
        yield GAMES


if __name__ == "__main__":
    title = "PufferLib ocean 3.0.0"
    rows = [Row(f"{title}: {name}, batch {GAMES}", partial(batch, name), note) for name, note in NOTES.items()]
    main("peers", rows, __doc__)
