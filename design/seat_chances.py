"""Compare the chances of seats: one agent plays every seat, and wins are counted by place in the first turn order.

    python -m design.seat_chances expert:width=32,draft_width=4 --games 600 --out runs/seats \
        --page docs/chocofactory/logs/balance-seats.md

A journal for each number of players keeps the games: after Ctrl-C, run the same command again to resume.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypedDict

import numpy as np
from scipy import stats

from agents.files import check
from agents.protocol import HELP, make_agent, sources_of
from arena.decks import Names, add_decks, deck_of, hashes_of, labels_of, names_of
from arena.match import Entrant, play_game, versions
from arena.notes import score_title
from arena.options import DEFAULT_GAME, add_game, loader, options_of
from arena.series import Json, Task, markdown_table, play_series, stopped_message
from arena.statistics import win_rate_interval
from arena.workers import add_workers, cluster, workers_of
from chocofactory_env import Game
from chocofactory_env.core.command import count, file_to_write
from chocofactory_env.core.files import write_text
from chocofactory_env.core.reading import Integer

FIRST_DEAL = 700_000
PLAYERS = (2, 3, 4)
PLACES = ("starts", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


class _Game(TypedDict):
    won: list[bool]
    scores: list[Integer]


@dataclass(frozen=True)
class Seats:
    """A series of games of one agent against itself. A record's lists are by place; the first to move has place 0."""

    load: Callable[..., Game]
    agent: str
    games: int
    decks: Names = ()  # dealt in turn; without any the game's own

    @property
    def tasks(self) -> list[Task]:
        return [(seed,) for seed in range(FIRST_DEAL, FIRST_DEAL + self.games)]

    def settings(self) -> dict[str, Any]:
        return {
            "series": "seats",
            "agent": self.agent,
            "game": self.game.name,
            "options": dict(self.game.options),
            "deck": self.game.deck_hash,
            **hashes_of(self.load, self.decks),
            "rules": self.game.rules_version,
            "versions": versions(),
            **sources_of([self.agent], make_agent, self.game),
        }

    def check_record(self, task: Task, record: Json) -> None:
        check(record, _Game)
        if {len(record["won"]), len(record["scores"])} != {self.game.num_players}:
            raise ValueError(f"is not of {self.game.num_players} players")

    def __call__(self, task: Task) -> Json:
        """Play one game."""
        (seed,) = task
        if self.decks:
            game = self.load(**deck_of(self.decks, seed))
            entrants = self._entrants_in(game)
        else:
            game, entrants = self.game, self.entrants
        players = game.num_players
        first = game.current_player(game.new(seed=seed))
        order = [(first + place) % players for place in range(players)]
        play = play_game(game, entrants, seed)
        return {
            **labels_of(self.decks, seed),
            "won": [play.won[seat] for seat in order],
            "scores": [play.scores[seat] for seat in order],
        }

    @cached_property
    def game(self) -> Game:
        return self.load(**deck_of(self.decks, FIRST_DEAL))

    @cached_property
    def entrants(self) -> list[Entrant]:
        return self._entrants_in(self.game)

    def _entrants_in(self, game: Game) -> list[Entrant]:
        return [Entrant(self.agent, make_agent(self.agent, game)) for _ in range(game.num_players)]


def table_of(played: Sequence[Sequence[Json]], score: str) -> tuple[list[str], list[list[str]]]:
    """Head and rows. played: the records of each number of players. score: the title of scores."""
    most = max((len(records[0]["won"]) for records in played), default=0)
    head = ["players", "games", *PLACES[:most], f"{score} by place", "p if places were equal"]
    return head, [row_of(records, most) for records in played]


def row_of(records: Sequence[Json], columns: int) -> list[str]:
    """A row of the table. columns: of places. A shared victory counts for each winner. Intervals count decks."""
    won = np.array([record["won"] for record in records])
    wins, (games, players) = won.sum(0), won.shape
    decks = np.array([record.get("deck", "") for record in records])
    cells = []
    for place in range(columns):
        if place < players:
            low, high = win_rate_interval(won[:, place], decks)
            cells.append(f"{wins[place] / games:.1%} [{low:.1%}, {high:.1%}]")
        else:
            cells.append("")
    scores = np.array([record["scores"] for record in records]).mean(0)
    by_place = " / ".join(f"{score:.1f}" for score in scores)
    return [str(players), str(games), *cells, by_place, f"{stats.chisquare(wins).pvalue:.3f}"]


def page(series: Seats, played: Sequence[Sequence[Json]], command: str) -> str:
    decks = f"{len(series.decks)} decks" if series.decks else f"Deck `{series.game.deck_hash[:12]}`"
    return "\n".join(
        [
            f"# Balance of the seats among strong players{', over decks' if series.decks else ''}",
            "",
            f"Generated by `{command}`; do not edit.",
            "",
            f"The agent `{series.agent}` plays on every seat. Games won, by place in the first turn order, with",
            "95 % intervals. The last column is the p-value of a chi-square test for equal places.",
            "",
            *markdown_table(*table_of(played, score_title(series.game.name))),
            "",
            f"{decks}, deals from {FIRST_DEAL:,} on.",
            "",
        ]
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m design.seat_chances", description="Whether all seats have equal chances."
    )
    parser.add_argument("agent", help=HELP)
    add_game(parser, arguments)
    add_decks(parser)
    parser.add_argument("--games", type=count, default=600, help="for each number of players (600)")
    parser.add_argument("--players", type=int, nargs="+", default=list(PLAYERS))
    parser.add_argument("--out", type=Path, required=True, help="folder of the games")
    parser.add_argument("--page", type=file_to_write, help="write the table to this file instead of printing it")
    add_workers(parser)
    chosen = parser.parse_args(arguments)
    played = []
    try:
        with cluster(chosen.ray, chosen.processes):
            for players in chosen.players:
                series = Seats(loader(chosen, players), chosen.agent, chosen.games, names_of(chosen.decks))
                outcome = play_series(chosen.out / str(players), series, series, **workers_of(chosen))
                if outcome.interrupted:
                    print(stopped_message(outcome, len(series.tasks)))
                    sys.exit(130)
                played.append(list(outcome.records.values()))
    except (ImportError, TypeError, ValueError) as error:
        parser.error(str(error))
    text = page(series, played, command_of(chosen))
    if chosen.page:
        write_text(chosen.page, text)
    else:
        print(text)


def command_of(chosen: argparse.Namespace) -> str:
    """The command that makes the page again."""
    options = [f"--option {name}={json.dumps(value)}" for name, value in options_of(chosen, chosen.game).items()]
    game = [] if chosen.game == DEFAULT_GAME else [f"--game {chosen.game}"]
    players = [] if chosen.players == list(PLAYERS) else [f"--players {' '.join(map(str, chosen.players))}"]
    decks = [f"--decks {' '.join(chosen.decks)}"] if chosen.decks else []
    rest = [*game, *decks, *options, *players, f"--games {chosen.games}", "--out FOLDER"]
    return " ".join(["python -m design.seat_chances", chosen.agent, *rest])


if __name__ == "__main__":
    main()
