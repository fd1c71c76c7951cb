"""A server and a client for `openenv` (0.10): one seat of any game, answered in text, over HTTP and a WebSocket.

    python -m chocofactory_env.adapters.openenv --game chocofactory --option num_players=2 --opponents greedy

`GameClient(base_url="http://127.0.0.1:8000")` connects to it. Every connection has its own game.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, cast

from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server.http_server import create_fastapi_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, EnvironmentMetadata, Observation, State
from pydantic import Field

from .. import __version__
from ..core.command import CommandParser, integer
from ..envs.text import TextEnv, make_text_env

PORT = 8000
MOST_GAMES = 64  # at once


class Answer(Action):
    """The model's answer: any text that `game.parse_move` can read."""

    text: str


class Shown(Observation):
    """The model's next prompt. `correction` is set after a wrong answer, and `result` at the end of the game."""

    text: str = ""
    correction: str | None = None
    counts: dict[str, int] = Field(default_factory=dict)
    result: dict[str, Any] = Field(default_factory=dict)


class GameServer(Environment[Answer, Shown, State]):
    """Serves one game at a time. `reset(seed=7)` deals the game of `game.new(7)`."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, make: Any) -> None:
        super().__init__()
        self._env: TextEnv = make()
        self._state = State()

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> Shown:
        text, info = self._env.reset(seed=seed)
        self._state = State(episode_id=episode_id, step_count=0)
        return _shown(text, None, False, info)

    def step(self, action: Answer, timeout_s: float | None = None, **_: Any) -> Shown:
        text, reward, over, _truncated, info = self._env.step(action.text)
        self._state.step_count += 1
        return _shown(text, reward, over, info)

    @property
    def state(self) -> State:
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        game = self._env.game
        what = f"{game.name} for {game.num_players}, one seat of which answers in text"
        return EnvironmentMetadata(name=game.name, description=what, version=__version__)


def _shown(text: str, reward: float | None, over: bool, info: Mapping[str, Any]) -> Shown:
    names = ("score", "won", "rank", "seat", "scores") if over else ()
    result = {name: _plain(info[name]) for name in names if name in info}
    counts = info["counts"]
    return Shown(text=text, reward=reward, done=over, correction=info["correction"], counts=counts, result=result)


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value


class GameClient(EnvClient[Answer, Shown, State]):
    """Client of this server: asynchronous, or synchronous with `.sync()`."""

    def _step_payload(self, action: Answer) -> dict[str, Any]:
        return {"text": action.text}

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[Shown]:
        over, reward = payload.get("done", False), payload.get("reward")
        shown = Shown(**{**payload["observation"], "done": over, "reward": reward})
        return StepResult(observation=shown, reward=reward, done=over)

    def _parse_state(self, payload: dict[str, Any]) -> State:
        return State(**payload)


def make_app(name: str, **options: Any) -> Any:
    """Make the web application; options as for `make_text_env`."""
    new = partial(GameServer, partial(make_text_env, name, **options))
    return create_fastapi_app(cast(Any, new), Answer, Shown, max_concurrent_envs=MOST_GAMES)


def main(arguments: Sequence[str] | None = None) -> None:
    import uvicorn

    parser = CommandParser(prog="python -m chocofactory_env.adapters.openenv", description=__doc__)
    parser.add_argument("--game", default="chocofactory")
    parser.add_argument("--option", type=_option, action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--opponents", nargs="+", help="agents on the other seats, or one for all of them")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=integer(0, 65535), default=PORT)
    chosen = parser.parse_args(arguments)
    options = dict(chosen.option)
    if chosen.opponents:
        options["opponents"] = chosen.opponents if len(chosen.opponents) > 1 else chosen.opponents[0]
    uvicorn.run(make_app(chosen.game, **options), host=chosen.host, port=chosen.port)


def _option(text: str) -> tuple[str, Any]:
    """The name and value of an option; the value is parsed as JSON if possible, else kept as text."""
    name, _, value = text.partition("=")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


if __name__ == "__main__":
    main()
