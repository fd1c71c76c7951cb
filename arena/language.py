"""Play tracks for agents that answer in text: keep every question and answer, count tokens, and judge every decision.

`arena.benchmark` plays the tracks, and `arena.regret` judges.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, TypedDict

import chocofactory_env as cf
from chocofactory_env import AnswerCounts, Game
from chocofactory_env.agents.files import check
from chocofactory_env.agents.protocol import parse_agent
from chocofactory_env.agents.readers import Messages, ReadingAgent, ScriptedReader
from chocofactory_env.core.files import write_text
from chocofactory_env.core.reading import Count

from .games import GameSeries, PlaysGames
from .play import Json, Task
from .regret import judged

TRANSCRIPTS: Final = "transcripts"


class Answers(TypedDict):
    """What a game's result has beside its scores. `regrets`: by phase, the number of decisions and their sum."""

    counts: dict[str, Count]
    prompt_tokens: Count
    answer_tokens: Count
    regrets: dict[str, list[float]]


def check_answers(answers: Any) -> None:
    """ValueError, naming the field, unless these are the answers of a game."""
    check(answers, Answers)
    if missing := asdict(AnswerCounts()).keys() - answers["counts"].keys():
        raise ValueError(f"has counts without {min(missing)}")
    if any(len(sums) != 2 or sums[0] < 1 for sums in answers["regrets"].values()):
        raise ValueError("has regrets that are not, for each phase, a number of decisions and a sum")


@dataclass(frozen=True)
class TextSeries(GameSeries):
    """The games of a track in text; the first agent answers. judge: how every decision is judged; empty: not at all."""

    judge: Mapping[str, Any] = field(default_factory=dict)

    def settings(self) -> Json:
        return super().settings() | {"judge": dict(self.judge)}

    def check_result(self, task: Task, result: Json) -> None:
        """ValueError, naming the field, if a saved result cannot be the task's game."""
        super().check_result(task, result)
        check_answers(result["answers"])


# --- a game


@dataclass
class Listener:
    """Keeps questions and answers, and counts their tokens by `cf.estimate_tokens`.

    Each question begins with the memory of the game so far, which would make the lines grow with the square of its
    length. So a line has only the question's last message and those that the question before it did not have at the
    same `places`.
    """

    lines: list[str]
    prompt_tokens: int = 0
    answer_tokens: int = 0
    _before: Messages = field(default_factory=list)

    def __call__(self, messages: Messages, text: str) -> None:
        self.prompt_tokens += sum(cf.estimate_tokens(message["content"]) for message in messages)
        self.answer_tokens += cf.estimate_tokens(text)
        last, before = len(messages) - 1, self._before
        places = [place for place, one in enumerate(messages) if place == last or one not in before[place : place + 1]]
        kept = {"places": places, "messages": [messages[place] for place in places], "answer": text}
        self.lines.append(json.dumps(kept))
        self._before = messages


@dataclass
class PlaysInText(PlaysGames):
    """Plays games of a text series. Each process has one, with one agent for all games, as it may have a budget.

    folder: of transcripts; None: they are not kept.
    """

    series: TextSeries
    folder: Path | None = None

    def __call__(self, task: Task) -> Json:
        self.game_of(task)
        seat, actions = task["rotation"], list[int]()
        agent = self.entrants_of(task)[0].agent
        assert isinstance(agent, ReadingAgent)
        agent.listener = heard = Listener([])
        usage, earlier = getattr(agent, "usage", heard), asdict(agent.counts)
        prompt_tokens, answer_tokens = usage.prompt_tokens, usage.answer_tokens
        found = self.played(task, lambda _state, _seat, action: actions.append(action))
        self._keep(task, heard)
        answers = {
            "counts": {name: count - earlier[name] for name, count in asdict(agent.counts).items()},
            "prompt_tokens": usage.prompt_tokens - prompt_tokens,
            "answer_tokens": usage.answer_tokens - answer_tokens,
            "regrets": self._regrets(task["deal"], actions, seat),
        }
        return found | {"answers": answers}

    def _keep(self, task: Task, heard: Listener) -> None:
        if self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_text(self.folder / f"{task['deal']}-{task['rotation']}.jsonl", "\n".join(heard.lines) + "\n")

    def _regrets(self, deal: int, actions: Sequence[int], seat: int) -> dict[str, list[float]]:
        if not self.series.judge:
            return {}
        sums: dict[str, list[float]] = defaultdict(lambda: [0, 0.0])
        for phase, regret in judged(partial(self.series.game_of, deal), deal, actions, seat, self.series.judge):
            sums[phase][0] += 1
            sums[phase][1] += regret
        return dict(sums)


# --- cost estimate


class StandIn(ScriptedReader):
    """Stands in for a language model: plays an opponent's moves, with the model's memory."""

    choose = ReadingAgent.choose

    def __init__(self, game: Game, agent: str, memory: str) -> None:
        super().__init__(game, agent)
        self._memory = memory


@dataclass(frozen=True)
class Cost:
    """Estimated cost of the games of some tracks. Answers are bounded by the agent's own limit."""

    games: int
    requests: int
    prompt_tokens: int
    most_answer_tokens: int | None

    def __str__(self) -> str:
        answers = "" if self.most_answer_tokens is None else f", and at most {self.most_answer_tokens:,} in answers"
        return (
            f"{self.games} games: about {self.requests:,} requests, {self.prompt_tokens:,} tokens in prompts{answers}"
        )


def cost_of(all_series: Sequence[TextSeries]) -> Cost:
    """Estimate the cost from the first deal of each series, played by stand-ins from every seat, without any endpoint.

    Corrections, retries and reasoning tokens come on top; caching reduces the cost.
    """
    requests, prompts, number = 0.0, 0.0, 0
    for series in all_series:
        game, (agent, opponent, *_) = series.game, series.tables[0]
        named = parse_agent(agent, game.name)
        one = replace(series, deals=series.deals[:1], judge={})
        stand_in = StandIn(game, opponent, named.settings.get("memory", "none"))
        played = [PlaysInText(one, given={agent: [stand_in]})(task)["answers"] for task in one.tasks]
        requests += len(series.deals) * sum(each["counts"]["answers"] for each in played)
        prompts += len(series.deals) * sum(each["prompt_tokens"] for each in played)
        number += len(series.tasks)
    most = named.settings.get("answer_tokens", 1024) if named.name == "llm" else None
    return Cost(number, round(requests), round(prompts), None if most is None else round(requests) * most)


# --- results


def summary_of_answers(games: Sequence[Answers]) -> Json:
    """How often answers were legal, what they cost, and the mean regret in all and by phase; rounded."""
    counts = {name: sum(game["counts"][name] for game in games) for name in games[0]["counts"]}
    asked = counts["first_try"] + counts["corrected"] + counts["fallbacks"]
    phases: dict[str, list[float]] = defaultdict(lambda: [0, 0.0])
    for game in games:
        for phase, sums in game["regrets"].items():
            for name in ("all", phase):
                phases[name] = [one + other for one, other in zip(phases[name], sums, strict=True)]
    return {
        "legal_at_first_try": round(counts["first_try"] / asked, 4) if asked else None,
        "tokens": sum(game["prompt_tokens"] + game["answer_tokens"] for game in games),
        "counts": counts,
        "decisions": {phase: int(number) for phase, (number, _) in phases.items()},
        "regret": {phase: round(regret / number, 3) for phase, (number, regret) in phases.items()},
    }
