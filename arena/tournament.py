"""Play every pair of agents on the same deals, from all seats, and rate the agents.

    chocofactory tournament greedy random --players 2 --deals 200 --processes 2 --out results/arena

Every finished game is saved in the folder: after Ctrl-C, run the same command again to resume. At the end the command
prints tables, and writes `result.json` and plots. `docs/arena.md` explains the numbers.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from functools import cached_property
from importlib.metadata import version
from itertools import combinations, permutations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypedDict, Unpack

import numpy as np

from chocofactory_env import Game
from chocofactory_env.agents.files import check, write_json
from chocofactory_env.agents.protocol import HELP, AnyAgent, make_agent, sources_of
from chocofactory_env.core.command import MOST, count, folder_for
from chocofactory_env.core.messages import shown
from chocofactory_env.core.reading import Count, Integer
from chocofactory_env.core.text.printing import printable

from . import html, metagame, statistics
from .decks import Decks, Names, add_decks, deck_of, hashes_of, labels_of, loader_of, names_of
from .kept import NOWHERE, Kept
from .ladder import sentences, steps_of
from .match import ALONE, Entrant, Interval, entrant_of, percent, play_game, versions
from .metagame import Solution
from .needs import need
from .notes import draw_notes, notes_of, score_label, score_title
from .options import PLOTS, add_game, add_seed, command_parser, loader
from .series import RESULT, JournalError, Json, Outcome, Task, check_fields, play_series, stopped_message, text_table
from .statistics import Games, OneVersusRest, Pairing, Rating, Summary
from .tasks import WorkersError
from .workers import Workers, add_workers, workers_of

FORMAT = 3  # of the files; 2 changed the seeding of agents; 3 added scores and notes
Seating = tuple[str, ...]  # agents in order around the table


def seatings_of(agents: Sequence[str], players: int) -> list[Seating]:
    """The tables: every pair of agents; with three or more players, each alone against copies of the other.

    So any number of agents can take part, all have equally many seats, a pairing depends on its two agents alone, and
    adding an agent leaves the other games unchanged.
    """
    if players == 2:
        return list(combinations(agents, 2))
    return [(alone, *[others] * (players - 1)) for alone, others in permutations(agents, 2)]


class GameRecord(TypedDict):
    """A game in the journal, with lists by seat. With decks also `deck`, see `labels_of`."""

    deal: Integer
    rotation: Integer
    agents: list[str]
    scores: list[Integer]
    places: list[Integer]
    won: list[bool]
    decisions: list[Count]
    seconds: list[float]
    notes: dict[str, list[list[float]]]  # the game's own, see `arena.notes`


@dataclass(frozen=True)
class Tournament:
    """The games to play. A task is (deal, seating, rotation); the games of a deal are consecutive.

    tables: the seatings; by default `seatings_of` the agents.
    decks: used in turn, see `deck_of`; `load` then takes `deck`.
    """

    load: Callable[..., Game]
    agents: tuple[str, ...]
    players: int
    deals: range
    make: Callable[[str, Game], AnyAgent] = make_agent
    tables: tuple[Seating, ...] = ()
    decks: Names = ()

    def play(
        self, folder: Path, *, progress: bool | None = True, kept: Kept = NOWHERE, **workers: Unpack[Workers]
    ) -> Outcome:
        """Play the games missing from `folder` that are not `kept`. For errors see `play_series`."""
        return play_series(folder, self, TournamentWorker(self), progress=progress, recall=kept.recall(self), **workers)

    @cached_property
    def seatings(self) -> list[Seating]:
        return list(self.tables) or seatings_of(self.agents, self.players)

    @cached_property
    def tasks(self) -> list[Task]:
        seatings, seats = range(len(self.seatings)), range(self.players)
        return [(deal, seating, rotation) for deal in self.deals for seating in seatings for rotation in seats]

    def check(self) -> None:
        """TypeError or ValueError if the game with one of the decks, or one of the agents cannot be made."""
        game, _ = self.game, self.hashes
        for agent in self.agents:
            self.make(agent, game)

    @property
    def game(self) -> Game:
        """The game of the first deal."""
        return self.load(**deck_of(self.decks, self.deals.start))

    def settings(self) -> dict[str, Any]:
        """The settings of all games, JSON-able. With them, a task's game can be replayed."""
        game = self.game
        return {
            "format": FORMAT,
            "series": "arena",
            "game": game.name,
            "options": dict(game.options),
            "deck": game.deck_hash,
            **self.hashes,
            "rules": game.rules_version,
            "agents": list(self.agents),
            **sources_of(self.agents, self.make, game),
            "tables": [list(seating) for seating in self.seatings],
            "seeds": {"first": self.deals.start, "number": len(self.deals)},
            "versions": versions(),
        }

    @cached_property
    def hashes(self) -> dict[str, Any]:
        """The hashes of the decks in settings."""
        return hashes_of(self.load, self.decks)

    def identity(self, task: Task) -> Json:
        """The fields of a record that follow from its task; see `arena.kept`."""
        deal, seating, rotation = task
        names = self.seatings[seating]
        seated = [names[(seat - rotation) % self.players] for seat in range(self.players)]
        return {"deal": deal, "rotation": rotation, "agents": seated, **labels_of(self.decks, deal)}

    def check_record(self, task: Task, record: Json) -> None:
        """ValueError, naming the field, if a saved record cannot belong to the task's game."""
        check(record, GameRecord)
        check_fields(record, self.identity(task))
        by_seat = {name: record[name] for name in ("scores", "places", "won", "decisions", "seconds")}
        notes: dict[str, list[list[float]]] = record["notes"]
        if notes.keys() != self._lengths.keys():
            raise ValueError(f"has notes {shown(list(notes))}, which are not {list(self._lengths)}")
        for name, values in (by_seat | notes).items():
            if len(values) != self.players:
                raise ValueError(f"has {len(values)} entries in {name}, which is not one a seat")
        for name, expected in self._lengths.items():
            if any(len(each) != expected for each in notes[name]):
                raise ValueError(f"has lists in {name} that are not {expected} long")

    @cached_property
    def _lengths(self) -> Mapping[str, int]:
        """The lengths of a seat's notes in a record, by name."""
        return notes_of(self.game).lengths


