"""The taskset of deals with the real library: a scripted model plays what it plays by itself, and is scored."""

from __future__ import annotations

import asyncio
import re
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from repository import ROOT
from scripted_text import Scripted, chat_endpoint, played

from chocofactory_env.envs.seat import SeatEnv

pytestmark = pytest.mark.skipif(find_spec("verifiers") is None, reason="`make adapters` installs verifiers")


def play(agent: str, errs: int, deals: range, **settings: Any) -> list[Any]:
    """The episodes of the deals, which a scripted model plays."""
    model: list[Scripted] = []
    begun: set[int] = set()

    def begin(task: Any) -> None:
        model.append(Scripted(task.data.make(), agent, task.data.deal, errs))
        begun.add(task.data.deal)

    def say(messages: list[dict[str, Any]]) -> str:
        assert len(messages) == 2 * model[-1].asked + 1, "the whole conversation"
        return model[-1](messages[-1]["content"])

    done = episodes(deals, say, begin, **settings)
    assert begun == set(deals)
    return done


def episodes(deals: range, say: Any, begin: Any = lambda _task: None, **settings: Any) -> list[Any]:
    """The episodes of the deals, played by a model that answers `say(messages)`."""
    import verifiers.v1 as vf

    raw = {"id": "chocofactory_deals", "first_deal": deals.start, "deals": len(deals), **settings}
    env = vf.load_environment(vf.resolve_env_config({"taskset": raw}))

    async def played(url: str) -> list[Any]:
        context = vf.ModelContext(
            model="stub", client=vf.EvalClientConfig(base_url=url, api_key_var="NO_KEY"), sampling=vf.SamplingConfig()
        )
        done = []
        async with env.serving():
            for task in env.taskset:
                begin(task)
                done.append(await env.run_episode(task, context))
        return done

    with chat_endpoint(say) as url:
        return asyncio.run(played(url))


@pytest.fixture(autouse=True)
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the documentation says."""
    page = (ROOT / "docs" / "language-models.md").read_text("utf-8")
    [lines] = re.findall(r"^```py\n# chocofactory_deals.py\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    (tmp_path / "chocofactory_deals.py").write_text(lines)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "chocofactory_deals", raising=False)
    monkeypatch.setenv("NO_KEY", "none")


@pytest.mark.parametrize(
    ("settings", "agent"),
    [
        ({"options": {"num_players": 1}}, "random"),
        ({"options": {"num_players": 1, "difficulty": 1}}, "planner:width=4"),
        ({"options": {"num_players": 3, "opponents": ["greedy", "random"], "seat": 2}}, "greedy"),
        ({"game": "schoko", "options": {"num_players": 2, "months": 6, "seat": 1}}, "random"),
    ],
)
def test_a_scripted_model_plays_as_it_does_by_itself(settings: dict[str, Any], agent: str) -> None:
    deals, options = range(5, 6), settings["options"]
    plain: Any = SeatEnv(settings.get("game", "chocofactory"), **options)
    for deal, episode in zip(deals, play(agent, 7, deals, ask_forced=True, **settings), strict=True):
        [trace] = episode.traces
        assert episode.ok, episode.errors or trace.errors
        expected = played(plain, agent, deal)
        assert (trace.metrics["points"], trace.metrics["finished"]) == (expected["score"], 1.0)
        assert trace.rewards["won"].score == float(expected["won"])
        counts = trace.info["game"]
        assert counts["answers"] == counts["decisions"] + counts["corrected"] > 20
        assert trace.metrics["legal_at_first_try"] == counts["first_try"] / counts["decisions"] < 1


@pytest.mark.parametrize("game", ["chocofactory", "candyfactory", "schoko"])
@pytest.mark.parametrize("answer", ["", "I resign", "→"])
def test_a_game_without_a_legal_answer_is_lost(game: str, answer: str) -> None:
    [episode] = episodes(range(3, 4), lambda _: answer, game=game, options={"num_players": 2}, corrections=1)
    [trace] = episode.traces
    assert episode.ok, episode.errors or trace.errors
    assert trace.rewards["won"].score == 0.0
    assert trace.metrics == trace.metrics | {
        "points": -2000.0,
        "legal_at_first_try": 0.0,
        "fallbacks": 0.0,
        "lost_by_answers": 1.0,
        "finished": 0.0,
    }
    assert trace.info["game"]["answers"] == 2


def test_playing_the_first_legal_move_is_an_option_that_is_counted() -> None:
    settings: dict[str, Any] = {"game": "schoko", "options": {"num_players": 2}, "corrections": 0, "fallback": True}
    [episode] = episodes(range(3, 4), lambda _: "I resign", **settings)
    [trace] = episode.traces
    assert episode.ok, episode.errors or trace.errors
    assert (trace.metrics["finished"], trace.metrics["lost_by_answers"]) == (1.0, 0.0)
    assert trace.metrics["fallbacks"] == trace.info["game"]["answers"] > 10
    assert trace.metrics["points"] > -2000.0
