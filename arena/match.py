"""Matches between agents, and statistics of their results; where a game is played alone, a match is a series of games.

A deal is played once for every rotation of the seats, so that no agent owes its result to better cards or a better
seat. From the command line:

    python -m arena.match --agents greedy random random --deals 100 --json result.json
    python -m arena.match --agents greedy --deals 500 --option difficulty=1
    python -m arena.match --agents greedy random --expansion master_chocolatier --option sides=random
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from math import nan
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from scipy import stats
from tqdm import tqdm

import chocofactory_env as cf
from agents.files import write_json
from agents.protocol import HELP, AnyAgent, decide, make_agent, reset
from chocofactory_env import Game
from chocofactory_env.core.jit import seconds_compiled

from . import html
from .notes import score_title
from .options import add_game, file_to_write, loader

CONFIDENCE = 0.95

Note = Callable[[Any, int, float], None]  # of a position, the seat whose decision led to it, and the seconds it took
Before = Callable[[Any, int, int], None]  # of a position, the seat that moves in it, and the action that it chose


class Entrant(NamedTuple):
    """An agent under the name by which results are counted. Each seat needs an agent object of its own."""

    name: str
    agent: AnyAgent


class Interval(NamedTuple):
    low: float
    high: float


@dataclass(frozen=True)
class Play:
    """One finished game; tuples are by seat."""

    seed: int
    rotation: int
    names: tuple[str, ...]
    scores: tuple[int, ...]
    places: tuple[int, ...]  # 1 = first
    won: tuple[bool, ...]
    decisions: int


@dataclass(frozen=True)
class Standing:
    """What the plays say about all entrants of one name. Intervals are at 95 %."""

    name: str
    games: int  # seats played: entrants of the same name at one table count each
    wins: int
    win_rate: float
    win_rate_interval: Interval
    score: float  # mean over the seats
    score_interval: Interval
    place: float


@dataclass
class Result:
    """All plays of a match; `interrupted` if it was stopped before all `planned` games were played."""

    game: Game
    seeds: tuple[int, ...]
    planned: int
    plays: list[Play] = field(default_factory=list)
    interrupted: bool = False
    seconds: float = 0.0

    def standings(self) -> list[Standing]:
        """By name, in the order of the first table."""
        names = dict.fromkeys(name for play in self.plays for name in play.names)
        return [self._standing(name) for name in names]

    def _standing(self, name: str) -> Standing:
        seats = [(play, seat) for play in self.plays for seat, other in enumerate(play.names) if other == name]
        wins = sum(play.won[seat] for play, seat in seats)
        of_deal: dict[int, list[int]] = {}
        for play, seat in seats:
            of_deal.setdefault(play.seed, []).append(play.scores[seat])
        # Games of one deal are alike; deals are independent, so the interval is taken over the deals' means.
        score, score_interval = mean_interval([float(np.mean(scores)) for scores in of_deal.values()])
        return Standing(
            name=name,
            games=len(seats),
            wins=wins,
            win_rate=wins / len(seats),
            win_rate_interval=wilson_interval(wins, len(seats)),
            score=score,
            score_interval=score_interval,
            place=float(np.mean([play.places[seat] for play, seat in seats])),
        )

    def setting(self) -> str:
        return "alone" if self.game.num_players == 1 else f"{self.game.num_players} players"

    def table(self) -> str:
        """The standings as text."""
        return table([self])

    def _repr_html_(self) -> str:
        """What notebooks show."""
        shown = html.table(_head([self]), [_cells_of(self, standing) for standing in self.standings()], (0, 1))
        return shown + (f"<p>{_stopped(self)}</p>" if self.interrupted else "")

    def to_dict(self) -> dict[str, Any]:
        """JSON-able: enough to play everything again, and to compute other statistics."""
        return {
            "game": self.game.name,
            "options": dict(self.game.options),
            "deck": self.game.deck_hash,
            "versions": versions(),
            "seeds": list(self.seeds),
            "planned": self.planned,
            "interrupted": self.interrupted,
            "seconds": round(self.seconds, 3),
            "standings": [_plain(asdict(standing)) for standing in self.standings()],
            "plays": [asdict(play) for play in self.plays],
        }

    def save(self, path: str | Path) -> None:
        """Write `to_dict` as JSON, whole or not at all."""
        write_json(Path(path), self.to_dict())


def play_match(game: Game, entrants: Sequence[Entrant], seeds: Iterable[int], *, progress: bool = True) -> Result:
    """Play every deal once for each rotation of `entrants` (one for each seat) around the table; alone, once each.

    Ctrl-C ends the match early; the result then holds the games finished so far.
    """
    if len(entrants) != game.num_players:
        raise ValueError(f"{game.num_players} seats need as many entrants, got {len(entrants)}")
    if len({id(entrant.agent) for entrant in entrants}) < len(entrants):
        raise ValueError("each seat needs an agent object of its own")
    seeds = tuple(seeds)
    schedule = [(seed, rotation) for seed in seeds for rotation in range(game.num_players)]
    result = Result(game, seeds, planned=len(schedule))
    names = " - ".join(entrant.name for entrant in entrants)
    start = perf_counter()
    try:
        for seed, rotation in tqdm(schedule, desc=names, unit="game", disable=not progress):
            result.plays.append(play_game(game, entrants, seed, rotation))
    except KeyboardInterrupt:
        result.interrupted = True
    result.seconds = perf_counter() - start
    return result


def play_game(
    game: Game,
    entrants: Sequence[Entrant],
    seed: int,
    rotation: int = 0,
    note: Note | None = None,
    before: Before | None = None,
) -> Play:
    """Play one game; entrant i sits on seat i + rotation.

    Once an action is played, `before` gets a copy of the position in which it was chosen, then `note` the one it led
    to; both look only. What a decision takes is told without the time of compiling.

    Raises:
        IllegalActionError, TypeError: an agent chose what is not legal, or no integer; names the agent, its seat, the
            deal, and the decision.
    """
    seated = [entrants[(seat - rotation) % len(entrants)] for seat in range(len(entrants))]
    state = game.new(seed=seed)
    for seat, entrant in enumerate(seated):
        reset(entrant.agent, cf.agent_seed(game, state, seat, rotation))
    agents = {seat: entrant.agent for seat, entrant in enumerate(seated)}
    decisions = 0
    while not game.is_over(state):
        player = game.current_player(state)
        earlier = None if before is None else game.clone(state)
        try:
            start = perf_counter() - seconds_compiled()
            action = decide(game, seated[player].agent, state)
            seconds = perf_counter() - seconds_compiled() - start
            after = game.clone(state)
            game.apply(after, action)
        except (cf.IllegalActionError, TypeError) as error:
            kind = cf.IllegalActionError if isinstance(error, cf.IllegalActionError) else TypeError
            where = f"seat {player}, deal {seed}, rotation {rotation}, decision {decisions}"
            raise kind(f"agent {seated[player].name!r} ({where}): {error}") from error
        cf.tell(game, agents, state, action)
        state = after
        if before is not None:
            before(earlier, player, action)
        decisions += 1
        if note is not None:
            note(state, player, seconds)
    return Play(
        seed=seed,
        rotation=rotation,
        names=tuple(entrant.name for entrant in seated),
        scores=tuple(int(score) for score in game.scores(state)),
        places=tuple(int(rank) + 1 for rank in game.ranking(state)),
        won=tuple(bool(won) for won in game.won(state)),
        decisions=decisions,
    )


def wilson_interval(wins: int, games: int) -> Interval:
    """Wilson's score interval of a win rate."""
    interval = stats.binomtest(wins, games).proportion_ci(CONFIDENCE, method="wilson")
    return Interval(float(interval.low), float(interval.high))


