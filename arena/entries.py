"""The benchmark of a game: the files of its entries, and the page that ranks them. `arena.benchmark` plays it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any, TypedDict, cast, get_type_hints

import numpy as np

import chocofactory_env as cf
from chocofactory_env.agents.files import read_json
from chocofactory_env.core.files import write_text
from chocofactory_env.core.messages import shown
from chocofactory_env.core.reading import Count, Integer, at_least, between
from chocofactory_env.registry import GAMES

from .decks import hashes_of, measured, names_of
from .games import FORMAT as GAMES_FORMAT
from .games import GameSeries
from .language import Answers, check_answers, summary_of_answers
from .options import docs_folder
from .play import Json, differences
from .report import as_code, as_text, markdown_table, render
from .table import gap, win_rate_interval
from .tasks import LearningTask, task
from .tracks import Protocol, Track, protocol_of

FORMAT = 1  # of entry files
FOLDERS = ("benchmark", "language")  # of the committed entries, in `docs/`; the latter of agents that answer in text
DECIMALS = 6
MOST_WORDS = 300  # characters of an entry's name, author, ...
MOST_MS = 1e9  # of a decision
LINK = re.compile(r"(?a)https?://[\w.-]+(:\d{1,5})?(/[\w.~%/+:=&?#;,-]*)?")


# --- an entry


class _InText(TypedDict, total=False):
    answers: list[Answers]  # of tracks in text alone


class PlayedGames(_InText):
    """The games of a track, by deal, then by seat of the agent. Inner lists are by seat."""

    scores: list[list[Integer]]
    decisions: list[list[Count]]
    places: list[Annotated[int, at_least(1)]]  # of the agent, 1 = first
    won: list[bool]  # by the agent


class Settings(TypedDict):
    """The required fields of `GameSeries.settings`."""

    format: Integer
    game: str
    options: dict[str, Any]
    deck: str
    rules: Integer
    agents: list[str]
    tables: list[list[str]]
    seeds: dict[str, Integer]
    versions: dict[str, str]


class TrackResult(TypedDict):
    """An entry's results on a track. `summary` follows from `games`, see `summary_of`."""

    settings: Settings
    summary: dict[str, Any]
    ms_a_decision: Annotated[float, between(0, MOST_MS)] | None  # of the agent's own time, median over games
    games: PlayedGames


class Learned(TypedDict):
    """Of an agent that learned a task, as its author says."""

    seed: Count
    decisions: Count  # within the task's budget


class PrimaryFigure(TypedDict):
    """See `arena.tasks.Figure`."""

    name: str
    value: float
    low: float
    high: float


class _About(TypedDict, total=False):
    trained_on: list[str]  # the agent's `trained_decks`, if it has them
    task: str  # of an entry of a learning task, whose version is the protocol; with `learned` and `figure`
    learned: Learned
    figure: PrimaryFigure


class Entry(_About):
    """The contents of an entry's file."""

    format: Integer
    game: str
    protocol: Integer
    name: str
    agent: str
    author: str
    link: str
    work: str  # per decision
    timed: bool  # whether choices depend on a clock
    machine: str
    processes: Annotated[int, at_least(1)]
    tracks: dict[str, TrackResult]


class EntryError(ValueError):
    """A file is not a valid entry of the present benchmark. Names the file, the place, and what was expected."""


def summary_of(games: PlayedGames, players: int, decks: np.ndarray) -> Json:
    """Summarize games, rounded so that results do not depend on library versions. The interval is at 95 %.

    decks: (G,) int, the deck of each game. With several decks, the interval is over decks.
    """
    wins, number = sum(games["won"]), len(games["won"])
    low, high = win_rate_interval(np.array(games["won"]), decks)
    score = sum(scores[game % players] for game, scores in enumerate(games["scores"])) / number
    return {
        "games": number,
        "wins": wins,
        "win_rate": round(wins / number, DECIMALS),
        "win_rate_interval": [round(low, DECIMALS), round(high, DECIMALS)],
        "score": round(score, DECIMALS),
        "place": round(sum(games["places"]) / number, DECIMALS),
        **({"answers": summary_of_answers(games["answers"])} if "answers" in games else {}),
    }


