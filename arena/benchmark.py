"""Play the benchmark of a game with any agent: a fixed protocol, and a file for each entry.

    chocofactory benchmark planner:width=32 --out runs/benchmark/planner-32 --processes 2
    chocofactory benchmark my_agents:Hasty:width=2 --tracks two-greedy --deals 10 --out runs/try
    chocofactory benchmark --add-to docs/benchmark/planner-32.json --out runs/benchmark/planner-32
    chocofactory benchmark --check docs/benchmark/planner-32.json --games 20

Every finished game is saved in the folder: after Ctrl-C, run the same command again to resume. `result.json` is the
entry. `--add-to` plays the tracks that an entry lacks. `--check` replays some games of an entry.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Unpack

import numpy as np

from chocofactory_env.agents.files import read_json
from chocofactory_env.agents.protocol import HELP, check_named_by_stranger, make_agent, parse_agent
from chocofactory_env.core.command import count, folder_for, seed_of_deal
from chocofactory_env.core.files import held

from .entries import (
    FORMAT,
    Entry,
    EntryError,
    Protocol,
    Track,
    TrackResult,
    check_words,
    games_of,
    protocol_of,
    read_entry,
    track_result,
    write_entry,
)
from .games import GameSeries, PlaysGames
from .options import add_game_name, add_ray, command_parser, input_reported, workers_of
from .play import Outcome, differences, play
from .report import percent, text_table
from .tournament import RESULT
from .workers import Workers

CLOCK = "time_s"  # the setting that limits an agent's time
SOURCES = "sources"  # the key in settings with digests of agents' sources
CPU_INFO = Path("/proc/cpuinfo")  # on Linux


@dataclass(frozen=True)
class Benchmark:
    """An agent on some tracks of a protocol. deals: play only this many of each track; None: all, as entries need."""

    protocol: Protocol
    agent: str
    tracks: tuple[Track, ...]
    deals: int | None = None

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
            series = self.series(track)
            yield track, play(series, PlaysGames(series), folder / track.name, progress=progress, **workers)


@dataclass(frozen=True)
class About:
    """An entry's description of its agent, see `Entry`."""

    name: str
    author: str
    link: str
    work: str
    timed: bool

    @classmethod
    def of(cls, entry: Entry) -> About:
        return cls(**{each.name: entry[each.name] for each in fields(cls)})  # type: ignore[literal-required]


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
    return text_table(["track", "games", "games won", "score", "place", "ms a decision"], rows)


# --- check that an entry's games are its agent's


def check_games(entry: Entry, games: int, seed: int | None, *, progress: bool = True) -> list[str]:
    """Replay `games` random games of the entry, and return the differences, one text per differing game.

    seed: of the draw; None: a fresh draw.

    Raises:
        ValueError: the agent's choices depend on a clock, or it cannot be made here.
    """
    _check_untimed(entry)
    protocol = protocol_of(entry["game"])
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


def _check_untimed(entry: Entry) -> None:
    if entry["timed"]:
        raise ValueError("the agent decides by the clock, so its games cannot be played again")


def _differences(name: str, series: GameSeries, there: TrackResult, number: int) -> list[str]:
    """Replay game `number` of a track, and return its differences: one text, or none."""
    task = series.tasks[number]
    again = games_of([task | PlaysGames(series)(task)])
    old = {column: values[number] for column, values in there["games"].items()}  # type: ignore[index]
    new = {column: values[0] for column, values in again.items()}  # type: ignore[index]
    differing = differences(old, new)
    return [f"{name}, deal {task['deal']}, seat {task['rotation']}: {'; '.join(differing)}"] if differing else []


def other_conditions(entry: Entry) -> list[str]:
    """Differences in recorded versions and in the agent's source, which may explain differing games."""
    protocol = protocol_of(entry["game"])
    found: dict[str, None] = {}
    for name, result in entry["tracks"].items():
        here = protocol.tracks[name].series(entry["game"], entry["agent"]).settings()
        for part in ("versions", SOURCES):
            there = result["settings"].get(part)
            found |= dict.fromkeys(differences(there, here.get(part), part) if there is not None else [])
    return list(found)


# --- the command line


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_parser(
        "benchmark",
        "Play the benchmark of a game, whose result.json is an entry; docs/benchmark.md says how to enter.",
        "my_agents:Hasty --deals 10 --out results/try",
        "--check results/entry/result.json --games 20",
    )
    add_game_name(parser)
    parser.add_argument("agent", nargs="?", help=HELP)
    parser.add_argument("--tracks", nargs="+", metavar="NAME", help="tracks to play; only an entry with all is ranked")
    parser.add_argument("--deals", type=count, help="play only this many deals of every track; an entry needs all")
    parser.add_argument("--processes", type=count, default=1, help="number of processes (1), as the entry records")
    add_ray(parser)
    parser.add_argument("--out", type=folder_for(RESULT), help="folder of the games and of result.json, the entry")
    parser.add_argument("--name", help="name of the entry (the agent's name)")
    parser.add_argument("--author", default="", help="author of the agent")
    parser.add_argument("--link", default="", help="where the agent is described")
    parser.add_argument("--work", help="work per decision, as '300 simulations' (the agent's settings)")
    parser.add_argument(
        "--timed", action="store_true", help=f"choices depend on a clock (implied by the setting {CLOCK})"
    )
    parser.add_argument(
        "--add-to", type=Path, metavar="FILE", help="play the tracks that this entry lacks, and complete it"
    )
    parser.add_argument("--check", type=Path, metavar="FILE", help="replay games of this entry, and compare")
    parser.add_argument(
        "--trust", action="store_true", help="make any agent that FILE names: it may run code and send your secrets"
    )
    parser.add_argument("--games", type=count, default=20, help="number of games to replay (20)")
    parser.add_argument("--seed", type=seed_of_deal, help="random seed that selects these games")
    chosen = parser.parse_args(arguments)
    given = [chosen.agent is not None, chosen.add_to is not None, chosen.check is not None]
    if sum(given) != 1:
        parser.error("expected one of three: an agent, --add-to FILE, or --check FILE")
    if chosen.trust and chosen.add_to is None and chosen.check is None:
        parser.error("--trust: expected --add-to FILE or --check FILE, which names an agent")
    with input_reported(parser):
        if chosen.check is not None:
            sys.exit(_check(chosen))
        else:
            sys.exit(_play(chosen))


