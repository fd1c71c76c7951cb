"""Play agents against each other at one table, or one agent in a game for one player.

Every deal is played in every rotation of the seats, so no agent gains from better cards or a better seat.

    chocofactory match --agents greedy random random --deals 100 --json result.json
    chocofactory match --agents greedy --deals 500 --option difficulty=1
    chocofactory match --agents greedy random --expansion master_chocolatier --option sides=random
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field, replace
from html import escape
from importlib.metadata import version
from itertools import islice
from math import ceil, isnan, nan, sqrt
from pathlib import Path
from statistics import NormalDist
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

import chocofactory_env as cf
from chocofactory_env import Game
from chocofactory_env.agents.files import write_json
from chocofactory_env.agents.protocol import HELP, AnyAgent, decide, make_agent, reset
from chocofactory_env.core.agents.agent import is_agent, naming
from chocofactory_env.core.build import seconds_building
from chocofactory_env.core.command import MOST, count, file_to_write
from chocofactory_env.core.messages import shown
from chocofactory_env.core.text.printing import printable

from . import html
from .decks import Decks, add_decks, deck_of, hashes_of, labels_of, loader_of, names_of
from .needs import need
from .notes import score_title
from .options import add_game, add_seed, command_parser, loader
from .tasks import hides, say_where

CONFIDENCE = 0.95
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
POWER = 0.8
ALONE = "to compare agents that play alone, play a match of each on the same deals: play_match(game, [agent], deals)"

Note = Callable[[Any, int, float], None]  # (position, seat whose decision led to it, seconds it took)
Before = Callable[[Any, int, int], None]  # (position, seat to move, its action)


class Entrant(NamedTuple):
    """An agent, and the name under which its results are counted. Each seat needs its own agent object."""

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
    decisions: tuple[int, ...]
    seconds: tuple[float, ...] = field(compare=False)  # spent on the seat's own decisions
    deck: str | None = None  # its name, if the match was given decks


@dataclass(frozen=True)
class Standing:
    """The results of all entrants of one name. Intervals are at 95 %."""

    name: str
    games: int  # seats played: entrants of the same name at one table count each
    wins: int
    win_rate: float
    win_rate_interval: Interval
    score: float  # mean over the seats
    score_interval: Interval
    place: float
    ms_a_decision: float | None  # of its own time, median over the seats; None: no decisions


@dataclass(repr=False)
class Result:
    """All plays of a match; `interrupted` if it was stopped before all `planned` games were played."""

    game: Game
    seeds: tuple[int, ...]
    planned: int
    plays: list[Play] = field(default_factory=list)
    interrupted: bool = False
    seconds: float = 0.0
    hashes: Mapping[str, str] = field(default_factory=dict)  # of the decks that were given, by name

    def standings(self) -> list[Standing]:
        """The standings by name, in the order of the first table."""
        names = dict.fromkeys(name for play in self.plays for name in play.names)
        return [self._standing(name) for name in names]

    def _standing(self, name: str) -> Standing:
        seats = [(play, seat) for play in self.plays for seat, other in enumerate(play.names) if other == name]
        wins = sum(play.won[seat] for play, seat in seats)
        times = [play.seconds[seat] / play.decisions[seat] for play, seat in seats if play.decisions[seat]]
        score, score_interval = mean_interval(_independent(seats, [play.scores[seat] for play, seat in seats]))
        win_rate_interval = wilson_interval(wins, len(seats))
        if len(self.hashes) > 1:
            _, of_decks = mean_interval(_independent(seats, [play.won[seat] for play, seat in seats]))
            win_rate_interval = wider(win_rate_interval, of_decks)
        return Standing(
            name=name,
            games=len(seats),
            wins=wins,
            win_rate=wins / len(seats),
            win_rate_interval=win_rate_interval,
            score=score,
            score_interval=score_interval,
            place=float(np.mean([play.places[seat] for play, seat in seats])),
            ms_a_decision=1000 * float(np.median(times)) if times else None,
        )

    def setting(self) -> str:
        return "alone" if self.game.num_players == 1 else f"{self.game.num_players} players"

    def table(self) -> str:
        """The standings as text."""
        return table([self])

    def times(self) -> list[str]:
        """A line of times per agent. They vary from run to run, so `table` leaves them out."""
        timed = [(one.name, one.ms_a_decision) for one in self.standings() if one.ms_a_decision is not None]
        return [f"{name}: {ms:.3g} ms a decision" for name, ms in timed]

    def verdict(self) -> str:
        """For two agents: whether they differ significantly, or how many more games that would take; else ""."""
        standings = self.standings()
        if len(standings) != 2 or self.game.num_players != 2:
            return ""
        first, second = sorted(standings, key=lambda one: -one.wins)
        better = f"{first.name} is better than {second.name}: the interval leaves out 50 %"
        seats = [(play, play.names.index(first.name)) for play in self.plays]
        points = [(1 + play.won[seat] - play.won[1 - seat]) / 2 for play, seat in seats]  # half for a shared victory
        more = games_to_separate(sum(points) / len(points), len(points))
        if len(self.hashes) > 1:
            _, of_decks = mean_interval(_independent(seats, points))
            return better if more == 0 and of_decks.low > 1 / 2 else "not told apart on these decks"
        if more == 0:
            return better
        further = "none" if more is None else f"about {more:,}"
        return f"not told apart; at this win rate that takes {further} more games ({POWER:.0%} power)"

    def __repr__(self) -> str:
        """The standings, the verdict, and the times, as text."""
        return printable("\n".join([self.table(), *filter(None, [self.verdict()]), *self.times()]))

    def _repr_html_(self) -> str:
        """The standings for notebooks."""
        standings = self.standings()
        times = ["–" if one.ms_a_decision is None else f"{one.ms_a_decision:.3g}" for one in standings]
        rows = [(*_cells_of(self, one), time) for one, time in zip(standings, times, strict=True)]
        below = [self.verdict(), _stopped(self) if self.interrupted else ""]
        drawn = html.table((*_head([self]), "ms a decision"), rows, (0, 1))
        return drawn + "".join(f"<p>{escape(line)}</p>" for line in below if line)

    def to_dict(self) -> dict[str, Any]:
        """JSON-able data, enough to replay everything and to compute other statistics."""
        return {
            "game": self.game.name,
            "options": dict(self.game.options),
            "deck": self.game.deck_hash,
            "rules": self.game.rules_version,
            **({"decks": dict(self.hashes)} if self.hashes else {}),
            "versions": versions(),
            "seeds": list(self.seeds),
            "planned": self.planned,
            "interrupted": self.interrupted,
            "seconds": round(self.seconds, 3),
            "standings": [_plain(asdict(standing)) for standing in self.standings()],
            "plays": [asdict(play) for play in self.plays],
        }

    def save(self, path: str | Path) -> None:
        """Write `to_dict` as JSON, atomically."""
        write_json(Path(path), self.to_dict())


def _independent(seats: Sequence[tuple[Play, int]], values: Sequence[float]) -> list[float]:
    """Average the values of seats over independent units: decks, or deals if there is one deck.

    Games of one deal are correlated, and so are deals of one deck.
    """
    several = len({play.deck for play, _ in seats}) > 1
    alike: dict[Any, list[float]] = {}
    for (play, _), value in zip(seats, values, strict=True):
        alike.setdefault(play.deck if several else play.seed, []).append(value)
    return [float(np.mean(some)) for some in alike.values()]


def play_match(
    game: Game,
    agents: Sequence[str | AnyAgent | Entrant],
    deals: Iterable[int],
    *,
    decks: Decks = None,
    progress: bool | None = None,
) -> Result:
    """Play every deal once for each rotation of the agents around the table; a solo deal, once.

    Ctrl-C ends the match early; the result then holds the games finished so far.

    Args:
        game: the game to play, made by `cf.load`.
        agents: one per seat: a name as `cf.make_agent` takes it (`"expert"`, `"planner:width=32"`,
            `"my_agents:Hasty"`), or an agent. Agents of one name are counted together.
        deals: the seeds of the deals.
        decks: `"generated:0-199"`, or a list as `cf.make_batch` takes it. They take turns: seed s is dealt from deck s
            modulo their number. Intervals are then over decks instead of deals. Agents that search must be given by
            name. None: the game's own deck.
        progress: whether to show a progress bar. None: on a terminal.

    Returns:
        Win rates with intervals, scores, places, and the time per decision. Notebooks show them as a table.

    Raises:
        ValueError, TypeError: the number of agents differs from the number of seats, one object has two seats, an agent
            is unknown, or there is no deal.
        ImportError: the extra `arena`, or a package that an agent needs, is not installed.
        IllegalActionError: see `play_game`.
    """
    need("a match", ("scipy", "tqdm"))
    from tqdm import tqdm

    check_number(game, agents)
    entrants = [entrant_of(agent, game) for agent in agents]
    if len({id(entrant.agent) for entrant in entrants}) < len(entrants):
        raise ValueError("each seat needs an agent object of its own")
    seeds = _seeds(deals)
    of_decks = names_of(decks)
    load = loader_of(game, of_decks, [getattr(agent, "agent", agent) for agent in agents if not isinstance(agent, str)])
    schedule = [(seed, rotation) for seed in seeds for rotation in range(game.num_players)]
    result = Result(game, seeds, planned=len(schedule), hashes=hashes_of(load, of_decks).get("decks", {}))
    names = " - ".join(entrant.name for entrant in entrants)
    start = perf_counter()
    try:
        for seed, rotation in tqdm(schedule, desc=names, unit="game", disable=hides(progress)):
            if of_decks and rotation == 0:
                game = load(**deck_of(of_decks, seed))
                entrants = [entrant_of(agent, game) for agent in agents]
            play = play_game(game, entrants, seed, rotation)
            result.plays.append(replace(play, deck=labels_of(of_decks, seed).get("deck")))
    except KeyboardInterrupt as stop:
        say_where(stop)
        result.interrupted = True
    result.seconds = perf_counter() - start
    return result


def check_number(game: Game, agents: Sequence[object]) -> None:
    """ValueError unless there is an agent for each seat."""
    if isinstance(agents, str) or len(agents) != game.num_players:
        if game.num_players == 1 and not isinstance(agents, str):
            raise ValueError(f"expected the agent of the only seat, got {shown(agents)}; {ALONE}")
        raise ValueError(f"expected an agent for each of {game.num_players} seats, got {shown(agents)}")


def _seeds(deals: Iterable[int]) -> tuple[int, ...]:
    if not isinstance(deals, Iterable):
        raise TypeError(f"deals: expected the seeds of the deals, such as range(10), got {shown(deals)}")
    seeds = tuple(islice(deals, MOST + 1))
    if not seeds:
        raise ValueError("deals: expected one or more, got none")
    if len(seeds) > MOST:
        raise ValueError(f"deals: expected at most {MOST:,}, got more")
    return seeds


def entrant_of(agent: str | AnyAgent | Entrant, game: Game) -> Entrant:
    """Name an agent by the text it was made from, else by its class or function. For errors see `make_agent`."""
    if isinstance(agent, Entrant):
        return agent
    if isinstance(agent, str):
        return Entrant(agent, make_agent(agent, game))
    if not is_agent(agent):
        raise TypeError(f"agents: expected names or agents, got {shown(agent)}")
    return Entrant(getattr(agent, "__name__", type(agent).__name__), agent)


def play_game(
    game: Game,
    entrants: Sequence[Entrant],
    seed: int,
    rotation: int = 0,
    note: Note | None = None,
    before: Before | None = None,
) -> Play:
    """Play one game; entrant i has seat i + rotation.

    After each action, `before` gets the position in which it was chosen, then `note` the position it led to. Neither
    may change them. Times of decisions exclude compilation.

    Raises:
        IllegalActionError, TypeError: an agent chose an illegal action, or not an integer. Names the agent, its seat,
            the deal, and the decision.
    """
    seated = [entrants[(seat - rotation) % len(entrants)] for seat in range(len(entrants))]
    state = game.new(seed=seed)
    decisions, seconds = [0] * len(seated), [0.0] * len(seated)

    def named(seat: int) -> AbstractContextManager[None]:
        where = f"seat {seat}, deal {seed}, rotation {rotation}"
        return naming(lambda: f"agent {seated[seat].name!r} ({where}, decision {sum(decisions)})")

    for seat, entrant in enumerate(seated):
        with named(seat):
            reset(entrant.agent, cf.agent_seed(game, state, seat, rotation))
    while not game.is_over(state):
        player = game.current_player(state)
        with named(player):
            start = perf_counter() - seconds_building()
            action = decide(game, seated[player].agent, state)
            taken = perf_counter() - seconds_building() - start
            after = game.clone(state)
            game.apply(after, action)
        for seat, entrant in enumerate(seated):
            with named(seat):
                cf.tell(game, {seat: entrant.agent}, state, action)
        if before is not None:
            before(state, player, action)
        state = after
        decisions[player] += 1
        seconds[player] += taken
        if note is not None:
            note(state, player, taken)
    return Play(
        seed=seed,
        rotation=rotation,
        names=tuple(entrant.name for entrant in seated),
        scores=tuple(int(score) for score in game.scores(state)),
        places=tuple(int(rank) + 1 for rank in game.ranking(state)),
        won=tuple(bool(won) for won in game.won(state)),
        decisions=tuple(decisions),
        seconds=tuple(round(each, 6) for each in seconds),
    )


def wilson_interval(wins: int, games: int) -> Interval:
    """Wilson's score interval of a win rate."""
    from scipy import stats

    interval = stats.binomtest(wins, games).proportion_ci(CONFIDENCE, method="wilson")
    return Interval(float(interval.low), float(interval.high))


