"""Compare agents that answer in text, by a few games on fixed deals in which every decision is judged.

    python -m chocofactory_env.arena.language --agent "llm:model=NAME,url=URL" --dry-run    # estimate the cost
    python -m chocofactory_env.arena.language --agent "llm:model=NAME,url=URL" --out runs/language/name

The agent plays every deal from both seats against each opponent. Every finished game is saved in the folder, with all
questions and answers in `transcripts/`; the same command resumes. A game defines its track as `LANGUAGE` in
`arena/<game>/__init__.py` (`arena.tracks`). `arena.regret` judges its decisions.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Self, TypedDict, Unpack
from urllib.parse import quote

import chocofactory_env as cf
from chocofactory_env import AnswerCounts, Game
from chocofactory_env.agents.files import check, read_json, write_json
from chocofactory_env.agents.llm import EndpointError
from chocofactory_env.agents.protocol import make_agent, parse_agent
from chocofactory_env.agents.readers import Messages, ReadingAgent, ScriptedReader
from chocofactory_env.core.command import Command, OutFolder
from chocofactory_env.core.command import Count as Number
from chocofactory_env.core.files import write_text
from chocofactory_env.core.messages import shown
from chocofactory_env.core.reading import Count, between
from chocofactory_env.registry import GAMES

from .games import GameSeries, PlaysGames
from .match import RESULT
from .options import DEFAULT_GAME, docs_folder
from .play import Json, OfOutcome, Outcome, Task, play
from .regret import judged
from .report import as_code, as_text, markdown_table, text_table
from .table import wilson_interval
from .tracks import protocol_of
from .workers import Workers

TRANSCRIPTS = "transcripts"
SCRIPTED = "chocofactory_env.agents.readers:ScriptedReader:agent="
RESULTS = "language"  # the folder of the committed results, in `docs/`


class _Summary(TypedDict):
    games: Count
    wins: Count
    score: float
    legal_at_first_try: Annotated[float, between(0, 1)] | None
    tokens: Count
    regret: dict[str, float]


class _Settings(TypedDict):
    game: str
    agent: str
    opponents: list[str]


class _Result(TypedDict):
    """The fields of a result that the page shows."""

    settings: _Settings
    summary: dict[str, _Summary]


class Answers(TypedDict):
    """What a game's result has beside its scores. `regrets`: by phase, the number of decisions and their sum."""

    counts: dict[str, Count]
    prompt_tokens: Count
    answer_tokens: Count
    regrets: dict[str, list[float]]


@dataclass(frozen=True)
class TextSeries(GameSeries):
    """The games of a track of which every answer is kept. See `Track.judge`."""

    judge: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, game: str, agent: str, deals: int | None = None) -> Self:
        """The game's track, with all deals or the first `deals`. The first agent is the one that answers."""
        [track] = protocol_of(game, "LANGUAGE").tracks.values()
        series: Self = track.series(game, agent, deals, cls)
        return replace(series, judge=track.judge)

    @property
    def opponents(self) -> list[str]:
        return [table[1] for table in self.tables]

    def settings(self) -> Json:
        protocol = protocol_of(self.game.name, "LANGUAGE").number
        more = {"agent": self.agents[0], "opponents": self.opponents, "judge": dict(self.judge)}
        return super().settings() | {"series": "language", "protocol": protocol} | more

    def check_result(self, task: Task, result: Json) -> None:
        """ValueError, naming the field, if a saved result cannot be the task's game."""
        super().check_result(task, result)
        check(result["answers"], Answers)
        if missing := asdict(AnswerCounts()).keys() - result["answers"]["counts"].keys():
            raise ValueError(f"has counts without {min(missing)}")
        if any(len(sums) != 2 or sums[0] < 1 for sums in result["answers"]["regrets"].values()):
            raise ValueError("has regrets that are not, for each phase, a number of decisions and a sum")


def record_of(record: Json) -> Json:
    """A game as results hold it, with what is the agent's own."""
    seat, agents = record["rotation"], record["agents"]
    return {
        "deal": record["deal"],
        "opponent": agents[(seat + 1) % len(agents)],
        "seat": seat,
        "won": record["won"][seat],
        "scores": record["scores"],
        **record["answers"],
    }


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
            self.folder.mkdir(exist_ok=True)
            seat, agents = task["rotation"], task["agents"]
            opponent = agents[(seat + 1) % len(agents)].partition(":")[0]
            write_text(self.folder / f"{task['deal']}-{opponent}-{seat}.jsonl", "\n".join(heard.lines) + "\n")

    def _regrets(self, deal: int, actions: Sequence[int], seat: int) -> dict[str, list[float]]:
        if not self.series.judge:
            return {}
        sums: dict[str, list[float]] = defaultdict(lambda: [0, 0.0])
        for phase, regret in judged(self.series.load, deal, actions, seat, self.series.judge):
            sums[phase][0] += 1
            sums[phase][1] += regret
        return dict(sums)