@dataclass
class TournamentWorker:
    """Plays games of a tournament. Each process has one, which keeps the game and agents of the latest deck."""

    tournament: Tournament
    _deck: dict[str, str | None] | None = field(default=None, init=False)
    _game: Game = field(init=False)
    _made: dict[tuple[str, int], AnyAgent] = field(default_factory=dict, init=False)

    def __call__(self, task: Task) -> Json:
        deal, seating, rotation = task
        deck = deck_of(self.tournament.decks, deal)
        if deck != self._deck:
            self._deck, self._game, self._made = deck, self.tournament.load(**deck), {}
        notes = notes_of(self._game)
        entrants = self._entrants(self._seatings[seating])
        play = play_game(self._game, entrants, deal, rotation, lambda state, *_: notes(state))
        return {
            "deal": deal,
            "rotation": rotation,
            **labels_of(self.tournament.decks, deal),
            "agents": play.names,
            "scores": play.scores,
            "places": play.places,
            "won": play.won,
            "decisions": play.decisions,
            "seconds": play.seconds,
            "notes": notes.entries(),
        }

    @cached_property
    def _seatings(self) -> list[Seating]:
        return self.tournament.seatings

    def _entrants(self, seating: Seating) -> list[Entrant]:
        """An agent object for each seat, reused in other seatings."""
        return [Entrant(name, self._agent(name, seating[:place].count(name))) for place, name in enumerate(seating)]

    def _agent(self, name: str, copy: int) -> AnyAgent:
        if (name, copy) not in self._made:
            self._made[name, copy] = self.tournament.make(name, self._game)
        return self._made[name, copy]


# --- the result


