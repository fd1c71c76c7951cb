"""A tournament: every pair of agents meets on the same deals, from all seats.

    python -m arena.tournament greedy random --players 2 --deals 200 --processes 2 --out results/arena

The games are kept in the folder as they end: after Ctrl-C the same command goes on where it stopped. At the end it
prints tables, and writes `result.json` and plots. What the numbers mean is told in `docs/arena.md`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property, partial
from importlib.metadata import version
from itertools import combinations, permutations
from pathlib import Path
from typing import Any, TypedDict

import numpy as np

import chocofactory_env as cf
from agents.files import Count, check, write_json
from agents.protocol import HELP, AnyAgent, make_agent, sources_of
from chocofactory_env import Game
from chocofactory_env.core.messages import shown

from . import statistics
from .chocofactory.balance import SOURCES
from .match import Entrant, Interval, parse_option, play_game, versions
from .series import RESULT, JournalError, Outcome, Record, Task, goes_on, play_series, text_table
from .statistics import Games, Lone, Pairing, Rating, Summary

FORMAT = 2  # of the files; 2: agents are seeded otherwise
PLAYERS = (2, 3, 4)
Table = tuple[str, ...]  # the agents in their order around the table


def tables_of(agents: Sequence[str], players: int) -> list[Table]:
    """Who sits together: every pair of different agents; with three and four players one alone against the other on
    all other seats, both ways round.

    So the number of agents does not matter, every agent has as many seats as every other, a pairing is decided by its
    two agents alone, and games that are played already stay as they are when an agent is added.
    """
    if players == 2:
        return list(combinations(agents, 2))
    return [(alone, *[others] * (players - 1)) for alone, others in permutations(agents, 2)]


class GameRecord(TypedDict):
    """What the journal keeps of a game; lists by seat."""

    deal: int
    rotation: int
    agents: list[str]
    money: list[int]
    places: list[int]
    won: list[bool]
    decisions: list[Count]
    seconds: list[float]
    sources: list[list[int]]
    money_by_day: list[list[int]]


@dataclass(frozen=True)
class Tournament:
    """What is played: a task is (deal, table, rotation), and the games of a deal come one after the other."""

    load: Callable[[], Game]
    agents: tuple[str, ...]
    players: int
    deals: range
    make: Callable[[str, Game], AnyAgent] = make_agent

    @property
    def tables(self) -> list[Table]:
        return tables_of(self.agents, self.players)

    @property
    def tasks(self) -> list[Task]:
        tables, seats = range(len(self.tables)), range(self.players)
        return [(deal, table, rotation) for deal in self.deals for table in tables for rotation in seats]

    def check(self) -> None:
        """TypeError or ValueError if the game or one of the agents cannot be made."""
        game = self.load()
        for agent in self.agents:
            self.make(agent, game)

    def settings(self) -> dict[str, Any]:
        """What all games have in common, JSON-able: with it and a task a game can be played again."""
        game = self.load()
        return {
            "format": FORMAT,
            "series": "arena",
            "game": game.name,
            "options": dict(game.options),
            "deck": game.deck_hash,
            "rules": game.rules_version,
            "agents": list(self.agents),
            **sources_of(self.agents, self.make, game.name),
            "tables": [list(table) for table in self.tables],
            "seeds": {"first": self.deals.start, "number": len(self.deals)},
            "versions": versions(),
        }

    def check_record(self, task: Task, record: Record) -> None:
        """ValueError, naming the field, if a record that was read cannot be that of the task's game."""
        check(record, GameRecord)
        deal, table, rotation = task
        names = self.tables[table]
        seated = [names[(seat - rotation) % self.players] for seat in range(self.players)]
        for name, expected in {"deal": deal, "rotation": rotation, "agents": seated}.items():
            if record[name] != expected:
                raise ValueError(f"has {name} {shown(record[name])}, which is not {expected}")
        for name in ("money", "places", "won", "decisions", "seconds", "sources", "money_by_day"):
            if len(record[name]) != self.players:
                raise ValueError(f"has {len(record[name])} entries in {name}, which is not one a seat")
        for name, expected in self._lengths.items():
            if any(len(each) != expected for each in record[name]):
                raise ValueError(f"has lists in {name} that are not {expected} long")

    @cached_property
    def _lengths(self) -> dict[str, int]:
        """Of a seat's lists in a record: how many sources of money the game has, and how many days."""
        game = self.load()
        sheets = game.score_sheets(game.new(seed=0)) if hasattr(game, "score_sheets") else np.empty((0, 0))
        days = [block.high for block in game.observation_layout.blocks if block.name == "day"]
        return {"sources": sheets.shape[1], "money_by_day": sum(days)}