def reader(text: str, game: Game) -> ReadingAgent:
    """Make an agent that answers in text; ValueError for any other."""
    agent = make_agent(text, game)
    if not isinstance(agent, ReadingAgent):
        raise ValueError(f"agent: expected one that answers in text, as llm or {SCRIPTED}NAME, got {shown(text)}")
    return agent


# --- cost estimate


class StandIn(ScriptedReader):
    """Stands in for a language model: plays an opponent's moves, with the model's memory."""

    choose = ReadingAgent.choose

    def __init__(self, game: Game, agent: str, memory: str) -> None:
        super().__init__(game, agent)
        self._memory = memory


@dataclass(frozen=True)
class Cost:
    """Estimated cost of all games of a track. Answers are bounded by the agent's own limit."""

    games: int
    requests: int
    prompt_tokens: int
    most_answer_tokens: int | None

    def __str__(self) -> str:
        answers = "" if self.most_answer_tokens is None else f", and at most {self.most_answer_tokens:,} in answers"
        return (
            f"{self.games} games: about {self.requests:,} requests, {self.prompt_tokens:,} tokens in prompts{answers}"
        )


def cost_of(series: TextSeries) -> Cost:
    """Estimate the cost from the track's first deal, played by stand-ins from every seat, without any endpoint.

    Corrections, retries and reasoning tokens come on top; caching reduces the cost.
    """
    game, agent = series.game, series.agents[0]
    named = parse_agent(agent, game.name)
    memory, most = named.settings.get("memory", "none"), named.settings.get("answer_tokens", 1024)
    games: list[Json] = []
    for table in series.tables:
        one = replace(series, tables=(table,), deals=series.deals[:1], judge={})
        works = PlaysInText(one, given={agent: [StandIn(game, table[1], memory)]})
        games += [works(task)["answers"] for task in one.tasks]
    scale = len(series.tasks) / len(games)
    requests, prompts = (
        round(scale * each)
        for each in (sum(one["counts"]["answers"] for one in games), sum(one["prompt_tokens"] for one in games))
    )
    return Cost(len(series.tasks), requests, prompts, requests * most if named.name == "llm" else None)


# --- results


def summary_of(records: Sequence[Json]) -> dict[str, Any]:
    """Summarize games against one opponent or several, rounded."""
    counts = {name: sum(record["counts"][name] for record in records) for name in records[0]["counts"]}
    asked = counts["first_try"] + counts["corrected"] + counts["fallbacks"]
    wins = sum(record["won"] for record in records)
    phases: dict[str, list[float]] = defaultdict(lambda: [0, 0.0])
    for record in records:
        for phase, (number, regret) in record["regrets"].items():
            for name in ("all", phase):
                phases[name][0] += number
                phases[name][1] += regret
    return {
        "games": len(records),
        "wins": wins,
        "win_rate_interval": [round(bound, 4) for bound in wilson_interval(wins, len(records))],
        "score": round(sum(record["scores"][record["seat"]] for record in records) / len(records), 2),
        "legal_at_first_try": round(counts["first_try"] / asked, 4) if asked else None,
        "tokens": sum(record["prompt_tokens"] + record["answer_tokens"] for record in records),
        "counts": counts,
        "decisions": {phase: int(number) for phase, (number, _) in phases.items()},
        "regret": {phase: round(regret / number, 3) for phase, (number, regret) in phases.items()},
    }


def result_of(series: TextSeries, outcome: Outcome) -> Json:
    """The contents of `result.json`."""
    records = [record_of(record) for record in outcome.records]
    by_opponent = {name: [one for one in records if one["opponent"] == name] for name in series.opponents}
    return {
        "settings": series.settings(),
        "summary": {name: summary_of(some) for name, some in {**by_opponent, "all": records}.items() if some},
        "games": records,
    }


HEAD = ("opponent", "games", "won", "score", "legal at first try", "tokens", "regret a decision")


def table(result: Json) -> str:
    """The summary as text, and below it the regret by phase."""
    rows = [(name, *cells_of(summary)) for name, summary in result["summary"].items()]
    regret = ", ".join(f"{phase} {mean:.2f}" for phase, mean in result["summary"]["all"]["regret"].items())
    return text_table(HEAD, rows) + (f"\n\nregret a decision by phase: {regret}" if regret else "")


