"""A game for an assistant that speaks MCP: `chocofactory mcp`. It plays seat 0, and knows no more than its seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from .. import agent_seed, decide, load, make_agent, reset_agent
from ..core.command import Command, Options, Seed
from ..core.text.answers import MoveError

INSTRUCTIONS: Final = (
    "You play seat 0 of a board game. Call look for the rules and the position. Play one of the numbered legal moves; "
    "the answer shows the next position that asks you. new_game begins another game."
)
SEAT: Final = 0


class Play:
    """A game of seat 0 against agents. ValueError or ImportError if one cannot be made, or their number is wrong."""

    def __init__(self, game: Any, agents: Sequence[str], seed: int) -> None:
        if len(agents) != game.num_players - 1:
            raise ValueError(
                f"agents: expected {game.num_players - 1}, one for each seat but the first, got {len(agents)}"
            )
        self.game, self._others = game, [make_agent(agent, game) for agent in agents]
        self.new_game(seed)

    def new_game(self, seed: int = 0) -> str:
        """Begin a new game, dealt by a seed, and look at it."""
        self.state, self._news = self.game.new(seed), list[str]()
        for seat, agent in enumerate(self._others, 1):
            reset_agent(agent, agent_seed(self.game, self.state, seat))
        return self._go_on()

    def _go_on(self) -> str:
        """Let agents move until seat 0 is asked, and look."""
        while not self.game.is_over(self.state) and self.game.current_player(self.state) != SEAT:
            self._apply(decide(self.game, self._others[self.game.current_player(self.state) - 1], self.state))
        return self.look()

    def _apply(self, action: int) -> None:
        self._news.append(self.game.move_in_words(self.state, action, SEAT))
        self.game.apply(self.state, action)

    def look(self) -> str:
        """What has happened since your last look, the rules in brief, the position, and your legal moves."""
        told, self._news = list(filter(None, self._news)), []
        news = ["Since your last look:", *told, ""] if told else []
        if not self.game.is_over(self.state):
            return "\n".join([*news, self.game.prompt(self.state, SEAT)])
        scores, won = self.game.scores(self.state).tolist(), self.game.won(self.state).tolist()
        end = f"The game is over. Scores by player: {scores}. Won: {won}."
        return "\n".join([*news, self.game.render(self.state, SEAT), end])

    def legal_moves(self) -> str:
        """Your numbered legal moves."""
        legal = np.flatnonzero(self.game.legal_mask(self.state)).tolist()
        return "\n".join(f"{action}: {self.game.describe(action)}" for action in legal)

    def play(self, move: str) -> str:
        if self.game.is_over(self.state):
            raise MoveError("The game is over: call new_game.")
        self._apply(self.game.parse_move(self.state, str(move)))
        return self._go_on()


def make_server(playing: Play) -> Any:
    """The MCP server whose tools are the methods of the game."""
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError

    def play(move: str) -> str:
        """Play a legal move, named by its number or its words, and see what comes of it."""
        try:
            return playing.play(move)
        except MoveError as error:
            raise ToolError(str(error)) from None

    server = MCPServer("chocofactory", instructions=INSTRUCTIONS, log_level="WARNING")
    for work in (playing.new_game, playing.look, playing.legal_moves, play):
        server.tool(structured_output=False)(work)
    return server


def serve(
    game: str = "chocofactory",
    *,
    agents: Sequence[str] = ("random",),
    option: Options = {},  # noqa: B006
    seed: Seed = 0,
) -> None:
    """Play a game with an assistant that speaks MCP, over stdin and stdout.

    Args:
        game: its name.
        agents: those of the other seats.
        option: an option of the game; repeat it for more.
        seed: seed of the first deal.

    Raises:
        ValueError, TypeError: there is no such game or agent.
        ImportError: the extra `mcp` is not installed.
    """
    playing = Play(load(game, **{"num_players": 1 + len(agents), **dict(option)}), agents, seed)
    try:
        server = make_server(playing)
    except ModuleNotFoundError as error:
        raise ImportError(f'{error.name} is missing: pip install "chocofactory-env[mcp]"') from None
    server.run("stdio")


COMMAND: Final = Command("chocofactory mcp", serve, ("--game schoko --agents manager expert",))
main = COMMAND.run

if __name__ == "__main__":
    main()
