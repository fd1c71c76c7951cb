"""Play agents against each other at one table, or one agent in a game for one player.

Every deal is played in every rotation of the seats, so no agent gains from better cards or a better seat.

    chocofactory match --agents greedy random random --deals 100 --out runs/three
    chocofactory match --agents greedy --deals 500 --option difficulty=1
    chocofactory match --agents greedy random --option expansion=master_chocolatier --option sides=random
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from chocofactory_env import Game
from chocofactory_env.agents.files import write_json
from chocofactory_env.agents.protocol import AnyAgent, make_agent
from chocofactory_env.core.agents.agent import check_game
from chocofactory_env.core.checks import SEED_LIMIT, as_integer
from chocofactory_env.core.command import MOST, Command, OutFolder
from chocofactory_env.core.messages import shown
from chocofactory_env.core.text.printing import printable

from . import report
from .decks import Decks, loader_of, names_of, repeated
from .games import Entrant, GameSeries, Makes, PlaysGames, names_and_objects
from .needs import need
from .notes import score_title
from .options import deals_of, game_for
from .play import Json, Outcome, TaskError, play
from .table import (
    POWER,
    agents_of,
    codes,
    games_to_separate,
    hierarchical_interval,
    speeds,
    summary,
    table_of,
    win_by_game,
)
from .workers import Workers, check_workers

if TYPE_CHECKING:
    from pandas import DataFrame

RESULT = "result.json"
ALONE = "to compare agents that play alone, play a match of each on the same deals: play_match(game, [agent], deals)"


@dataclass(repr=False)
class Result:
    """The games of a match. It shows itself as text, and in a notebook."""

    game: Game
    series: GameSeries
    outcome: Outcome

    @property
    def interrupted(self) -> bool:
        """Whether it was stopped before its end."""
        return self.outcome.interrupted

    def message(self) -> str:
        """What is missing, in words; "" if nothing is."""
        return self.outcome.message()

    @cached_property
    def games(self) -> DataFrame:
        """A row for every seat of every game; see `arena.table`."""
        return table_of(self.outcome.records)

    def agents(self) -> list[Json]:
        """A summary of each agent, see `arena.table.summary`, in the order of the first table."""
        return [summary(self.games, agent) for agent in self._names]

    @property
    def _names(self) -> list[str]:
        return agents_of(self.games) if len(self.games) else []

    def table(self) -> str:
        """The agents as text; below them, what is missing."""
        return "\n".join(filter(None, [self._agents_in_rows(), self.message()]))

    def _agents_in_rows(self) -> str:
        head, *rows = self._rows()
        return report.text_table(head, rows, text_columns=(0, 1))

    def _rows(self) -> list[tuple[str, ...]]:
        """The head of the table, and a row for each agent."""
        setting = "alone" if self.game.num_players == 1 else f"{self.game.num_players} players"
        head = "", "agent", "games", "games won", score_title(self.game.name), "place"
        return [head, *((setting, one["agent"], *report.cells_of(one)) for one in self.agents())]

    def times(self) -> list[str]:
        """A line of times per agent. They vary from run to run, so `table` leaves them out."""
        return [f"{name}: {time} ms a decision" for name, time in self._times().items()]

    def _times(self) -> dict[str, str]:
        return {name: f"{1000 / rate:.3g}" for name, rate in speeds(self.games, self._names).items() if rate}

    def verdict(self) -> str:
        """For two agents: whether they differ significantly, or how many more games that would take; else ""."""
        if len(self._names) != 2 or self.game.num_players != 2:
            return ""
        first, second = sorted(self.agents(), key=lambda one: -one["wins"])
        better = f"{first['agent']} is better than {second['agent']}: the interval leaves out 50 %"
        one, other = (win_by_game(self.games, each["agent"]) for each in (first, second))
        points = ((1 + one["won"].astype(int) - other["won"]) / 2).to_numpy()  # half for a shared victory
        more = games_to_separate(float(points.mean()), len(points))
        if len(self.series.decks) > 1:
            of_decks = hierarchical_interval(points, codes(one))  # None for a single game, before a stop
            told_apart = more == 0 and of_decks is not None and of_decks.low > 1 / 2
            return better if told_apart else "not told apart on these decks"
        if more == 0:
            return better
        if more is None:
            return "not told apart: each won as much as the other"
        return f"not told apart; at this win rate that takes about {more:,} more games ({POWER:.0%} power)"

    def __repr__(self) -> str:
        """The agents, the verdict, and the times, as text."""
        return printable("\n".join([self.table(), *filter(None, [self.verdict()]), *self.times()]))

    def _repr_html_(self) -> str:
        """The agents for notebooks."""
        times, (head, *rows) = self._times(), self._rows()
        drawn = report.html_table((*head, "ms a decision"), [(*row, times.get(row[1], "–")) for row in rows], (0, 1))
        below = [self.verdict(), self.outcome.message()]
        return drawn + "".join(f"<p>{escape(line)}</p>" for line in below if line)

    def to_dict(self) -> dict[str, Any]:
        """JSON-able data, enough to replay everything and to compute other statistics."""
        return {
            "settings": self.series.settings(),
            "planned": self.outcome.planned,
            "interrupted": self.interrupted,
            "agents": self.agents(),
            "games": self.outcome.records,
        }

    def save(self, path: str | Path) -> None:
        """Write `to_dict` as JSON, atomically."""
        write_json(Path(path), self.to_dict())

    def tell(self) -> None:
        """Print the table; on stderr, what may vary from run to run."""
        print(self._agents_in_rows())
        print("\n".join(filter(None, [self.verdict(), *self.times()])), file=sys.stderr)


def play_match(
    game: Game,
    agents: Sequence[str | AnyAgent | Entrant],
    deals: Iterable[int],
    *,
    decks: Decks = None,
    out: OutFolder | None = None,
    progress: bool | None = None,
    **workers: Unpack[Workers],
) -> Result:
    """Play agents against each other at one table, or one agent in a game for one player.

    Every deal is played once for each rotation of the agents around the table; a solo deal, once. Ctrl-C ends the match
    early; the result then holds the games finished so far.

    Args:
        game: the game to play, made by `cf.load`.
        agents: one per seat: a name as `cf.make_agent` takes it (`expert`, `planner:width=32`, `my_agents:Hasty`), or
            an agent object. Agents of one name are counted together.
        deals: the seeds of the deals.
        decks: `shipped`, files, and names and ranges as `generated:0-199` or `generated:0-49,stray=1`. They take turns:
            seed s is dealt from deck s modulo their number. Intervals are then over decks instead of deals. Agents that
            search must be given by name. Unless given, the game's own deck.
        out: a folder, in which finished games are saved, so that the same call goes on, and at the end `result.json`.
        progress: whether to show a progress bar. None: on a terminal.
        workers: `processes=2`, or `ray="auto"` for a cluster; see `arena.workers.Workers`.

    Returns:
        Win rates with intervals, scores, places, and the time per decision. Notebooks show them as a table;
        `result.games` is a pandas frame with a row for every seat of every game.

    Raises:
        ValueError, TypeError: `game` is not a loaded game, the number of agents differs from the number of seats, one
            object has two seats, an agent is unknown, or there is no deal, or one that is no seed or repeated.
        ImportError: the extra `train` or `arena`, or a package that an agent needs, is not installed.
        IllegalActionError: see `play_game`.
        TaskError: the process of a game died, or the game passed its time-out.
    """
    need("a match")
    check_workers(play_match, workers)
    check_number(game, agents)
    names, given = names_and_objects(agents)
    objects = [each for some in given.values() for each in some]
    if len({id(each) for each in objects}) < len(objects):
        raise ValueError("agents: expected an object for each seat, got one twice; one may remember its game")
    of_decks = names_of(decks)
    load = loader_of(game, of_decks, objects)
    series = GameSeries(load, (tuple(names),), as_deals(deals), Makes(given) if given else make_agent, of_decks)
    series.check()
    folder = None if out is None else Path(out)
    outcome = play(series, PlaysGames(series, given), folder, progress=progress, ends=(BaseException,), **workers)
    result = Result(game, series, outcome)
    if folder is not None:
        result.save(folder / RESULT)
    return result


def check_number(game: Game, agents: Sequence[object]) -> None:
    """ValueError unless there is an agent for each seat; TypeError if `game` is not a loaded game."""
    check_game(game)
    if isinstance(agents, str) or len(agents) != game.num_players:
        if game.num_players == 1 and not isinstance(agents, str):
            raise ValueError(f"expected the agent of the only seat, got {shown(agents)}; {ALONE}")
        raise ValueError(f"expected an agent for each of {game.num_players} seats, got {shown(agents)}")


def as_deals(deals: Iterable[int]) -> tuple[int, ...]:
    """The seeds of the deals; TypeError or ValueError if one is none, or repeated, which would narrow intervals."""
    if not isinstance(deals, Iterable):
        raise TypeError(f"deals: expected the seeds of the deals, such as range(10), got {shown(deals)}")
    seeds = tuple(islice(deals, MOST + 1))
    if not seeds:
        raise ValueError("deals: expected one or more, got none")
    if len(seeds) > MOST:
        raise ValueError(f"deals: expected at most {MOST:,}, got more")
    checked = tuple(as_integer(f"deals[{place}]", seed, 0, SEED_LIMIT - 1) for place, seed in enumerate(seeds))
    for twice in repeated(checked):
        raise ValueError(f"deals: expected each deal once, got {twice} twice")
    return checked


COMMAND = Command(
    "chocofactory match",
    play_match,
    ("--agents expert random --deals 20", "--agents my_agents:Hasty expert --deals 200 --out runs/hasty"),
    parts={"game": game_for, "deals": deals_of},
    given={"progress": True},
    tell=Result.tell,
    failures=(TaskError,),
)
main = COMMAND.run

if __name__ == "__main__":
    main()
