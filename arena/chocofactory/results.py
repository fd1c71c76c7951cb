"""The results of Chocolate Factory in the documentation; made by `python -m chocofactory_env.arena.results`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Unpack

from chocofactory_env.games.chocofactory.vocabulary import NAME

from ..games import PlaysGames
from ..play import play
from ..report import around
from ..results import Cells, Places, Results, Shown, TournamentShown
from ..table import table_of
from ..workers import Workers
from . import clairvoyant, solo_benchmark

# FLAT and TREE search every decision, so they search less than by default; their games would take most of the time.
FLAT, TREE, WIDE = "flat_mc:playouts=50", "mcts:simulations=50", "planner:width=400"
ASSISTED = "expert:network=true"
AGENTS = ("random", "greedy", FLAT, "learned", TREE, "planner", WIDE, "expert", ASSISTED)
ALONE = ("random", "greedy", "learned", "planner", "expert")  # without WIDE, whose games would take most of the time
FORESEEN_DEALS, TRIES = 100, 20  # for the clairvoyant bound of the solo game
NOTES = ("sources", "days")

CLAIRVOYANT = clairvoyant.Search(solo_benchmark.DIFFICULTIES, FORESEEN_DEALS, TRIES)
CLAIRVOYANT_TITLE = f"With foresight, at most {CLAIRVOYANT.tries} tries a game (a bound, not an agent):"


@dataclass(frozen=True)
class SoloShown(Shown):
    """The solo benchmark at all difficulties."""

    @property
    def plots(self) -> tuple[str, ...]:
        return ("difficulties", "objectives")

    @property
    def reading(self) -> tuple[str, str]:
        return "Solo columns show win rates.", "Solo, `>` means that the intervals do not overlap."

    def play(self, game: str, places: Places, anew: Sequence[str] = (), **workers: Unpack[Workers]) -> str | None:
        series = solo_benchmark.benchmark_of(self.agents)
        published, of_bound = places.published(self.name, anew), places.published("clairvoyant", anew)
        outcome = play(series, PlaysGames(series), places.games / self.name, known=published.known(series), **workers)
        published.keep([(series, outcome)])
        if outcome.message():
            return outcome.message()
        foreseen = CLAIRVOYANT.play(places.games / "clairvoyant", of_bound, **workers)
        of_bound.keep([(CLAIRVOYANT, foreseen)])
        if foreseen.message():
            return foreseen.message()
        rows = solo_benchmark.rows_of(series, table_of(outcome.records))
        texts = [solo_benchmark.text_of(rows), CLAIRVOYANT_TITLE, CLAIRVOYANT.table(foreseen)]
        with self.shown(places, "\n\n".join(texts)) as folder:
            solo_benchmark.save(series, outcome, CLAIRVOYANT.bound(foreseen), folder)
        return None

    def is_whole(self, result: Mapping[str, Any]) -> bool:
        return super().is_whole(result) and "rows" in result

    def ranked(self, result: Mapping[str, Any]) -> Sequence[str]:
        return self.agents

    def columns(self, result: Mapping[str, Any]) -> Cells:
        columns: Cells = {}
        for row in result["rows"]:
            low, high = row["win_rate_interval"]
            cells = columns.setdefault(f"{self.column} {row['difficulty']}", {})
            cells[row["agent"]] = around(100 * row["win_rate"], (100 * low, 100 * high), " %")
        return columns

    def words(self, result: Mapping[str, Any]) -> list[str]:
        difficulties = dict.fromkeys(row["difficulty"] for row in result["rows"])
        return [f"- **Solo, difficulty {level}.** {order_of(result, level)}" for level in difficulties]


def order_of(result: Mapping[str, Any], level: int) -> str:
    """The agents of one difficulty, best first; `>` where the intervals do not overlap."""
    rows = [row for row in result["rows"] if row["difficulty"] == level]
    rows.sort(key=lambda row: -row["win_rate"])
    signs = [
        ">" if better["win_rate_interval"][0] > row["win_rate_interval"][1] else "≈" for better, row in pairwise(rows)
    ]
    return " ".join(f"{sign} {_rate(row)}".lstrip() for sign, row in zip(["", *signs], rows, strict=True)) + "."


def _rate(row: Mapping[str, Any]) -> str:
    low, high = row["win_rate_interval"]
    return f"`{row['agent']}` {100 * row['win_rate']:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


RESULTS = Results(
    NAME,
    "Chocolate Factory",
    (
        TournamentShown("two-players", "Two players", "2 players", AGENTS, 2, notes=NOTES),
        TournamentShown("three-players", "Three players", "3 players", AGENTS, 3, notes=NOTES),
        TournamentShown("four-players", "Four players", "4 players", AGENTS, 4, notes=NOTES),
        TournamentShown(
            "expansion",
            "Two players with Master Chocolatier, sides drawn",
            "2 players, expansion",
            AGENTS,
            2,
            {"expansion": "master_chocolatier", "sides": "random"},
            notes=NOTES,
        ),
        SoloShown("solo", "Factory Manager, the solo game", "solo, difficulty", ALONE),
    ),
    what_follows=(
        "The learned value makes the difference for every number of players and with the expansion: `expert` searches",
        "less than `planner:width=400`, yet beats every agent without this value. `expert:network=true` takes as long",
        "as `expert`, and is the strongest with two, three, and four players, and with the expansion. The network",
        "`learned` needs a single forward pass. With two and three players, and with the expansion, only the two",
        "kinds of `expert` are stronger; with four players it is as strong as `planner:width=400`. `flat_mc`, which",
        "plays random games from each position, is far below `greedy`. Do not compare ratings across columns, as each",
        "has its own mean.",
        "",
        "In the solo game `expert` searches more widely on the last day until a plan wins, and `learned` plays the",
        "network `solo`. It wins 4 to 10 percentage points more than `planner`; at difficulties 0 and 1 the intervals",
        "overlap.",
        "",
        "**Best responses.** A win rate against an agent is a lower bound on how exploitable the agent is. We trained",
        "`learned` further, at two players and against one agent alone, and then played 400 games on other deals.",
        "Only the response to `expert` started from the present `learned`:",
        "",
        "- `greedy`: the best response wins 94.2 % [91.5, 96.1], before this training 92.5 %;",
        "- `planner`: 72.0 % [67.4, 76.2], before 68.2 %. The present `learned`, which has also trained against it,",
        "  wins 76.0 % [71.6, 79.9];",
        "- `learned`: 50.2 % [45.4, 55.1] against the version from which it started;",
        "- `expert`: 32.0 % [27.6, 36.7], before 37.5 % [32.9, 42.3]: this training found no weakness. The best",
        "  bound is that of `expert:network=true`, which wins 62.5 % [55.6, 68.9] of 200 games.",
        "",
        "No trained best response wins significantly more than it did at the start. Longer training may find more.",
    ),
    how_made=(
        "All games of several players shared the machine with other work, so their times are too long. The",
        "[benchmark](../benchmark.md#entries) has a better one for `planner`: 2 ms. The solo game leaves out",
        "`planner:width=400`, which would take most of the time. The solo games of `learned` and `expert` are newer",
        "than those of other agents. In the solo table, columns such as *no money* give the share of games that missed",
        "this objective ([protocol](../arena.md#the-solo-protocol)). The table below it shows [the clairvoyant",
        "bound](../agents.md#the-clairvoyant-bound).",
    ),
)
