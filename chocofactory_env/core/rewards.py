"""What a game pays its players: five rewards over any game. P = number of players."""

from __future__ import annotations

from typing import Any

import numpy as np

from .game import Game, State

REWARDS = ("win", "rank", "score", "margin", "shaped")
NEEDS_RIVALS = ("rank", "margin")


def win(game: Game, state: State) -> np.ndarray:
    """(P,) float64, 1 for the winner, 0 for the others. Sum: 1 (solo: 1 if won, else 0).

    Winners whom the rules leave tied share it.
    """
    won = np.asarray(game.won(state), np.float64)
    return np.asarray(won / max(1.0, won.sum()))


def rank(game: Game, state: State) -> np.ndarray:
    """(P,) float64, (P - 1 - rank) / (P - 1): 1 for the first, 0 for the last. Sum: P / 2.

    Tied players share their places.
    """
    ranking = np.asarray(game.ranking(state))
    ahead = (ranking[None, :] < ranking[:, None]).sum(axis=1)
    level = (ranking[None, :] == ranking[:, None]).sum(axis=1) - 1
    places = len(ranking) - 1
    return np.asarray((places - ahead - level / 2) / places, np.float64)


def score(game: Game, state: State) -> np.ndarray:
    """(P,) float64, own money. Sum: all the money."""
    return np.asarray(game.scores(state), np.float64)


def margin(game: Game, state: State) -> np.ndarray:
    """(P,) float64, own money minus the mean of the others'. Sum: 0."""
    money = np.asarray(game.scores(state), np.float64)
    others = (money.sum() - money) / (len(money) - 1)
    return np.asarray(money - others)


_AT_THE_END = {"win": win, "rank": rank, "score": score, "margin": margin}


class Reward:
    """The reward of one environment; keeps what has been paid in the game under way.

    `"win"`, `"rank"`, `"score"` and `"margin"` are paid at the end (see the functions of these names). `"shaped"` is
    `"score"` paid as it grows: every step the change of `game.standings`, at the end the rest. Its undiscounted
    sum over a game is therefore exactly that of `"score"`, player by player.

    Raises:
        ValueError: unknown `kind`, or one that compares players in a game of one.
    """

    def __init__(self, game: Game, kind: str) -> None:
        if kind not in REWARDS:
            raise ValueError(f"reward must be one of {', '.join(REWARDS)}, got {kind!r}")
        if game.num_players == 1 and kind in NEEDS_RIVALS:
            fitting = ", ".join(name for name in REWARDS if name not in NEEDS_RIVALS)
            raise ValueError(f"reward {kind!r} compares players and this game has one; use one of {fitting}")
        self.game = game
        self.kind = kind
        self.shaped = kind == "shaped"
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
        if not self.shaped:
            return _AT_THE_END[self.kind](self.game, state)
        return self._pay(score(self.game, state))

    def _pay(self, total: np.ndarray) -> np.ndarray:
        due = np.asarray(total - self._paid)
        self._paid = total
        return due
