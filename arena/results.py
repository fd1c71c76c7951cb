"""Produce the documented results of a game's shipped agents: `python -m chocofactory_env.arena.results --processes 2`.

A game names its series as `RESULTS` in `arena/<game>/__init__.py`. Games are saved in `runs/results/<game>/`, so that
an interrupted run can be resumed. Games, numbers and plots go to `docs/<game>/results/`, from which
`make site` makes the results page. Published games count again where nothing has changed, see `arena.published`.
`--only NAME` runs one series and leaves the others unchanged.
"""

from __future__ import annotations

import json
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Unpack, cast

import chocofactory_env as cf
from chocofactory_env.agents.by_game import hook
from chocofactory_env.agents.files import write_json
from chocofactory_env.core.command import Command
from chocofactory_env.core.files import write_text
from chocofactory_env.core.messages import shown
from chocofactory_env.registry import check_registered

from .match import RESULT
from .notes import ARENA
from .options import DEFAULT_GAME, docs_folder
from .published import Published
from .report import LEGEND, SOLUTIONS, around, circles, markdown_table, sentences, solution_rows, steps_of
from .table import ranked
from .tournament import Result, Tournament
from .workers import Workers

RATINGS = (
    "Columns with several players show ratings: a lead of 400 points means odds of ten to one, and 0 is the mean of a "
    "column's agents."
)
Cells = dict[str, dict[str, str]]  # of the page's leading table: by title of a column, cells by agent


@dataclass(frozen=True)
class Places:
    """Folders of one game's results."""

    games: Path  # journals
    shown: Path  # a picture and the numbers of each series

    @classmethod
    def of(cls, game: str) -> Places:
        docs = docs_folder()
        return cls(docs.parent / "runs" / "results" / game, docs / game / "results")

    def published(self, name: str, anew: Sequence[str] = ()) -> Published:
        """The published games of a series.

        Raises:
            ValueError: some agents' games are played anew, but a run has begun, whose games would count.
        """
        if anew and (begun := self.games / name).exists():
            raise ValueError(
                f"--anew: {begun} has games of an earlier run, which would count: delete this folder, or leave out "
                "--anew to continue that run"
            )
        return Published(self.shown / f"{name}.games.xz", anew)


@dataclass(frozen=True)
class Shown(ABC):
    """A series of games, and its part of the page."""

    name: str
    title: str
    column: str  # its title in the leading table
    agents: tuple[str, ...]

    @property
    @abstractmethod
    def plots(self) -> tuple[str, ...]:
        """Names of the pictures on the page."""

    @property
    @abstractmethod
    def reading(self) -> tuple[str, str]:
        """How to read its columns of the leading table, and its conclusions; said once for series that read alike."""

    @abstractmethod
    def play(self, game: str, places: Places, anew: Sequence[str] = (), **workers: Unpack[Workers]) -> str | None:
        """Play the missing games, and write picture and numbers. Returns a message if it was interrupted.

        anew: agents whose kept games do not count.
        """

    @abstractmethod
    def ranked(self, result: Mapping[str, Any]) -> Sequence[str]:
        """The agents in the order of the leading table."""

    @abstractmethod
    def columns(self, result: Mapping[str, Any]) -> Cells: ...

    @abstractmethod
    def words(self, result: Mapping[str, Any]) -> list[str]:
        """The conclusions, as items of a Markdown list."""

    def is_whole(self, result: Mapping[str, Any]) -> bool:
        """Whether the result is of these agents."""
        agents: list[str] = result["settings"]["agents"]
        return agents == list(self.agents)

    def result(self, places: Places) -> dict[str, Any] | None:
        """The result of these agents, or None if there is none."""
        file = self.numbers(places)
        if not file.exists():
            return None
        data: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return data if self.is_whole(data) else None

    def numbers(self, places: Places) -> Path:
        return places.shown / f"{self.name}.json"

    @contextmanager
    def shown(self, places: Places, table: str) -> Iterator[Path]:
        """A temporary folder for `result.json` and the plots, which become one file each on the page."""
        from .plots import stacked

        with TemporaryDirectory() as name:
            folder = Path(name)
            yield folder
            result = json.loads((folder / RESULT).read_text(encoding="utf-8"))
            pictures = [(folder / f"{plot}.svg").read_text(encoding="utf-8") for plot in self.plots]
        places.shown.mkdir(parents=True, exist_ok=True)
        write_json(self.numbers(places), result | {"table": table.splitlines()})
        write_text(places.shown / f"{self.name}.svg", stacked(pictures))

    def section(self, result: Mapping[str, Any]) -> str:
        """The series' section of the page."""
        settings = result["settings"]
        versions = ", ".join(f"{name} {version}" for name, version in settings["versions"].items())
        lines = [f"## {self.title}", "", "```", *result["table"], "```", ""]
        lines += [f"![{', '.join(self.plots)} of {self.title}](results/{self.name}.svg)"]
        what = f"[settings and all numbers](results/{self.name}.json)"
        made = f"Deck `{settings['deck'][:12]}`, {rules_of(settings['game'], settings['rules'])}, {versions}; {what}."
        return "\n".join([*lines, "", made, ""])