def wider(interval: Interval, other: Interval) -> Interval:
    """The smallest interval of a share that contains both."""
    return Interval(max(0.0, min(interval.low, other.low)), min(1.0, max(interval.high, other.high)))


def percent(rate: float, interval: Interval) -> str:
    """A win rate with its interval, as text."""
    return "{:.1%} [{:.1%}, {:.1%}]".format(rate, *interval)


def share(wins: int, games: int) -> str:
    """Games won, as text with Wilson's interval."""
    return percent(wins / games, wilson_interval(wins, games))


def games_to_separate(win_rate: float, games: int) -> int | None:
    """How many more games separate two agents with probability POWER, if the win rate stays; None at 50 %.

    Two agents are separated when Wilson's interval excludes 50 %. 0: they already are.
    """
    lead = abs(win_rate - 0.5)
    if 2 * lead * sqrt(games) > Z:
        return 0
    if lead == 0:
        return None
    spread = Z / 2 + NormalDist().inv_cdf(POWER) * sqrt(win_rate * (1 - win_rate))
    return ceil((spread / lead) ** 2) - games


def mean_interval(values: Sequence[float]) -> tuple[float, Interval]:
    """The mean and its Student interval, which is nan for a single value."""
    from scipy import stats

    mean = float(np.mean(values))
    if len(values) < 2:
        return mean, Interval(nan, nan)
    half = float(stats.t.ppf((1 + CONFIDENCE) / 2, len(values) - 1) * stats.sem(values))
    return mean, Interval(mean - half, mean + half)


