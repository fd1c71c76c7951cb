"""Compare agents that answer in text, by a few games on fixed deals in which every decision is judged.

    python -m arena.language --agent "llm:model=NAME,url=http://127.0.0.1:8000/v1" --dry-run    # estimate the cost
    python -m arena.language --agent "llm:model=NAME,url=http://127.0.0.1:8000/v1" --out runs/language/name
    python -m arena.language --agent agents.readers:ScriptedReader:agent=greedy --out runs/language/greedy

The agent plays every deal from both seats against each opponent. Every finished game is saved in the folder, with all
questions and answers in `transcripts/`; the same command resumes. A game defines its track as `LANGUAGE` in
`arena/<game>/__init__.py`. `arena.regret` judges its decisions.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, TypedDict
from urllib.parse import quote

import chocofactory_env as cf
from chocofactory_env import AnswerCounts, Game
from chocofactory_env.agents.by_game import addition
from chocofactory_env.agents.files import check, read_json, write_json
from chocofactory_env.agents.llm import EndpointError
from chocofactory_env.agents.protocol import HELP, make_agent, parse_agent, sources_of
from chocofactory_env.agents.readers import Messages, ReadingAgent, ScriptedReader
from chocofactory_env.core.command import count, folder_for
from chocofactory_env.core.files import write_text
from chocofactory_env.core.messages import shown
from chocofactory_env.core.reading import Count, Integer, between
from chocofactory_env.registry import GAMES

from .games import Entrant, play_game, versions
from .notes import ARENA
from .options import add_game_name, add_workers, command_parser, docs_folder, input_reported, workers_of
from .play import Json, Outcome, Task, play
from .regret import judged
from .report import as_code, as_text, markdown_table, text_table
from .table import wilson_interval
from .tournament import RESULT

FORMAT = 1
TRANSCRIPTS = "transcripts"
SCRIPTED = "agents.readers:ScriptedReader:agent="
RESULTS = "language"  # the folder of the committed results, in `docs/`
DEFAULT: Mapping[str, Any] = {  # track of games without one
    "protocol": 1,
    "options": {"num_players": 2},
    "opponents": ["random", "flat_mc:playouts=20"],
    "first_deal": 95_000,
    "deals": 5,
    "judge": {},
}


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


class GameResult(TypedDict):
    """A game in the journal. `regrets`: by phase, the number of decisions and the sum of their regrets."""

    won: bool
    scores: list[Integer]
    counts: dict[str, Count]
    prompt_tokens: Count
    answer_tokens: Count
    regrets: dict[str, list[float]]


@dataclass(frozen=True)
class Track:
    """The games of an agent. A task names deal, opponent, and the agent's seat."""

    game: str
    agent: str
    deals: range
    opponents: tuple[str, ...]
    options: Mapping[str, Any]
    judge: Mapping[str, Any]
    protocol: int

    @classmethod
    def of(cls, game: str, agent: str, deals: int | None = None) -> Track:
        """The game's track, with all deals or the first `deals`."""
        data = addition(ARENA, game, "LANGUAGE", DEFAULT)
        first, number = data["first_deal"], data["deals"] if deals is None else min(deals, data["deals"])
        opponents, options, judge = tuple(data["opponents"]), data["options"], data["judge"]
        return cls(game, agent, range(first, first + number), opponents, options, judge, data["protocol"])

    @property
    def tasks(self) -> list[Task]:
        seats = range(self.options["num_players"])
        return [
            {"deal": deal, "opponent": opponent, "seat": seat}
            for deal in self.deals
            for opponent in self.opponents
            for seat in seats
        ]

    def load(self) -> Game:
        return cf.load(self.game, **self.options)

    def settings(self) -> dict[str, Any]:
        game = self.load()
        return {
            "format": FORMAT,
            "series": "language",
            "protocol": self.protocol,
            "game": game.name,
            "options": dict(game.options),
            "deck": game.deck_hash,
            "rules": game.rules_version,
            "agent": self.agent,
            "opponents": list(self.opponents),
            **sources_of((self.agent, *self.opponents), make_agent, game),
            "judge": dict(self.judge),
            "seeds": {"first": self.deals.start, "number": len(self.deals)},
            "versions": versions(),
        }

    def check_result(self, task: Task, result: Json) -> None:
        """ValueError, naming the field, if a saved result cannot be the task's game."""
        check(result, GameResult)
        if len(result["scores"]) != self.options["num_players"]:
            raise ValueError(f"has scores {shown(result['scores'])}, which is not one a seat")
        if missing := asdict(AnswerCounts()).keys() - result["counts"].keys():
            raise ValueError(f"has counts without {min(missing)}")
        if any(len(sums) != 2 or sums[0] < 1 for sums in result["regrets"].values()):
            raise ValueError("has regrets that are not, for each phase, a number of decisions and a sum")


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
class TrackWorker:
    """Plays games of a track. Each process has one, with its own game and agents."""

    track: Track
    folder: Path | None = None  # of transcripts

    @cached_property
    def game(self) -> Game:
        return self.track.load()

    @cached_property
    def agent(self) -> ReadingAgent:
        """One for all games, as it may have a budget."""
        return reader(self.track.agent, self.game)

    def __call__(self, task: Task) -> Json:
        return self.played(self.agent, task["opponent"], task["deal"], task["seat"])

    def played(self, agent: ReadingAgent, opponent: str, deal: int, seat: int) -> Json:
        """Play a game, and return its result."""
        agent.listener = heard = Listener([])
        usage, earlier = getattr(agent, "usage", heard), asdict(agent.counts)
        prompt_tokens, answer_tokens = usage.prompt_tokens, usage.answer_tokens
        actions: list[int] = []
        others = [Entrant(opponent, make_agent(opponent, self.game)) for _ in range(self.game.num_players - 1)]
        entrants = [Entrant("agent", agent), *others]
        game = play_game(self.game, entrants, deal, seat, before=lambda _state, _seat, action: actions.append(action))
        if self.folder is not None:
            self.folder.mkdir(exist_ok=True)
            write_text(self.folder / f"{deal}-{opponent.partition(':')[0]}-{seat}.jsonl", "\n".join(heard.lines) + "\n")
        return {
            "won": game.won[seat],
            "scores": list(game.scores),
            "counts": {name: count - earlier[name] for name, count in asdict(agent.counts).items()},
            "prompt_tokens": usage.prompt_tokens - prompt_tokens,
            "answer_tokens": usage.answer_tokens - answer_tokens,
            "regrets": self._regrets(deal, actions, seat),
        }

    def _regrets(self, deal: int, actions: Sequence[int], seat: int) -> dict[str, list[float]]:
        if not self.track.judge:
            return {}
        sums: dict[str, list[float]] = defaultdict(lambda: [0, 0.0])
        for phase, regret in judged(self.track.load, deal, actions, seat, self.track.judge):
            sums[phase][0] += 1
            sums[phase][1] += regret
        return dict(sums)


