"""What reports of the balance of cards share: many games are watched by workers, and counts become words; agents waver.

A game's own report stands in `arena/<game>/balance.py`. It says what is noted of a game.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar, Unpack, cast

import numpy as np
from tqdm import tqdm

from agents.protocol import AnyAgent, decide, reset
from chocofactory_env import Game

from .match import wilson_interval
from .seats import PLACES, row_of
from .series import markdown_table
from .workers import Workers, results_of

CHUNK = 20  # games to a piece of work


class Setting(Protocol):
    """What is played how often; the seeds are 0, 1, 2 and so on. It is hashable, and can be pickled."""

    @property
    def games(self) -> int: ...

    def load(self) -> Game: ...


class Seats(Protocol):
    """What is noted of a game, as far as it is of its players: each knows whether it `won`."""

    @property
    def seats(self) -> Sequence[Any]: ...


S = TypeVar("S", bound=Setting)
L = TypeVar("L")  # what is noted of a game

Work = tuple[S, range]


def watch_all(
    watch: Callable[[Game, int], L], settings: Sequence[S], *, progress: bool = True, **workers: Unpack[Workers]
) -> dict[S, list[L]]:
    """What `watch(game, seed)` notes of all games of all settings, in the order of their seeds whoever plays."""
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
    """Watches pieces of work; every worker has its own, with the games that it loaded."""

    watch: Callable[[Game, int], L]

    @cached_property
    def _games(self) -> dict[Any, Game]:
        return {}

    def __call__(self, work: tuple[Any, range]) -> list[L]:
        setting, seeds = work
        if setting not in self._games:
            self._games[setting] = setting.load()
        return [self.watch(self._games[setting], seed) for seed in seeds]


class Wavering:
    """Another agent, which at decisions for one of `verbs` plays any of them at random with probability `epsilon`."""

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


def winning(tables: Mapping[int, Sequence[Seats]], has: Callable[[Any], Iterable[str]]) -> dict[str, str]:
    """By card: how often who had it won, relative to chance. The logs are by number of players."""
    expected: dict[str, float] = defaultdict(float)
    won: Counter[str] = Counter()
    for players, logs in tables.items():
        for seat in (seat for log in logs for seat in log.seats):
            for name in set(has(seat)):
                won[name] += seat.won
                expected[name] += 1 / players
    return {name: rate(won[name], expected[name]) for name in expected}


def steady(tables: Mapping[int, Sequence[L]]) -> dict[int, list[L]]:
    """Of the logs by number of players those of games without wavering."""
    return {players: [log for log in logs if not cast(Any, log).wavering] for players, logs in tables.items()}


def place_table(tables: Mapping[int, Sequence[Any]], score: str) -> str:
    """Who won by the place in turn order. Seats of a log stand in this order, and have `won` and `score`."""
    records = [
        [{"won": [seat.won for seat in log.seats], "scores": [seat.score for seat in log.seats]} for log in logs]
        for logs in tables.values()
    ]
    head = ["players", "games", *PLACES, f"{score} by place", "p if places were equal"]
    return table(head, [row_of(of_games) for of_games in records])


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """In Markdown."""
    return "\n".join(markdown_table(head, rows))


def percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"


def rate(part: float, whole: float) -> str:
    return f"{part / whole:.2f}" if whole else "–"


def with_interval(wins: int, games: int) -> str:
    low, high = wilson_interval(wins, games)
    return f"{100 * wins / games:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"