def versions(*more: str) -> dict[str, str]:
    """The versions of packages that affect results. more: further packages."""
    packages = {name: version(name) for name in ("numpy", *more)}
    return {"chocofactory_env": cf.__version__, "python": platform.python_version(), **packages}


def _plain(data: dict[str, Any]) -> dict[str, Any]:
    """Replace nan, which JSON lacks."""
    return {
        key: [None if np.isnan(bound) else bound for bound in value] if isinstance(value, tuple) else value
        for key, value in data.items()
    }


def table(results: Iterable[Result]) -> str:
    """The standings of all results as text; below them, the matches stopped early."""
    results = list(results)
    rows = [_head(results)]
    rows += [_cells_of(result, standing) for result in results for standing in result.standings()]
    width = max(10, *(len(name) for _, name, *_ in rows))
    form = f"{{:<10}} {{:<{width}}} {{:>6}} {{:>6}}   {{:<26}} {{:<26}} {{:>5}}"
    return "\n".join(
        [*(form.format(*row) for row in rows), *(_stopped(result) for result in results if result.interrupted)]
    )


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
        f"{standing.score:6.1f}  {_of_score(standing.score_interval)}",
        f"{standing.place:.2f}",
    )


def _of_score(interval: Interval) -> str:
    """A single deal, or deck, has no interval."""
    return "–" if isnan(interval.low) else "[{:6.1f}, {:6.1f}]".format(*interval)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_parser(
        "match",
        "Play agents against each other at one table; every deal is played from every seat.",
        "--agents expert random --deals 50",
        "--agents my_agents:Hasty expert --deals 200 --json result.json",
    )
    add_game(parser, arguments)
    add_decks(parser)
    parser.add_argument("--agents", nargs="+", required=True, help=f"one for each seat: {HELP}")
    parser.add_argument(
        "--deals", type=count, default=100, help="deals, each played in every rotation of the seats (100)"
    )
    add_seed(parser)
    parser.add_argument("--json", type=file_to_write, help="write the results of all games to this file")
    chosen = parser.parse_args(arguments)
    try:
        game = loader(chosen, len(chosen.agents))()
        check_number(game, chosen.agents)
        entrants = [entrant_of(name, game) for name in chosen.agents]
        names_of(chosen.decks)
    except (ImportError, TypeError, ValueError) as error:
        parser.error(str(error))
    deals = range(chosen.seed, chosen.seed + chosen.deals)
    agents = chosen.agents if chosen.decks else entrants
    try:
        result = play_match(game, agents, deals, decks=chosen.decks, progress=True)
    except cf.DeckError as error:  # another than the first
        parser.error(str(error))
    print(result.table())
    print("\n".join(filter(None, [result.verdict(), *result.times()])), file=sys.stderr)
    if chosen.json:
        result.save(chosen.json)
    sys.exit(130 if result.interrupted else 0)


if __name__ == "__main__":
    main()
