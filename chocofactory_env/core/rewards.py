"""What a game pays its players: five rewards over any game. P = number of players."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from .game import Game, State
from .jit import jit

REWARDS: Final = ("win", "rank", "score", "margin", "shaped")
NEEDS_RIVALS: Final = ("rank", "margin")
WIN, RANK, SCORE, MARGIN, SHAPED = range(len(REWARDS))


@jit
def write_rewards(kind: int, scores: np.ndarray, ranking: np.ndarray, won: np.ndarray, out: np.ndarray) -> None:
    """Write what the end of a game pays every seat into `out`, (P,) float. The others are (P,); `kind` is a number."""
    players = len(out)
    winners = 0
    money = 0
    for seat in range(players):
        winners += won[seat]
        money += scores[seat]
    for seat in range(players):
        if kind == WIN:
            out[seat] = won[seat] / max(1, winners)
        elif kind == RANK:
            out[seat] = (players - 1 - places_lost(ranking, seat)) / (players - 1)
        elif kind == MARGIN:
            out[seat] = scores[seat] - (money - scores[seat]) / (players - 1)
        else:
            out[seat] = scores[seat]


@jit
def places_lost(ranking: np.ndarray, seat: int) -> float:
    """How many are ahead; tied players share their places."""
    lost = 0.0
    for other in range(len(ranking)):
        if ranking[other] < ranking[seat]:
            lost += 1.0
        elif ranking[other] == ranking[seat] and other != seat:
            lost += 0.5
    return lost


def _at_the_end(kind: int, game: Game, state: State) -> np.ndarray:
    """(P,) float64: `write_rewards` of the position."""
    due = np.empty(game.num_players)
    scores, ranking = (np.asarray(values, np.int32) for values in (game.scores(state), game.ranking(state)))
    write_rewards(kind, scores, ranking, np.asarray(game.won(state), np.bool_), due)
    return due


def win(game: Game, state: State) -> np.ndarray:
    """(P,) float64, 1 for the winner, 0 for the others. Sum: 1 (solo: 1 if won, else 0).

    Winners whom the rules leave tied share it.
    """
    return _at_the_end(WIN, game, state)


def rank(game: Game, state: State) -> np.ndarray:
    """(P,) float64, (P - 1 - rank) / (P - 1): 1 for the first, 0 for the last. Sum: P / 2.

    Tied players share their places.
    """
    return _at_the_end(RANK, game, state)


def score(game: Game, state: State) -> np.ndarray:
    """(P,) float64, own money. Sum: all the money."""
    return _at_the_end(SCORE, game, state)


def margin(game: Game, state: State) -> np.ndarray:
    """(P,) float64, own money minus the mean of the others'. Sum: 0."""
    return _at_the_end(MARGIN, game, state)


def check_reward(kind: str, num_players: int) -> int:
    """Its number in REWARDS.

    Raises:
        ValueError: unknown `kind`, or one that compares players in a game of one.
    """
    if kind not in REWARDS:
        raise ValueError(f"reward must be one of {', '.join(REWARDS)}, got {kind!r}")
    if num_players == 1 and kind in NEEDS_RIVALS:
        fitting = ", ".join(name for name in REWARDS if name not in NEEDS_RIVALS)
        raise ValueError(f"reward {kind!r} compares players and this game has one; use one of {fitting}")
    return REWARDS.index(kind)


class Reward:
    """The reward of one environment; keeps what has been paid in the game under way.

    `"win"`, `"rank"`, `"score"` and `"margin"` are paid at the end (see the functions of these names). `"shaped"` is
    `"score"` paid as it grows: every step the change of `game.standings`, at the end the rest. Its undiscounted
    sum over a game is therefore exactly that of `"score"`, player by player.

    Raises:
        ValueError: unknown `kind`, or one that compares players in a game of one.
    """

    def __init__(self, game: Game, kind: str) -> None:
        self.game = game
        self.kind = kind
        self._number = check_reward(kind, game.num_players)
        self.shaped = self._number == SHAPED
        self._paid: np.ndarray[Any, np.dtype[np.float64]] = np.zeros(game.num_players)

    def begin(self) -> None:
        """Call when a game begins."""
        self._paid = np.zeros(self.game.num_players)

    def so_far(self, state: State) -> np.ndarray:
        """(P,) float64, what is due during the game since the last call; only `"shaped"` pays before the end."""
        if not self.shaped:
            return np.zeros(self.game.num_players)
        return self._pay(np.asarray(self.game.standings(state), np.float64))

    def at_the_end(self, state: State) -> np.ndarray:
        """(P,) float64, what is due when the game is over."""
        due = _at_the_end(self._number, self.game, state)
        return self._pay(due) if self.shaped else due

    def _pay(self, total: np.ndarray) -> np.ndarray:
        due = np.asarray(total - self._paid)
        self._paid = total
        return due