def share(wins: int, games: int) -> str:
    """Games won of so many, with Wilson's interval."""
    return "{:.1%} [{:.1%}, {:.1%}]".format(wins / games, *wilson_interval(wins, games))


def mean_interval(values: Sequence[float]) -> tuple[float, Interval]:
    """The mean and Student's interval around it; one value says nothing about its spread."""
    mean = float(np.mean(values))
    if len(values) < 2:
        return mean, Interval(nan, nan)
    half = float(stats.t.ppf((1 + CONFIDENCE) / 2, len(values) - 1) * stats.sem(values))
    return mean, Interval(mean - half, mean + half)


def versions(*more: str) -> dict[str, str]:
    """Of what decides results; more: further packages."""
    packages = {name: version(name) for name in ("numpy", "numba", *more)}
    return {"chocofactory_env": cf.__version__, "python": platform.python_version(), **packages}


def _plain(data: dict[str, Any]) -> dict[str, Any]:
    """JSON knows no nan."""
    return {
        key: [None if np.isnan(bound) else bound for bound in value] if isinstance(value, tuple) else value
        for key, value in data.items()
    }


def table(results: Iterable[Result]) -> str:
    """The standings of all results as text; below it, what was stopped early."""
    results = list(results)
    lines = [_row(*_head(results))]
    for result in results:
        lines += [_row(*_cells_of(result, standing)) for standing in result.standings()]
    return "\n".join([*lines, *(_stopped(result) for result in results if result.interrupted)])


def _head(results: Iterable[Result]) -> tuple[str, ...]:
    titles = dict.fromkeys(score_title(result.game.name) for result in results)
    return "", "agent", "games", "wins", "win rate  [95 %]", f"{' or '.join(titles)}  [95 %]", "place"


def _stopped(result: Result) -> str:
    return f"{result.setting()}: stopped after {len(result.plays)} of {result.planned} games"


def _cells_of(result: Result, standing: Standing) -> tuple[str, ...]:
    return (
        result.setting(),
        standing.name,
        str(standing.games),
        str(standing.wins),
        "{:6.1%}  [{:6.1%}, {:6.1%}]".format(standing.win_rate, *standing.win_rate_interval),
        "{:6.1f}  [{:6.1f}, {:6.1f}]".format(standing.score, *standing.score_interval),
        f"{standing.place:.2f}",
    )


def _row(*cells: str) -> str:
    return "{:<10} {:<10} {:>6} {:>6}   {:<26} {:<26} {:>5}".format(*cells)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m arena.match", description="Play agents against each other.")
    add_game(parser, arguments)
    parser.add_argument("--agents", nargs="+", required=True, help=f"one a seat: {HELP}")
    parser.add_argument("--deals", type=int, default=100, help="each is played once for every rotation of the seats")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first deal; the others follow")
    parser.add_argument("--json", type=file_to_write, help="write all plays to this file")
    chosen = parser.parse_args(arguments)
    try:
        game = loader(chosen, len(chosen.agents))()
        entrants = [Entrant(name, make_agent(name, game)) for name in chosen.agents]
    except (ImportError, TypeError, ValueError) as error:
        parser.error(str(error))
    result = play_match(game, entrants, range(chosen.seed, chosen.seed + chosen.deals))
    print(result.table())
    if chosen.json:
        result.save(chosen.json)
    sys.exit(130 if result.interrupted else 0)


if __name__ == "__main__":
    main()