def games_of(records: Sequence[Json]) -> PlayedGames:
    """The games in the records of a track, in which the agent of rotation r has seat r."""
    games = PlayedGames(
        scores=[list(record["scores"]) for record in records],
        decisions=[list(record["decisions"]) for record in records],
        places=[record["places"][record["rotation"]] for record in records],
        won=[record["won"][record["rotation"]] for record in records],
    )
    if "answers" in records[0]:
        games["answers"] = [record["answers"] for record in records]
    return games


def track_result(track: Track, series: GameSeries, records: Sequence[Json]) -> TrackResult:
    """Results on a track. records: of all games of the track's series, in the order of its tasks."""
    games = games_of(records)
    own = [(record["seconds"][record["rotation"]], record["decisions"][record["rotation"]]) for record in records]
    rates = [seconds / decisions for seconds, decisions in own if decisions]
    return TrackResult(
        settings=cast(Settings, series.settings()),
        summary=summary_of(games, track.players, track.decks_of_games(len(records))),
        ms_a_decision=round(1000 * float(np.median(rates)), 4) if rates else None,
        games=games,
    )


def write_entry(path: Path, entry: Mapping[str, Any]) -> None:
    """Write an entry atomically."""
    write_text(path, json_lines(entry) + "\n")


def json_lines(value: Any, indent: str = "") -> str:
    """Format JSON with a line per entry of an object, and lists on one line."""
    if not isinstance(value, Mapping) or not value:
        return json.dumps(value, allow_nan=False)
    inner = indent + " "
    lines = [f"{inner}{json.dumps(name)}: {json_lines(each, inner)}" for name, each in value.items()]
    return "{\n" + ",\n".join(lines) + f"\n{indent}}}"


def read_entry(path: Path) -> Entry:
    """Read an entry of the present protocol, with the game's present cards and rules.

    Raises:
        EntryError: the file is damaged, follows another protocol, or its numbers do not follow from its games.
    """
    entry: Entry = read_json(path, Entry, EntryError, "an entry of the benchmark")
    try:
        check_entry(entry)
    except ValueError as error:
        raise EntryError(f"{path} {error}") from error
    return entry


def check_entry(entry: Entry) -> None:
    """Check an entry. The message of its ValueError completes a sentence that begins with the name of the file."""
    if entry["format"] != FORMAT:
        raise ValueError(f"has format {entry['format']}; expected {FORMAT}")
    if entry["game"] not in GAMES:
        raise ValueError(
            f"is of game {shown(entry['game'])}; expected the name of a registered game: {', '.join(GAMES)}"
        )
    protocol = protocol_for(entry)
    if entry["protocol"] != protocol.number:
        raise ValueError(f"is of protocol {entry['protocol']}; the game has protocol {protocol.number}")
    _check_fields(entry, Entry)
    check_words(entry)
    if not entry["tracks"]:
        raise ValueError("has no track; expected one or more")
    for name, result in entry["tracks"].items():
        if name not in protocol.tracks:
            raise ValueError(f"has track {shown(name)}; there are: {', '.join(protocol.tracks)}")
        try:
            _check_track(entry, protocol.tracks[name], result)
        except ValueError as error:
            raise ValueError(f"at tracks.{name} {error}") from error
    if "task" in entry:
        _check_task(entry, task(entry["task"]))


def protocol_for(entry: Entry) -> Protocol:
    """The protocol of an entry: of its learning task, or of its game. For the error see `check_entry`."""
    if "task" not in entry:
        return protocol_of(entry["game"])
    try:
        learned = task(entry["task"])
    except ValueError as error:
        raise ValueError(f"has an {error}") from None
    if learned.of != entry["game"]:
        raise ValueError(f"is of game {shown(entry['game'])}; the task {learned.name} is of {learned.of}")
    return learned.protocol


def figure_in(games: PlayedGames, learned: LearningTask) -> PrimaryFigure:
    """The primary figure of a task that follows from its games, rounded."""
    players = len(games["scores"][0])
    own = [scores[game % players] for game, scores in enumerate(games["scores"])]
    name, *numbers = learned.figure_of(games["won"], own)
    value, low, high = (round(number, DECIMALS) for number in numbers)
    return PrimaryFigure(name=name, value=value, low=low, high=high)


