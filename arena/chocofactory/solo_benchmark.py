"""The solo game as a benchmark: a fixed protocol on published seeds makes win rates comparable.

    chocofactory solo-benchmark greedy random --difficulties 0 1 2 3 --seeds 1000 --out results/solo

Every finished game is saved in the folder: after Ctrl-C, run the same command again to resume.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property, partial
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, TypedDict, Unpack

import numpy as np

import chocofactory_env as cf
from chocofactory_env import Game
from chocofactory_env.agents.files import check, read_json, write_json
from chocofactory_env.agents.protocol import HELP, AnyAgent, make_agent, sources_of
from chocofactory_env.core.command import folder_for, integer
from chocofactory_env.core.messages import shown
from chocofactory_env.core.reading import Count, Integer, between
from chocofactory_env.games.chocofactory.vocabulary import NAME

from ..decks import Names, add_decks, deck_of, hashes_of, labels_of, names_of
from ..kept import NOWHERE, Kept
from ..match import Entrant, Interval, percent, play_game, versions
from ..options import PLOTS, command_parser
from ..series import RESULT, JournalError, Json, Outcome, Task, check_fields, play_series, stopped_message, text_table
from ..statistics import hierarchical_interval, win_rate_interval
from ..tasks import WorkersError
from ..workers import Workers, add_workers, workers_of

PROTOCOL = 2
"""The number of the protocol, raised with every change of it. Results of different numbers cannot be compared.

1. The game is `chocofactory` with `num_players=1` and `difficulty` 0, 1, 2 or 3. All other options have their default
   values: the deck that is shipped, sides A, no expansion.
2. The suite is the deals of the seeds 0 to 999 at each difficulty; each is played once.
3. The agent sits on seat 0. Before each game it is reset with `chocofactory_env.agent_seed(game, state, 0, 0)` of the
   position dealt, which hides the seed of the deal. It decides by `agents.protocol.decide`, so it sees what a player
   sees, and no more. Time is not limited; it is reported.
4. Reported are the share of games won with Wilson's interval at 95 %, and the share of games in which each objective
   was not satisfied at the end.
5. A result is one of the protocol if the whole suite was played. It names the deck's hash and the version of the
   rules; results with others are results of another benchmark.
"""

DIFFICULTIES = (0, 1, 2, 3)
SUITE = range(1000)
Load = Callable[..., Game]  # loads the solo game at a difficulty, with the option `deck` if given


def load_solo(difficulty: int, **deck: str | None) -> Game:
    return cf.load(NAME, num_players=1, difficulty=difficulty, **deck)


class GameRecord(TypedDict):
    """A game in the journal; with decks also `deck`, see `labels_of`."""

    seed: Integer
    difficulty: Integer
    agent: str
    won: bool
    money: Integer
    failed: list[str]
    decisions: Count
    seconds: float


@dataclass(frozen=True)
class Benchmark:
    """The games to play. A task is (seed, difficulty, number of the agent). decks: see `..decks.deck_of`."""

    agents: tuple[str, ...]
    difficulties: tuple[int, ...] = DIFFICULTIES
    seeds: range = SUITE
    load: Load = load_solo
    make: Callable[[str, Game], AnyAgent] = make_agent
    decks: Names = ()

    @property
    def tasks(self) -> list[Task]:
        agents = range(len(self.agents))
        return [
            (seed, difficulty, agent) for seed in self.seeds for difficulty in self.difficulties for agent in agents
        ]

    @property
    def of_protocol(self) -> bool:
        """Whether the whole suite is played, without other decks; some difficulties may be missing."""
        return self.seeds == SUITE and not self.decks

    @cached_property
    def _hashes(self) -> dict[str, Any]:
        """The hashes of the decks in settings."""
        return hashes_of(partial(self.load, self.difficulties[0]), self.decks)

    def check(self) -> None:
        """TypeError or ValueError if the game with one of the decks, or one of the agents cannot be made."""
        _ = self._hashes
        for difficulty in self.difficulties:
            game = self._first(difficulty)
            for agent in self.agents:
                self.make(agent, game)

    def settings(self) -> dict[str, Any]:
        """The settings of all games, JSON-able. With them, a task's game can be replayed."""
        games = [self._first(difficulty) for difficulty in self.difficulties]
        return {
            "series": "solo benchmark",
            "protocol": PROTOCOL,
            "game": games[0].name,
            "options": [dict(game.options) for game in games],
            "deck": games[0].deck_hash,
            **self._hashes,
            "rules": games[0].rules_version,
            "agents": list(self.agents),
            **sources_of(self.agents, self.make, games[0]),
            "difficulties": list(self.difficulties),
            "seeds": {"first": self.seeds.start, "number": len(self.seeds)},
            "versions": versions(),
        }

    def identity(self, task: Task) -> Json:
        """The fields of a record that follow from its task; see `arena.kept`."""
        seed, difficulty, agent = task
        return {"seed": seed, "difficulty": difficulty, "agent": self.agents[agent], **labels_of(self.decks, seed)}

    def check_record(self, task: Task, record: Json) -> None:
        """ValueError, naming the field, if a saved record cannot belong to the task's game."""
        check(record, GameRecord)
        check_fields(record, self.identity(task))

    def _first(self, difficulty: int) -> Game:
        """The game of the first deal."""
        return self.load(difficulty, **deck_of(self.decks, self.seeds.start))


