"""A server and a client for `openenv` (0.10): one seat of any game, answered in text, over HTTP and a WebSocket.

    python -m chocofactory_env.adapters.openenv --game chocofactory --option num_players=2 --opponents greedy

`GameClient(base_url="http://127.0.0.1:8000")` connects to it. Every connection has its own game, and is closed after
`--idle` seconds without a request. Over plain HTTP the library forgets a game after every request; there, `episode_id`
in the bodies of `POST /reset` and `POST /step` names the game, and the games played last are kept.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Final, cast

from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server.http_server import create_fastapi_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, ConcurrencyConfig, EnvironmentMetadata, Observation, State
from pydantic import Field
from starlette.responses import JSONResponse

from .. import __version__
from ..core.command import Command, Options, integer
from ..core.messages import shown
from ..envs.text import TextEnv, make_text_env

PORT = 8000
MOST_GAMES = 64  # at once: of connections, and over plain HTTP
IDLE = 3600.0  # seconds
LONGEST_NAME = 255  # of a game; as in the library's own requests


class Answer(Action):
    """The model's answer: any text that `game.parse_moves` can read."""

    text: str


class Shown(Observation):
    """The model's next prompt. `correction` is set after a wrong answer, and `result` at the end of the game."""

    text: str = ""
    correction: str | None = None
    counts: dict[str, int] = Field(default_factory=dict)
    result: dict[str, Any] = Field(default_factory=dict)


class HeldGames:
    """Games by name, from which the one that was used least recently makes room for a new one."""

    def __init__(self) -> None:
        self._held: OrderedDict[str, TextEnv] = OrderedDict()
        self._lock = threading.Lock()

    def hold(self, name: str, env: TextEnv) -> None:
        with self._lock:
            for other in [other for other, held in self._held.items() if other == name or held is env]:
                del self._held[other]
            self._held[name] = env
            if len(self._held) > MOST_GAMES:
                self._held.popitem(last=False)

    def step(self, name: str, answer: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        with self._lock:
            if name not in self._held:
                raise ResetNeeded(f"episode_id {shown(name)}: no game of this name is under way")
            self._held.move_to_end(name)
            return self._held[name].step(answer)


class GameServer(Environment[Answer, Shown, State]):
    """Serves one game at a time. `reset(seed=7)` deals the game of `game.new(7)`.

    With `episode_id`, `reset` also keeps the game in `held`, and `step` plays it on, even in another server.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, make: Callable[[], TextEnv], held: HeldGames) -> None:
        super().__init__()
        self._env, self._held = make(), held
        self._state = State()
        self._closed = False

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> Shown:
        self._check(episode_id)
        text, info = self._env.reset(seed=seed)
        if episode_id is not None:
            self._held.hold(episode_id, self._env)
        self._state = State(episode_id=episode_id, step_count=0)
        return _shown(text, None, False, info)

    def step(self, action: Answer, timeout_s: float | None = None, episode_id: str | None = None, **_: Any) -> Shown:
        self._check(episode_id)
        step = self._env.step if episode_id is None else partial(self._held.step, episode_id)
        text, reward, over, _truncated, info = step(action.text)
        self._state.step_count += 1
        return _shown(text, reward, over, info)

    def close(self) -> None:
        """Refuse further calls: the library closes a session that is idle, and leaves its connection open."""
        self._closed = True

    def _check(self, episode_id: Any) -> None:
        if self._closed:
            raise ClosedEnvironmentError("this session was idle for too long and has been closed; connect again")
        if not (episode_id is None or (isinstance(episode_id, str) and len(episode_id) <= LONGEST_NAME)):
            raise TypeError(f"episode_id: expected up to {LONGEST_NAME} characters, got {shown(episode_id)}")

    @property
    def state(self) -> State:
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        game = self._env.game
        what = f"{game.name} for {game.num_players}, one seat of which answers in text"
        return EnvironmentMetadata(name=game.name, description=what, version=__version__)


def _shown(text: str, reward: float | None, over: bool, info: Mapping[str, Any]) -> Shown:
    names = ("score", "won", "rank", "seat", "scores", "illegal_action") if over else ()
    result = {name: _plain(info[name]) for name in names if name in info}
    correction, counts = info["correction"] or None, info["counts"]
    return Shown(text=text, reward=reward, done=over, correction=correction, counts=counts, result=result)


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


def make_app(name: str, *, idle: float = IDLE, **options: Any) -> Any:
    """Make the web application; options as for `make_text_env`.

    idle: seconds after which a session without a request loses its place.

    Errors of a request over HTTP are answered with status 409 (no game is under way) or 422 (a bad value).
    """
    new = partial(GameServer, partial(make_text_env, name, **options), HeldGames())
    limits = ConcurrencyConfig(max_concurrent_envs=MOST_GAMES, session_timeout=idle)
    app = create_fastapi_app(cast(Any, new), Answer, Shown, concurrency_config=limits)
    for error, status in ((ResetNeeded, 409), (TypeError, 422), (ValueError, 422)):
        app.add_exception_handler(error, partial(_refused, status))
    return app


async def _refused(status: int, _request: Any, error: Exception) -> JSONResponse:
    advice = '; over HTTP, give the same "episode_id" to /reset and /step' if status == 409 else ""
    return JSONResponse({"detail": f"{error}{advice}"}, status)


def serve(
    game: str = "chocofactory",
    option: Options = {},  # noqa: B006
    opponents: Sequence[str] = (),
    host: str = "127.0.0.1",
    port: Annotated[int, integer(0, 65535)] = PORT,
    idle: float = IDLE,
) -> None:
    """Serve a game to OpenEnv's clients.

    Args:
        game: its name.
        option: an option of the environment; repeat it for more.
        opponents: agents on the other seats, or one for all of them.
        host: the address to listen on.
        port: the port to listen on.
        idle: seconds after which an idle session is closed.
    """
    import uvicorn

    others: dict[str, Any] = {"opponents": list(opponents) if len(opponents) > 1 else opponents[0]} if opponents else {}
    uvicorn.run(make_app(game, idle=idle, **option, **others), host=host, port=port)


COMMAND: Final = Command("python -m chocofactory_env.adapters.openenv", serve, ("--game schoko --opponents manager",))
main = COMMAND.run

if __name__ == "__main__":
    main()