@dataclass
class Player:
    """Plays the games of a tournament; every process has its own, with its own game and agents."""

    tournament: Tournament
    _made: dict[tuple[str, int], AnyAgent] = field(default_factory=dict, init=False)

    def __call__(self, task: Task) -> Record:
        deal, table, rotation = task
        diary = Diary(self._game)
        play = play_game(self._game, self._entrants(self._tables[table]), deal, rotation, diary)
        return {
            "deal": deal,
            "rotation": rotation,
            "agents": play.names,
            "money": play.money,
            "places": play.places,
            "won": play.won,
            **diary.entries(),
        }

    @cached_property
    def _game(self) -> Game:
        return self.tournament.load()

    @cached_property
    def _tables(self) -> list[Table]:
        return self.tournament.tables

    def _entrants(self, table: Table) -> list[Entrant]:
        """An agent object for each seat; they are used again at other tables."""
        return [Entrant(name, self._agent(name, table[:place].count(name))) for place, name in enumerate(table)]

    def _agent(self, name: str, copy: int) -> AnyAgent:
        if (name, copy) not in self._made:
            self._made[name, copy] = self.tournament.make(name, self._game)
        return self._made[name, copy]


class Diary:
    """Notes what happens in a game: called after every decision, see `play_game`."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._has_days = any(block.name == "day" for block in game.observation_layout.blocks)
        self._day: float | None = None
        self._decisions = [0] * game.num_players
        self._seconds = [0.0] * game.num_players
        self._money_by_day: list[list[int]] = [[] for _ in range(game.num_players)]
        self._sources: list[list[int]] = [[] for _ in range(game.num_players)]

    def __call__(self, state: Any, player: int, seconds: float) -> None:
        self._decisions[player] += 1
        self._seconds[player] += seconds
        over = self._game.is_over(state)
        if self._has_days:
            self._note_day(state, over)
        if over and hasattr(self._game, "score_sheets"):
            self._sources = self._game.score_sheets(state).tolist()

    def _note_day(self, state: Any, over: bool) -> None:
        day = float(self._game.observe(state, 0)["day"][0])
        if over or self._day not in (None, day):
            for days, money in zip(self._money_by_day, self._game.standings(state).tolist(), strict=True):
                days.append(money)
        self._day = day

    def entries(self) -> Record:
        """Lists by seat. `money_by_day` is what a seat would have if the game ended with the day, leftovers aside."""
        return {
            "decisions": self._decisions,
            "seconds": [round(seconds, 6) for seconds in self._seconds],
            "sources": self._sources,
            "money_by_day": self._money_by_day,
        }


def play_tournament(tournament: Tournament, folder: Path, *, processes: int = 1, progress: bool = True) -> Outcome:
    """Play what `folder` does not hold yet. For errors see `play_series`."""
    return play_series(folder, tournament, Player(tournament), processes=processes, progress=progress)


# --- the result


@dataclass(frozen=True)
class Result:
    """All that is said about a tournament; only deals of which all games were played count."""

    games: Games
    ratings: list[Rating]
    agents: list[Summary]
    pairings: list[Pairing]
    lone: list[Lone]

    @classmethod
    def of(cls, tournament: Tournament, outcome: Outcome) -> Result | None:
        """None if no deal was played to its end."""
        records = outcome.of_whole_deals(len(tournament.tables) * tournament.players)
        if not records:
            return None
        games = Games.of(tournament.agents, records)
        return cls(
            games=games,
            ratings=statistics.ratings(games.agents, statistics.win_matrix(games)),
            agents=statistics.summaries(games),
            pairings=statistics.pairings(games),
            lone=statistics.lone_agents(games),
        )

    def to_dict(self) -> dict[str, Any]:
        """JSON-able. The same games give the same, `decisions_per_second` aside."""
        return {
            "games": len(self.games.deals),
            "deals": len(np.unique(self.games.deals)),
            "ratings": [asdict(rating) for rating in self.ratings],
            "agents": [asdict(agent) for agent in self.agents],
            "pairings": [asdict(pairing) for pairing in self.pairings],
            "lone": [asdict(lone) for lone in self.lone],
            "money": statistics.money_means(self.games),
            "decisions_per_second": statistics.speeds(self.games),
        }

    def tables(self) -> str:
        lone = [lone_table(self.lone)] if self.lone else []
        speeds = statistics.speeds(self.games)
        return "\n\n".join([agent_table(self.ratings, self.agents, speeds), pairing_table(self.pairings), *lone])


def agent_table(ratings: Sequence[Rating], agents: Sequence[Summary], speeds: Mapping[str, float | None]) -> str:
    """The best rating first."""
    rows = []
    for rating, agent in sorted(zip(ratings, agents, strict=True), key=lambda pair: -pair[0].points):
        speed = speeds[agent.agent]
        cells = [signed(rating.points, rating.interval), *cells_of(agent), "–" if speed is None else f"{speed:,.0f}"]
        rows.append([agent.agent, *cells])
    return text_table(["agent", "rating", "games", "games won", "money", "place", "decisions/s"], rows)


def cells_of(agent: Summary) -> list[str]:
    """Games, games won, money, place."""
    won = "{:.1%} [{:.1%}, {:.1%}]".format(agent.win_rate, *agent.win_rate_interval)
    money = f"{agent.money:.1f}" + bounds(agent.money_interval, "{:.1f}")
    return [str(agent.games), won, money, f"{agent.place:.2f}"]


def pairing_table(pairings: Sequence[Pairing]) -> str:
    rows = []
    for pairing in pairings:
        first, second = pairing.sides
        rows.append(
            [
                f"{first.agent} – {second.agent}",
                *cells_of(first)[:2],
                f"{first.money:.1f} – {second.money:.1f}",
                signed(pairing.difference, pairing.difference_interval),
                "–" if pairing.more_games is None else f"{pairing.more_games:,}",
            ]
        )
    return text_table(["pairing", "games", "first won", "money", "difference", "games until significant"], rows)


def lone_table(lone: Sequence[Lone]) -> str:
    rows = [[f"{one.alone.agent} among {one.others}", *cells_of(one.alone), f"{one.even:.1%}"] for one in lone]
    return text_table(["one alone", "games", "games won", "money", "place", "as good as others"], rows)


def signed(value: float, interval: Interval | None) -> str:
    return f"{value:+.1f}" + bounds(interval, "{:+.1f}")


def bounds(interval: Interval | None, form: str) -> str:
    return "" if interval is None else f" [{form.format(interval.low)}, {form.format(interval.high)}]"


def save(tournament: Tournament, outcome: Outcome, result: Result, folder: Path) -> None:
    """`result.json` and the plots."""
    from . import plots

    data = {
        "settings": tournament.settings(),
        "interrupted": outcome.interrupted,
        "computed_with": {"scipy": version("scipy"), "choix": version("choix")},
        **result.to_dict(),
    }
    write_json(folder / RESULT, data)
    plots.draw_ratings(result.ratings, folder / "ratings.svg")
    games = result.games
    plots.draw_money(
        {name: games.money[games.seats == agent] for agent, name in enumerate(games.agents)}, folder / "money.svg"
    )
    means = data["money"]
    if games.sources.size:
        plots.draw_sources({name: mean["sources"] for name, mean in means.items()}, SOURCES, folder / "sources.svg")
    if games.money_by_day.size:
        plots.draw_days({name: mean["by_day"] for name, mean in means.items()}, folder / "days.svg")


# --- the command line


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m arena.tournament", description="A tournament between agents.")
    parser.add_argument("agents", nargs="+", help=f"two or more: {HELP}")
    parser.add_argument("--game", default="chocofactory")
    parser.add_argument("--players", type=int, choices=PLAYERS, default=2)
    parser.add_argument("--deals", type=int, default=100, help="each is played at every table from all seats")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first deal; the others follow")
    parser.add_argument("--option", type=parse_option, action="append", default=[], help="NAME=VALUE, of the game")
    parser.add_argument("--expansion", help="of the game: the same as --option expansion=NAME")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True, help="folder of the games and the result")
    chosen = parser.parse_args(arguments)
    if len(chosen.agents) < 2 or len(set(chosen.agents)) < len(chosen.agents):
        parser.error("at least two agents, no two of them the same")
    if chosen.deals < 1 or chosen.processes < 1:
        parser.error("at least one deal and one process")
    options = dict(chosen.option) | ({"expansion": chosen.expansion} if chosen.expansion else {})
    tournament = Tournament(
        load=partial(cf.load, chosen.game, num_players=chosen.players, **options),
        agents=tuple(chosen.agents),
        players=chosen.players,
        deals=range(chosen.seed, chosen.seed + chosen.deals),
    )
    try:
        tournament.check()
    except (ImportError, TypeError, ValueError) as error:
        parser.error(str(error))
    try:
        outcome = play_tournament(tournament, chosen.out, processes=chosen.processes)
    except JournalError as error:
        parser.error(str(error))
    finish(tournament, outcome, chosen.out)
    sys.exit(130 if outcome.interrupted else 0)


def finish(tournament: Tournament, outcome: Outcome, folder: Path) -> None:
    result = Result.of(tournament, outcome)
    if result is not None:
        save(tournament, outcome, result, folder)
        print(result.tables())
    if outcome.interrupted:
        print(goes_on(outcome, len(tournament.tasks)))


if __name__ == "__main__":
    main()
