"""Rewards: five for any game, or your own function. P = number of players."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any, Final

import numpy as np

from ..game import Game, State
from ..jit import jit, jit_entry
from ..messages import hint, shown
from ..signature import I4, Bools, OutF8

REWARDS: Final = ("win", "rank", "score", "margin", "shaped")
NEEDS_RIVALS: Final = ("rank", "margin")
WIN, RANK, SCORE, MARGIN, SHAPED = range(len(REWARDS))

# (scores, ranking, won, standings) -> (P,) numbers: what every seat has earned so far; see `Reward`.
RewardFunction = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], Any]


@jit_entry("rules")
def write_rewards(kind: int, ranking: I4, won: Bools, out: OutF8) -> None:
    """Replace the payoffs in `out`, (P,) float, by the rewards at the end of a game. `kind` is a number."""
    players = len(out)
    winners = 0
    total = 0.0
    for seat in range(players):
        winners += won[seat]
        total += out[seat]
    for seat in range(players):
        if kind == WIN:
            out[seat] = won[seat] / max(1, winners)
        elif kind == RANK:
            out[seat] = (players - 1 - places_lost(ranking, seat)) / (players - 1)
        elif kind == MARGIN:
            out[seat] -= (total - out[seat]) / (players - 1)


@jit
def places_lost(ranking: np.ndarray, seat: int) -> float:
    """The number of players ahead. Tied players share their places."""
    lost = 0.0
    for other in range(len(ranking)):
        if ranking[other] < ranking[seat]:
            lost += 1.0
        elif ranking[other] == ranking[seat] and other != seat:
            lost += 0.5
    return lost


def check_reward(kind: Any, num_players: int) -> int:
    """The number of a named reward in REWARDS, for compiled code.

    Raises:
        TypeError: `kind` is a function.
        ValueError: `kind` is unknown, or compares players in a one-player game.
    """
    if callable(kind):
        raise TypeError(
            f"reward: expected one of {', '.join(REWARDS)}, since batches pay in compiled code, got {shown(kind)}; "
            "environments of a single game take a function, also vectorized by "
            'gymnasium.make_vec(..., vectorization_mode="sync")'
        )
    if not isinstance(kind, str) or kind not in REWARDS:
        raise ValueError(f"reward must be one of {', '.join(REWARDS)}, got {shown(kind)}{hint(kind, REWARDS)}")
    if num_players == 1 and kind in NEEDS_RIVALS:
        fitting = ", ".join(name for name in REWARDS if name not in NEEDS_RIVALS)
        raise ValueError(f"reward {kind!r} compares players and this game has one; use one of {fitting}")
    return REWARDS.index(kind)


class Reward:
    """The reward of one environment. It tracks the return of the current game.

    `"win"`, `"rank"`, `"score"` and `"margin"` are paid at the end:

    - `"win"`: 1 for the winner, 0 for the others; winners that the rules leave tied share it. Sum: 1 (one player: 1 if
      won, else 0).
    - `"rank"`: (P - 1 - rank) / (P - 1), so 1 for the first, 0 for the last; tied players share places. Sum: P / 2.
    - `"score"`: the seat's payoff, which is its score unless it is out (`Game.payoffs`).
    - `"margin"`: the payoff minus the mean of the others'. Sum: 0.

    `"shaped"` is `"score"` paid as it grows: every step pays the change of `game.standings`, and the last one the rest.
    So its undiscounted sum over a game is, for each player, the payoff minus the standings at the start.

    A function `(scores, ranking, won, standings)` returns what every seat has earned since the game began, (P,) finite
    numbers. It is called after each step from which the environment returns, including the last. Each seat is paid the
    change of its number, so the rewards of a game sum to the last number. The arguments are fresh arrays (P,) by seat,
    as the methods of `Game` return them: `scores`, `ranking` (0 = first), and `standings` int64, and `won` bool, all
    False before the end.

    `shaped`: whether there are rewards before the end.

    Raises:
        TypeError: the function does not take four arguments.
        ValueError: `kind` is unknown, or compares players in a one-player game.
    """

    def __init__(self, game: Game, kind: str | RewardFunction) -> None:
        self.game = game
        self.kind = kind
        self._function: RewardFunction | None = None
        self._number = SHAPED
        if callable(kind):
            self._function = _checked_function(kind)
        else:
            self._number = check_reward(kind, game.num_players)
        self.shaped = self._number == SHAPED
        self._paid: np.ndarray[Any, np.dtype[np.float64]] = np.zeros(game.num_players)

    def begin(self, state: State) -> None:
        """Begin a newly dealt game."""
        paid = self.game.standings(state) if self._function is None and self.shaped else 0
        self._paid = np.zeros(self.game.num_players) + paid

    def so_far(self, state: State) -> np.ndarray:
        """(P,) float64, the rewards during the game since the last call."""
        if not self.shaped:
            return np.zeros(self.game.num_players)
        if self._function is not None:
            return self._pay(self._earned(self._function, state))
        return self._pay(np.asarray(self.game.standings(state), np.float64))

    def at_the_end(self, state: State) -> np.ndarray:
        """(P,) float64, the rewards of the step that ends the game."""
        if self._function is not None:
            return self._pay(self._earned(self._function, state))
        game, rewards = self.game, np.array(self.game.payoffs(state), np.float64)
        write_rewards(
            self._number, np.asarray(game.ranking(state), np.int32), np.asarray(game.won(state), np.bool_), rewards
        )
        return self._pay(rewards) if self.shaped else rewards

    def _pay(self, total: np.ndarray) -> np.ndarray:
        rewards = np.asarray(total - self._paid)
        self._paid = total
        return rewards

    def _earned(self, function: RewardFunction, state: State) -> np.ndarray:
        """(P,) float64: the function's checked result."""
        game = self.game
        scores, ranking, standings = (
            np.array(numbers, np.int64) for numbers in (game.scores(state), game.ranking(state), game.standings(state))
        )
        answer = function(scores, ranking, np.array(game.won(state), np.bool_), standings)
        try:
            earned = np.asarray(answer)
        except ValueError:  # lists of different lengths
            earned = np.asarray(None)
        if earned.dtype.kind not in "biuf":
            raise TypeError(f"reward {shown(function)}: expected {game.num_players} numbers, got {shown(answer)}")
        if earned.shape != (game.num_players,):
            raise ValueError(
                f"reward {shown(function)}: expected shape ({game.num_players},), a number for every seat, "
                f"got {earned.shape}: {shown(answer)}"
            )
        if not np.isfinite(earned).all():
            raise ValueError(f"reward {shown(function)}: expected finite numbers, got {shown(answer)}")
        return earned.astype(np.float64)


def _checked_function(function: RewardFunction) -> RewardFunction:
    try:
        parameters = signature(function)
    except ValueError:
        return function  # compiled functions may have no signature to look at
    try:
        parameters.bind(*range(4))
    except TypeError as error:
        raise TypeError(
            f"reward: expected a function of (scores, ranking, won, standings), {shown(function)} takes {parameters}: "
            f"{error}"
        ) from None
    return function