def cells_of(summary: Mapping[str, Any]) -> tuple[str, ...]:
    legal, regret = summary["legal_at_first_try"], summary["regret"].get("all")
    return (
        str(summary["games"]),
        str(summary["wins"]),
        f"{summary['score']:.1f}",
        "–" if legal is None else f"{100 * legal:.1f} %",
        f"{summary['tokens']:,}",
        "–" if regret is None else f"{regret:.2f}",
    )


# --- the page


SECTION = """## Agents that answer in text

`greedy`, `planner` and `random` are scripted players, `chocofactory_env.agents.readers:ScriptedReader:agent=NAME`.
Each name links to its settings and games. The last columns split the regret by phase."""


def results_of_game(game: str) -> dict[str, Json]:
    """The committed results of a game, by file name."""
    files = sorted((docs_folder() / RESULTS).glob("*.json"))
    expected = "a result of python -m chocofactory_env.arena.language"
    results: dict[str, Json] = {file.name: read_json(file, _Result, ValueError, expected) for file in files}
    return {file: result for file, result in results.items() if result["settings"]["game"] == game}


def lines_of(results: Mapping[str, Json]) -> list[str]:
    """A Markdown table of results on the same track, given by file name."""
    opponents = next(iter(results.values()))["settings"]["opponents"]
    found = dict.fromkeys(phase for result in results.values() for phase in result["summary"]["all"]["regret"])
    phases = [phase for phase in found if phase != "all"]
    rows = []
    for file, result in results.items():
        name = f"[{as_code(result['settings']['agent'].removeprefix(SCRIPTED))}]({RESULTS}/{quote(file)})"
        wins = [f"{one['wins']} of {one['games']}" for one in (result["summary"][each] for each in opponents)]
        summary = result["summary"]["all"]
        by_phase = [f"{summary['regret'].get(phase, 0.0):.2f}" for phase in phases]
        rows.append([name, *wins, *cells_of(summary)[2:], *by_phase])
    return markdown_table(
        ["agent", *(f"won against {as_code(each)}" for each in opponents), *HEAD[3:], *map(as_text, phases)], rows
    )


def section() -> str:
    """The committed results of every game that has some, as a section of a page in `docs/`."""
    lines = [SECTION]
    for game in sorted(GAMES):
        if results := results_of_game(game):
            lines += ["", f"### {game}, in text", "", *lines_of(results)]
    return "\n".join(lines) + "\n"


@dataclass
class Played(OfOutcome):
    """What was played of a track. `found`: the contents of `result.json`; None if games are missing."""

    found: Json | None
    outcome: Outcome

    def __str__(self) -> str:
        return table(self.found) if self.found else "no result yet"


def play_language(
    *,
    agent: str,
    game: str = DEFAULT_GAME,
    deals: Number | None = None,
    out: OutFolder | None = None,
    dry_run: bool = False,
    progress: bool = True,
    **workers: Unpack[Workers],
) -> Cost | Played:
    """Compare agents that answer in text, such as language models: few games, and every decision judged.

    Args:
        agent: an agent that answers in text, as "llm:model=NAME,url=URL".
        game: its name.
        deals: play only this many deals.
        out: folder of the games, so that the same call goes on, of `transcripts/`, and of `result.json`.
        dry_run: estimate requests and tokens, and play nothing.
        progress: whether to show a progress bar.
        workers: see `Workers`.

    Raises:
        ValueError, TypeError: there is no such game, the agent does not answer in text, or there is no folder.
        EndpointError: the endpoint fails, or the budget is spent. The games before are saved.
    """
    series = TextSeries.of(game, agent, deals)
    reader(agent, series.game)
    if dry_run:
        return cost_of(series)
    if out is None:
        raise ValueError("--out: expected a folder for the games and the result")
    folder = Path(out)
    works = PlaysInText(series, folder=folder / TRANSCRIPTS)
    try:
        outcome = play(series, works, folder, progress=progress, ends=(EndpointError,), **workers)
    except EndpointError as error:
        raise EndpointError(f"{error}\nThe games before are saved: the same command goes on.") from error
    if outcome.message():
        return Played(None, outcome)
    found = result_of(series, outcome)
    write_json(folder / RESULT, found)
    return Played(found, outcome)


COMMAND = Command(
    "chocofactory language",
    play_language,
    (
        '--agent "llm:model=NAME,url=http://127.0.0.1:8000/v1" --dry-run',
        "--agent chocofactory_env.agents.readers:ScriptedReader:agent=random --out runs/language/random",
    ),
    given={"progress": True},
    failures=(EndpointError,),
)
main = COMMAND.run

if __name__ == "__main__":
    main()