def rules_of(game: str, version: int) -> str:
    """A version of the game's rules in words, with the present version if it differs."""
    now = rules_now(game)
    return f"rules {version}" if version == now else f"rules {version} (the game has rules {now} now)"


def rules_now(game: str) -> int:
    """The game's version of the rules; ValueError unless it is registered, since a file of results names it."""
    check_registered(game)
    return cf.load(game).rules_version


@dataclass(frozen=True)
class TournamentShown(Shown):
    """A staged tournament."""

    players: int = 2
    options: dict[str, Any] = field(default_factory=dict)
    games: int = 48  # least number per pair
    neighbour_games: int = 200  # least number per pair of neighbours in the rating
    notes: tuple[str, ...] = ()  # plots of the game's notes, see `arena.notes`

    @property
    def plots(self) -> tuple[str, ...]:
        return ("ratings", "scores", *self.notes)

    @property
    def reading(self) -> tuple[str, str]:
        return RATINGS, LEGEND

    def play(self, game: str, places: Places, anew: Sequence[str] = (), **workers: Unpack[Workers]) -> str | None:
        load = partial(cf.load, game, num_players=self.players, **self.options)
        tournament = Tournament(load, self.agents, self.players, range(0), neighbour_games=self.neighbour_games)
        tournament = replace(tournament, deals=range(tournament.deals_for(self.games)))
        published = places.published(self.name, anew)
        rounds = tournament.play(places.games / self.name, published=published, **workers)
        published.keep(rounds)
        result = Result(rounds)
        if result.message():
            return result.message()
        with self.shown(places, result.tables()) as folder:
            result.save(folder)
        return None

    def is_whole(self, result: Mapping[str, Any]) -> bool:
        return super().is_whole(result) and "further" in result

    def ranked(self, result: Mapping[str, Any]) -> Sequence[str]:
        return ranked(result["ratings"])

    def columns(self, result: Mapping[str, Any]) -> Cells:
        return {self.column: {one["agent"]: around(one["points"], one["interval"]) for one in result["ratings"]}}

    def words(self, result: Mapping[str, Any]) -> list[str]:
        return [f"- **{self.title}.** {sentences(steps_of(result))} {circles(result)}"]

    def section(self, result: Mapping[str, Any]) -> str:
        rows = solution_rows(result)
        table = ["", *markdown_table(SOLUTIONS, rows), ""] if rows else [""]
        return super().section(result) + "\n".join(table)


# --- the page

READING = """\
`±` is half of the 95 % interval. An agent's time comes from the first column that has the agent.
"""
MADE = """\
Every pair of agents played at least {games} games on the same deals from all seats, and neighbours in the rating played
at least {neighbour_games} ([rounds](../arena.md#rounds)). With three and four players one agent plays alone against
copies of another. Per-agent averages use only the deals that every pair played. Brackets are 95 % intervals. The pages
on [agents](../agents.md) and the [arena](../arena.md) describe the agents and the measures, and
[beyond the rating](../arena.md#beyond-the-rating) explains the tables of Nash weights."""
PLAYED = """\
`python -m chocofactory_env.arena.results --game {game}` plays all games, and can be resumed.
"""
Made = Sequence[tuple[Shown, Mapping[str, Any]]]  # series with their results


