"""RLCard's environments: `step` returns the next player's observation together with its legal actions.

Random actions are drawn from the list of legal ones.
"""

from random import random

import rlcard
from measure import Play, Row, main


def cards(name: str) -> Play:
    env = rlcard.make(name)
    state, _ = env.reset()

    def play(count: int) -> int:
        nonlocal state
        for _ in range(count):
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(random() * len(legal))])
            if env.is_over():
                state, _ = env.reset()
        return count

    return play


if __name__ == "__main__":
    note = "Env.step, two players"
    main(
        "RLCard",
        "rlcard",
        [Row("uno", lambda: cards("uno"), note), Row("gin rummy", lambda: cards("gin-rummy"), note)],
    )
