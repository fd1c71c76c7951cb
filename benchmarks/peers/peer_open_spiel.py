"""OpenSpiel: states of its C++ games driven from Python, one game at a time.

    pip install open_spiel==2.0.2 numpy==2.4.6 tyro==1.0.17
    OMP_NUM_THREADS=1 taskset -c 0 python benchmarks/peers/peer_open_spiel.py

The mover's observation is written into the array of the library's observation module: `State.observation_tensor`
returns the same numbers as a Python list, which takes three quarters of the time of a move in chess. Dice are chance
nodes, sampled here and not counted.
"""

from functools import partial
from importlib.metadata import version
from random import choices, random

import pyspiel
from measure import Play, Row, main
from open_spiel.python.observation import make_observation


def states(name: str) -> Play:
    game = pyspiel.load_game(name)
    state, observation = game.new_initial_state(), make_observation(game)
    while True:
        if state.is_terminal():
            state = game.new_initial_state()
        elif state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(choices(outcomes, chances)[0])
        else:
            observation.set_from(state, state.current_player())
            legal = state.legal_actions()
            state.apply_action(legal[int(random() * len(legal))])
            yield 1


if __name__ == "__main__":
    title, note = f"OpenSpiel {version('open_spiel')}", "C++ states from Python, one game at a time"
    main("peers", [Row(f"{title}: {name}", partial(states, name), note) for name in ("backgammon", "chess")], __doc__)