def _check(chosen: argparse.Namespace) -> int:
    entry = read_entry(chosen.check)
    _check_untimed(entry)
    _check_trust(chosen.check, entry, chosen.trust)
    for each in other_conditions(entry):
        print(f"note: {each}")
    found = check_games(entry, chosen.games, chosen.seed)
    print("\n".join(found) if found else "all games are the same")
    return 1 if found else 0


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


def _play(chosen: argparse.Namespace) -> int:
    before = None if chosen.add_to is None else _entry_to_add_to(chosen)
    benchmark, about = _benchmark_of(chosen, before), _about(chosen) if before is None else About.of(before)
    check_words(vars(about))
    benchmark.check()
    tracks = {} if before is None else dict(before["tracks"])
    with _own(chosen.out, benchmark):
        for track, outcome in benchmark.play(chosen.out, **workers_of(chosen)):
            if message := outcome.message():
                print(f"{track.name}: {message}")
                return 130 if outcome.interrupted else 1
            tracks[track.name] = track_result(track, benchmark.series(track), outcome.records)
        ordered = {name: tracks[name] for name in benchmark.protocol.tracks if name in tracks}
        entry = entry_of(benchmark, about, chosen.processes, ordered)
        write_entry(chosen.out / RESULT, entry)
    print(table(entry))
    return 0


@contextmanager
def _own(folder: Path, benchmark: Benchmark) -> Iterator[None]:
    """Hold the folder. EntryError if it has another program's files, or another agent's entry."""
    with held(folder, EntryError, own=tuple(benchmark.protocol.tracks)):
        path = folder / RESULT
        if os.path.lexists(path):
            expected = "this agent's entry, which is written anew: choose another folder"
            there: Entry = read_json(path, Entry, EntryError, expected)
            here = {"game": benchmark.protocol.game, "agent": benchmark.agent}
            if other := differences({name: there[name] for name in here}, here):  # type: ignore[literal-required]
                raise EntryError(f"{path} is another entry: {'; '.join(other)}; expected {expected}")
        yield


def _entry_to_add_to(chosen: argparse.Namespace) -> Entry:
    """Read the entry. ValueError if the command line differs from it in anything that holds for all of its tracks."""
    entry = read_entry(chosen.add_to)
    named = [each.name for each in fields(About) if getattr(chosen, each.name)]
    if named:
        raise ValueError(f"--{named[0]}: expected none with --add-to, since the entry sets it")
    if chosen.deals is not None:
        raise ValueError("--deals: expected none with --add-to, since an entry has all deals")
    again = [name for name in chosen.tracks or () if name in entry["tracks"]]
    if again:
        raise ValueError(f"--tracks: {chosen.add_to} has {again[0]!r} already")
    here = {"game": chosen.game, "machine": machine(), "processes": chosen.processes}
    other = differences({name: entry[name] for name in here}, here)  # type: ignore[literal-required]
    if other:
        raise ValueError(f"{chosen.add_to} was played under other conditions: {'; '.join(other)}")
    _check_trust(chosen.add_to, entry, chosen.trust)
    for each in other_conditions(entry):
        if each.startswith(SOURCES):
            raise ValueError(f"{chosen.add_to} is of another source of the agent: {each}")
        print(f"note: {each}")
    return entry


def _benchmark_of(chosen: argparse.Namespace, before: Entry | None) -> Benchmark:
    """Read the benchmark from the command line. before: the entry to complete. ValueError for unknown names."""
    if chosen.out is None:
        raise ValueError("--out: expected a folder for the games and the result")
    protocol = protocol_of(chosen.game)
    played = () if before is None else before["tracks"]
    names = chosen.tracks or [name for name in protocol.tracks if name not in played]
    if not names:
        raise ValueError(f"{chosen.add_to} has all tracks already")
    unknown = [name for name in names if name not in protocol.tracks]
    if unknown:
        raise ValueError(f"--tracks: there is no {unknown[0]!r}; there are: {', '.join(protocol.tracks)}")
    tracks = tuple(track for name, track in protocol.tracks.items() if name in names)
    return Benchmark(protocol, chosen.agent if before is None else before["agent"], tracks, chosen.deals)


def _about(chosen: argparse.Namespace) -> About:
    named = parse_agent(chosen.agent, chosen.game)
    settings = ", ".join(f"{name}={value}" for name, value in named.settings.items())
    return About(
        name=chosen.name or chosen.agent,
        author=chosen.author,
        link=chosen.link,
        work=chosen.work or settings or "default settings",
        timed=chosen.timed or CLOCK in named.settings,
    )


if __name__ == "__main__":
    main()