class Round(NamedTuple):
    """A tournament, and its games so far."""

    tournament: Tournament
    outcome: Outcome

    def records(self) -> list[Json]:
        """The records of deals whose games were all played."""
        return self.outcome.of_whole_deals(len(self.tournament.seatings) * self.tournament.players)


@dataclass(frozen=True, repr=False)
class Result:
    """All statistics of a tournament, from the deals whose games were all played.

    games: all of these games, for ratings and pairings.
    common: the games of deals that all pairings played, for summaries of agents.
    """

    games: Games
    common: Games
    ratings: list[Rating]
    agents: list[Summary]
    pairings: list[Pairing]
    one_versus_rest: list[OneVersusRest]
    score: str = "score"  # the game's word for scores

    @classmethod
    def of(cls, tournament: Tournament, outcome: Outcome, *further: Round) -> Result | None:
        """Compute the statistics; None if no deal is complete.

        further: rounds in which some pairings of the tournament played other deals.
        """
        rounds = [Round(tournament, outcome), *further]
        if not rounds[0].records():
            return None
        games = Games.of(tournament.agents, [record for each in rounds for record in each.records()])
        common = games.of_common_deals()
        return cls(
            games=games,
            common=common,
            ratings=statistics.ratings(games.agents, statistics.win_matrix(games)),
            agents=statistics.summaries(common),
            pairings=statistics.pairings(games),
            one_versus_rest=statistics.one_versus_rest(games),
            score=score_title(tournament.game.name),
        )

    @cached_property
    def solutions(self) -> list[Solution]:
        """Nash averaging and alpha-rank."""
        return metagame.solutions(list(self.games.agents), statistics.win_matrix(self.games))

    def to_dict(self) -> dict[str, Any]:
        """JSON-able data, determined by the games, except `decisions_per_second`."""
        return {
            "games": len(self.games.deals),
            "deals": len(np.unique(self.games.deals)),
            "ratings": [asdict(rating) for rating in self.ratings],
            "agents": [asdict(agent) for agent in self.agents],
            "pairings": [asdict(pairing) for pairing in self.pairings],
            "one_versus_rest": [asdict(one) for one in self.one_versus_rest],
            "solutions": [asdict(one) for one in self.solutions],
            "notes": statistics.note_means(self.common),
            **({"by_deck": statistics.win_rates_by_deck(self.games)} if any(self.games.deck_names) else {}),
            "decisions_per_second": statistics.speeds(self.games),
        }

    def tables(self) -> str:
        """The tables of agents, pairings, and one against the rest."""
        tables = [
            text_table(*agent_table(self.ratings, self.agents, statistics.speeds(self.games), self.score)),
            pairing_table(self.pairings, self.score),
        ]
        if self.one_versus_rest:
            tables.append(one_versus_rest_table(self.one_versus_rest, self.score))
        return "\n\n".join(tables)

    def beyond(self) -> str:
        """Text beyond the rating: solutions, significant differences, and cycles."""
        data = self.to_dict()
        table = text_table(metagame.HEAD, metagame.rows_of(data))
        return "\n\n".join([table, sentences(steps_of(data)), metagame.circles(data)])

    def __repr__(self) -> str:
        return printable(f"{self.tables()}\n\n{self.beyond()}")

    def _repr_html_(self) -> str:
        """The agents, and below them the rest, folded."""
        head, rows = agent_table(self.ratings, self.agents, statistics.speeds(self.games), self.score)
        rest = {"pairings": pairing_table(self.pairings, self.score), "beyond the rating": self.beyond()}
        return html.table(head, rows) + "".join(html.folded(name, html.fixed(text)) for name, text in rest.items())


def agent_table(
    ratings: Sequence[Rating], agents: Sequence[Summary], speeds: Mapping[str, float | None], score: str
) -> tuple[list[str], list[list[str]]]:
    """The head and the rows of the table of agents, best rating first."""
    rows = []
    for rating, agent in sorted(zip(ratings, agents, strict=True), key=lambda pair: -pair[0].points):
        speed = speeds[agent.agent]
        cells = [signed(rating.points, rating.interval), *cells_of(agent), "–" if speed is None else f"{speed:,.0f}"]
        rows.append([agent.agent, *cells])
    return ["agent", "rating", "games", "games won", score, "place", "decisions/s"], rows


