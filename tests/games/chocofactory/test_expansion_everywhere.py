"""The expansion through every door: environments, batches, records and agents take it as they take the base game."""

from __future__ import annotations

from itertools import product
from typing import Any

import gymnasium
import pytest
from long_runs import AT_LENGTH, amount
from played import played_by

import chocofactory_env as cf
from chocofactory_env.agents.protocol import agents_of, make_agent
from chocofactory_env.arena import match

NAME = "master_chocolatier"
GAMES = amount("CF_GREEDY_GAMES", 30, 100)
FIRST_DEAL = 28  # greedy supplies by every new rule in the next thirty
OPTIONS: dict[str, Any] = {"expansion": NAME, "sides": "DCBDA"}
SIZES = {
    players: cf.load("chocofactory", num_players=players, expansion=NAME).observation_layout.size
    for players in (1, 2, 3)
}


def test_the_solo_environment_takes_it() -> None:
    env = gymnasium.make("ChocoFactory/FactoryManager-v0", render_mode="ansi", **OPTIONS)
    observation, info = env.reset(seed=1)
    assert observation.shape == (SIZES[1],)
    over = False
    while not over:
        observation, _, over, _, info = env.step(env.action_space.sample(mask=info["action_mask"]))
    rendered = env.render()
    assert isinstance(rendered, str)
    assert "with Master Chocolatier" in rendered


QUICK = {
    "expert": "expert:width=2,draft_width=1",
    "flat_mc": "flat_mc:playouts=2",
    "ismcts": "ismcts:simulations=5",
    "mcts": "mcts:simulations=5,plan_width=1,advised=false",
    "planner": "planner:width=2",
}


# A game of four players takes three times as long as one alone.
PLAYERS_AND_SIDES = (
    list(product((1, 2, 3, 4), ("C", "D", "random")))
    if AT_LENGTH
    else [(1, "C"), (1, "D"), (2, "C"), (2, "random"), (3, "D"), (4, "random")]
)


# `solo` is `planner` by another name; `llm` needs an endpoint.
@pytest.mark.parametrize("name", sorted(set(agents_of("chocofactory")) - {"llm", "solo"}))
@pytest.mark.parametrize(("players", "sides"), PLAYERS_AND_SIDES)
@pytest.mark.long
def test_agents_play_with_it(name: str, players: int, sides: str) -> None:
    game = cf.load("chocofactory", num_players=players, expansion=NAME, sides=sides)
    agents = [make_agent(QUICK.get(name, name), game) for _ in range(players)]
    assert game.is_over(played_by(agents, game, players))


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


def test_the_match_takes_it_on_the_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Any) -> None:
    option = f"expansion={NAME}"
    match.main(["--agents", "random", "random", "--deals", "1", "--option", option, "--out", str(tmp_path)])
    assert f'"expansion": "{NAME}"' in (tmp_path / "result.json").read_text(encoding="utf-8")
    assert "2 players  random" in capsys.readouterr().out


def test_a_position_of_the_base_game_does_not_fit_it() -> None:
    game = cf.load("chocofactory", num_players=2, expansion=NAME)
    base = cf.load("chocofactory", num_players=2)
    with pytest.raises(ValueError, match=r"state\.deck"):
        game.from_dict(base.to_dict(base.new(1)))
