"""A taskset of deals for `verifiers` (0.4), the environment that plays them, and a chat loop for the model.

verifiers finds a taskset by the name of a top-level module: docs/language-models.md shows the file to write.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any

import httpx
import verifiers.v1 as vf
from pydantic import Field
from verifiers.v1.dialects.chat import message_to_wire

from ..envs.text import LOST_SCORE, TextEnv, make_text_env

__all__ = ["ChatHarness", "Deals", "GameEnv"]

RESULT = "game"  # the key of `trace.info` for the result of a game
NOTHING = {  # the result before the first answer
    "won": 0.0,
    "points": LOST_SCORE,
    "legal_at_first_try": 0.0,
    "finished": 0.0,
    "fallbacks": 0.0,
    "lost_by_answers": 0.0,
}


class DealsConfig(vf.TasksetConfig):
    """The game and the deals; every field is a command-line option `--env.taskset.NAME`."""

    game: str = "chocofactory"
    options: dict[str, Any] = Field(default_factory=dict)
    """Options of the game and of its environment: `num_players`, `difficulty`, `opponents`, `seat`, ..."""
    first_deal: int = 0
    deals: int = 100
    corrections: int = 2
    """How many wrong answers in a row are corrected. The next one loses the game."""
    fallback: bool = False
    """Whether to play the first legal move instead of losing the game; the metric `fallbacks` counts these moves."""
    ask_forced: bool = False
    """Whether to ask for decisions with a single legal move, too."""


class DealData(vf.TaskData):
    """A deal, with everything needed to play it."""

    deal: int
    settings: dict[str, Any]

    def make(self) -> TextEnv:
        return make_text_env(rules="changed", **self.settings)


class DealTask(vf.Task[DealData, vf.State, vf.TaskConfig]):
    """One game. The reward is whether it was won; other figures are metrics, weighted by the configuration."""

    @vf.reward(weight=1.0)
    async def won(self, trace: vf.Trace) -> float:
        return _result(trace)["won"]

    @vf.metric
    async def points(self, trace: vf.Trace) -> float:
        """The seat's score: money, in a game of money. -2000 if the game was not played to its end."""
        return _result(trace)["points"]

    @vf.metric
    async def legal_at_first_try(self, trace: vf.Trace) -> float:
        """The share of questions whose first answer named a legal move."""
        return _result(trace)["legal_at_first_try"]

    @vf.metric
    async def fallbacks(self, trace: vf.Trace) -> float:
        """Moves that were played for the model, because no answer named a legal one."""
        return _result(trace)["fallbacks"]

    @vf.metric
    async def lost_by_answers(self, trace: vf.Trace) -> float:
        """1 if the game was lost because no answer named a legal move."""
        return _result(trace)["lost_by_answers"]

    @vf.metric
    async def finished(self, trace: vf.Trace) -> float:
        """1 if the game was played to its end."""
        return _result(trace)["finished"]


def _result(trace: vf.Trace) -> Mapping[str, float]:
    result: Mapping[str, float] = trace.info.get(RESULT, NOTHING)
    return result


class Deals(vf.Taskset[DealTask, DealsConfig]):
    """The deals from `first_deal` on; the prompt of a task is the first position."""

    def load(self) -> Iterator[DealTask]:
        config = self.config
        settings = {name: getattr(config, name) for name in ("corrections", "ask_forced", "fallback")}
        settings["games"] = config.game
        settings |= config.options
        env = DealData(deal=0, settings=settings).make()
        for deal in range(config.first_deal, config.first_deal + config.deals):
            prompt, _ = env.reset(seed=deal)
            data = DealData(name=f"{config.game}#{deal}", prompt=prompt, deal=deal, settings=settings)
            yield DealTask(data, config.task)


class ChatHarnessConfig(vf.HarnessConfig):
    """The chat loop has no settings."""


class ChatHarness(vf.Harness[ChatHarnessConfig]):
    """Sends one request per question, from this process: the model gets no tools, so it needs no sandbox."""

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        system, prompt = self.resolve_prompt(data)
        said = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else map(message_to_wire, prompt or [])
        messages = ([{"role": "system", "content": system}] if system else []) + list(said)
        async with httpx.AsyncClient(timeout=None) as client:
            reply = await client.post(
                f"{endpoint}/chat/completions",
                headers={"Authorization": f"Bearer {secret}"},
                json={"model": ctx.model, "messages": messages},
            )
        return vf.ProgramResult(exit_code=int(reply.is_error), stdout="", stderr=reply.text if reply.is_error else "")


class GameEnvConfig(vf.EnvConfig):
    """One agent, which plays the seat. Its chat loop runs in this process."""

    player: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())


class GameEnv(vf.Env[GameEnvConfig]):
    """Plays a deal: the model's answers go to `TextEnv`, and the text it returns is the model's next question."""

    async def run(self, task: DealTask, agents: vf.Agents) -> None:
        env = task.data.make()
        env.reset(seed=task.data.deal)
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()
            over = False
            while not (over or segment.terminated):
                shown, _, over, _, info = await asyncio.to_thread(env.step, segment.last_reply)
                interaction.trace.info[RESULT] = _result_of(env, over, info)
                if not over:
                    segment = await interaction.turn(info["correction"] or shown)


def _result_of(env: TextEnv, over: bool, info: Mapping[str, Any]) -> dict[str, float]:
    counts, lost = env.counts, bool(info["illegal_action"])
    asked, finished = counts.first_try + counts.corrected + counts.fallbacks + lost, over and not lost
    return {
        "won": float(info["won"]),
        "points": float(info["score"] if finished else LOST_SCORE),
        "legal_at_first_try": counts.first_try / asked if asked else 0.0,
        "finished": float(finished),
        "lost_by_answers": float(lost),
        **{name: float(number) for name, number in info["counts"].items()},
    }