def _check_task(entry: Entry, learned: LearningTask) -> None:
    if missing := {"learned", "figure"} - entry.keys():
        raise ValueError(f"has no field {min(missing)!r}; expected one, as it is of a learning task")
    if entry["learned"]["decisions"] > learned.budget:
        raise ValueError(
            f"learned from {entry['learned']['decisions']:,} decisions; the budget of {learned.name} is "
            f"{learned.budget:,}"
        )
    follows = figure_in(entry["tracks"][learned.id]["games"], learned)
    if wrong := differences(entry["figure"], follows, "figure"):
        raise ValueError(f"does not follow from its games: {'; '.join(wrong)}")


def _check_fields(there: Mapping[str, Any], kind: type) -> None:
    """ValueError if there are fields that this type of dictionary does not have."""
    known = get_type_hints(kind)
    if unknown := [name for name in there if name not in known]:
        raise ValueError(f"has an unknown field {shown(unknown[0])}; expected some of {', '.join(known)}")


def check_words(entry: Mapping[str, Any]) -> None:
    """Check the texts of an entry, which its page shows. For the error see `check_entry`."""
    for name in ("name", "agent", "author", "link", "work", "machine"):
        text = entry.get(name, "")
        if not text.isprintable() or len(text) > MOST_WORDS or text != text.strip():
            raise ValueError(f"has {name} {shown(text)}; expected a line of at most {MOST_WORDS} printable characters")
    if not entry["name"]:
        raise ValueError("has no name; expected one")
    if entry["link"] and not LINK.fullmatch(entry["link"]):
        raise ValueError(f"has link {shown(entry['link'])}; expected http://HOST/PATH or https://HOST/PATH, or none")


@cache
def _hashes(game: str, decks: str) -> dict[str, Any]:
    """The settings of a track that hold its decks' hashes. Drawing hundreds of decks takes seconds."""
    return hashes_of(partial(cf.load, game), names_of(decks or None))


def _check_track(entry: Entry, track: Track, result: TrackResult) -> None:
    _check_fields(result, TrackResult)
    _check_fields(result["games"], PlayedGames)
    expected = track.series(entry["game"], entry["agent"])
    game, played = expected.game, result["settings"]
    options = {name: value for name, value in game.options.items() if name in {*track.options, *played["options"]}}
    now = {
        "format": GAMES_FORMAT,
        "game": game.name,
        "options": options,  # the default of a newer option is the earlier behaviour
        "deck": game.deck_hash,
        **_hashes(entry["game"], track.decks),
        "rules": game.rules_version,
        "agents": list(expected.agents),
        "tables": [list(table) for table in expected.tables],
        "seeds": {"first": expected.deals[0], "number": len(expected.deals)},
        **({"judge": dict(track.judge)} if track.text else {}),
    }
    if track.text != ("answers" in result["games"]):
        raise ValueError("has answers beside its games, or lacks them; expected them in tracks in text")
    other = differences({name: played.get(name) for name in now}, json.loads(json.dumps(now)))
    if other:
        raise ValueError(f"was played with other settings than the benchmark has here: {'; '.join(other)}")
    lengths = {name: len(column) for name, column in result["games"].items()}  # type: ignore[arg-type]
    if set(lengths.values()) != {len(expected.tasks)}:
        raise ValueError(f"has {lengths} games; expected {len(expected.tasks)} each")
    by_seat = [*result["games"]["scores"], *result["games"]["decisions"]]
    if any(len(each) != expected.players for each in by_seat):
        raise ValueError(f"has scores or decisions that are not {expected.players} numbers, one a seat")
    if any(place > expected.players for place in result["games"]["places"]):
        raise ValueError(f"has places beyond {expected.players}, the number of seats")
    if expected.players > 1 and any(
        won != (place == 1) for won, place in zip(result["games"]["won"], result["games"]["places"], strict=True)
    ):
        raise ValueError("has games in which the agent won without place 1, or the reverse")
    for answers in result["games"].get("answers", ()):
        check_answers(answers)
    follows = summary_of(result["games"], track.players, track.decks_of_games(len(expected.tasks)))
    wrong = differences(result["summary"], follows, "summary")
    if wrong:
        raise ValueError(f"does not follow from its games: {'; '.join(wrong)}")


