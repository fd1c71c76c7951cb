"""Play a tournament in rounds: first every pair of agents, then more games between neighbours in the rating.

    chocofactory staged greedy random planner:width=8 --games 48 --neighbour-games 200 --out runs/staged

Close agents need more games to be told apart. After each round all agents are rated by all games so far. Neighbours
with too few games then play further deals, until every pair of neighbours has enough. The pairs of a round follow from
the earlier games, so the same command resumes an interrupted tournament. Each round is a series in its own folder.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from pathlib import Path
from typing import Unpack

from chocofactory_env import Game
from chocofactory_env.agents.protocol import AnyAgent, make_agent
from chocofactory_env.core.command import count

from .decks import Names, names_of
from .kept import NOWHERE, Kept
from .options import command_parser, input_reported, loader
from .series import stopped_message
from .statistics import Games, Rating, by_rating, ratings, win_matrix
from .tournament import (
    Result,
    Round,
    Tournament,
    add_tournament,
    check_tournament,
    save,
    seatings_of,
)
from .workers import Workers, cluster, workers_of

FIRST = "all"  # folder of the first round
FURTHER = "neighbours-{}"  # folders of the later rounds

Pair = tuple[str, str]


@dataclass(frozen=True)
class StagedTournament:
    """games: least number per pair; neighbour_games: least number per pair of neighbours in the final rating."""

    load: Callable[..., Game]
    agents: tuple[str, ...]
    players: int
    games: int
    neighbour_games: int
    first_deal: int = 0
    make: Callable[[str, Game], AnyAgent] = make_agent
    decks: Names = ()

    def deals(self, games: int) -> int:
        """The number of deals that give a pair this many games."""
        return ceil(games / (len(seatings_of(self.agents[:2], self.players)) * self.players))

    def first_round(self) -> Tournament:
        """The tournament of all pairs."""
        last = self.first_deal + self.deals(self.games)
        return Tournament(
            self.load, self.agents, self.players, range(self.first_deal, last), self.make, decks=self.decks
        )

    def further_round(self, pairs: Sequence[Pair]) -> Tournament:
        """A tournament of some pairs, on deals that follow those of the first round."""
        first, last = (self.first_deal + self.deals(games) for games in (self.games, self.neighbour_games))
        return Tournament(
            load=self.load,
            agents=tuple(agent for agent in self.agents if any(agent in pair for pair in pairs)),
            players=self.players,
            deals=range(first, last),
            make=self.make,
            tables=tuple(seating for pair in pairs for seating in seatings_of(pair, self.players)),
            decks=self.decks,
        )

    def play(
        self, folder: Path, *, progress: bool = True, kept: Kept = NOWHERE, **workers: Unpack[Workers]
    ) -> list[Round]:
        """Play the games missing from `folder` that are not `kept`. The last round may be interrupted.

        For errors see `play_series`.
        """
        rounds = [self._play(self.first_round(), folder / FIRST, workers, progress, kept)]
        played: set[Pair] = set()
        while not rounds[-1].outcome.interrupted:
            pairs = [pair for pair in self.neighbours(rounds) if pair not in played]
            if not pairs or self.deals(self.neighbour_games) <= self.deals(self.games):
                break
            played |= set(pairs)
            name = FURTHER.format(len(rounds))
            rounds.append(self._play(self.further_round(pairs), folder / name, workers, progress, kept))
        return rounds

    def _play(self, tournament: Tournament, folder: Path, workers: Workers, progress: bool, kept: Kept) -> Round:
        if progress:
            print(f"{folder.name}: {len(tournament.tasks)} games", file=sys.stderr)
        return Round(tournament, tournament.play(folder, progress=progress, kept=kept, **workers))

    def neighbours(self, rounds: Sequence[Round]) -> list[Pair]:
        """The neighbours in the rating after these rounds."""
        games = Games.of(self.agents, [record for each in rounds for record in each.records()])
        return neighbours(ratings(games.agents, win_matrix(games)))


def neighbours(ratings: Sequence[Rating]) -> list[Pair]:
    """Neighbours in the rating, from the top; each pair in the order of `ratings`."""
    agents = [rating.agent for rating in ratings]
    ranked = by_rating({rating.agent: rating.points for rating in ratings})
    pairs = [sorted(pair, key=agents.index) for pair in pairwise(ranked)]
    return [(first, second) for first, second in pairs]


def result_of(rounds: Sequence[Round]) -> Result | None:
    """The result of all rounds; None if no deal is complete."""
    first, *further = rounds
    return Result.of(first.tournament, first.outcome, *further)


def save_rounds(rounds: Sequence[Round], result: Result, folder: Path) -> None:
    """Write `result.json` and the plots."""
    first, *further = rounds
    save(first.tournament, first.outcome, result, folder, *further)


def stopped(rounds: Sequence[Round]) -> str | None:
    """A message if the last round was interrupted."""
    tournament, outcome = rounds[-1]
    if not outcome.interrupted:
        return None
    return f"round {len(rounds)}: {stopped_message(outcome, len(tournament.tasks))}"


# --- the command line


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_parser(
        "staged",
        "A tournament in which neighbours in the rating play more games; the same command again resumes.",
        "random flat_mc expert --games 48 --neighbour-games 200 --out results/staged",
        "my_agents:Hasty random expert --players 3 --processes 2 --out results/three",
    )
    add_tournament(parser, arguments)
    parser.add_argument("--games", type=count, default=48, help="least games of every pair (48)")
    parser.add_argument("--neighbour-games", type=count, default=200, help="least games of rating neighbours (200)")
    chosen = parser.parse_args(arguments)
    check_tournament(parser, chosen)
    with input_reported(parser):
        staged = StagedTournament(
            load=loader(chosen, chosen.players),
            agents=tuple(chosen.agents),
            players=chosen.players,
            games=chosen.games,
            neighbour_games=chosen.neighbour_games,
            first_deal=chosen.seed,
            decks=names_of(chosen.decks),
        )
        staged.first_round().check()
        with cluster(chosen.ray, chosen.processes):
            rounds = staged.play(chosen.out, **workers_of(chosen))
    result, message = result_of(rounds), stopped(rounds)
    if result is not None:
        save_rounds(rounds, result, chosen.out)
        print(result)
    if message:
        print(message)
    sys.exit(130 if message else 0)


if __name__ == "__main__":
    main()
