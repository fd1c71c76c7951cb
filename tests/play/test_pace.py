"""How long people wait for agents: by what is told of a turn, and never long."""

from __future__ import annotations

import asyncio
import random

import numpy as np
import pytest
from at_table import table_of
from games_under_test import GAMES, GameMaker, schoko

from chocofactory_env.play.tables.pace import LONGEST, MOST, SHORTEST, STEP, Pace


def test_a_longer_story_is_given_more_time() -> None:
    waits = [Pace(2.0).wait(story, False) / 2 for story in ("", "a b", "a b c d e f g h", "a " * 99)]
    assert waits == [STEP, SHORTEST, 1.0, LONGEST]


def test_the_waits_between_two_moves_of_a_person_are_bounded() -> None:
    pace = Pace(0.5)
    assert sum(pace.wait("a " * 30, True) for _ in range(500)) < 0.5 * MOST
    assert Pace(0.0).wait("a b c", True) == 0


@pytest.mark.parametrize("make_game", GAMES)
def test_turns_of_agents_are_told_before_the_next_one_moves(make_game: GameMaker) -> None:
    """At the default pace, with three agents, at random."""
    rng, table = random.Random(1), table_of(make_game(num_players=4), 2, kind="agent")
    table.seats[0].kind = "here"
    waited, longest = 0.0, 0.0
    for _ in range(400):
        if table.over:
            break
        seat, action = table.mover, int(rng.choice(np.flatnonzero(table.game.legal_mask(table.state))))
        if seat == 0:
            table.act(0, table.asked[0], action)
            longest, waited = max(longest, waited), waited if table.pace.waited else 0.0
            continue
        if table.game.move_in_words(table.state, action, None):
            assert seat is not None
            waited += table.pace.wait(table._told_of_turn_before(seat), True)
        table._apply(action)
    assert 1 < longest < MOST


class Watcher:
    def __init__(self) -> None:
        self.woken = asyncio.Event()

    def wake(self) -> None:
        self.woken.set()


def test_one_move_is_one_that_everyone_may_know_of() -> None:
    """Else a player would learn from the number of steps that another seat was asked in secret."""

    async def stepped() -> None:
        table, watcher, secret = table_of(schoko(num_players=3), 1, kind="agent"), Watcher(), 0
        table.pace.paused = True
        table.join(watcher, frozenset())
        while len(table.actions) < 60:
            told, played = len(table.log(None)), len(table.actions)
            table.step()
            while table.pace.steps:
                watcher.woken.clear()
                await watcher.woken.wait()
            assert len(table.log(None)) > told
            secret += len(table.actions) - played - 1
        assert secret > 5

    asyncio.run(asyncio.wait_for(stepped(), 60))
