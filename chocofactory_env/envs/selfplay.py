"""Batches for self-play: the caller decides for every seat, in thousands of games per compiled call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, cast

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from ..core.checks import as_flag
from ..core.game import JointStep, Step
from ..core.kernel import stepping
from ..core.kernel.batch import Batch, JointBatch, seeds_of
from ..core.kernel.rules import NOBODY
from ..core.kernel.variants import RowRules
from ..core.messages import shown
from .common import ManyGames, SharesGame, check_open, observation_space
from .loading import Games, check_reset_options, games_of, own_options


class SelfPlayBatch(ManyGames, SharesGame):
    """N parallel games. A step takes one action per game, for the seat to move.

    Args:
        games: a game, a list of games (`cf.games`), or a name, which is loaded with `options`. The seed of a deal
            chooses a game of the list. `game_of(row)` is the game in play in a row, `game` the first of the list.
        num_envs: N.
        reward: `"win"`, `"rank"`, `"score"`, `"margin"`, or `"shaped"`, see `chocofactory_env.core.kernel.rewards`.
            Every step pays all seats, whoever moved. Functions are not accepted, because compiled code pays.
        autoreset: True: the step that ends a game deals the next one. Observation, mask, and `current_player` then
            belong to the new game, rewards and `dones` to the old one. False: the game stays over (mask all ones,
            `current_player` -1, `dones` True) and ignores actions until it is reset.
        scaled: True: observations are float32 in [0, 1]. False: whole numbers, in bytes, a quarter of the memory;
            `observation_layout.scaled(raw)` scales them.
        num_threads: number of threads that share the games; it does not change the games.
        asked_only: in a `ParallelBatch`, write only the observations of seats that are asked. The others keep those of
            an earlier step. Without effect where one seat is asked at a time.
        options: as for `cf.games`, if `games` is a name: options of the game, with lists of values, and `decks`.

    P is the largest number of players in the list. Seats that a game lacks are never to move, and their rewards
    and observations are 0.

    `reset` and `step` return a `Step` of buffers that the next step overwrites; `write_into` swaps in your own.
    Row i plays exactly what the AEC environment plays after `reset(seed=seed + i)` and the same actions, and continues
    with the next game as that environment does after `reset()`.

    Raises:
        ValueError, TypeError: an invalid option.
    """

    _kind: ClassVar[type[Batch]] = Batch

    def __init__(
        self,
        games: Games,
        num_envs: int,
        *,
        reward: str = "win",
        autoreset: bool = True,
        scaled: bool = True,
        num_threads: int = 1,
        asked_only: bool = False,
        **options: Any,
    ) -> None:
        self.games = games_of(games, options, type(self))
        self.game = self.games.first
        self._batch = self._kind(
            self.games,
            num_envs,
            reward=reward,
            autoreset=stepping.SAME_STEP if as_flag("autoreset", autoreset) else stepping.WAIT,
            scaled=as_flag("scaled", scaled),
            asked_only=as_flag("asked_only", asked_only),
            num_threads=num_threads,
        )
        self.num_envs = self._batch.num_envs
        self.num_players = self.games.most_players
        self.num_actions = self._batch.masks.shape[-1]
        self.single_action_space = spaces.Discrete(self.num_actions)
        self.single_observation_space = observation_space(self.observation_layout, scaled)
        self.closed = self._begun = False

    @property
    def buffers(self) -> Step:
        """The buffers that the last step wrote."""
        return self._batch.buffers

    def write_into(self, **buffers: Any) -> None:
        """Let the next steps write into the caller's arrays: `batch.write_into(observations=storage[t])`.

        Accepts NumPy arrays and CPU tensors with the shapes and dtypes of `Step`'s fields. Nothing is copied.

        Raises:
            TypeError, ValueError: an array does not fit; nothing has changed.
        """
        self._batch.write_into(**buffers)

    def reset(
        self,
        seed: int | Sequence[int | None] | None = None,
        games: np.ndarray | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> Step:
        """Begin games.

        Args:
            seed: row i is dealt from `seed` + i, or from the i-th seed of a sequence. Without a seed, the generator of
                the row's last game draws one (the first time, the system's entropy).
            games: (N,) bool, the games to reset; None resets all.
            options: choose, for these rows, among the games of the list: one value of an option as
                `{"num_players": 3}`, several in a list, or None for all again. Later games keep the choice.

        Raises:
            TypeError, ValueError: the seeds or `games` do not fit, an unknown key, or a value that was not declared;
                nothing has changed.
            ClosedEnvironmentError: after `close()`.
        """
        check_open(self.closed, "reset()")
        places = check_reset_options(options, (), self.games, type(self))
        seeds = seeds_of(seed, self.num_envs)
        rows = None if games is None else chosen_rows(games, self.num_envs)
        if rows is not None and not self._begun:
            raise ResetNeeded("reset() all games before resetting some")
        self._batch.choose(rows, places)
        self._batch.deal(seeds, rows, stepping.PAY)
        self._batch.run(stepping.SHOW)  # all rows: the buffers may be new
        self._begun = True
        return self._batch.buffers

    def step(self, actions: Any) -> Step:
        """Play one action in every game. `actions` holds N integers (array or CPU tensor).

        Raises:
            IllegalActionError: an action is illegal; it names the first such game, and no game has changed.
            TypeError, ValueError: `actions` is not N integers.
            ResetNeeded: before the first `reset`.
            ClosedEnvironmentError: after `close()`.
        """
        if not self._begun:
            check_open(self.closed, "step()")
            raise ResetNeeded("no games are under way: call reset() before step()")
        batch = self._batch
        batch.take(actions)
        batch.check()
        batch.run(stepping.MOVE | stepping.PAY | stepping.SHOW)
        return self._batch.buffers

    @property
    def states(self) -> np.ndarray:
        """(N,): the positions of all rows, a view for compiled code. The next step changes it; do not write to it."""
        states: np.ndarray = self._batch.states
        return states

    def rules(self, rows: np.ndarray | slice = slice(None)) -> RowRules | None:
        """The card tables of the games in these rows, for compiled code.

        They hold until the next `step` or `reset`, which may load other decks. None if the game is not compiled.

        Raises:
            TypeError, IndexError: `rows` is no slice, and not what `results` takes.
        """
        return self._batch.rules(self._numbers("rows", rows))

    def results(self, games: np.ndarray) -> dict[str, np.ndarray]:
        """`scores`, `ranking`, `won`, (K, P), of the game that last ended in each row of `games` (indices or bool).

        Seats that a game lacks have score 0 and rank -1. Options given as lists add their values, (K,), as `deck`.

        Raises:
            TypeError: `games` is not an array of K row indices, or of N bool.
            IndexError: there is no such row, or the bool are not N.
            ValueError: no game has ended in one of the rows.
        """
        rows = self._numbers("games", games)
        row_info = self._batch.row_info[rows].copy()
        never = row_info["ranking"][:, 0] == NOBODY
        if never.any():
            row = rows[never][0]
            raise ValueError(f"games: expected rows in which a game has ended, got row {row}, in which none has")
        players = self.num_players
        return {
            "scores": row_info["scores"][:, :players],
            "ranking": row_info["ranking"][:, :players],
            "won": row_info["won"][:, :players].astype(np.bool_),
            **self.games.columns(row_info["final_variant"].tolist()),
        }

    def _numbers(self, name: str, given: Any) -> np.ndarray:
        """(K,): the numbers of the chosen rows; raises as `results` does."""
        everyone = np.arange(self.num_envs)
        if isinstance(given, slice):
            return everyone[given]
        rows = np.asarray(given)
        if rows.ndim != 1 or rows.dtype.kind not in "biu":
            raise TypeError(f"{name}: expected (K,) row indices or ({self.num_envs},) bool, got {shown(given)}")
        if rows.dtype.kind == "b":
            if len(rows) != self.num_envs:
                raise IndexError(f"{name}: expected a bool for each of {self.num_envs} games, got {len(rows)}")
        elif (outside := (rows < 0) | (rows >= self.num_envs)).any():
            raise IndexError(f"{name}: expected rows 0 to {self.num_envs - 1}, got {rows[outside][0]}")
        numbers: np.ndarray = everyone[rows]
        return numbers

    def snapshot(self) -> dict[str, np.ndarray]:
        """Copy everything needed to continue the games, for `restore` on an equal batch.

        (N, bytes) uint8 by name, and `games`, (32,) uint8, a digest that identifies the game or the set of games. A
        batch of several games adds `choices`, (C,) int32, from which rows draw.

        Raises:
            ResetNeeded: before the first `reset`.
            ClosedEnvironmentError: after `close()`.
        """
        if not self._begun:
            check_open(self.closed, "snapshot()")
            raise ResetNeeded("no games are under way: call reset() before snapshot()")
        kept = {name: array.copy() for name, array in self._batch.memory().items()}
        kept["games"] = np.frombuffer(bytearray(self.games.digest), np.uint8)
        return {**kept, "choices": self._batch.choices.copy()} if len(self.games) > 1 else kept

    def restore(self, snapshot: Mapping[str, np.ndarray]) -> Step:
        """Continue from a `snapshot`: the same actions lead to the same games.

        The bytes of positions are not checked: restore only what this version of the package wrote.

        Raises:
            ValueError: it is no snapshot, or the number of games, the game, its options or cards, or the set of games
                differs: the lists of values, their order, or the cards of a deck that is in play; nothing has changed.
            ClosedEnvironmentError: after `close()`.
        """
        check_open(self.closed, "restore()")
        self._check_snapshot(snapshot)
        for name, array in self._batch.memory().items():
            array[:] = snapshot[name]
        if "choices" in snapshot:
            self._batch.choices = snapshot["choices"]
        self._batch.load_variants()
        self._batch.run(stepping.SHOW)
        buffers = self._batch.buffers
        self._show_movers()
        buffers.rewards[:] = 0
        buffers.dones[:] = self._batch.row_info["over"]
        self._begun = True
        return buffers

    def _check_snapshot(self, snapshot: Any) -> None:
        """Raise ValueError unless the arrays are those of an equal batch, and all numbers are of games of the set."""
        if not isinstance(snapshot, Mapping) or not all(isinstance(each, np.ndarray) for each in snapshot.values()):
            raise ValueError(f"snapshot: expected arrays by name, as from `snapshot()`, got {shown(snapshot)}")
        misfit, games = "the snapshot does not fit this batch: expected", len(self.games)
        of_set = {"games", "choices"} if games > 1 else {"games"}
        there = {name: (array.shape, array.dtype) for name, array in snapshot.items() if name not in of_set}
        here = {name: (array.shape, array.dtype) for name, array in self._batch.memory().items()}
        if there != here or not of_set <= set(snapshot):
            raise ValueError(f"{misfit} {here} and {', '.join(sorted(of_set))}, got {there}")
        if not np.array_equal(snapshot["games"], np.frombuffer(self.games.digest, np.uint8)):
            lists = f" with {shown(self.games.sets, 200)}" if games > 1 else ""
            raise ValueError(f"{misfit} positions of {self.game!r}{lists}")
        info = np.ascontiguousarray(snapshot["row_info"]).view(stepping.RowInfo.dtype)[:, 0]
        if games > 1:
            choices, first, number = snapshot["choices"], info["first_choice"].astype(np.int64), info["num_choices"]
            known = choices.dtype == np.int32 and choices.ndim == 1 and ((choices >= 0) & (choices < games))
            if not np.all(known) or min(first.min(), number.min()) < 0 or (first + number).max() > len(choices):
                raise ValueError(f"the snapshot's choices: expected games of this set, got {shown(choices)}")
        for field, last in (("variant", games - 1), ("final_variant", games - 1), ("wanted", games)):
            if info[field].min() < 0 or info[field].max() > last:
                raise ValueError(f"the snapshot's row_info: expected {field} from 0 to {last}, got {info[field].max()}")
        try:
            states = np.ascontiguousarray(snapshot["states"]).view(self._batch.states.dtype)[:, 0]
            self._batch.check_positions(info["variant"], states)
        except ValueError as error:  # of a deck's file, too, that has changed
            raise ValueError(f"{misfit} other positions: {error}") from error

    def _show_movers(self) -> None:
        self._batch.buffers.current_player[:] = self._batch.row_info["mover"]

    def close(self) -> None:
        """Release the threads. `reset`, `step`, and `restore` then raise ClosedEnvironmentError."""
        self.closed, self._begun = True, False
        self._batch.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.game.name!r}, num_envs={self.num_envs}, num_players={self.num_players})"


class ParallelBatch(SelfPlayBatch):
    """N parallel games. A step takes an action of every seat, (N, P); seats that are not asked wait.

    The game decides which seats are asked (`core.kernel.joint`). The others may only `wait`, the last action. `reset`
    and `step` return a `JointStep`: observations (N, P, O), masks (N, P, A + 1), rewards (N, P), and dones (N,). In a
    finished game all seats wait. Arguments and everything else are as in `SelfPlayBatch`.
    """

    _kind = JointBatch

    # The same calls, with other return types.

    @property
    def buffers(self) -> JointStep:  # type: ignore[override]
        return cast(JointStep, self._batch.buffers)

    def reset(  # type: ignore[override]
        self,
        seed: int | Sequence[int | None] | None = None,
        games: np.ndarray | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> JointStep:
        return cast(JointStep, super().reset(seed, games, options))

    def step(self, actions: Any) -> JointStep:  # type: ignore[override]
        return cast(JointStep, super().step(actions))

    def restore(self, snapshot: Mapping[str, np.ndarray]) -> JointStep:  # type: ignore[override]
        return cast(JointStep, super().restore(snapshot))

    @property
    def wait(self) -> int:
        """The no-op action of a seat that is not asked."""
        return self.game.num_actions

    def _show_movers(self) -> None:
        """Do nothing: the masks say which seats are asked."""


def chosen_rows(games: Any, num_envs: int) -> np.ndarray:
    """(K,) int32: the rows that the mask (N,) bool selects.

    Raises:
        TypeError, ValueError: it is not such a mask, or selects no row.
    """
    if not isinstance(games, np.ndarray) or games.dtype != np.bool_:
        raise TypeError(f"the mask of games to reset must be a NumPy array of bool, got {games!r}")
    if games.shape != (num_envs,):
        raise ValueError(f"the mask of games to reset must have shape ({num_envs},), got {games.shape}")
    if not games.any():
        raise ValueError("the mask of games to reset chooses none")
    return np.flatnonzero(games).astype(np.int32)


def make_batch(games: Games, num_envs: int, **options: Any) -> SelfPlayBatch:
    """Make a native batch of N games for self-play; a `ParallelBatch` if the variant is simultaneous.

    Args:
        games: as in `SelfPlayBatch`.
        num_envs: N.
        options: options of `SelfPlayBatch` and of the game.

    Raises:
        UnknownGameError, ValueError, TypeError: an unknown game, or an invalid option.
    """
    own = {key: options.pop(key) for key in own_options(SelfPlayBatch) if key in options}
    listed = games_of(games, options, SelfPlayBatch)
    kind = ParallelBatch if listed.first.simultaneous else SelfPlayBatch
    return kind(listed, num_envs, **own)