def cells_of(agent: Summary) -> list[str]:
    """The cells of games, games won, score, and place."""
    won = percent(agent.win_rate, agent.win_rate_interval)
    score = f"{agent.score:.1f}" + bounds(agent.score_interval, "{:.1f}")
    return [str(agent.games), won, score, f"{agent.place:.2f}"]


def pairing_table(pairings: Sequence[Pairing], score: str) -> str:
    rows = []
    for pairing in pairings:
        first, second = pairing.sides
        rows.append(
            [
                f"{first.agent} – {second.agent}",
                *cells_of(first)[:2],
                f"{first.score:.1f} – {second.score:.1f}",
                signed(pairing.difference, pairing.difference_interval),
                "–" if pairing.more_games is None else f"{pairing.more_games:,}",
            ]
        )
    return text_table(["pairing", "games", "first won", score, "difference", "games until scores differ"], rows)


def one_versus_rest_table(found: Sequence[OneVersusRest], score: str) -> str:
    rows = [[f"{one.alone.agent} among {one.others}", *cells_of(one.alone), f"{one.even:.1%}"] for one in found]
    return text_table(["one alone", "games", "games won", score, "place", "as good as others"], rows)


def signed(value: float, interval: Interval | None) -> str:
    return f"{value:+.1f}" + bounds(interval, "{:+.1f}")


def bounds(interval: Interval | None, form: str) -> str:
    return "" if interval is None else f" [{form.format(interval.low)}, {form.format(interval.high)}]"


# --- in a notebook


@dataclass(frozen=True)
class _Makes:
    """Makes agents by name, and copies those given as objects, since each seat needs its own."""

    given: Mapping[str, AnyAgent]

    def __call__(self, name: str, game: Game) -> AnyAgent:
        return deepcopy(self.given[name]) if name in self.given else make_agent(name, game)


def play_tournament(
    game: Game,
    agents: Sequence[str | AnyAgent],
    deals: range,
    *,
    decks: Decks = None,
    folder: str | Path | None = None,
    processes: int | None = None,
    progress: bool | None = None,
) -> Result:
    """Let every pair of agents meet on the same deals from all seats.

    Ctrl-C ends the tournament early; the result then covers the finished deals.

    Args:
        game: the game to play, made by `cf.load`, for two or more players.
        agents: two or more with different names: see `cf.play_match`. Objects are copied for every seat.
        deals: the seeds of the deals, which count up by one.
        decks: see `cf.play_match`.
        folder: where finished games are saved, so that the same call resumes. None: nowhere.
        processes: number of processes. None: one.
        progress: whether to show a progress bar. None: on a terminal.

    Returns:
        Ratings, pairings, Nash averaging, alpha-rank and cycles, shown in notebooks.

    Raises:
        ValueError, TypeError: these agents or deals make no tournament, or the folder holds another one.
        ImportError: the extra `arena`, or a package that an agent needs, is not installed.
    """
    need("a tournament")
    if getattr(deals, "step", None) != 1:  # the settings in the folder name the first seed and the number
        raise TypeError(f"deals: expected a range of seeds that count up by one, such as range(10), got {shown(deals)}")
    if game.num_players < 2:
        raise ValueError(f"expected a game of two players or more, got one of one player; {ALONE}")
    if isinstance(agents, str) or len(agents) < 2 or not deals:
        raise ValueError("expected two agents or more, and a deal or more")
    if deals[MOST:]:
        raise ValueError(f"deals: expected at most {MOST:,}, got {shown(deals)}")
    names = [agent if isinstance(agent, str) else entrant_of(agent, game).name for agent in agents]
    if len(set(names)) < len(names):
        raise ValueError(f"agents: expected different names, got {', '.join(names)}")
    given = {name: agent for name, agent in zip(names, agents, strict=True) if not isinstance(agent, str)}
    make = _Makes(given) if given else make_agent
    of_decks = names_of(decks)
    load = loader_of(game, of_decks, given.values())
    tournament = Tournament(load, tuple(names), game.num_players, deals, make, decks=of_decks)
    tournament.check()
    with TemporaryDirectory() if folder is None else nullcontext(folder) as place:
        outcome = tournament.play(Path(place), processes=processes, progress=progress)
    result = Result.of(tournament, outcome)
    if result is None:
        raise KeyboardInterrupt
    return result


