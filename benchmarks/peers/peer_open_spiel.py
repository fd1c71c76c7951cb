"""OpenSpiel: states of its C++ games driven from Python.

Every decision queries the legal actions, and writes the mover's observation into the array of the library's observation
module (`State.observation_tensor` returns the same numbers as a Python list, which takes three quarters of the time of
a move in chess). Dice are chance nodes, sampled here and not counted. Random actions are drawn from the list of legal
ones.
"""

from random import random

import pyspiel
from measure import Play, Row, main
from open_spiel.python.observation import make_observation


def sample(outcomes: list[tuple[int, float]]) -> int:
    """Sample an outcome of a chance node."""
    left = random()
    for outcome, chance in outcomes:
        left -= chance
        if left < 0:
            return outcome
    return outcomes[-1][0]


def states(name: str) -> Play:
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    observation = make_observation(game)

    def play(count: int) -> int:
        nonlocal state
        decisions = 0
        while decisions < count:
            if state.is_terminal():
                state = game.new_initial_state()
            elif state.is_chance_node():
                state.apply_action(sample(state.chance_outcomes()))
            else:
                observation.set_from(state, state.current_player())
                legal = state.legal_actions()
                state.apply_action(legal[int(random() * len(legal))])
                decisions += 1
        return decisions

    return play


if __name__ == "__main__":
    note = "C++ states from Python, one game at a time"
    main(
        "OpenSpiel",
        "open_spiel",
        [Row("backgammon", lambda: states("backgammon"), note), Row("chess", lambda: states("chess"), note)],
    )
