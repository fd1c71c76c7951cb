"""A game for an assistant: the tools, and where MCP is installed the real client over stdio."""

from __future__ import annotations

import asyncio
import os
import sys
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from repository import ROOT

import chocofactory_env as cf
from chocofactory_env.adapters.mcp import Play
from chocofactory_env.core.text.answers import MoveError

DEAL = 5


class Mirror:
    """The same game, played beside it."""

    def __init__(self) -> None:
        self.game: Any = cf.load("schoko", num_players=2)
        self.other = cf.make_agent("manager", self.game)
        self.state = self.game.new(DEAL)
        cf.reset_agent(self.other, cf.agent_seed(self.game, self.state, 1))
        self.go_on()

    def go_on(self) -> None:
        while not self.game.is_over(self.state) and self.game.current_player(self.state) == 1:
            self.game.apply(self.state, cf.decide(self.game, self.other, self.state))

    def play(self, action: int) -> None:
        self.game.apply(self.state, action)
        self.go_on()

    @property
    def legal(self) -> list[int]:
        found: list[int] = np.flatnonzero(self.game.legal_mask(self.state)).tolist()
        return found


def test_a_game_is_played_to_its_end_as_it_is_by_itself() -> None:
    mirror, rng = Mirror(), np.random.default_rng(1)
    playing = Play(mirror.game, ["manager"], DEAL)
    shown = playing.look()
    while not mirror.game.is_over(mirror.state):
        assert shown.endswith(mirror.game.prompt(mirror.state, 0))
        words = [f"{action}: {mirror.game.describe(action)}" for action in mirror.legal]
        assert playing.legal_moves().splitlines() == words
        with pytest.raises(MoveError):
            playing.play("I resign")
        action = int(rng.choice(mirror.legal))
        mirror.play(action)
        shown = playing.play(str(action) if rng.integers(2) else mirror.game.describe(action))
    scores, won = mirror.game.scores(mirror.state).tolist(), mirror.game.won(mirror.state).tolist()
    assert shown.endswith(f"The game is over. Scores by player: {scores}. Won: {won}.")
    with pytest.raises(MoveError, match="new_game"):
        playing.play("1")
    assert playing.new_game(DEAL).endswith(Mirror().game.prompt(Mirror().state, 0))


def test_it_shows_only_what_the_seat_may_know() -> None:
    playing = Play(cf.load("candyfactory"), ["greedy"], DEAL)
    shown = playing.look()
    playing.state = playing.game.redeal(playing.state, 0, 77)
    assert playing.look() in shown


@pytest.mark.skipif(find_spec("mcp") is None, reason="`make adapters` installs mcp")
def test_a_client_finds_the_tools_and_plays() -> None:
    from mcp import Client, StdioServerParameters, stdio_client

    command = ["-m", "chocofactory_env.adapters.mcp", "--game", "schoko", "--agents", "manager", "--seed", str(DEAL)]
    server = StdioServerParameters(command=sys.executable, args=command, env={**os.environ, "PYTHONPATH": str(ROOT)})
    mirror = Mirror()

    async def play() -> tuple[set[str], list[tuple[str, bool]]]:
        async with Client(stdio_client(server)) as client:
            tools = {tool.name for tool in (await client.list_tools()).tools}
            calls: list[tuple[str, dict[str, str]]] = [("look", {}), ("play", {"move": "I resign"})]
            calls += [("play", {"move": str(mirror.legal[0])}), ("legal_moves", {})]
            results = [await client.call_tool(name, given) for name, given in calls]
            return tools, [(result.content[0].text, bool(result.is_error)) for result in results]

    tools, said = asyncio.run(play())
    assert tools == {"new_game", "look", "legal_moves", "play"}
    assert [failed for _, failed in said] == [False, True, False, False]
    assert "Answer with the number of one legal move" in said[1][0]
    mirror.play(mirror.legal[0])
    assert said[2][0].endswith(mirror.game.prompt(mirror.state, 0))
