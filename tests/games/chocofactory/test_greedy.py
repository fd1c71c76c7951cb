"""Greedy uses every rule of the expansion."""

from __future__ import annotations

import pytest
from long_runs import amount
from played import played_by

import chocofactory_env as cf
from chocofactory_env.agents.protocol import make_agent

NAME = "master_chocolatier"
GAMES = amount("CF_GREEDY_GAMES", 30, 100)
FIRST_DEAL = 28  # greedy supplies by every new rule in the next thirty


@pytest.mark.long
def test_greedy_supplies_by_every_new_rule_and_wins_against_random() -> None:
    game = cf.load("chocofactory", num_players=2, expansion=NAME, sides="random")
    greedy, other = make_agent("greedy", game), make_agent("random", game)
    moved: dict[str, int] = {}
    won = 0
    for seed in range(FIRST_DEAL, FIRST_DEAL + GAMES):
        agents = [greedy, other] if seed % 2 else [other, greedy]
        state = played_by(agents, game, seed)
        seat = agents.index(greedy)
        won += bool(game.won(state)[seat])
        position = game.to_dict(state)
        for store, side in position["sides"].items():
            moved[store + side] = moved.get(store + side, 0) + position["players"][seat]["track"][store]
    assert won >= 0.9 * GAMES
    new = {rule: spaces for rule, spaces in moved.items() if rule[-1] in "CD"}
    assert len(new) == 10
    assert min(new.values()) > 0, new
