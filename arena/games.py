"""Play games: one, or a series of them.

A series has tables (agents in order around the table), deals and decks. Each deal is played at every table, once for
each rotation of the seats, so no agent has better cards or a better seat.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from time import perf_counter
from typing import Any, Final, NamedTuple, TypedDict

import chocofactory_env as cf
from chocofactory_env import Game
from chocofactory_env.agents.files import check
from chocofactory_env.agents.protocol import AnyAgent, decide, make_agent, reset, sources_of
from chocofactory_env.core.agents.agent import is_agent, naming
from chocofactory_env.core.build import seconds_building
from chocofactory_env.core.messages import shown
from chocofactory_env.core.reading import Count, Integer

from .decks import Names, deck_of, hashes_of, labels_of
from .notes import notes_of
from .play import Json, Task

FORMAT: Final = 3  # of games; 2 changed the seeding of agents; 3 added scores and notes
Given = Mapping[str, Sequence[AnyAgent]]  # agents given as objects, by name
Seating = tuple[str, ...]  # agents in order around the table
Note = Callable[[Any, int, float], None]  # (position, seat whose decision led to it, seconds it took)
Before = Callable[[Any, int, int], None]  # (position, seat to move, its action)


# --- one game


class Entrant(NamedTuple):
    """An agent, and the name under which its results are counted. Each seat needs its own agent object."""

    name: str
    agent: AnyAgent


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
    end: Any = field(compare=False)  # the last position


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
        end=state,
    )


def versions(*more: str) -> dict[str, str]:
    """The versions of packages that affect results. more: further packages."""
    packages = {name: version(name) for name in ("numpy", *more)}
    return {"chocofactory_env": cf.__version__, "python": platform.python_version(), **packages}


# --- a series


@dataclass(frozen=True)
class Makes:
    """Makes agents by name. given: by name, an object that is copied, or another name to make the agent of."""

    given: Mapping[str, Sequence[Any]]

    def __call__(self, name: str, game: Game) -> AnyAgent:
        agent, *_ = self.given.get(name, [name])
        return make_agent(agent, game) if isinstance(agent, str) else deepcopy(agent)


def names_and_objects(agents: Sequence[str | AnyAgent | Entrant]) -> tuple[list[str], Given]:
    """The agents' names, of objects those of their class or function; and the objects by name. Raises TypeError."""
    names, given = [], dict[str, list[AnyAgent]]()
    for agent in agents:
        if isinstance(agent, str):
            names.append(agent)
            continue
        if isinstance(agent, Entrant):
            entrant = agent
        elif is_agent(agent):
            entrant = Entrant(getattr(agent, "__name__", type(agent).__name__), agent)
        else:
            raise TypeError(f"agents: expected names or agents, got {shown(agent)}")
        names.append(entrant.name)
        given.setdefault(entrant.name, []).append(entrant.agent)
    return names, given


class GameResult(TypedDict):
    """The result of a game, with lists by seat."""

    scores: list[Integer]
    places: list[Integer]
    won: list[bool]
    decisions: list[Count]
    seconds: list[float]
    notes: dict[str, list[list[float]]]  # the game's own, see `arena.notes`