@dataclass
class BenchmarkWorker:
    """Plays games of the benchmark. Each process has one, which keeps the games and agents of the latest deck."""

    benchmark: Benchmark
    _deck: dict[str, str | None] = field(default_factory=dict, init=False)
    _made: dict[tuple[int, int], tuple[Game, Entrant]] = field(default_factory=dict, init=False)

    def __call__(self, task: Task) -> Json:
        seed, difficulty, agent = task
        deck = deck_of(self.benchmark.decks, seed)
        if deck != self._deck:
            self._deck, self._made = deck, {}
        game, entrant = self._game_and_entrant(difficulty, agent)
        recorder = ObjectiveRecorder(game)
        play = play_game(game, [entrant], seed, note=recorder)
        return {
            "seed": seed,
            "difficulty": difficulty,
            "agent": entrant.name,
            **labels_of(self.benchmark.decks, seed),
            "won": play.won[0],
            "money": play.scores[0],
            "failed": recorder.failed,
            "decisions": play.decisions[0],
            "seconds": play.seconds[0],
        }

    def _game_and_entrant(self, difficulty: int, agent: int) -> tuple[Game, Entrant]:
        if (difficulty, agent) not in self._made:
            game, name = self.benchmark.load(difficulty, **self._deck), self.benchmark.agents[agent]
            self._made[difficulty, agent] = game, Entrant(name, self.benchmark.make(name, game))
        return self._made[difficulty, agent]


class ObjectiveRecorder:
    """Records the objectives missed at the end; see `play_game`."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._objectives = objectives_of(game)
        self.failed: list[str] = []

    def __call__(self, state: Any, player: int, seconds: float) -> None:
        if self._game.is_over(state):
            satisfied = self._game.observe(state, 0)["satisfied"]
            self.failed = [name for name, done in zip(self._objectives, satisfied, strict=True) if not done]


def objectives_of(game: Game) -> tuple[str, ...]:
    """The objectives of the solo game, as the observation names them."""
    return next(block.entries for block in game.observation_layout.blocks if block.name == "satisfied")


def play_benchmark(
    benchmark: Benchmark,
    folder: Path,
    *,
    progress: bool = True,
    kept: Kept = NOWHERE,
    **workers: Unpack[Workers],
) -> Outcome:
    """Play the games missing from `folder` that are not `kept`. For errors see `play_series`."""
    worker = BenchmarkWorker(benchmark)
    return play_series(folder, benchmark, worker, progress=progress, recall=kept.recall(benchmark), **workers)


# --- the result


@dataclass(frozen=True)
class Row:
    """One agent at one difficulty. Intervals are at 95 %."""

    agent: str
    difficulty: int
    games: int
    wins: int
    win_rate: float
    win_rate_interval: Interval
    money: float
    money_interval: Interval | None
    failed: dict[str, int]  # by objective: games that missed it
    alone: dict[str, int]  # by objective: games that missed only this one

    @classmethod
    def of(cls, agent: str, difficulty: int, all_records: Sequence[Json], objectives: Sequence[str]) -> Row:
        """The row of this agent's records at this difficulty."""
        records = [one for one in all_records if (one["agent"], one["difficulty"]) == (agent, difficulty)]
        games, wins = len(records), sum(record["won"] for record in records)
        won, money = (np.array([record[name] for record in records]) for name in ("won", "money"))
        decks = np.array([record.get("deck", "") for record in records])
        failed = Counter(name for record in records for name in record["failed"])
        alone = Counter(record["failed"][0] for record in records if len(record["failed"]) == 1)
        return cls(
            agent=agent,
            difficulty=difficulty,
            games=games,
            wins=wins,
            win_rate=wins / games,
            win_rate_interval=win_rate_interval(won, decks),
            money=float(money.mean()),
            money_interval=hierarchical_interval(money, decks),
            failed={name: failed[name] for name in objectives},
            alone={name: alone[name] for name in objectives},
        )


def rows_of(benchmark: Benchmark, outcome: Outcome) -> list[Row]:
    """Rows by agent and difficulty, from the seeds whose games were all played; empty if there are none."""
    records = outcome.of_whole_deals(len(benchmark.difficulties) * len(benchmark.agents))
    if not records:
        return []
    objectives = objectives_of(benchmark.load(benchmark.difficulties[0]))
    return [
        Row.of(agent, difficulty, records, objectives)
        for agent in benchmark.agents
        for difficulty in benchmark.difficulties
    ]


