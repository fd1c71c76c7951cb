"""Server and client of the real OpenEnv: a scripted player plays over the wire what it plays by itself."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from scripted_text import Scripted, played

from chocofactory_env.envs.seat import SeatEnv
from chocofactory_env.envs.text import make_text_env

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
            expected = played(SeatEnv(name, **options), agent, deal)
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


@pytest.mark.parametrize("name", ["chocofactory", "candyfactory", "schoko"])
def test_a_game_without_a_legal_answer_is_lost(name: str) -> None:
    from chocofactory_env.adapters.openenv import Answer, GameClient

    with served(name, num_players=2) as url, GameClient(base_url=url).sync() as client:
        for _ in range(2):  # a reset begins anew
            client.reset(seed=1)
            results = [client.step(Answer(text=text)) for text in ("", "→", "9" * 5000)]
            assert [result.done for result in results] == [False, False, True]
            last = results[-1]
            assert (last.reward, last.observation.result) == (-1.0, {"won": False, "illegal_action": True})
            assert last.observation.correction
            with pytest.raises(RuntimeError, match="no game is under way"):
                client.step(Answer(text="0"))


def post(url: str, body: Any) -> tuple[int, Any]:
    request = Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    try:
        with urlopen(request) as answer:
            return answer.status, json.load(answer)
    except HTTPError as error:
        return error.code, json.load(error)


def test_games_are_played_over_http_by_their_names() -> None:
    options: dict[str, Any] = {"num_players": 2, "opponents": "random", "seat": 1}
    env = make_text_env("schoko", **options)
    with served("schoko", **options) as url:
        prompt, over = env.reset(seed=5)[0], False
        for name in ("one", "other"):
            status, answer = post(f"{url}/reset", {"seed": 5, "episode_id": name})
            assert (status, answer["observation"]["text"]) == (200, prompt)
        while not over:
            move = str(int(env.action_masks().argmax()))
            prompt, reward, over, _, info = env.step(move)
            status, answer = post(f"{url}/step", {"action": {"text": move}, "episode_id": "one"})
            assert (status, answer["observation"]["text"], answer["done"]) == (200, prompt, over)
        assert (answer["reward"], answer["observation"]["result"]["scores"]) == (reward, info["scores"].tolist())
        assert post(f"{url}/step", {"action": {"text": "0"}, "episode_id": "one"})[0] == 409
        status, answer = post(f"{url}/step", {"action": {"text": ""}, "episode_id": "other"})
        assert (status, answer["observation"]["counts"]["answers"]) == (200, 1)


@pytest.mark.parametrize(
    ("path", "body", "status", "message"),
    [
        ("step", {"action": {"text": "0"}}, 409, 'no game is under way.*give the same "episode_id"'),
        (
            "step",
            {"action": {"text": "0"}, "episode_id": "x"},
            409,
            "episode_id 'x': no game of this name is under way",
        ),
        ("step", {"action": {"text": "0"}, "episode_id": [1]}, 422, "episode_id: expected up to 255 characters"),
        ("reset", {"seed": 2**63}, 422, "seed: expected 0 to"),
        ("reset", {"seed": 1, "episode_id": "x" * 256}, 422, "255"),
    ],
)
def test_http_requests_that_do_not_fit_are_refused_in_words(path: str, body: Any, status: int, message: str) -> None:
    with served("schoko", num_players=2) as url:
        found, answer = post(f"{url}/{path}", body)
        assert found == status
        assert re.search(message, str(answer["detail"]))


def test_of_games_over_http_the_one_used_least_recently_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    from chocofactory_env.adapters import openenv

    monkeypatch.setattr(openenv, "MOST_GAMES", 2)
    with served("schoko", num_players=2) as url:
        for name in ("a", "b"):
            post(f"{url}/reset", {"episode_id": name})
        answer: dict[str, Any] = {"action": {"text": ""}}
        post(f"{url}/step", {**answer, "episode_id": "a"})
        post(f"{url}/reset", {"episode_id": "c"})
        assert [post(f"{url}/step", {**answer, "episode_id": name})[0] for name in "abc"] == [200, 409, 200]


def deals(url: str) -> bool:
    """Whether the server has a place for one more client."""
    from chocofactory_env.adapters.openenv import GameClient

    with GameClient(base_url=url).sync() as client, suppress(RuntimeError):
        client.reset(seed=1)
        return True
    return False


def test_idle_sessions_lose_their_places(monkeypatch: pytest.MonkeyPatch) -> None:
    from chocofactory_env.adapters import openenv
    from chocofactory_env.adapters.openenv import Answer, GameClient

    monkeypatch.setattr(openenv, "MOST_GAMES", 2)
    with served("schoko", num_players=2, idle=0.1) as url:
        idle = [GameClient(base_url=url).sync() for _ in range(2)]
        for client in idle:
            client.reset(seed=1)
        with GameClient(base_url=url).sync() as late, pytest.raises(RuntimeError, match="at capacity: 2/2"):
            late.reset(seed=1)
        while not deals(url):  # the library looks every five seconds
            time.sleep(0.5)
        with pytest.raises(RuntimeError, match="was idle for too long"):
            idle[0].step(Answer(text="0"))
        for client in idle:
            client.close()