@dataclass(frozen=True)
class GameSeries:
    """Games of these tables, on these deals.

    load: loads the game; with decks it takes `deck`.
    make: makes an agent by name.
    decks: used in turn, see `deck_of`.
    """

    load: Callable[..., Game]
    tables: tuple[Seating, ...]
    deals: Sequence[int]
    make: Callable[[str, Game], AnyAgent] = make_agent
    decks: Names = ()

    @property
    def agents(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(agent for table in self.tables for agent in table))

    @property
    def players(self) -> int:
        return len(self.tables[0])

    @cached_property
    def tasks(self) -> list[Task]:
        """The games of a deal are consecutive."""
        return [
            {"deal": deal, "rotation": rotation, "agents": seated(table, rotation)} | labels_of(self.decks, deal)
            for deal in self.deals
            for table in self.tables
            for rotation in range(self.players)
        ]

    def check(self) -> None:
        """TypeError or ValueError if a game, one of the decks, or one of the agents cannot be made."""
        _ = self.hashes
        game = self.game
        for agent in self.agents:
            self.make(agent, game)

    def game_of(self, deal: int) -> Game:
        return self.load(**deck_of(self.decks, deal))

    @property
    def game(self) -> Game:
        """The game of the first deal."""
        return self.game_of(self.deals[0])

    @cached_property
    def hashes(self) -> dict[str, Any]:
        """The hashes of the decks in settings."""
        return hashes_of(self.load, self.decks)

    def settings(self) -> Json:
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
            "tables": [list(table) for table in self.tables],
            "seeds": seeds_of(self.deals),
            "versions": versions(),
        }

    def check_result(self, task: Task, result: Json) -> None:
        """ValueError, naming the field, if a saved result cannot be the task's game."""
        check(result, GameResult)
        notes: dict[str, list[list[float]]] = result["notes"]
        if notes.keys() != self._lengths.keys():
            raise ValueError(f"has notes {shown(list(notes))}, which are not {list(self._lengths)}")
        for name, values in ({name: result[name] for name in BY_SEAT} | notes).items():
            if len(values) != self.players:
                raise ValueError(f"has {len(values)} entries in {name}, which is not one a seat")
        for name, expected in self._lengths.items():
            if any(len(each) != expected for each in notes[name]):
                raise ValueError(f"has lists in {name} that are not {expected} long")

    @cached_property
    def _lengths(self) -> Mapping[str, int]:
        """The lengths of a seat's notes in a result, by name."""
        return notes_of(self.game).lengths


BY_SEAT: Final = ("scores", "places", "won", "decisions", "seconds")


def seeds_of(deals: Sequence[int]) -> Json | list[int]:
    """The deals in settings: the first and their number if they count up by one, else all of them."""
    counted = range(deals[0], deals[0] + len(deals))
    return {"first": deals[0], "number": len(deals)} if list(deals) == list(counted) else list(deals)


def seated(table: Sequence[str], rotation: int) -> list[str]:
    """The agents by seat: agent i of the table has seat i + rotation."""
    return [table[(seat - rotation) % len(table)] for seat in range(len(table))]


@dataclass
class PlaysGames:
    """Plays games of a series. Each process has one, which keeps the game and the agents of the latest deck.

    given: agents that play as they are, by name, one for each place of a table that has the name.
    """

    series: GameSeries
    given: Given = field(default_factory=dict)
    _deck: dict[str, str | None] | None = field(default=None, init=False)
    _game: Game | None = field(default=None, init=False)
    _made: dict[tuple[str, int], AnyAgent] = field(default_factory=dict, init=False)

    def __call__(self, task: Task) -> Json:
        return self.played(task)

    def played(self, task: Task, before: Before | None = None) -> Json:
        """The result of the task's game. before: see `play_game`."""
        game, entrants = self.game_of(task), self.entrants_of(task)
        notes = notes_of(game)
        play = play_game(game, entrants, task["deal"], task["rotation"], lambda state, *_: notes(state), before)
        return {**{name: list(getattr(play, name)) for name in BY_SEAT}, "notes": notes.entries()}

    def game_of(self, task: Task) -> Game:
        deck = deck_of(self.series.decks, task["deal"])
        if self._game is None or deck != self._deck:
            self._deck, self._game, self._made = deck, self.series.game_of(task["deal"]), {}
        return self._game

    def entrants_of(self, task: Task) -> list[Entrant]:
        """An agent object for each place of the table, in its order before the rotation."""
        table = seated(task["agents"], -task["rotation"])
        game = self.game_of(task)
        return [Entrant(name, self._agent(game, name, table[:place].count(name))) for place, name in enumerate(table)]

    def _agent(self, game: Game, name: str, copy: int) -> AnyAgent:
        if name in self.given:
            return self.given[name][copy]
        if (name, copy) not in self._made:
            self._made[name, copy] = self.series.make(name, game)
        return self._made[name, copy]