# --- the page


def entries_folder(name: str = FOLDERS[0]) -> Path:
    """A folder of committed entries; ValueError if installed from a wheel."""
    return docs_folder() / name


def entries_of(game: str, folder: str = FOLDERS[0]) -> list[Entry]:
    """The committed entries of a game, by file name. For errors see `read_entry`."""
    files = sorted(entries_folder(folder).glob("*.json"))
    return [entry for entry in map(read_entry, files) if entry["game"] == game]


def mean_win_rate(entry: Entry, protocol: Protocol) -> float | None:
    """The mean over numbers of players of the mean over tracks on the shipped deck; None if a track is missing."""
    if not protocol.ranking.keys() <= entry["tracks"].keys():
        return None
    rates: dict[int, list[float]] = {}
    for name, track in protocol.ranking.items():
        rates.setdefault(track.players, []).append(entry["tracks"][name]["summary"]["win_rate"])
    return float(np.mean([np.mean(some) for some in rates.values()]))


def ranked(entries: Sequence[Entry], protocol: Protocol) -> list[tuple[int | None, Entry]]:
    """The entries with their ranks, best first; then the unranked ones, see `unranked`."""
    means = [(mean_win_rate(entry, protocol), entry) for entry in entries]
    whole = [(mean, entry) for mean, entry in means if mean is not None and not unranked(entry)]
    rest = [(mean or 0.0, entry) for mean, entry in means if mean is None or unranked(entry)]
    best = sorted(whole, key=lambda pair: -pair[0])
    return [
        *((rank, entry) for rank, (_, entry) in enumerate(best, start=1)),
        *((None, entry) for _, entry in sorted(rest, key=lambda pair: -pair[0])),
    ]


def unranked(entry: Entry) -> str:
    """The reason why an entry with all tracks has no rank, or ""."""
    if entry["timed"]:
        return "by the clock"
    return "trained on measurement decks" if measured(entry.get("trained_on") or None) else ""


def entry_lines(game: str, entries: Sequence[Entry]) -> list[str]:
    """The table of entries in Markdown."""
    protocol = protocol_of(game)
    players = list(dict.fromkeys(track.players for track in protocol.ranking.values()))
    time = " / ".join(map(str, players))
    head = ["", "agent", "mean", *protocol.ranking, "fixed work", f"ms a decision at {time} players"]
    rows = [_entry_row(rank, entry, protocol, players) for rank, entry in ranked(entries, protocol)]
    return markdown_table(head, rows, text_columns=(1, len(head) - 2))


def _entry_row(rank: int | None, entry: Entry, protocol: Protocol, players: Sequence[int]) -> list[str]:
    mean = mean_win_rate(entry, protocol)
    return [
        "–" if rank is None else str(rank),
        _title(entry),
        "–" if mean is None else f"{100 * mean:.1f}",
        *(_win_rate(entry["tracks"].get(name)) for name in protocol.ranking),
        unranked(entry) or as_text(entry["work"]),
        " / ".join(_time(entry, protocol, number) for number in players),
    ]


def _title(entry: Entry) -> str:
    title = f"[{as_text(entry['name'])}]({entry['link']})" if entry["link"] else as_code(entry["name"])
    return title + (f" ({as_text(entry['author'])})" if entry["author"] else "")


def deck_lines(game: str, entries: Sequence[Entry]) -> list[str]:
    """The table of tracks on many decks in Markdown, each beside its track on the shipped deck."""
    protocol = protocol_of(game)
    tracks = [track for track in protocol.tracks.values() if track.decks]
    names = [
        name
        for like in dict.fromkeys(each.like for each in tracks)
        for name in (like, *(each.name for each in tracks if each.like == like))
    ]
    head = ["agent"]
    for name in names:
        head += [name] if name in protocol.ranking else [name, "gap"]
    rows = []
    for _, entry in ranked(entries, protocol):
        cells = [_title(entry)]
        for name in names:
            cells.append(_win_rate(entry["tracks"].get(name)))
            cells += [_gap(entry, protocol.tracks[name])] if protocol.tracks[name].decks else []
        if any(track.name in entry["tracks"] for track in tracks):
            rows.append(cells)
    return markdown_table(head, rows)


