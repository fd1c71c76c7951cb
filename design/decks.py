"""Measure how results vary over decks: the shipped deck, decks near it, and decks far from it.

    python -m design.decks --agents greedy random --decks 0-99 --deals 10 --out runs/decks
    python -m design.decks --alone --agents greedy random --decks 0-99 --deals 20 --out runs/decks-solo
    python -m design.decks --agents greedy greedy greedy --decks 0-39 --deals 20 --out runs/decks-seats

All agents sit at one table. Each deal is played in every rotation, or once if all agents are alike, which shows how
even the seats are. With `--alone`, each agent plays alone. The folder keeps the games: after Ctrl-C, run the same
command again to resume. It also gets tables, a plot, and a summary of every deck with the verdict of a measured filter.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple, TypedDict

import numpy as np
from matplotlib.ticker import PercentFormatter

import chocofactory_env as cf
from agents.files import check, write_json
from agents.protocol import HELP, make_agent, sources_of
from arena.match import Entrant, play_game, versions, wilson_interval
from arena.notes import score_title
from arena.options import add_game, options_of
from arena.plots import GREY, colour, drawn_axes
from arena.series import RESULT, Json, Task, markdown_table, play_series, stopped_message
from arena.statistics import bootstrap_interval, hierarchical_interval, spread_of_decks
from arena.workers import add_workers, workers_of
from chocofactory_env import Game
from chocofactory_env.core.command import count, folder_for
from chocofactory_env.core.files import write_text
from chocofactory_env.core.reading import Integer

FIRST_DEAL = 900_000
COLUMNS = ("shipped", "near", "far")  # the setting `stray` tells near from far
PLOT, TABLES = "decks.svg", "decks.md"

# The measured filter rejects a deck if the games show, at 95 %, that the best agent's mean score is more than FACTOR
# times the shipped deck's or less than 1 / FACTOR of it, that the starting seat wins MOST_UNEVEN more than an even
# share, or that a game alone is lost, or won, LOPSIDED more often than with the shipped deck.
FACTOR = 2.0
MOST_UNEVEN = 0.15
LOPSIDED = 4.0


class _Game(TypedDict):
    """A game in the journal; lists are by seat."""

    agents: list[str]
    won: list[bool]
    scores: list[Integer]
    first: Integer  # the seat that moved first
    decisions: Integer


@dataclass(frozen=True)
class Decks:
    """The series. A task is (deal, number of the deck, rotation); if agents play alone, the agent replaces rotation."""

    game: str
    agents: tuple[str, ...]
    numbers: range
    deals: int  # per generated deck; the shipped one has as many games as all decks of a column
    alone: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def names(self) -> list[tuple[str, str | None]]:
        """The column and name of every deck."""
        names: list[tuple[str, str | None]] = [(COLUMNS[0], None)]
        for stray, column in enumerate(COLUMNS[1:]):
            names += [(column, f"generated:{number},stray={stray}") for number in self.numbers]
        return names

    @property
    def entrants(self) -> tuple[str, ...]:
        """The agents, each once."""
        return tuple(dict.fromkeys(self.agents))

    @property
    def tasks(self) -> list[Task]:
        shipped = range(FIRST_DEAL, FIRST_DEAL + self.deals * len(self.numbers))
        rotations = range(len(self.agents) if len(self.entrants) > 1 else 1)
        of_shipped: list[Task] = [(deal, 0, rotation) for deal in shipped for rotation in rotations]
        others = product(range(1, len(self.names)), shipped[: self.deals], rotations)
        return of_shipped + [(deal, deck, rotation) for deck, deal, rotation in others]

    def load(self, deck: str | None) -> Game:
        players = 1 if self.alone else len(self.agents)
        return cf.load(self.game, num_players=players, deck=deck, **self.options)

    def settings(self) -> dict[str, Any]:
        shipped = self.load(None)
        return {
            "series": "decks",
            "game": self.game,
            "options": dict(shipped.options),
            "rules": shipped.rules_version,
            "agents": list(self.agents),
            "deals": {"first": FIRST_DEAL, "each": self.deals},
            "decks": {name or "shipped": self.load(name).deck_hash for _, name in self.names},
            "versions": versions(),
            **sources_of(self.agents, make_agent, shipped),
        }

    def check_record(self, task: Task, record: Json) -> None:
        check(record, _Game)


@dataclass
class DeckWorker:
    """Plays the games. It keeps the game and agents of the latest deck, because tasks come deck by deck."""

    series: Decks
    _made: dict[int, tuple[Game, list[Entrant]]] = field(default_factory=dict, init=False)

    def __call__(self, task: Task) -> Json:
        deal, deck, rotation = task
        game, entrants = self._made.get(deck) or self._make(deck)
        seated, turned = (entrants[rotation : rotation + 1], 0) if self.series.alone else (entrants, rotation)
        first = game.current_player(game.new(seed=deal))
        play = play_game(game, seated, deal, turned)
        return {
            "agents": list(play.names),
            "won": list(play.won),
            "scores": list(play.scores),
            "first": first,
            "decisions": sum(play.decisions),
        }

    def _make(self, deck: int) -> tuple[Game, list[Entrant]]:
        game = self.series.load(self.series.names[deck][1])
        made = game, [Entrant(name, make_agent(name, game)) for name in self.series.agents]
        self._made = {deck: made}
        return made


# --- results


Values = Callable[[Json], Sequence[float]]  # of a game; the number of values depends on the measure


@dataclass(frozen=True)
class Found:
    """Games by column, deck and deal."""

    series: Decks
    records: Mapping[Task, Json]

    def by_deck(self, value: Values) -> dict[str, np.ndarray]:
        """(D decks, G deals) by column: means over the games of a deal."""
        of_deal: dict[int, dict[int, list[float]]] = {}
        for (deal, deck, _), record in self.records.items():
            of_deal.setdefault(deck, {}).setdefault(deal, []).extend(value(record))
        columns: dict[str, list[list[float]]] = {column: [] for column in COLUMNS}
        for deck, deals in sorted(of_deal.items()):
            columns[self.series.names[deck][0]].append([float(np.mean(values)) for values in deals.values()])
        return {column: np.array(values) for column, values in columns.items()}

    def measures(self) -> Iterator[tuple[str, dict[str, np.ndarray], bool]]:
        """Title, values by deck, and whether they are shares."""
        for agent in self.series.entrants:
            yield f"`{agent}` wins", self.by_deck(of_agent(agent, "won")), True
        for agent in self.series.entrants:
            yield f"{score_title(self.series.game)} of `{agent}`", self.by_deck(of_agent(agent, "scores")), False
        yield "decisions of a game", self.by_deck(lambda record: [record["decisions"]]), False
        if not self.series.alone:
            yield "who starts wins", self.by_deck(lambda record: [record["won"][record["first"]]]), True

    def rejected(self) -> dict[str, str]:
        """Decks that the measured filter rejects, with the reason."""
        best = self.series.agents[0]
        scores, wins = (self.by_deck(of_agent(best, key)) for key in ("scores", "won"))
        starts = self.by_deck(lambda record: [record["won"][record["first"]]])
        usual, reasons = Usual(float(scores[COLUMNS[0]].mean()), float(wins[COLUMNS[0]].mean())), {}
        names = {column: [name for where, name in self.series.names if where == column] for column in COLUMNS[1:]}
        for column, decks in names.items():
            for place, name in enumerate(decks):
                reason = score_fault(scores[column][place], usual.score) or (
                    solo_fault(wins[column][place], usual.win_rate)
                    if self.series.alone
                    else seat_fault(starts[column][place], len(self.series.agents))
                )
                if reason:
                    reasons[str(name)] = reason
        return reasons


class Usual(NamedTuple):
    """Means of the best agent on the shipped deck."""

    score: float
    win_rate: float


def score_fault(scores: np.ndarray, usual: float) -> str:
    """A fault in the scores. scores: of every deal of the deck, as in the other faults."""
    interval = bootstrap_interval(scores)
    if interval is not None and (interval.high * FACTOR < usual or interval.low > usual * FACTOR):
        return f"{scores.mean() / usual:.2f} times the shipped deck's score"
    return ""


def solo_fault(won: np.ndarray, usual: float) -> str:
    low, high = wilson_interval(round(float(won.sum())), len(won))
    if high * LOPSIDED < usual or (1 - low) * LOPSIDED < 1 - usual:
        return f"{won.mean():.0%} of the games won"
    return ""


def seat_fault(first: np.ndarray, players: int) -> str:
    """A fault in the seats. Rotations of a deal count as one game, because they share its cards."""
    low, _ = wilson_interval(round(float(first.sum())), len(first))
    return f"who starts wins {first.mean():.0%}" if low > 1 / players + MOST_UNEVEN else ""


def of_agent(agent: str, key: str) -> Values:
    return lambda record: [
        float(value) for name, value in zip(record["agents"], record[key], strict=True) if name == agent
    ]


# --- tables, plot, and summary


def table(found: Found) -> list[str]:
    """Means over decks, with intervals in which the decks are the samples."""
    rows = []
    for title, columns, is_share in found.measures():
        cells = []
        for column in COLUMNS:
            values = columns[column]
            interval = hierarchical_interval(values.ravel(), np.repeat(np.arange(len(values)), values.shape[1]))
            words = [number(values.mean(), is_share)]
            words += (
                [] if interval is None else [f"[{number(interval.low, is_share)}, {number(interval.high, is_share)}]"]
            )
            cells.append(" ".join(words))
        rows.append([title, *cells])
    return markdown_table(["", *COLUMNS], rows)


def spread_table(found: Found) -> list[str]:
    """Differences between decks: 5th and 95th percentile of their means, and the standard deviation without chance."""
    rows = []
    for title, columns, is_share in found.measures():
        cells = []
        for column in COLUMNS[1:]:
            low, high = np.quantile(columns[column].mean(axis=1), [0.05, 0.95])
            own = number(spread_of_decks(columns[column]), is_share)
            cells += [f"{number(low, is_share)} to {number(high, is_share)}", own]
        rows.append([title, *cells])
    heads = [head for column in COLUMNS[1:] for head in (f"{column}: 90 % of decks", f"{column}: decks' own deviation")]
    return markdown_table(["", *heads], rows)


def number(value: float, is_share: bool) -> str:
    if np.isnan(value):
        return "–"
    return f"{value:.1%}" if is_share else f"{value:.1f}"


def draw(found: Found, path: Path) -> None:
    """See `draw_rates`."""
    rates = {
        agent: {column: values.mean(axis=1) for column, values in found.by_deck(of_agent(agent, "won")).items()}
        for agent in found.series.entrants
    }
    draw_rates(rates, 1 / (1 if found.series.alone else len(found.series.agents)), path)


def draw_rates(rates: Mapping[str, Mapping[str, np.ndarray]], even: float, path: Path) -> None:
    """Agents × decks: a point is the win rate of an agent on a deck, a line the mean of its column.

    rates: by agent and column, (D,). even: the rate of equally good agents.
    """
    rng = np.random.default_rng(0)
    step = 0.8 / max(3, len(rates))
    with drawn_axes(path, height=3.4) as axes:
        for place, (agent, columns) in enumerate(rates.items()):
            for at, column in enumerate(COLUMNS):
                means = columns[column]
                x = at + (place - (len(rates) - 1) / 2) * step
                wide = rng.uniform(-step / 3, step / 3, len(means))
                axes.scatter(x + wide, means, 9, colour(place), alpha=0.35, linewidths=0)
                label = agent if at == 0 else None
                line = [x - step * 0.42, x + step * 0.42]
                axes.plot(line, [means.mean()] * 2, color=colour(place), linewidth=2.2, label=label)
        axes.set_xticks(range(len(COLUMNS)), COLUMNS)
        axes.axhline(even, color=GREY, linewidth=0.6)
        axes.set_ylabel("games won, by deck")
        axes.yaxis.set_major_formatter(PercentFormatter(1))
        axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))


def summary(found: Found) -> dict[str, Any]:
    """Settings, and the means of every deck: all that the tables of means and the plot need."""
    return {
        **found.series.settings(),
        "measures": {
            title: {
                column: [round(float(mean), 4) for mean in values.mean(axis=1)] for column, values in columns.items()
            }
            for title, columns, _ in found.measures()
        },
        "rejected": found.rejected(),
    }


def report(found: Found) -> str:
    rejected = found.rejected()
    decks = len(found.series.names) - 1
    lines = [
        *table(found),
        "",
        *spread_table(found),
        "",
        f"The measured filter rejects {len(rejected)} of {decks} decks.",
    ]
    return "\n".join([*lines, *(f"- `{name}`: {reason}" for name, reason in rejected.items())]) + "\n"


# --- the command


def numbers(text: str) -> range:
    found = re.fullmatch(r"(\d+)-(\d+)", text)
    if found is None or int(found[1]) > int(found[2]):
        raise argparse.ArgumentTypeError(f"expected FIRST-LAST, got {text!r}")
    return range(int(found[1]), int(found[2]) + 1)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m design.decks", description="How results spread over decks.")
    add_game(parser, arguments)
    parser.add_argument("--agents", nargs="+", required=True, help=f"the first is the strongest: {HELP}")
    parser.add_argument("--decks", type=numbers, default=range(100), help="numbers of generated decks (0-99)")
    parser.add_argument("--deals", type=count, default=10, help="of each deck (10)")
    parser.add_argument("--alone", action="store_true", help="each agent plays by itself")
    parser.add_argument("--out", type=folder_for(PLOT, TABLES, RESULT), required=True, help="folder")
    add_workers(parser)
    chosen = parser.parse_args(arguments)
    options = options_of(chosen, chosen.game)
    series = Decks(chosen.game, tuple(chosen.agents), chosen.decks, chosen.deals, chosen.alone, options)
    try:
        outcome = play_series(chosen.out, series, DeckWorker(series), **workers_of(chosen))
    except (ImportError, TypeError, ValueError) as error:
        parser.error(str(error))
    if outcome.interrupted:
        print(stopped_message(outcome, len(series.tasks)))
        sys.exit(130)
    found = Found(series, outcome.records)
    write_json(chosen.out / RESULT, summary(found))
    write_text(chosen.out / TABLES, report(found))
    draw(found, chosen.out / PLOT)
    print(report(found))


if __name__ == "__main__":
    main()
