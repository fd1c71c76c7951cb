"""Play the benchmark of a game, or a learning task, with any agent: a fixed protocol, and a file for each entry.

    chocofactory benchmark planner:width=32 --out runs/benchmark/planner-32 --processes 2
    chocofactory benchmark my_agents:Hasty:width=2 --tracks two-greedy --deals 10 --out runs/try
    chocofactory benchmark "llm:model=NAME,url=http://127.0.0.1:8000/v1" --dry-run
    chocofactory task duel --agent runs/duel/last.safetensors --decisions 995328 --out runs/duel/entry
    chocofactory check-entry docs/benchmark/planner-32.json --games 20

Every finished game is saved in the folder: after Ctrl-C, run the same command again to resume. `result.json` is the
entry. An agent that answers in text plays the tracks in text, and its questions and answers are kept in `transcripts/`
of each. `check-entry` replays some games of an entry.
"""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Unpack

import numpy as np

from chocofactory_env.agents.files import read_json
from chocofactory_env.agents.llm import EndpointError
from chocofactory_env.agents.protocol import check_named_by_stranger, make_agent, parse_agent
from chocofactory_env.agents.readers import ReadingAgent
from chocofactory_env.core.command import Command, Count, Natural, OutFolder, Seed
from chocofactory_env.core.files import held

from .entries import (
    FORMAT,
    Entry,
    EntryError,
    Learned,
    TrackResult,
    check_words,
    figure_in,
    games_of,
    protocol_for,
    read_entry,
    track_result,
    write_entry,
)
from .games import GameSeries, PlaysGames
from .language import TRANSCRIPTS, Cost, PlaysInText, TextSeries, cost_of
from .match import RESULT
from .options import DEFAULT_GAME
from .play import Outcome, differences, play
from .report import percent, text_table
from .tasks import Figure, LearningTask
from .tasks import task as task_named
from .tracks import Protocol, Track, protocol_of
from .workers import Workers

CLOCK = "time_s"  # the setting that limits an agent's time
SOURCES = "sources"  # the key in settings with digests of agents' sources
SAME = "all games are the same"
CHECKPOINT = ".safetensors"  # the end of a checkpoint's name
CPU_INFO = Path("/proc/cpuinfo")  # on Linux


@dataclass(frozen=True)
class Benchmark:
    """An agent on some tracks of a protocol. deals: play only this many of each track; None: all, as entries need."""

    protocol: Protocol
    agent: str
    tracks: tuple[Track, ...]
    deals: int | None = None

    @classmethod
    def of(cls, game: str, agent: str, names: Sequence[str] = (), deals: int | None = None) -> Benchmark:
        """With the tracks of these names; unless given, with those in text if the agent answers so, else the others.

        TypeError or ValueError if there is no such track, or the agent or its first game cannot be made.
        """
        protocol = protocol_of(game)
        if unknown := [name for name in names if name not in protocol.tracks]:
            raise ValueError(f"--tracks: there is no {unknown[0]!r}; there are: {', '.join(protocol.tracks)}")
        first = next(track for name, track in protocol.tracks.items() if name in (names or protocol.tracks))
        in_text = isinstance(make_agent(agent, first.series(game, agent).game), ReadingAgent)
        tracks = [
            track for name, track in protocol.tracks.items() if (name in names if names else track.text == in_text)
        ]
        if not in_text and any(track.text for track in tracks):
            raise ValueError(f"agent: expected one that answers in text, as llm:model=NAME,url=URL, got {agent!r}")
        return cls(protocol, agent, tuple(tracks), deals)

    def series(self, track: Track) -> GameSeries:
        return track.series(self.protocol.game, self.agent, self.deals)

    def check(self) -> None:
        """TypeError or ValueError if a game or one of the agents cannot be made."""
        for track in self.tracks:
            self.series(track).check()

    def trained_decks(self) -> list[str]:
        """The agent's `trained_decks`, if it has them."""
        agent = make_agent(self.agent, self.series(self.tracks[0]).game)
        return list(getattr(agent, "trained_decks", ()))

    def play(
        self, folder: Path, *, progress: bool = True, **workers: Unpack[Workers]
    ) -> Iterator[tuple[Track, Outcome]]:
        """Play track by track, each in its own folder. For errors see `arena.play.play`."""
        for track in self.tracks:
            if progress:
                print(track.name, file=sys.stderr)
            series, place = self.series(track), folder / track.name
            works = plays(series, place / TRANSCRIPTS)
            yield track, play(series, works, place, progress=progress, ends=(EndpointError,), **workers)


