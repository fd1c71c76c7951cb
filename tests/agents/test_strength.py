"""Which agent beats which, in a few games; and greedy uses every rule of the expansion."""

from __future__ import annotations

from typing import Any

import pytest
from long_runs import amount

import chocofactory_env as cf
from chocofactory_env.core.jit import COMPILED

pytestmark = [pytest.mark.long, pytest.mark.skipif(not COMPILED, reason="plays whole games")]
DEALS = amount("CF_DEALS", 1, 4)
GREEDY_GAMES = amount("CF_GREEDY_GAMES", 30, 100)
FIRST_DEAL = 28  # greedy supplies by every new rule in the next thirty
# Game and players; the better agent, the others; deals, the least share of games won, and the least lead in points.
BETTER: list[tuple[str, int, str, str, int, float, int]] = [
    # by measurement it wins about four of five games
    ("chocofactory", 2, "expert:width=8,draft_width=2", "planner:width=8", 5 * DEALS, 5 / 8, 0),
    ("chocofactory", 2, "planner:width=16", "greedy", 4 * DEALS, 3 / 4, 25),
    ("chocofactory", 1, "planner:width=16", "", 12 * DEALS, 1 / 2, 0),
    ("chocofactory", 2, "mcts:simulations=300,plan_width=0,days=1,advised=false", "greedy", DEALS, 3 / 4, 0),
    ("chocofactory", 2, "mcts:simulations=20,plan_width=2", "greedy", DEALS, 3 / 4, 0),
    ("chocofactory", 2, "flat_mc:playouts=10", "random", 3, 5 / 6, 0),
    *(("schoko", players, "manager", "random", 24 // players, 0.9, 0) for players in (2, 3, 4)),
    *(("toyrace.game:ToyRace", players, "flat_mc:playouts=10", "random", 10, 1 / 2, 0) for players in (1, 2, 3)),
    ("toyrace.game:ToyRace", 2, "mcts:simulations=50", "random", 5, 0.8, 0),
]


@pytest.mark.parametrize(("name", "players", "better", "worse", "deals", "share", "lead"), BETTER)
def test_an_agent_wins_most_games(
    name: str, players: int, better: str, worse: str, deals: int, share: float, lead: int
) -> None:
    agents = [better, *[worse] * (players - 1)]
    first, *others = cf.play_match(cf.load(name, num_players=players), agents, range(deals), progress=False).agents()
    assert first["win_rate"] >= share
    assert all(first["score"] > other["score"] + lead for other in others)


def test_greedy_supplies_by_every_new_rule_and_wins_against_random() -> None:
    game = cf.load("chocofactory", num_players=2, expansion="master_chocolatier", sides="random")
    moved: dict[str, int] = {}
    won = 0
    for seed in range(FIRST_DEAL, FIRST_DEAL + GREEDY_GAMES):
        agents = ["greedy", "random"] if seed % 2 else ["random", "greedy"]
        state, seat = cf.record_game(game, agents, seed).replay(game), agents.index("greedy")
        won += bool(game.won(state)[seat])
        position: dict[str, Any] = game.to_dict(state)
        for store, side in position["sides"].items():
            moved[store + side] = moved.get(store + side, 0) + position["players"][seat]["track"][store]
    assert won >= 0.9 * GREEDY_GAMES
    new = {rule: spaces for rule, spaces in moved.items() if rule[-1] in "CD"}
    assert len(new) == 10
    assert min(new.values()) > 0, new