# --- output


def save(tournament: Tournament, outcome: Outcome, result: Result, folder: Path, *further: Round) -> None:
    """Write `result.json` and the plots. further: see `Result.of`."""
    from . import plots

    data = {
        "settings": tournament.settings(),
        "further": [
            {name: each.tournament.settings()[name] for name in ("tables", "seeds", "versions")} for each in further
        ],
        "interrupted": any(each.outcome.interrupted for each in (Round(tournament, outcome), *further)),
        "computed_with": {"scipy": version("scipy"), "choix": version("choix")},
        **result.to_dict(),
    }
    write_json(folder / RESULT, data)
    plots.draw_ratings(result.ratings, folder / "ratings.svg")
    games = result.common
    game = data["settings"]["game"]
    scores = {name: games.scores[games.seats == agent] for agent, name in enumerate(games.agents)}
    plots.draw_scores(scores, score_label(game), folder / "scores.svg")
    draw_notes(game, data["notes"], folder)


# --- the command line


def add_tournament(parser: argparse.ArgumentParser, arguments: Sequence[str] | None) -> None:
    """Add the arguments of every kind of tournament: agents, game, deals, workers and folder."""
    parser.add_argument("agents", nargs="+", help=f"two or more: {HELP}")
    add_game(parser, arguments, players=2)
    add_decks(parser)
    add_seed(parser)
    add_workers(parser)
    parser.add_argument(
        "--out", type=folder_for(RESULT, PLOTS), required=True, help="folder of the games and the result"
    )


def check_tournament(parser: argparse.ArgumentParser, chosen: argparse.Namespace) -> None:
    """Report agents or numbers of players that make no tournament."""
    if len(chosen.agents) < 2 or len(set(chosen.agents)) < len(chosen.agents):
        parser.error("at least two agents, no two of them the same")
    if chosen.players < 2:
        parser.error(f"a tournament is between two players or more; {ALONE}")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_parser(
        "tournament",
        "Every pair of agents meets on the same deals; the same command again resumes.",
        "random flat_mc:playouts=20 expert --deals 20 --out results/three",
        "my_agents:Hasty expert --players 4 --deals 20 --processes 2 --out results/four",
    )
    add_tournament(parser, arguments)
    parser.add_argument(
        "--deals", type=count, default=100, help="deals, each played at every table, from all seats (100)"
    )
    chosen = parser.parse_args(arguments)
    check_tournament(parser, chosen)
    try:
        tournament = Tournament(
            load=loader(chosen, chosen.players),
            agents=tuple(chosen.agents),
            players=chosen.players,
            deals=range(chosen.seed, chosen.seed + chosen.deals),
            decks=names_of(chosen.decks),
        )
        tournament.check()
    except (ImportError, TypeError, ValueError) as error:
        parser.error(str(error))
    try:
        outcome = tournament.play(chosen.out, **workers_of(chosen))
    except (WorkersError, JournalError) as error:
        parser.error(str(error))
    finish(tournament, outcome, chosen.out)
    sys.exit(130 if outcome.interrupted else 0)


def finish(tournament: Tournament, outcome: Outcome, folder: Path) -> None:
    result = Result.of(tournament, outcome)
    if result is not None:
        save(tournament, outcome, result, folder)
        print(result)
    if outcome.interrupted:
        print(stopped_message(outcome, len(tournament.tasks)))


if __name__ == "__main__":
    main()