def leading_table(made: Made) -> list[str]:
    """Each agent's ratings, its solo win rates, and its time; in the order of the first series."""
    columns: Cells = {}
    agents: dict[str, None] = {}
    times: dict[str, str] = {}
    for series, result in made:
        columns |= series.columns(result)
        agents |= dict.fromkeys(series.ranked(result))
        rates = result["decisions_per_second"]
        times = {agent: f"{1000 / rate:,.2f}" for agent, rate in rates.items() if rate} | times
    columns["ms a decision"] = times
    rows = [[f"`{agent}`", *(cells.get(agent, "–") for cells in columns.values())] for agent in agents]
    return markdown_table(["agent", *columns], rows)


def older_rules(made: Made) -> list[str]:
    """Notices about series played under another version of the rules than the present one."""
    played: dict[str, list[str]] = {}
    for one, result in made:
        game, version = result["settings"]["game"], result["settings"]["rules"]
        if version != rules_now(game):
            played.setdefault(rules_of(game, version), []).append(one.title.lower())
    return [f"**Played under {rules}**: {', '.join(titles)}.\n" for rules, titles in played.items()]


@dataclass(frozen=True)
class Results:
    """All series of a game.

    what_follows: hand-written conclusions, as lines of Markdown below the generated ones.
    how_made: further lines on how the results were made.
    """

    game: str
    title: str
    series: tuple[Shown, ...]
    what_follows: tuple[str, ...] = ()
    how_made: tuple[str, ...] = ()

    def page(self, places: Places) -> str:
        """The page of all finished series."""
        made = [(one, result) for one in self.series if (result := one.result(places)) is not None]
        words = [line for one, result in made for line in one.words(result)]
        there = [one for one, _ in made] or self.series
        of_columns, of_words = (dict.fromkeys(said) for said in zip(*(one.reading for one in there), strict=True))
        lines = [
            f"# Results of the shipped agents: {self.title}",
            "",
            *older_rules(made),
            *(leading_table(made) if made else ["No series was made yet."]),
            "",
            " ".join([*of_columns, READING]),
            "## What follows",
            "",
            " ".join(["From the strongest to the weakest agent.", *of_words]),
            "",
            *words,
            "",
            *([*self.what_follows, ""] if self.what_follows else []),
            "## How it was made",
            "",
            *self._how_made(there),
        ]
        return "\n".join([*lines, *(one.section(result) for one, result in made)])

    def _how_made(self, series: Sequence[Shown]) -> list[str]:
        tournaments = [one for one in series if isinstance(one, TournamentShown)]
        games = " or ".join(map(str, sorted({one.games for one in tournaments})))
        neighbour_games = " or ".join(map(str, sorted({one.neighbour_games for one in tournaments})))
        made = MADE.format(games=games, neighbour_games=neighbour_games)
        return [made, *self.how_made, "", PLAYED.format(game=self.game)]


def results_of_game(game: str) -> Results:
    """The `RESULTS` of a game; ValueError if it has none."""
    if (found := hook(ARENA, game, "RESULTS")) is None:
        raise ValueError(f"no results are made of game {shown(game)}: arena/{game}/__init__.py has no RESULTS")
    return cast(Results, found)


def make_results(
    game: str = DEFAULT_GAME,
    only: str | None = None,
    anew: Sequence[str] = (),
    **workers: Unpack[Workers],
) -> str | None:
    """Play all series that the documentation shows of a game.

    Args:
        game: its name.
        only: play this series alone, and leave the others unchanged.
        anew: agents whose code has changed: none of their kept games counts. Changed networks and values are noticed.
        workers: see `Workers`.

    Returns:
        What is missing of a series that was interrupted, or None.

    Raises:
        ValueError: there is no such series or agent, or a file of games is damaged.
    """
    results, places = results_of_game(game), Places.of(game)
    names = [one.name for one in results.series]
    if only not in (None, *names):
        raise ValueError(f"--only: there is no {shown(only)}; there are: {', '.join(names)}")
    agents = {agent for one in results.series for agent in one.agents}
    if unknown := [agent for agent in anew if agent not in agents]:
        raise ValueError(f"--anew: there is no {shown(unknown[0])}; there are: {', '.join(sorted(agents))}")
    for one in results.series:
        if only in (None, one.name):
            print(one.title, file=sys.stderr)
            if stopped := one.play(results.game, places, anew, **workers):
                return stopped
    return None


COMMAND = Command("python -m chocofactory_env.arena.results", make_results, ("--game schoko --processes 2",))
main = COMMAND.run

if __name__ == "__main__":
    main()
