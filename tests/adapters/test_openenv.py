"""Server and client of the real OpenEnv: a scripted player plays over the wire what it plays by itself."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

import pytest
from scripted_text import Scripted, played

from chocofactory_env.envs.solo import SoloEnv
from chocofactory_env.envs.text import make_text_env
from chocofactory_env.envs.versus import VersusEnv

pytestmark = pytest.mark.skipif(find_spec("openenv") is None, reason="`make adapters` installs openenv")


@contextmanager
def served(name: str, **options: Any) -> Iterator[str]:
    import uvicorn

    from chocofactory_env.adapters.openenv import make_app

    server = uvicorn.Server(uvicorn.Config(make_app(name, **options), port=0, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


@pytest.mark.parametrize(
    ("name", "options", "agent"),
    [
        ("chocofactory", {"num_players": 1, "difficulty": 1}, "planner:width=4"),
        ("chocofactory", {"num_players": 3, "opponents": ["random", "greedy"], "seat": 1}, "greedy"),
        ("candyfactory", {"num_players": 2, "opponents": "random", "seat": 0}, "random"),
        ("schoko", {"num_players": 2, "opponents": "random", "seat": 1}, "random"),
    ],
)
def test_a_scripted_player_plays_as_it_does_by_itself(name: str, options: dict[str, Any], agent: str) -> None:
    from chocofactory_env.adapters.openenv import Answer, GameClient

    plain: Any = SoloEnv if options["num_players"] == 1 else VersusEnv
    with served(name, ask_forced=True, **options) as url, GameClient(base_url=url).sync() as client:
        for deal in (3, 4):
            env = make_text_env(name, ask_forced=True, **options)
            player = Scripted(env, agent, deal, errs=5)
            result, prompt = client.reset(seed=deal), ""
            while not result.done:
                shown = result.observation
                assert shown.text == (f"{shown.correction}\n\n{prompt}" if shown.correction else shown.text)
                prompt = prompt if shown.correction else shown.text
                result = client.step(Answer(text=player(shown.correction or shown.text)))
            expected = played(plain(name, **options), agent, deal)
            assert player.over
            found = result.observation.result | {"reward": result.reward}
            assert [found[key] for key in ("reward", "score", "won")] == [
                expected[key] for key in ("reward", "score", "won")
            ]
            counts = result.observation.counts
            assert counts["answers"] == counts["decisions"] + counts["corrected"] == client.state().step_count > 20


def test_two_clients_have_a_game_each() -> None:
    from chocofactory_env.adapters.openenv import Answer, GameClient

    with (
        served("schoko", num_players=2) as url,
        GameClient(base_url=url).sync() as one,
        GameClient(base_url=url).sync() as other,
    ):
        first = one.reset(seed=1).observation.text
        other.reset(seed=2)
        other.step(Answer(text="I resign"))
        assert one.reset(seed=1).observation.text == first
        assert one.step(Answer(text="0")).observation.counts["answers"] == 1
