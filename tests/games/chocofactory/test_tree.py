"""Tree search and flat Monte Carlo: visits add up, wins are found, and copies play alike."""

from __future__ import annotations

import pickle
from copy import deepcopy
from itertools import islice
from typing import Any

import numpy as np
import pytest
from chocofactory_games import VARIANTS, Position, action_numbers, load, steps, variant_name

from chocofactory_env.agents.chocofactory import shipped_value
from chocofactory_env.agents.chocofactory.expert import weights_with
from chocofactory_env.agents.protocol import decide, make_agent, reset
from chocofactory_env.core.kernel.rng import WORDS
from chocofactory_env.core.kernel.rules import MAX_SEATS
from chocofactory_env.core.search.tree import Node
from chocofactory_env.games.chocofactory.constants import Phase, Task
from chocofactory_env.games.chocofactory.search.plan import MOST_DECISIONS, memory_for
from chocofactory_env.games.chocofactory.search.tree import KERNEL, KNOWN_DAYS, Leaf, PlannedDay, policy_priors
from chocofactory_env.games.chocofactory.search.weights import Prices

EVERY = pytest.mark.parametrize("options", VARIANTS, ids=variant_name)


def values_of_leaf(game: Any, state: np.ndarray, leaf: Leaf) -> np.ndarray:
    """What the first simulation of a tree finds after the likeliest action, by seat."""
    values, mask = np.zeros(MAX_SEATS), np.zeros(game.num_actions, np.int8)
    scratch = mask, np.full(game.num_actions, -1, np.int32), np.zeros(WORDS, np.uint32), values
    tree = game.blank_states(1), np.zeros(2, Node.dtype), 0, 1, 1
    KERNEL.grow(game.tables, state, *tree, 0.6, policy_priors(), *scratch, np.zeros(0, np.int64), leaf)
    return values[: game.num_players]


def middle(game: Any, number: int) -> np.ndarray:
    """The position after so many steps of a random game."""
    state: np.ndarray = next(state for state, _ in islice(steps(game, 3), number, None))
    return state


@EVERY
@pytest.mark.parametrize("settings", [{}, {"days": 1}, {"days": None}, {"plan_width": 2}], ids=str)
def test_every_simulation_visits_one_legal_action(options: dict[str, Any], settings: dict[str, Any]) -> None:
    game = load(**options)
    state = middle(game, 60)  # a random solo game may be over after 90
    before = state.tobytes()
    found = game.tree_search(**settings).search(state, 200, seed=1)
    assert state.tobytes() == before
    assert found.visits.sum() == 200
    assert not found.visits[game.legal_mask(state) == 0].any()
    assert ((found.value >= 0) & (found.value <= 1)).all()


def test_an_order_that_can_be_fulfilled_on_the_last_day_is() -> None:
    position = Position(num_players=2).phase("fulfil", current=1, day=6)
    room = {"caramel": 1, "nuts": 1}
    game, state = position.player(1, store_room=room, orders=[("tea-room", 0)], employee="clerk").build()
    found = game.tree_search(days=None).search(state, 500, seed=1)
    assert found.visits.argmax() == action_numbers(game)["fulfil order 0"]


@pytest.mark.parametrize("learned", [False, True], ids=["hand-tuned", "learned"])
@pytest.mark.parametrize("options", [VARIANTS[2], VARIANTS[5], VARIANTS[6]], ids=variant_name)
def test_days_that_were_planned_before_are_worth_the_same(options: dict[str, Any], learned: bool) -> None:
    game = load(**options)
    players = game.num_players
    weights = weights_with(game, shipped_value(players)) if learned else game.evaluation_weights()
    number, known = 0, np.zeros(KNOWN_DAYS, PlannedDay.dtype)
    leaf = Leaf(
        days=0,
        weight_rows=weights,
        price_rows=np.zeros(1, Prices.dtype),
        plan_width=4,
        seats=game.new(4),
        known=known,
        memory=memory_for(4),
        plan=np.zeros(MOST_DECISIONS, np.int64),
    )
    for state, action in steps(game, 2):
        if action >= 0 and (state[0]["phase"], state[0]["task"]["kind"]) != (Phase.DRAFT, Task.PLACE_PART):
            looked_up = values_of_leaf(game, state, leaf)
            planned = values_of_leaf(game, state, leaf._replace(known=np.zeros_like(known)))
            assert np.array_equal(looked_up, planned), number
            number += 1
    assert number > 100
    assert np.count_nonzero(known["key"]) < 0.75 * players * number  # some were looked up


@pytest.mark.parametrize("text", ["planner:width=8", "mcts:simulations=10", "flat_mc:playouts=2"])
@pytest.mark.parametrize("copied", [deepcopy, lambda agent: pickle.loads(pickle.dumps(agent))], ids=["copy", "pickle"])
def test_an_agent_that_was_used_plays_the_same_as_its_copy(text: str, copied: Any) -> None:
    game = load(num_players=2)

    def played(agent: Any, deal: int, decisions: int = 60) -> list[int]:
        reset(agent, 5)
        state, actions = game.new(deal), list[int]()
        while len(actions) < decisions:
            actions.append(decide(game, agent, state))
            game.apply(state, actions[-1])
        return actions

    agent = make_agent(text, game)
    played(agent, deal=3)
    assert played(copied(agent), deal=1) == played(agent, deal=1)


@pytest.mark.parametrize("text", ["planner:time_s=0.02", "mcts:time_s=0.01"])
def test_with_a_time_an_agent_decides(text: str) -> None:
    game = load(num_players=2)
    agent, state = make_agent(text, game), game.new(1)
    for _ in range(8):
        game.apply(state, decide(game, agent, state))
