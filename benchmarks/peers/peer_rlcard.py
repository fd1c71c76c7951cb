"""RLCard's environments: `step` returns the next player's observation together with its legal actions.

pip install rlcard==1.2.0 numpy==2.4.6 tyro==1.0.17
OMP_NUM_THREADS=1 taskset -c 0 python benchmarks/peers/peer_rlcard.py
"""

from functools import partial
from importlib.metadata import version
from random import random

import rlcard
from measure import Play, Row, main


def cards(name: str) -> Play:
    env = rlcard.make(name.replace(" ", "-"))
    state, _ = env.reset()
    while True:
        legal = list(state["legal_actions"])
        state, _ = env.step(legal[int(random() * len(legal))])
        if env.is_over():
            state, _ = env.reset()
        yield 1


if __name__ == "__main__":
    title, note = f"RLCard {version('rlcard')}", "Env.step, two players"
    main("peers", [Row(f"{title}: {name}", partial(cards, name), note) for name in ("uno", "gin rummy")], __doc__)
