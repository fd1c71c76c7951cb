"""Explanations and accounts of all games."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import chocofactory_env as cf
from chocofactory_env import GameRecord
from chocofactory_env.arena import explain, judge
from chocofactory_env.arena.regret import POINTS, Played, RegretFinder, Terms, curve_of, in_sum

QUICK = Terms(tries=1, deals=2, check=0, width=4)
GAMES = [
    ("chocofactory", ("planner:width=4", "random")),
    ("candyfactory", ("expert:deals=1", "random")),
    ("schoko", ("manager", "random")),
]
ACTIONS = {"chocofactory": 70, "candyfactory": 120, "schoko": 90}


@cache
def record_of(name: str, agents: tuple[str, ...], seed: int = 3, **options: Any) -> GameRecord:
    game = cf.load(name, num_players=len(agents), **options)
    return cf.record_game(game, [cf.make_agent(agent, game) for agent in agents], seed)


def begun(name: str, agents: tuple[str, ...]) -> Played:
    played = Played.of(record_of(name, agents), agents)
    return Played(played.load, played.deal, played.actions[: ACTIONS[name]], played.names)


@pytest.mark.parametrize(("name", "agents"), GAMES)
def test_who_searches_regrets_less_than_random_play(name: str, agents: tuple[str, ...]) -> None:
    told = explain.explain(begun(name, agents), QUICK, progress=False)
    mine = [[one for one in told.decisions if one.player == seat] for seat in range(2)]
    good, random = (in_sum(some, 2, POINTS).mean / len(some) for some in mine)
    assert good < random / 2
    assert told.books.chapters
    assert {one.chapter for one in told.decisions} <= set(told.books.chapters)
    assert all(len(numbers) == len(told.books.chapters) for numbers in told.books.standings)
    page = told.page()
    assert len(page) < 1_000_000


@pytest.mark.parametrize(("name", "agents"), GAMES)
def test_nothing_hidden_is_seen_by_who_judges(name: str, agents: tuple[str, ...]) -> None:
    played = begun(name, agents)
    one, other = RegretFinder(played, QUICK), RegretFinder(played, QUICK)
    game = one.game
    other.positions = [game.redeal(state, game.current_player(state), 9) for state in one.positions]
    for turn in range(1, len(one.turns), 6):
        assert one({"turn": turn}) == other({"turn": turn})


@pytest.mark.parametrize(("name", "agents"), GAMES)
def test_the_curve_ends_with_who_has_won(name: str, agents: tuple[str, ...]) -> None:
    played = Played.of(record_of(name, agents))
    game = played.load()
    kind = judge.judge_class(name)
    assert kind is not None
    curve = curve_of(played, kind(game, 2))
    assert len(curve) > 5
    assert all(sum(chances) == pytest.approx(100) for _, chances in curve)
    won = game.won(record_of(name, agents).replay(game))
    assert curve[-1] == (len(played.actions), (100.0 * won).tolist())


def test_time_that_is_bounded_ends_an_explanation_early() -> None:
    told = explain.explain(begun(*GAMES[1]), QUICK, seconds=0, progress=False)
    assert told.interrupted
    looked_at = len(told.decisions)
    assert 0 < looked_at < told.planned
    assert told.text().endswith(f"stopped after {looked_at} of {told.planned} decisions; regrets are of these alone")


VARIANTS = [
    ("chocofactory", "greedy", {}),
    ("candyfactory", "greedy", {}),
    ("candyfactory", "greedy", {"game": "plantation"}),
    ("candyfactory", "greedy", {"game": "candy"}),
    ("schoko", "manager", {}),
    ("schoko", "random", {}),  # who goes bankrupt
]


@pytest.mark.parametrize(("name", "agent", "options"), VARIANTS)
def test_accounts_add_up_to_the_scores(name: str, agent: str, options: dict[str, Any]) -> None:
    for players, seed in ((2, 1), (4, 2)):
        game: Any = cf.load(name, num_players=players, **options)
        record = record_of(name, (agent,) * players, seed, **options)
        steps = [(game.clone(state), action) for state, action in Played.of(record).steps(game)]
        end = record.replay(game)
        sources = game.accounts(steps, end)
        assert np.sum(list(sources.values()), axis=0).tolist() == game.scores(end).tolist()
        assert sum(any(amounts) for amounts in sources.values()) >= 2
