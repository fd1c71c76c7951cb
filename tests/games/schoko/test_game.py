"""`check_game` on every variant, and how long games are."""

from __future__ import annotations

import re
from typing import Any

import gymnasium
import numpy as np
import pytest
from firms import Firms
from long_runs import amount
from mutations import MOST_DECISIONS
from repository import ROOT
from schoko_games import VARIANTS, variant_name

import chocofactory_env as cf
from chocofactory_env.core.jit import COMPILED
from chocofactory_env.games.schoko.actions import ACTIONS
from chocofactory_env.games.schoko.constants import Task
from chocofactory_env.games.schoko.game import MOMENTS
from chocofactory_env.testing import check_game

GAMES = amount("CF_CHECKED_GAMES", 1, 2)
BOUND = 12_000  # steps of a game of random actions


@pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
@pytest.mark.long
def test_schoko_conforms(options: dict[str, Any]) -> None:
    check_game(cf.load("schoko", **options), seeds=range(GAMES))


@pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
def test_random_games_end(options: dict[str, Any]) -> None:
    game = cf.load("schoko", **options)
    results = game.random_playouts(game.new(seed=1), np.arange(300), player=0)
    assert results.decisions.max() <= BOUND
    assert (results.ranking == 0).sum(axis=1).tolist() == [1] * 300


def longest_game() -> int:
    """Steps from a position that is made up for it: the longest contract alone comes up, in 15 meetings a month.

    All attend and refuse, and the chairman raises the price by one.
    """
    firms = Firms(4, month=1, months=12, play_forced=False)
    cards = firms.game.cards
    by_range = sorted(range(len(cards.contracts)), key=lambda card: np.ptp(cards.record.contracts[card].tolist()[1:]))
    held = [(cards.contracts[card], int(cards.record.contracts[card]["lowest"])) for card in by_range[:-1]]
    for seat in range(4):
        firms.player(seat, cash=100_000, staff=(0, 4, 0, 0), chocolate=16, contracts=held[seat::4])
    game, state = firms.next_contracts(cards.contracts[by_range[-1]]).ask("look", 0).build()
    row, mask, steps = state[0], game.legal_mask(state), 0
    while row["task"] != Task.OVER:
        action = int(mask.argmax())  # attend, raise by one, make nothing
        if row["task"] in (Task.OFFER, Task.CARD_A, Task.CARD_B, Task.CARD_C):
            action = ACTIONS.first["pass"]
        elif row["task"] == Task.STAFF:
            action = ACTIONS.first["staff"] + int(row["players"][row["current"]]["staff"][row["category"]])
        game.advance(state, action, mask)
        steps += 1
    return steps


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="uncompiled it takes minutes")
def test_the_page_says_how_long_a_game_can_be() -> None:
    page = (ROOT / "docs" / "schoko" / "protocol.md").read_text("utf-8")
    bound = int(re.findall(r"every game ends within ([\d,]+) steps", page)[0].replace(",", ""))
    longest = longest_game()
    assert f"one of {longest:,}" in page
    assert longest < bound
    assert bound == MOST_DECISIONS


def test_the_environments_are_there_by_name() -> None:
    from chocofactory_env import schoko_v0

    env = schoko_v0.env(num_players=3)
    env.reset(seed=1)
    for _ in env.agent_iter():
        observation, _, terminated, _, _ = env.last()
        assert observation is not None
        env.step(None if terminated else int(np.flatnonzero(observation["action_mask"])[-1]))
    assert not env.agents
    learner = gymnasium.make("ChocoFactory/SchokoVersus-v0", num_players=2)
    _, info = learner.reset(seed=1)
    assert info["action_mask"].shape == (118,)
    step = cf.make_batch("schoko", num_envs=2, num_players=4).reset(seed=1)
    assert np.asarray(step.observations).shape == (2, 446)


def test_options_are_checked() -> None:
    with pytest.raises(TypeError, match="moths"):
        cf.load("schoko", moths=8)
    with pytest.raises(ValueError, match="upset"):
        cf.load("schoko", upset="none")
    with pytest.raises(TypeError, match="play_forced"):
        cf.load("schoko", play_forced="yes")


def test_the_moment_of_a_secret_names_nobody() -> None:
    """SEE-5"""
    words = {MOMENTS[task] for task in (Task.CARD_A, Task.CARD_B, Task.CARD_C, Task.TARGET, Task.HOLIDAY)}
    assert words == {"card window"}
    assert MOMENTS[Task.BID_BARS] == MOMENTS[Task.BID_PRICE]
    assert set(MOMENTS) == set(Task)