def reader(text: str, game: Game) -> ReadingAgent:
    """Make an agent that answers in text; ValueError for any other."""
    agent = make_agent(text, game)
    if not isinstance(agent, ReadingAgent):
        raise ValueError(f"agent: expected one that answers in text, as llm or agents.readers:..., got {shown(text)}")
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


def cost_of(track: Track) -> Cost:
    """Estimate the cost from the track's first deal, played by stand-ins from every seat, without any endpoint.

    Corrections, retries and reasoning tokens come on top; caching reduces the cost.
    """
    named = parse_agent(track.agent, track.game)
    worker, settings = TrackWorker(Track(**{**vars(track), "judge": {}})), named.settings
    memory, sample = settings.get("memory", "none"), [task for task in track.tasks if task["deal"] == track.deals.start]
    requests = prompts = 0
    for task in sample:
        opponent = task["opponent"]
        record = worker.played(StandIn(worker.game, opponent, memory), opponent, task["deal"], task["seat"])
        requests += record["counts"]["answers"]
        prompts += record["prompt_tokens"]
    scale = len(track.tasks) / len(sample)
    requests = round(requests * scale)
    most = settings.get("answer_tokens", 1024) if named.name == "llm" else None
    return Cost(len(track.tasks), requests, round(prompts * scale), None if most is None else requests * most)


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


def result_of(track: Track, outcome: Outcome) -> Json:
    """The contents of `result.json`."""
    records = outcome.records
    by_opponent = {name: [one for one in records if one["opponent"] == name] for name in track.opponents}
    return {
        "settings": track.settings(),
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

`greedy`, `planner` and `random` are scripted players, `agents.readers:ScriptedReader:agent=NAME`. Each name links to
its settings and games. The last columns split the regret by phase."""


def results_of_game(game: str) -> dict[str, Json]:
    """The committed results of a game, by file name."""
    files = sorted((docs_folder() / RESULTS).glob("*.json"))
    expected = "a result of python -m arena.language"
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


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_parser(
        "language",
        "Compare agents that answer in text, such as language models: few games, and every decision judged.",
        '--agent "llm:model=NAME,url=http://127.0.0.1:8000/v1" --dry-run',
        "--agent chocofactory_env.agents.readers:ScriptedReader:agent=random --out runs/language/random",
    )
    add_game_name(parser)
    parser.add_argument("--agent", required=True, help=f"an agent that answers in text: {HELP}")
    parser.add_argument("--deals", type=count, help="play only this many deals")
    parser.add_argument("--out", type=folder_for(RESULT), help="folder for the games and the result")
    parser.add_argument("--dry-run", action="store_true", help="estimate requests and tokens, and play nothing")
    add_workers(parser)
    chosen = parser.parse_args(arguments)
    if not chosen.dry_run and chosen.out is None:
        parser.error("--out: expected a folder for the games and the result")
    try:
        with input_reported(parser):
            track = Track.of(chosen.game, chosen.agent, chosen.deals)
            reader(chosen.agent, track.load())
            if chosen.dry_run:
                print(cost_of(track))
                return
            worker = TrackWorker(track, chosen.out / TRANSCRIPTS)
            outcome = play(track, worker, chosen.out, ends=(EndpointError,), **workers_of(chosen))
    except EndpointError as error:
        parser.exit(1, f"{error}\nThe games before are saved: the same command goes on.\n")
    if message := outcome.message():
        print(message)
        sys.exit(130 if outcome.interrupted else 1)
    result = result_of(track, outcome)
    write_json(chosen.out / RESULT, result)
    print(table(result))


if __name__ == "__main__":
    main()