def plays(series: GameSeries, transcripts: Path | None = None) -> PlaysGames:
    """What plays the games of a series. transcripts: folder of what is asked and answered in text."""
    return PlaysInText(series, folder=transcripts) if isinstance(series, TextSeries) else PlaysGames(series)


@dataclass(frozen=True)
class About:
    """An entry's description of its agent.

    Args:
        name: name of the entry; the agent's unless given.
        author: author of the agent.
        link: where the agent is described.
        work: work per decision, as "300 simulations"; the agent's settings unless given.
        timed: choices depend on a clock, as they do with the setting `time_s`.
    """

    name: str = ""
    author: str = ""
    link: str = ""
    work: str = ""
    timed: bool = False

    def of(self, agent: str, game: str) -> About:
        """With what follows from the agent's name in place of what was not given."""
        named = parse_agent(agent, game)
        settings = ", ".join(f"{setting}={value}" for setting, value in named.settings.items())
        work = self.work or settings or "default settings"
        return replace(self, name=self.name or agent, work=work, timed=self.timed or CLOCK in named.settings)


def entry_of(benchmark: Benchmark, about: About, processes: int, tracks: Mapping[str, TrackResult]) -> Entry:
    entry = Entry(
        format=FORMAT,
        game=benchmark.protocol.game,
        protocol=benchmark.protocol.number,
        name=about.name,
        agent=benchmark.agent,
        author=about.author,
        link=about.link,
        work=about.work,
        timed=about.timed,
        machine=machine(),
        processes=processes,
        tracks=dict(tracks),
    )
    decks = benchmark.trained_decks()
    return Entry(**entry, trained_on=decks) if decks else entry


def machine() -> str:
    """The processor and the number of cores, on which times depend."""
    model = platform.processor() or platform.machine()
    if CPU_INFO.exists():
        named = re.search(r"^model name\s*: (.*)$", CPU_INFO.read_text(encoding="utf-8"), re.MULTILINE)
        model = named[1] if named else model
    return f"{model}, {os.cpu_count()} cores"


def table(entry: Entry) -> str:
    rows = []
    for name, result in entry["tracks"].items():
        summary, time = result["summary"], result["ms_a_decision"]
        won = percent(summary["win_rate"], summary["win_rate_interval"])
        cells = [str(summary["games"]), won, f"{summary['score']:.1f}", f"{summary['place']:.2f}"]
        rows.append([name, *cells, "–" if time is None else f"{time:.2f}"])
    played = text_table(["track", "games", "games won", "score", "place", "ms a decision"], rows)
    return "\n".join([played, *_answered(entry)])


def _answered(entry: Entry) -> Iterator[str]:
    """A line about the answers of each track in text."""
    for name, result in entry["tracks"].items():
        if answers := result["summary"].get("answers"):
            legal, regret = answers["legal_at_first_try"], answers["regret"].get("all")
            parts = [f"{answers['tokens']:,} tokens"]
            parts += [] if legal is None else [f"{legal:.1%} legal at first try"]
            parts += [] if regret is None else [f"regret a decision {regret:.2f}"]
            yield f"{name}: {', '.join(parts)}"


# --- check that an entry's games are its agent's


def check_games(entry: Entry, games: int, seed: int | None, *, progress: bool = True) -> list[str]:
    """Replay `games` random games of the entry, and return the differences, one text per differing game.

    seed: of the draw; None: a fresh draw.

    Raises:
        ValueError: the agent cannot be made here.
    """
    protocol = protocol_for(entry)
    all_series = {name: protocol.tracks[name].series(entry["game"], entry["agent"]) for name in entry["tracks"]}
    for series in all_series.values():
        series.check()
    places = [(name, number) for name, each in all_series.items() for number in range(len(each.tasks))]
    from tqdm import tqdm

    drawn = np.random.default_rng(seed).permutation(len(places))[:games]
    found = []
    for name, number in tqdm([places[one] for one in sorted(drawn)], unit="game", disable=not progress):
        found += _differences(name, all_series[name], entry["tracks"][name], number)
    return found


def _differences(name: str, series: GameSeries, there: TrackResult, number: int) -> list[str]:
    """Replay game `number` of a track, and return its differences: one text, or none."""
    task = series.tasks[number]
    again = games_of([task | plays(series)(task)])
    old = {column: values[number] for column, values in there["games"].items()}  # type: ignore[index]
    new = {column: values[0] for column, values in again.items()}  # type: ignore[index]
    differing = differences(old, new)
    return [f"{name}, deal {task['deal']}, seat {task['rotation']}: {'; '.join(differing)}"] if differing else []


