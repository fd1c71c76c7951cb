"""Shared parts of balance reports: tables from the logs of many games, the page, and the command.

`design/<game>/balance.py` is a game's own report, and `watch.py` beside it makes the logs.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from agents.protocol import HELP, make_agent
from arena.match import versions, wilson_interval
from arena.series import markdown_table
from arena.workers import add_workers, workers_of
from chocofactory_env import Game
from chocofactory_env.core.command import file_to_write
from chocofactory_env.core.files import write_text

from .seat_chances import table_of
from .watch import GameWatch, L, Log, S, watch_all

Seat = TypeVar("Seat")

# --- tables


def seats_of(logs: Iterable[Log[Seat]]) -> list[Seat]:
    return [seat for log in logs for seat in log.seats]


def winning(tables: Mapping[int, Sequence[Log[Any]]], has: Callable[[Any], Iterable[str]]) -> dict[str, str]:
    """By card: wins of seats that had it, relative to chance. The logs are by number of players."""
    expected: dict[str, float] = defaultdict(float)
    won: Counter[str] = Counter()
    for players, logs in tables.items():
        for seat in seats_of(logs):
            for name in set(has(seat)):
                won[name] += seat.won
                expected[name] += 1 / players
    return {name: rate(won[name], expected[name]) for name in expected}


def steady(tables: Mapping[int, Sequence[L]]) -> dict[int, list[L]]:
    """The logs, by number of players, of games without wavering."""
    return {players: [log for log in logs if not log.wavering] for players, logs in tables.items()}


def place_table(tables: Mapping[int, Sequence[Any]], score: str) -> str:
    """Wins by place in turn order."""
    records = [
        [{"won": [seat.won for seat in log.seats], "scores": [seat.score for seat in log.seats]} for log in logs]
        for logs in tables.values()
    ]
    return table(*table_of(records, score))


def table(head: Sequence[str], rows: Iterable[Sequence[str]], text_columns: Sequence[int] = (0,)) -> str:
    """A Markdown table; columns other than `text_columns` hold numbers."""
    return "\n".join(markdown_table(head, rows, text_columns))


def percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"


def rate(part: float, whole: float) -> str:
    return f"{part / whole:.2f}" if whole else "–"


def with_interval(wins: int, games: int) -> str:
    low, high = wilson_interval(wins, games)
    return f"{100 * wins / games:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


# --- the page


def command_of(game: Game, games: int, agent: str, *more: str) -> str:
    """The command that makes the page again."""
    deck = [f"--deck {game.options['deck']}"] if game.options["deck"] else []
    return " ".join([f"python -m design.{game.name}.balance --games {games} --agent {agent}", *more, *deck])


class Section(NamedTuple):
    """A section of the page; its tables are made from the logs by number of players."""

    title: str
    words: str
    tables: Sequence[Callable[[Any], str]]


def section_of(section: Section, tables: Mapping[int, Sequence[Log[Any]]]) -> str:
    """The section in Markdown."""
    parts = [f"## {section.title}", section.words, *(one(tables) for one in section.tables)]
    return "\n\n".join(part for part in parts if part) + "\n"


def made_with() -> str:
    return ", ".join(f"{name} {version}" for name, version in versions().items())


# --- the command


def parser_of(module: str, what: str, games: int, of: str) -> argparse.ArgumentParser:
    """The parser of a report: games per setting, workers, and the file for the page."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=f"Measure the balance of {what}.")
    parser.add_argument("--games", type=int, default=games, help=f"{of} ({games})")
    add_workers(parser)
    parser.add_argument("--out", type=file_to_write, help="write the report to this file instead of printing it")
    return parser


def add_agent(parser: argparse.ArgumentParser, agent: str) -> None:
    """Add `--agent`."""
    parser.add_argument("--agent", default=agent, help=f"on every seat ({agent}): {HELP}")


def add_deck(parser: argparse.ArgumentParser) -> None:
    """Add `--deck`."""
    parser.add_argument("--deck", help="TOML file with cards to be tried")


def parse(parser: argparse.ArgumentParser, arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line. At least two games are needed, one with steady and one with wavering agents."""
    chosen = parser.parse_args(arguments)
    if chosen.games < 2:
        parser.error("at least 2 games")
    return chosen


def make_report(
    parser: argparse.ArgumentParser,
    chosen: argparse.Namespace,
    watch: GameWatch[L],
    settings: Sequence[S],
    report: Callable[[Mapping[S, Sequence[L]], Any, Game], str],
) -> None:
    """Play all games, and write the page `report(logs, watch, game)`; `game` is the first one played."""
    try:
        games = [setting.load() for setting in settings]
        for game in games:
            make_agent(watch.agent_for(game), game)
        logs = watch_all(watch, settings, **workers_of(chosen))
    except (ImportError, ValueError) as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        print("stopped; the games of a report are not kept", file=sys.stderr)
        sys.exit(130)
    text = report(logs, watch, games[0])
    if chosen.out:
        write_text(chosen.out, text)
    else:
        print(text)
