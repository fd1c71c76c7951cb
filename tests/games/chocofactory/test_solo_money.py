"""`solo_money="completed"` beyond the rules: agents, features, texts and pictures count as the rules do (SOLO-7)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chocofactory_decks import card, order, write_deck
from chocofactory_games import Position, load, player_of

import chocofactory_env as cf
from chocofactory_env.agents.protocol import decide, make_agent
from chocofactory_env.arena.chocofactory.judge import objectives
from chocofactory_env.games.chocofactory.feature_names import FEATURES
from chocofactory_env.training.chocofactory.goals import done_of_goals
from chocofactory_env.view.views import panels_of, scene_of

NEEDED = 10


def two_ways(path: Path, **options: Any) -> Position:
    """The last orders of a game that asks for £10. One chunk is left, and £4 are paid by the first stage of an order.

    The chunk completes this order, £10 in all, or does the first of two stages of another, £13 in all.
    """
    stages = {"begun": [({"nuts": 1}, 4), ({"chunks": 1}, 6)], "fresh": [({"chunks": 1}, 9), ({"boxed": 4}, 10)]}
    deck = write_deck(
        path / "week.toml",
        targets=[card("target", money=NEEDED - 6)],
        demands=[card("demand", money=1)],
        orders=[order(name, *of_order) for name, of_order in stages.items()],
    )
    position = Position(num_players=1, deck=str(deck), solo_money="completed", **options).phase("fulfil", day=6)
    position.player(0, money=4, coal=0, orders=[("begun", 1), ("fresh", 0)], store_room={"chunks": 1})
    position.data["paid"][0] = 4
    return position


@pytest.mark.parametrize("text", ["planner:width=4", "expert:width=4", "mcts:simulations=20", "flat_mc:playouts=20"])
def test_searching_agents_complete_the_order_that_makes_its_money_count(text: str, tmp_path: Path) -> None:
    game, state = two_ways(tmp_path).build()
    agent = make_agent(text, game)
    while not game.is_over(state):
        game.apply(state, decide(game, agent, state))
    assert game.won(state)[0]


def test_features_count_the_money_that_counts(tmp_path: Path) -> None:
    game, state = two_ways(tmp_path).build()
    after = game.afterstates()
    out = np.empty((1, after.size), np.uint8)
    after.fill(state, np.zeros(1, np.int32), out)
    read = dict(zip(after.names, (out[0, : after.features].view(np.int8) / after.present_steps).tolist(), strict=True))
    own = dict(zip(FEATURES, game.day_end(state, 0)[0].tolist(), strict=True))
    expected = {"money": 0, "money_missing": NEEDED / 20, "spare_money": -NEEDED / 20}
    assert {name: own[name] for name in expected} == expected
    assert {name: read[name] for name in expected} == pytest.approx(expected, abs=0.6 / after.present_steps)


def test_goals_and_objectives_count_the_money_that_counts(tmp_path: Path) -> None:
    """A tenth of five objectives is at stake, of which four are satisfied."""
    game, state = two_ways(tmp_path).build()
    raw = np.empty((1, game.observation_layout.raw_size), np.uint8)
    game.write_raw_observation(state, 0, raw[0])
    assert done_of_goals(game.observation_layout.tensors(raw))[0] == pytest.approx(4 / 5)
    standing = {one["objective"]: one for one in objectives(game, state)}
    assert (standing["money"]["there_is"], standing["money"]["asked_for"]) == ({"": 0}, {"": NEEDED})
    assert not standing["money"]["satisfied"]


def test_readers_are_told_what_counts(tmp_path: Path) -> None:
    game, state = two_ways(tmp_path).build()
    for scene in (scene_of(game, state, 0), panels_of(game, state, 0)):
        said = [thing.name for panel in scene.panels for thing in panel.things]
        assert "money: £0 of £10 by completed orders, £4 more in open ones, not satisfied" in said
    assert "money: £0 of £10 by completed orders" in game.render(state)
    assert "by the end of day 6: money of completed orders, orders," in game.prompt(state, 0)
    assert player_of(game, state)["money"] == 4
    usual = load(num_players=1)
    start = usual.new(1)
    assert "by the end of day 6: money, orders," in usual.prompt(start, 0)
    assert "by completed orders" not in usual.render(start)


def test_an_environment_of_both_shows_which_game_it_is() -> None:
    env: Any = cf.make_batch("chocofactory", 16, num_players=1, solo_money=["paid", "completed"], scaled=False)
    step = env.reset(seed=3)
    shown = env.observation_layout.views(step.observations)["only_completed"][:, 0]
    assert shown.tolist() == [env.game_of(row).variant.solo_money == "completed" for row in range(16)]
    assert 0 < shown.sum() < 16