def other_conditions(entry: Entry) -> list[str]:
    """Differences in recorded versions and in the agent's source, which may explain differing games."""
    protocol = protocol_for(entry)
    found: dict[str, None] = {}
    for name, result in entry["tracks"].items():
        here = protocol.tracks[name].series(entry["game"], entry["agent"]).settings()
        for part in ("versions", SOURCES):
            there = result["settings"].get(part)
            found |= dict.fromkeys(differences(there, here.get(part), part) if there is not None else [])
    return list(found)


# --- commands


@dataclass
class Result:
    """The entry, or None if games are missing, as `message` says."""

    entry: Entry | None
    missing: str = ""
    interrupted: bool = False

    def message(self) -> str:
        return self.missing

    def __str__(self) -> str:
        if self.entry is None:
            return "no entry yet"
        figure = [str(Figure(**self.entry["figure"]))] if "figure" in self.entry else []
        return "\n".join([table(self.entry), *figure])


def play_benchmark(
    agent: str,
    about: About,
    *,
    out: OutFolder | None = None,
    game: str = DEFAULT_GAME,
    tracks: Sequence[str] = (),
    deals: Count | None = None,
    dry_run: bool = False,
    progress: bool = True,
    **workers: Unpack[Workers],
) -> Result | Cost:
    """Play the benchmark of a game: its tracks of fixed deals and opponents. docs/benchmark.md says how to enter.

    Args:
        agent: an agent by name, as `expert`, `planner:width=32`, or your own as `my_agents:Hasty:width=2`.
        out: folder of the games, so that the same call goes on, and of `result.json`, the entry.
        game: its name.
        tracks: tracks to play; unless given those in text for an agent that answers in text, else all others. Only an
            entry with all others is ranked.
        deals: play only this many deals of every track; an entry needs all.
        dry_run: estimate requests and tokens of an agent that answers in text, and play nothing.
        about: the entry's description of the agent.
        progress: whether to show a progress bar.
        workers: see `Workers`.

    Returns:
        The entry, which `out/result.json` holds; in a dry run, the cost.

    Raises:
        ValueError, TypeError: there is no such game, agent or track, or the folder holds something else.
        EndpointError: the endpoint fails, or the budget is spent. The games before are saved.
    """
    benchmark = Benchmark.of(game, agent, tracks, deals)
    if dry_run:
        in_text = [each for each in map(benchmark.series, benchmark.tracks) if isinstance(each, TextSeries)]
        if not in_text:
            raise ValueError("--dry-run: expected tracks in text, of an agent that answers in text")
        benchmark.check()
        return cost_of(in_text)
    if out is None:
        raise ValueError("--out: expected a folder, got none")
    return _played(benchmark, about.of(agent, game), Path(out), progress, workers)


def play_task(
    task: str,
    about: About,
    *,
    agent: str,
    out: OutFolder,
    decisions: Natural = 0,
    seed: Seed = 0,
    progress: bool = True,
    **workers: Unpack[Workers],
) -> Result:
    """Judge an agent by a learning task, and write an entry. docs/tasks.md says what the tasks are.

    Args:
        task: its name, as `duel`.
        agent: a checkpoint of `chocofactory train`; or an agent by name, as `mcts:simulations=32`, or your own as
            `my_agents:Mine:model=FILE`.
        out: folder of the games, so that the same call goes on, and of `result.json`, the entry.
        decisions: how many decisions the agent learned from.
        seed: random seed with which it learned.
        about: the entry's description of the agent.
        progress: whether to show a progress bar.
        workers: see `Workers`.

    Returns:
        The entry, which `out/result.json` holds.

    Raises:
        ValueError, TypeError: there is no such task or agent, or the folder holds something else.
    """
    judged = task_named(task)
    if decisions > judged.budget:
        raise ValueError(f"--decisions: expected at most {judged.budget:,}, the budget of {task}, got {decisions:,}")
    agent = f"learned:checkpoint={agent}" if agent.endswith(CHECKPOINT) else agent
    benchmark = Benchmark(judged.protocol, agent, tuple(judged.protocol.tracks.values()))
    learned = Learned(seed=seed, decisions=decisions)
    return _played(benchmark, about.of(agent, judged.of), Path(out), progress, workers, judged, learned)