def _gap(entry: Entry, track: Track) -> str:
    """The drop in win rate from the shipped deck to unseen decks, in percentage points."""
    results = [entry["tracks"].get(name) for name in (track.like, track.name)]
    if None in results:
        return "–"
    shipped, unseen = (np.array(result["games"]["won"]) for result in results if result)
    found, interval = gap((shipped, np.zeros(len(shipped), int)), (unseen, track.decks_of_games(len(unseen))))
    return f"{100 * found:+.1f} ± {50 * (interval.high - interval.low):.1f}"


def _win_rate(result: TrackResult | None) -> str:
    if result is None:
        return "–"
    low, high = result["summary"]["win_rate_interval"]
    return f"{100 * result['summary']['win_rate']:.1f} ± {50 * (high - low):.1f}"


def _time(entry: Entry, protocol: Protocol, players: int) -> str:
    """The median time per decision over the tracks with this number of players."""
    times = [
        result["ms_a_decision"]
        for name, result in entry["tracks"].items()
        if name in protocol.ranking and protocol.tracks[name].players == players and result["ms_a_decision"] is not None
    ]
    return f"{np.median(times):.2g}" if times else "–"


def track_lines(protocol: Protocol) -> list[str]:
    """The protocol's number, and its table of tracks in Markdown."""
    rows = []
    for track in protocol.tracks.values():
        last = track.first_deal + track.deals - 1
        named = {**track.options, **({"decks": track.decks} if track.decks else {})}
        options = ", ".join(f"`{name}={value}`" for name, value in named.items())
        opponent = f"`{track.opponent}` on all other seats" if track.opponent else "alone"
        games = f"{track.deals * track.players:,}"
        rows.append([f"`{track.name}`", options, opponent, f"{track.first_deal:,} to {last:,}", games])
    table = markdown_table(["track", "options", "opponents", "deals", "games"], rows, text_columns=(0, 1, 2))
    return [f"This is protocol {protocol.number}. Results under different numbers cannot be compared.", "", *table]


def text_lines(game: str, entries: Sequence[Entry]) -> list[str]:
    """The table of tracks in text in Markdown, with the regret by phase."""
    tracks = [name for name, track in protocol_of(game).tracks.items() if track.text]
    of_entries = [
        {name: entry["tracks"][name]["games"] for name in tracks if name in entry["tracks"]} for entry in entries
    ]
    found = [summary_of_answers([each for one in games.values() for each in one["answers"]]) for games in of_entries]
    phases = [phase for phase in dict.fromkeys(name for one in found for name in one["regret"]) if phase != "all"]
    rows = []
    for entry, games, summary in zip(entries, of_entries, found, strict=True):
        scores = [each[game % len(each)] for one in games.values() for game, each in enumerate(one["scores"])]
        legal, regret = summary["legal_at_first_try"], summary["regret"]
        wins = [games[name]["won"] if name in games else [] for name in tracks]
        rows.append(
            [
                as_code(entry["name"]),
                *(f"{sum(won)} of {len(won)}" if won else "–" for won in wins),
                f"{np.mean(scores):.1f}",
                "–" if legal is None else f"{100 * legal:.1f} %",
                f"{summary['tokens']:,}",
                f"{regret['all']:.2f}" if regret else "–",
                *(f"{regret.get(phase, 0.0):.2f}" for phase in phases),
            ]
        )
    head = ["agent", *(f"won, {name}" for name in tracks), "score", "legal at first try", "tokens", "regret a decision"]
    return markdown_table([*head, *map(as_text, phases)], rows)


def page() -> str:
    """The page of all committed entries, of every game that has some."""
    shown = [(game, entries_of(game), entries_of(game, FOLDERS[1])) for game in sorted(GAMES)]
    return render(
        "entries.md",
        games=[
            {
                "name": game,
                "entries": entry_lines(game, entries) if entries else [],
                "decks": deck_lines(game, entries) if entries else [],
                "tracks": track_lines(protocol_of(game)),
                "text": text_lines(game, in_text) if in_text else [],
            }
            for game, entries, in_text in shown
            if entries or in_text
        ],
    )
