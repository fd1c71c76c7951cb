"""Produce the documented results of a game's shipped agents: `python -m chocofactory_env.arena.results --processes 2`.

A game names its series as `RESULTS` in `arena/<game>/__init__.py`. Games are saved in `runs/results/<game>/`, so that
an interrupted run can be resumed. Games, numbers and plots go to `docs/<game>/results/`, from which `make site` makes
the results page. `--only NAME` runs one series and leaves the others unchanged.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Unpack, cast

import chocofactory_env as cf
from chocofactory_env.agents.by_game import hook
from chocofactory_env.agents.files import write_json
from chocofactory_env.agents.protocol import check_named_by_stranger, make_agent, sources_of
from chocofactory_env.core.command import Command
from chocofactory_env.core.files import write_text
from chocofactory_env.core.messages import shown
from chocofactory_env.registry import check_registered

from .match import RESULT
from .notes import ARENA
from .options import DEFAULT_GAME, docs_folder
from .play import Json, write_packed
from .report import LEGEND, SOLUTIONS, around, circles, markdown_table, render, sentences, solution_rows, steps_of
from .table import ranked
from .tournament import Result, Tournament
from .workers import Workers

GAMES: Final = ".games.xz"  # ending of the file of a series' games, beside its numbers


@dataclass(frozen=True)
class Shown:
    """A tournament on the results page.

    column: its title in the leading table.
    games: least number per pair.
    neighbour_games: least number per pair of neighbours in the rating.
    notes: plots of the game's notes, see `arena.notes`.
    """

    name: str
    title: str
    column: str
    agents: tuple[str, ...]
    players: int = 2
    options: Mapping[str, Any] = field(default_factory=dict)
    games: int = 48
    neighbour_games: int = 200
    notes: tuple[str, ...] = ()

    @property
    def plots(self) -> tuple[str, ...]:
        """Names of the pictures on the page."""
        return "ratings", "scores", *self.notes

    def tournament(self, game: str) -> Tournament:
        load = partial(cf.load, game, num_players=self.players, **self.options)
        least = Tournament(load, self.agents, self.players, range(0)).deals_for(self.games)
        return Tournament(load, self.agents, self.players, range(least), neighbour_games=self.neighbour_games)

    def play(self, game: str, games: Path, folder: Path, **workers: Unpack[Workers]) -> str:
        """Play the games that `games` lacks, and publish them in `folder`. Returns what is missing, in words."""
        result = Result(self.tournament(game).play(games / self.name, **workers))
        if not result.message():
            self.publish(result, folder)
        return result.message()

    def publish(self, result: Result, folder: Path) -> None:
        """Write the games, the numbers, and a picture."""
        from .plots import stacked

        with TemporaryDirectory() as name:
            place = Path(name)
            result.save(place)
            found = json.loads((place / RESULT).read_text(encoding="utf-8"))
            pictures = [(place / f"{plot}.svg").read_text(encoding="utf-8") for plot in self.plots]
        folder.mkdir(parents=True, exist_ok=True)
        write_json(folder / f"{self.name}.json", found | {"table": result.tables().splitlines()})
        write_text(folder / f"{self.name}.svg", stacked(pictures))
        played = [each for one in result.rounds for each in one.outcome.done]
        write_packed(folder / f"{self.name}{GAMES}", found["settings"], played)

    def result(self, folder: Path) -> Json | None:
        """The published result of these agents, or None if there is none."""
        file = folder / f"{self.name}.json"
        if not file.exists():
            return None
        data: Json = json.loads(file.read_text(encoding="utf-8"))
        return data if data["settings"]["agents"] == list(self.agents) else None


# --- the page


def changed_since(settings: Json) -> list[str]:
    """The agents whose network or value has changed since they played a series with these settings."""
    there, agents = settings.get("sources", {}), settings["agents"]
    check_registered(settings["game"])
    for agent in agents:
        check_named_by_stranger(agent, settings["game"])
    here = sources_of(agents, make_agent, cf.load(settings["game"], **settings["options"])).get("sources", {})
    return [agent for agent in agents if there.get(agent) != here.get(agent)]


def rules_of(game: str, version: int) -> str:
    """A version of the game's rules in words, with the present version if it differs.

    ValueError unless the game is registered, since a file of results names it.
    """
    check_registered(game)
    now = cf.load(game).rules_version
    return f"rules {version}" if version == now else f"rules {version} (the game has rules {now} now)"


Made = Sequence[tuple[Shown, Json]]  # series with their results


def leading_table(made: Made) -> list[str]:
    """Each agent's ratings and its time; in the order of the first series."""
    columns: dict[str, dict[str, str]] = {}
    agents: dict[str, None] = {}
    times: dict[str, str] = {}
    for series, result in made:
        columns[series.column] = {one["agent"]: around(one["points"], one["interval"]) for one in result["ratings"]}
        agents |= dict.fromkeys(ranked(result["ratings"]))
        rates = result["decisions_per_second"]
        times = {agent: f"{1000 / rate:,.2f}" for agent, rate in rates.items() if rate} | times
    columns["ms a decision"] = times
    rows = [[f"`{agent}`", *(cells.get(agent, "–") for cells in columns.values())] for agent in agents]
    return markdown_table(["agent", *columns], rows)


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

    @property
    def folder(self) -> Path:
        """Of what is published."""
        return docs_folder() / self.game / "results"

    def page(self, folder: Path | None = None) -> str:
        """The page of all finished series."""
        of_files = [(one, one.result(folder or self.folder)) for one in self.series]
        made = [(one, result) for one, result in of_files if result is not None]
        return render(
            "results.md",
            results=self,
            leading=leading_table(made) if made else ["No series was made yet."],
            legend=LEGEND,
            words=[f"- **{one.title}.** {sentences(steps_of(result))} {circles(result)}" for one, result in made],
            games=" or ".join(map(str, sorted({one.games for one in self.series}))),
            neighbour_games=" or ".join(map(str, sorted({one.neighbour_games for one in self.series}))),
            sections=[
                {
                    "series": one,
                    "result": result,
                    "changed": changed_since(result["settings"]),
                    "rules": rules_of(result["settings"]["game"], result["settings"]["rules"]),
                    "solutions": markdown_table(SOLUTIONS, rows) if (rows := solution_rows(result)) else [],
                }
                for one, result in made
            ],
        )


def results_of_game(game: str) -> Results:
    """The `RESULTS` of a game; ValueError if it has none."""
    if (found := hook(ARENA, game, "RESULTS")) is None:
        raise ValueError(f"no results are made of game {shown(game)}: arena/{game}/__init__.py has no RESULTS")
    return cast(Results, found)


def make_results(game: str = DEFAULT_GAME, only: str | None = None, **workers: Unpack[Workers]) -> str | None:
    """Play all series that the documentation shows of a game.

    Args:
        game: its name.
        only: play this series alone, and leave the others unchanged.
        workers: see `Workers`.

    Returns:
        What is missing of a series that was interrupted, or None.

    Raises:
        ValueError: there is no such series, or a file of games is damaged.
    """
    results = results_of_game(game)
    names = [one.name for one in results.series]
    if only not in (None, *names):
        raise ValueError(f"--only: there is no {shown(only)}; there are: {', '.join(names)}")
    for one in results.series:
        if only in (None, one.name):
            print(one.title, file=sys.stderr)
            games = docs_folder().parent / "runs" / "results" / game
            if stopped := one.play(game, games, results.folder, **workers):
                return stopped
    return None


main = Command("python -m chocofactory_env.arena.results", make_results, ("--game schoko --processes 2",)).run

if __name__ == "__main__":
    main()