def _played(
    benchmark: Benchmark,
    about: About,
    folder: Path,
    progress: bool,
    workers: Workers,
    task: LearningTask | None = None,
    learned: Learned | None = None,
) -> Result:
    """Play the missing games, and write the entry. task, learned: of an entry of a learning task."""
    check_words(vars(about))
    benchmark.check()
    results = dict[str, TrackResult]()
    with _own(folder, benchmark, {"task": task.name} if task else {}):
        for track, outcome in benchmark.play(folder, progress=progress, **workers):
            if message := outcome.message():
                return Result(None, f"{track.name}: {message}", outcome.interrupted)
            results[track.name] = track_result(track, benchmark.series(track), outcome.records)
        entry = entry_of(benchmark, about, workers.get("processes") or 1, results)
        if task and learned:
            figure = figure_in(results[task.id]["games"], task)
            entry = Entry(**entry, task=task.name, learned=learned, figure=figure)
        write_entry(folder / RESULT, entry)
    return Result(entry)


def check_entry(
    entry: Path, *, games: Count = 20, seed: Seed | None = None, trust: bool = False, progress: bool = True
) -> Replayed:
    """Replay games of an entry, and compare scores, places and decisions.

    Args:
        entry: file of the entry.
        games: number of games to replay.
        seed: random seed that selects these games; fresh ones unless given.
        trust: make any agent that the file names: it may run code and send your secrets.
        progress: whether to show a progress bar.

    Returns:
        The games that differ, and what may explain it: versions, and sources of the agent.

    Raises:
        EntryError: the file is damaged, or names an agent that is not trusted.
        ValueError: the agent decides by a clock, or cannot be made here.
    """
    read = read_entry(entry)
    if read["timed"]:
        raise ValueError("the agent decides by the clock, so its games cannot be played again")
    _check_trust(entry, read, trust)
    return Replayed(other_conditions(read), check_games(read, games, seed, progress=progress))


@dataclass
class Replayed:
    """Notes on other conditions, and the games that differ."""

    notes: list[str]
    differing: list[str]

    def message(self) -> str:
        return "\n".join(self.differing)

    def __str__(self) -> str:
        return "\n".join([*(f"note: {each}" for each in self.notes), *([] if self.differing else [SAME])])


def _check_trust(path: Path, entry: Entry, trust: bool) -> None:
    """Check that the agent of somebody else's entry may be made; EntryError, which shows its name, if not."""
    try:
        if not trust:
            check_named_by_stranger(entry["agent"], entry["game"])
    except ValueError as error:
        raise EntryError(
            f"{path} is of the agent {entry['agent']!r}: {error}. It may run any code, and send what is in your "
            "environment to any address; to make it, give --trust"
        ) from error


@contextmanager
def _own(folder: Path, benchmark: Benchmark, more: Mapping[str, str]) -> Iterator[None]:
    """Hold the folder. EntryError if it has another program's files, or another agent's entry."""
    with held(folder, EntryError, own=tuple(benchmark.protocol.tracks)):
        path = folder / RESULT
        if os.path.lexists(path):
            expected = "this agent's entry, which is written anew: choose another folder"
            there: Entry = read_json(path, Entry, EntryError, expected)
            here = {"game": benchmark.protocol.game, "agent": benchmark.agent, **more}
            if other := differences({name: there.get(name) for name in here}, here):
                raise EntryError(f"{path} is another entry: {'; '.join(other)}; expected {expected}")
        yield


COMMAND = Command(
    "chocofactory benchmark",
    play_benchmark,
    (
        "my_agents:Hasty --deals 10 --out runs/try",
        "expert --out runs/expert --processes 2",
        '"llm:model=NAME,url=http://127.0.0.1:8000/v1" --dry-run',
    ),
    positional=("agent",),
    parts={"about": About},
    given={"progress": True},
    failures=(EndpointError,),
)
TASK = Command(
    "chocofactory task",
    play_task,
    (
        "duel --agent runs/duel/last.safetensors --decisions 995328 --out runs/duel/entry",
        "first --agent greedy --out runs/first/greedy --processes 2",
    ),
    positional=("task",),
    parts={"about": About},
    given={"progress": True},
)
CHECK = Command(
    "chocofactory check-entry",
    check_entry,
    ("runs/expert/result.json --games 20",),
    positional=("entry",),
    given={"progress": True},
)
main = COMMAND.run

if __name__ == "__main__":
    main()
