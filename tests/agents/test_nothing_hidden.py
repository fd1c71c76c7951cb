"""What agents of every game have in common: none sees what is hidden from its seat, and chance follows the seed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from all_games import GAMES, load
from chocofactory_games import VARIANTS
from long_runs import amount
from test_turn_agent import value_file

from chocofactory_env.agents.protocol import agents_of, decide, make_agent, reset
from chocofactory_env.core.jit import COMPILED
from toyrace.game import ToyRace

SEARCHED = amount("CF_SEARCHED", 24, 100)
# By agent: how many of its decisions are compared.
PLANNING = {
    "greedy": 200,
    "learned": 60,
    "planner:width=24": 150,
    "expert:width=4,draft_width=2": 100,
    "expert:width=4,draft_width=2,network=true": 60,
}
SEARCHING = dict.fromkeys(["mcts:simulations=40", "ismcts:simulations=20", "flat_mc:playouts=4"], SEARCHED)
OF_CANDY = dict.fromkeys(
    ["greedy", "learned", "expert:deals=2", "mcts:simulations=20,learned=true", "flat_mc:playouts=2"], 60
)
OF_SCHOKO = dict.fromkeys(
    ["manager", "learned", "mcts:simulations=5", "expert:simulations=10", "flat_mc:playouts=1"], 120
)
CASES = [  # game, variant, agent and decisions
    *(("chocofactory", options, *each) for options in VARIANTS for each in (PLANNING | SEARCHING).items()),
    ("chocofactory", {"num_players": 1}, "solo:width=4", 60),
    *(("candyfactory", {"num_players": 3}, *each) for each in OF_CANDY.items()),
    *(("schoko", {"num_players": 3}, *each) for each in OF_SCHOKO.items()),
]


def check_that_nothing_hidden_is_seen(game: Any, text: str, decisions: int) -> None:
    """Two agents of one make choose alike, though everything hidden lies otherwise before each of them."""
    agents: list[Any] = [make_agent(text, game) for _ in range(2)]
    state, differ = game.new(3), 0
    for step in range(decisions if COMPILED else 8):
        if game.is_over(state):
            break
        seat = game.current_player(state)
        dealt = [game.redeal(state, seat, seed) for seed in (1000 + step, 5000 + step)]
        differ += dealt[0].tobytes() != dealt[1].tobytes()
        action, also = (agent.choose(position, seat) for agent, position in zip(agents, dealt, strict=True))
        assert action == also, step
        game.apply(state, action)
    assert differ > 20 or not COMPILED


def test_every_shipped_agent_is_tried() -> None:
    for name in ("chocofactory", "candyfactory", "schoko"):
        tried = {text.partition(":")[0] for game, _, text, _ in CASES if game == name}
        assert tried == set(agents_of(name)) - {"llm", "random"}  # which read an observation or a prompt


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "options", "text", "decisions"),
    [pytest.param(*case, id=f"{GAMES[case[0]].variant_name(case[1])}, {case[2]}") for case in CASES],
)
def test_an_agent_of_a_game_sees_nothing_hidden(name: str, options: dict[str, Any], text: str, decisions: int) -> None:
    check_that_nothing_hidden_is_seen(load(name, **options), text, decisions)


@pytest.mark.parametrize("text", ["chocofactory_env.agents.turns:TurnAgent:value={}", "mcts:simulations=60,value={}"])
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