def decisions_per_second(outcome: Outcome) -> dict[str, float | None]:
    """Decisions per second of each agent's own time: the median over games, or None without any."""
    rates: dict[str, list[float]] = {record["agent"]: [] for record in outcome.records.values()}
    for record in outcome.records.values():
        if record["seconds"] > 0:
            rates[record["agent"]].append(record["decisions"] / record["seconds"])
    return {agent: float(np.median(some)) if some else None for agent, some in rates.items()}


def table(rows: Sequence[Row]) -> str:
    head = [
        "agent",
        "difficulty",
        "games",
        "won",
        "money",
        *(f"no {name.replace('_', ' ')}" for name in rows[0].failed),
    ]
    lines = [
        [
            row.agent,
            str(row.difficulty),
            str(row.games),
            percent(row.win_rate, row.win_rate_interval),
            f"{row.money:.1f}",
            *(f"{failed / row.games:.1%}" for failed in row.failed.values()),
        ]
        for row in rows
    ]
    return text_table(head, lines)


def read_bound(path: Path) -> dict[int, float]:
    """Read a clairvoyant player's win rates by difficulty: `{"0": 0.97, "1": 0.9}`.

    ValueError, naming the file, for anything else.
    """
    expected = 'win rates by difficulty, as in {"0": 0.97}'
    bound = read_json(path, dict[str, Annotated[float, between(0, 1)]], ValueError, expected)
    if not all(re.fullmatch("[0-9]{1,2}", difficulty) for difficulty in bound):
        raise ValueError(f"{path} has difficulties {shown(list(bound))}; expected {expected}")
    return {int(difficulty): float(bound[difficulty]) for difficulty in sorted(bound, key=int)}


def save(benchmark: Benchmark, outcome: Outcome, rows: Sequence[Row], bound: Mapping[int, float], folder: Path) -> None:
    """Write `result.json` and the plots."""
    from . import plots

    data = {
        "settings": benchmark.settings(),
        "of_protocol": benchmark.of_protocol and not outcome.interrupted,
        "interrupted": outcome.interrupted,
        "computed_with": {"scipy": version("scipy")},
        "rows": [asdict(row) for row in rows],
        "bound": {str(difficulty): rate for difficulty, rate in bound.items()},
        "decisions_per_second": decisions_per_second(outcome),
    }
    write_json(folder / RESULT, data)
    rates: dict[str, dict[int, tuple[float, Interval]]] = {agent: {} for agent in benchmark.agents}
    for row in rows:
        rates[row.agent][row.difficulty] = row.win_rate, row.win_rate_interval
    plots.draw_difficulties(rates, bound, folder / "difficulties.svg")
    shares = {
        f"{row.agent} at {row.difficulty}": [failed / row.games for failed in row.failed.values()] for row in rows
    }
    plots.draw_objectives(shares, list(rows[0].failed), folder / "objectives.svg")


# --- the command line


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_parser(
        "solo-benchmark",
        "Win rates of the solo game of Chocolate Factory on fixed deals; the same command again resumes.",
        "greedy planner --difficulties 0 --seeds 100 --out results/solo",
        "my_agents:Hasty --processes 2 --out results/mine",
    )
    parser.add_argument("agents", nargs="+", help=f"one or more: {HELP}")
    parser.add_argument("--difficulties", type=int, nargs="+", choices=DIFFICULTIES, default=list(DIFFICULTIES))
    parser.add_argument(
        "--seeds",
        type=integer(1, len(SUITE)),
        default=len(SUITE),
        help="play only this many seeds; only the whole suite counts",
    )
    add_decks(parser)
    parser.add_argument("--bound", type=Path, help="JSON file of win rates by difficulty, drawn as a further curve")
    add_workers(parser)
    parser.add_argument(
        "--out", type=folder_for(RESULT, PLOTS), required=True, help="folder of the games and the result"
    )
    chosen = parser.parse_args(arguments)
    if len(set(chosen.agents)) < len(chosen.agents):
        parser.error("no two agents may be the same")
    try:
        benchmark = Benchmark(
            agents=tuple(chosen.agents),
            difficulties=tuple(sorted(set(chosen.difficulties))),
            seeds=SUITE[: chosen.seeds],
            load=load_solo,
            decks=names_of(chosen.decks),
        )
        bound = read_bound(chosen.bound) if chosen.bound else {}
        benchmark.check()
    except (ImportError, OSError, TypeError, ValueError) as error:
        parser.error(str(error))
    try:
        outcome = play_benchmark(benchmark, chosen.out, **workers_of(chosen))
    except (WorkersError, JournalError) as error:
        parser.error(str(error))
    finish(benchmark, outcome, bound, chosen.out)
    sys.exit(130 if outcome.interrupted else 0)


def finish(benchmark: Benchmark, outcome: Outcome, bound: Mapping[int, float], folder: Path) -> None:
    rows = rows_of(benchmark, outcome)
    if rows:
        save(benchmark, outcome, rows, bound, folder)
        print(table(rows))
    if outcome.interrupted:
        print(stopped_message(outcome, len(benchmark.tasks)))


if __name__ == "__main__":
    main()
