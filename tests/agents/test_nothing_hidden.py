"""What agents of every game have in common: none sees what is hidden from its seat, and chance follows the seed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from all_games import GAMES, load
from chocofactory_games import VARIANTS
from long_runs import amount
from test_turn_agent import value_file

from agents.protocol import decide, make_agent, reset
from chocofactory_env.core.jit import COMPILED
from toyrace.game import ToyRace

SEARCHED = amount("CF_SEARCHED", 24, 100)
PLANNING = {"planner:width=24": 150, "expert:width=4,draft_width=2": 100}
SEARCHING = dict.fromkeys(["mcts:simulations=40", "mcts:simulations=60,plan_width=0", "flat_mc:playouts=4"], SEARCHED)
OF_CANDY = dict.fromkeys(["greedy", "mcts:simulations=20,learned=true"], 60)
OF_SCHOKO = dict.fromkeys(["manager", "mcts:simulations=5", "expert:simulations=10", "flat_mc:playouts=1"], 120)
# Game, variant, agent and how many of its decisions.
CASES = [
    *(("chocofactory", options, *each) for options in VARIANTS for each in (PLANNING | SEARCHING).items()),
    *(("candyfactory", {"num_players": 3}, *each) for each in OF_CANDY.items()),
    *(("schoko", {"num_players": 3}, *each) for each in OF_SCHOKO.items()),
]


def check_that_nothing_hidden_is_seen(game: Any, text: str, decisions: int) -> None:
    """Two agents of one make choose alike, though to one of them everything hidden lies otherwise."""
    one, other = make_agent(text, game), make_agent(text, game)
    state, differ = game.new(3), 0
    for step in range(decisions if COMPILED else 8):
        if game.is_over(state):
            break
        redealt = game.redeal(state, game.current_player(state), 1000 + step)
        differ += redealt.tobytes() != state.tobytes()
        action = decide(game, one, state)
        assert decide(game, other, redealt) == action, step
        game.apply(state, action)
    assert differ > 20 or not COMPILED


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "options", "text", "decisions"),
    [pytest.param(*case, id=f"{GAMES[case[0]].variant_name(case[1])}, {case[2]}") for case in CASES],
)
def test_an_agent_of_a_game_sees_nothing_hidden(name: str, options: dict[str, Any], text: str, decisions: int) -> None:
    check_that_nothing_hidden_is_seen(load(name, **options), text, decisions)


@pytest.mark.parametrize("text", ["agents.turns:TurnAgent:value={}", "mcts:simulations=60,value={}"])
def test_an_agent_of_any_game_sees_nothing_hidden(text: str, tmp_path: Path) -> None:
    check_that_nothing_hidden_is_seen(ToyRace(num_players=3), text.format(value_file(tmp_path)), 60)


@pytest.mark.parametrize(
    ("name", "text"), [("candyfactory", "mcts:simulations=20,learned=true"), ("schoko", "expert:simulations=10")]
)
def test_the_seed_decides(name: str, text: str) -> None:
    game = load(name, num_players=2)
    agent = make_agent(text, game)

    def play(seed: int) -> list[int]:
        reset(agent, seed)
        state = game.new(5)
        actions: list[int] = []
        while len(actions) < 40 and not game.is_over(state):
            actions.append(decide(game, agent, state))
            game.apply(state, actions[-1])
        return actions

    assert play(1) == play(1)
    assert play(1) != play(2)
