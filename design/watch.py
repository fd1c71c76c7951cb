"""Record many games for a balance report: workers play them, and agents waver in every second one.

`design/<game>/watch.py` defines the log of a game.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Generic, Protocol, TypeVar, Unpack

import numpy as np
from tqdm import tqdm

from agents.protocol import AnyAgent, decide, make_agent, reset
from arena.match import Entrant, play_game
from arena.workers import Workers, results_of
from chocofactory_env import Game

CHUNK = 20  # games per piece of work
WAVER = 0.1  # how often a wavering agent plays at random, where it may


Seat_co = TypeVar("Seat_co", covariant=True)


class Setting(Protocol):
    """The variant, and the number of games; the seeds are 0, 1, 2 and so on. It is hashable and can be pickled."""

    @property
    def games(self) -> int: ...

    def load(self) -> Game: ...


class Log(Protocol[Seat_co]):
    """The log of a game. Seats are in the order of their first turns, and have `won` and `score`."""

    @property
    def wavering(self) -> bool: ...

    @property
    def seats(self) -> Sequence[Seat_co]: ...


S = TypeVar("S", bound=Setting)
L = TypeVar("L", bound=Log[Any])

Work = tuple[S, range]


def watch_all(
    watch: Callable[[Game, int], L], settings: Sequence[S], *, progress: bool = True, **workers: Unpack[Workers]
) -> dict[S, list[L]]:
    """The logs `watch(game, seed)` of all games of all settings, in the order of seeds whichever worker plays."""
    work = [(s, range(first, min(first + CHUNK, s.games))) for s in settings for first in range(0, s.games, CHUNK)]
    noted: dict[Work[S], list[L]] = {}
    with (
        tqdm(total=sum(setting.games for setting in settings), unit="game", disable=not progress) as bar,
        results_of(Watcher(watch), work, **workers) as results,
    ):
        for piece, logs in results:
            noted[piece] = logs
            bar.update(len(logs))
    return {setting: [log for piece in work if piece[0] == setting for log in noted[piece]] for setting in settings}


@dataclass(frozen=True)
class Watcher(Generic[L]):
    """Watches chunks of games. Every worker has its own watcher, with the games that it loaded."""

    watch: Callable[[Game, int], L]

    @cached_property
    def _games(self) -> dict[Any, Game]:
        return {}

    def __call__(self, work: tuple[Any, range]) -> list[L]:
        setting, seeds = work
        if setting not in self._games:
            self._games[setting] = setting.load()
        return [self.watch(self._games[setting], seed) for seed in seeds]


class GameRecorder(ABC, Generic[L]):
    """Records one game, see `play_game`. `log` is set when the game is over."""

    def __init__(self, game: Game, wavering: bool) -> None:
        self.log: L | None = None
        self._game = game
        self._wavering = wavering

    @abstractmethod
    def before(self, state: Any, player: int, action: int) -> None: ...

    def note(self, state: Any, player: int, seconds: float) -> None:
        if self._game.is_over(state):
            self.log = self._log(state)

    @abstractmethod
    def _log(self, state: Any) -> L: ...


@dataclass(frozen=True)
class GameWatch(ABC, Generic[L]):
    """Plays a game and records it; with an odd seed the agents waver. Subclasses define the log."""

    agent: str
    verbs: ClassVar[Sequence[str]]  # decisions in which agents waver

    @abstractmethod
    def recorder(self, game: Game, seed: int, wavering: bool) -> GameRecorder[L]:
        """The recorder of the game dealt from the seed."""

    def agent_for(self, game: Game) -> str:
        """The agent for every seat."""
        return self.agent

    @cached_property
    def _entrants(self) -> dict[tuple[Game, bool], Sequence[Entrant]]:
        """Agents of every seat, by game and wavering, kept because making them may take longer than a game."""
        return {}

    def __call__(self, game: Game, seed: int) -> L:
        wavering = seed % 2 == 1
        key = game, wavering
        if key not in self._entrants:
            self._entrants[key] = self._seat_all(game, wavering)
        recorder = self.recorder(game, seed, wavering)
        play_game(game, self._entrants[key], seed, note=recorder.note, before=recorder.before)
        assert recorder.log is not None
        return recorder.log

    def _seat_all(self, game: Game, wavering: bool) -> Sequence[Entrant]:
        agent = self.agent_for(game)
        agents = [make_agent(agent, game) for _ in range(game.num_players)]
        if wavering:
            return [Entrant(agent, Wavering(game, one, self.verbs, WAVER)) for one in agents]
        return [Entrant(agent, one) for one in agents]


class Wavering:
    """Wraps an agent. At decisions with legal actions of `verbs`, it plays one at random with probability `epsilon`."""

    def __init__(self, game: Game, agent: AnyAgent, verbs: Sequence[str], epsilon: float) -> None:
        self._game = game
        self._agent = agent
        self._epsilon = epsilon
        counts = dict(game.action_layout.verbs)
        self._cards = [game.action_layout.encode(verb, n) for verb in verbs for n in range(counts[verb])]
        self.reset(0)

    def reset(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        reset(self._agent, seed)

    def choose(self, state: Any, player: int) -> int:
        mask = self._game.legal_mask(state)
        cards = [card for card in self._cards if mask[card]]
        if cards and self._rng.random() < self._epsilon:
            return int(self._rng.choice(cards))
        return decide(self._game, self._agent, state)
