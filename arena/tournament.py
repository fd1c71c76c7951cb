"""Play every pair of agents on the same deals, from all seats, and rate the agents.

    chocofactory tournament greedy random --players 2 --deals 200 --processes 2 --out results/arena
    chocofactory tournament greedy random planner --deals 24 --neighbour-games 200 --out results/close

Every finished game is saved in the folder: after Ctrl-C, run the same command again to resume. At the end the command
prints tables, and writes `result.json` and plots. `docs/arena.md` explains the numbers.

With `--neighbour-games`, neighbours in the rating play more games, as close agents need more to be told apart. After
each round all agents are rated by all games so far. Neighbours with too few games then play further deals, until every
pair of neighbours has enough. The pairs of a round follow from the earlier games. Each round is a series in its own
folder.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from importlib.metadata import version
from itertools import combinations, pairwise, permutations
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from chocofactory_env import Game
from chocofactory_env.agents.files import write_json
from chocofactory_env.agents.protocol import AnyAgent, make_agent
from chocofactory_env.core.agents.agent import check_game
from chocofactory_env.core.command import MOST, Command, Natural, OutFolder
from chocofactory_env.core.messages import shown
from chocofactory_env.core.text.printing import printable

from . import metagame, report
from . import table as tables
from .decks import Decks, Names, loader_of, names_of
from .games import GameSeries, Makes, PlaysGames, Seating, names_and_objects
from .match import ALONE, RESULT
from .needs import ALL, need
from .notes import draw_notes, notes_of, score_label, score_title
from .options import deals_of, game_of
from .play import Json, Outcome, play
from .workers import Workers, check_workers

if TYPE_CHECKING:
    from pandas import DataFrame

FIRST = "all"  # folder of the first round
FURTHER = "neighbours-{}"  # folders of the later rounds
NOTHING = "no deal is complete yet"

Pair = tuple[str, str]


def seatings_of(agents: Sequence[str], players: int) -> list[Seating]:
    """The tables: every pair of agents; with three or more players, each alone against copies of the other.

    So any number of agents can take part, all have equally many seats, a pairing depends on its two agents alone, and
    adding an agent leaves the other games unchanged.
    """
    if players == 2:
        return list(combinations(agents, 2))
    return [(alone, *[others] * (players - 1)) for alone, others in permutations(agents, 2)]


class Round(NamedTuple):
    """Games of a tournament, so far."""

    series: GameSeries
    outcome: Outcome


@dataclass(frozen=True)
class Tournament:
    """Every pair of agents on the deals; neighbours in the rating on further deals, until each pair has enough.

    neighbour_games: least number of games of each pair of neighbours in the final rating. 0: no further deals.
    """

    load: Callable[..., Game]
    agents: tuple[str, ...]
    players: int
    deals: range
    make: Callable[[str, Game], AnyAgent] = make_agent
    decks: Names = ()
    neighbour_games: int = 0

    def series(self, pairs: Sequence[Pair] = ()) -> GameSeries:
        """The games of all pairs; or those of some pairs, on the deals that follow."""
        further = range(self.deals.stop, self.deals.start + self.deals_for(self.neighbour_games))
        seatings = [seating for some in pairs or (self.agents,) for seating in seatings_of(some, self.players)]
        return GameSeries(self.load, tuple(seatings), further if pairs else self.deals, self.make, self.decks)

    def deals_for(self, games: int) -> int:
        """The number of deals that give a pair this many games."""
        return ceil(games / (len(seatings_of(self.agents[:2], self.players)) * self.players))

    def play(self, folder: Path | None, *, progress: bool | None = True, **workers: Any) -> list[Round]:
        """Play the games missing from `folder`. The last round may lack games, which the next call plays.

        For errors see `arena.play.play`.
        """
        staged = self.deals_for(self.neighbour_games) > len(self.deals)
        rounds: list[Round] = []
        pairs: list[Pair] = []
        played: set[Pair] = set()
        while not rounds or pairs:
            series, place = self.series(pairs), folder
            if staged and folder is not None:
                place = folder / (FURTHER.format(len(rounds)) if rounds else FIRST)
                if progress:
                    print(f"{place.name}: {len(series.tasks)} games", file=sys.stderr)
            rounds.append(Round(series, play(series, PlaysGames(series), place, progress=progress, **workers)))
            outcome = rounds[-1].outcome
            if outcome.interrupted or outcome.failed or not staged:  # the pairs that follow from fewer games may differ
                break
            pairs = [pair for pair in self.neighbours(rounds) if pair not in played]
            played |= set(pairs)
        return rounds

    def neighbours(self, rounds: Sequence[Round]) -> list[Pair]:
        """The neighbours in the rating after these rounds, from the top; each pair in the order of the agents."""
        games = tables.table_of([record for each in rounds for record in each.outcome.of_whole_deals()])
        rated = tables.ratings(self.agents, tables.win_matrix(games, self.agents))
        pairs = (sorted(pair, key=self.agents.index) for pair in pairwise(tables.ranked(rated)))
        return [(first, second) for first, second in pairs]


# --- the result


@dataclass(repr=False)
class Result:
    """All statistics of a tournament, from the deals whose games were all played.

    Ratings and pairings are of all these games; summaries of agents, of those deals that all pairings played.
    """

    rounds: list[Round]

    @cached_property
    def games(self) -> DataFrame:
        """A row for every seat of every game; see `arena.table`."""
        return tables.table_of([record for each in self.rounds for record in each.outcome.of_whole_deals()])

    @property
    def interrupted(self) -> bool:
        """Whether the tournament was stopped before its end."""
        return any(each.outcome.interrupted for each in self.rounds)

    @property
    def _series(self) -> GameSeries:
        return self.rounds[0].series

    @cached_property
    def _found(self) -> Json:
        """What `to_dict` returns; {} if no deal is complete."""
        games, agents = self.games, self._series.agents
        if not len(games):
            return {}
        common, wins = tables.of_common_deals(games), tables.win_matrix(games, agents)
        return {
            "games": int(games["game"].nunique()),
            "deals": int(games["deal"].nunique()),
            "ratings": tables.ratings(agents, wins),
            "agents": [tables.summary(common, agent) for agent in agents],
            "pairings": tables.pairings(games, agents),
            "one_versus_rest": tables.one_versus_rest(games, agents),
            "solutions": metagame.solutions(agents, wins),
            "notes": tables.note_means(common, agents, list(notes_of(self._series.game).lengths)),
            **({"by_deck": tables.by_deck(games, agents)} if self._series.decks else {}),
            "decisions_per_second": tables.speeds(games, agents),
        }

    def to_dict(self) -> dict[str, Any]:
        """JSON-able data, determined by the games, except `decisions_per_second`."""
        return self._found

    def tables(self) -> str:
        """The tables of agents, pairings, and one against the rest."""
        found, score = self._found, self._score
        parts = [report.text_table(*report.agent_table(found, score)), report.pairing_table(found, score)]
        if found["one_versus_rest"]:
            parts.append(report.one_versus_rest_table(found, score))
        return "\n\n".join(parts)

    @property
    def _score(self) -> str:
        return score_title(self._series.game.name)

    def beyond(self) -> str:
        """Text beyond the rating: solutions, significant differences, and cycles."""
        table = report.text_table(report.SOLUTIONS, report.solution_rows(self._found))
        return "\n\n".join([table, report.sentences(report.steps_of(self._found)), report.circles(self._found)])

    def message(self) -> str:
        """What is missing, in words; "" if nothing is."""
        return self.rounds[-1].outcome.message()

    def text(self) -> str:
        """All tables and sentences, without what is missing."""
        return f"{self.tables()}\n\n{self.beyond()}" if self._found else NOTHING

    def __repr__(self) -> str:
        """The text, and below it what is missing."""
        return printable("\n\n".join(filter(None, [self.text(), self.message()])))

    def _repr_html_(self) -> str:
        """The agents, below them the rest, folded, and what is missing."""
        missing = f"<p>{escape(self.message())}</p>" if self.message() else ""
        if not self._found:
            return f"<p>{NOTHING}</p>{missing}"
        found, score = self._found, self._score
        rest = {"pairings": report.pairing_table(found, score), "beyond the rating": self.beyond()}
        folded = [report.folded(name, report.fixed(text)) for name, text in rest.items()]
        return report.html_table(*report.agent_table(found, score)) + "".join(folded) + missing

    def save(self, folder: Path) -> None:
        """Write `result.json` and the plots."""
        from . import plots

        first, *further = (each.series.settings() for each in self.rounds)
        data = {
            "settings": first,
            "further": [{name: each[name] for name in ("tables", "seeds", "versions")} for each in further],
            "interrupted": self.interrupted,
            "failed": {task: why for each in self.rounds for task, why in each.outcome.failed.items()},
            "computed_with": {"scipy": version("scipy"), "choix": version("choix")},
            **self._found,
        }
        write_json(folder / RESULT, data)
        plots.draw_ratings(self._found["ratings"], folder / "ratings.svg")
        common = tables.of_common_deals(self.games)
        scores = {name: common.loc[common["agent"] == name, "score"].to_numpy() for name in self._series.agents}
        plots.draw_scores(scores, score_label(first["game"]), folder / "scores.svg")
        draw_notes(first["game"], self._found["notes"], folder)


def play_tournament(
    game: Game,
    agents: Sequence[str | AnyAgent],
    deals: range,
    *,
    decks: Decks = None,
    out: OutFolder | None = None,
    neighbour_games: Natural = 0,
    progress: bool | None = None,
    **workers: Unpack[Workers],
) -> Result:
    """Let every pair of agents meet on the same deals from all seats, and rate the agents.

    Ctrl-C ends the tournament early; the result then covers the finished deals.

    Args:
        game: the game to play, made by `cf.load`, for two or more players.
        agents: two or more with different names, as `expert`, `planner:width=32`, `my_agents:Hasty`; or agent objects,
            which are copied for every seat.
        deals: the seeds of the deals, which count up by one.
        decks: the decks that take turns, as `cf.play_match` takes them.
        out: a folder, in which finished games are saved, so that the same call goes on, and at the end `result.json`
            and plots.
        neighbour_games: neighbours in the rating play further deals, until each pair has this many games.
        progress: whether to show a progress bar. None: on a terminal.
        workers: `processes=2`, or `ray="auto"` for a cluster; see `arena.workers.Workers`.

    Returns:
        Ratings, pairings, Nash averaging, alpha-rank and cycles, shown in notebooks; `result.games` is a pandas frame
        with a row for every seat of every game.

    Raises:
        ValueError, TypeError: these agents or deals make no tournament, or the folder holds another one.
        ImportError: the extra `arena`, or a package that an agent needs, is not installed.
    """
    need("a tournament", packages=ALL)
    check_workers(play_tournament, workers)
    if getattr(deals, "step", None) != 1:  # the settings in the folder name the first seed and the number
        raise TypeError(f"deals: expected a range of seeds that count up by one, such as range(10), got {shown(deals)}")
    check_game(game)
    if game.num_players < 2:
        raise ValueError(f"expected a game of two players or more, got one of one player; {ALONE}")
    if isinstance(agents, str) or len(agents) < 2 or not deals:
        raise ValueError("expected two agents or more, and a deal or more")
    if deals[MOST:]:
        raise ValueError(f"deals: expected at most {MOST:,}, got {shown(deals)}")
    names, given = names_and_objects(agents)
    if len(set(names)) < len(names):
        raise ValueError(f"agents: expected different names, got {', '.join(names)}")
    of_decks = names_of(decks)
    load = loader_of(game, of_decks, [each for some in given.values() for each in some])
    make = Makes(given) if given else make_agent
    tournament = Tournament(load, tuple(names), game.num_players, deals, make, of_decks, neighbour_games)
    tournament.series().check()
    folder = None if out is None else Path(out)
    result = Result(tournament.play(folder, progress=progress, **workers))
    if folder is not None and len(result.games):
        result.save(folder)
    return result


COMMAND = Command(
    "chocofactory tournament",
    play_tournament,
    (
        "random flat_mc:playouts=20 expert --deals 20 --out results/three",
        "my_agents:Hasty expert --players 4 --deals 20 --processes 2 --out results/four",
        "random flat_mc expert --deals 24 --neighbour-games 200 --out results/close",
    ),
    positional=("agents",),
    parts={"game": game_of, "deals": deals_of},
    given={"progress": True},
    tell=lambda result: print(printable(result.text())),
)
main = COMMAND.run

if __name__ == "__main__":
    main()
