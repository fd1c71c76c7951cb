"""Batches for self-play: every decision of every seat is the caller's, thousands of games in one compiled call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, cast

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from ..core.game import Game, JointStep, State, Step
from ..core.kernel import stepping
from ..core.kernel.batch import Batch, JointBatch, seeds_of
from .common import SharesGame, check_open, game_of, observation_space, own_options


class SelfPlayBatch(SharesGame):
    """N games side by side; a step takes one action a game, of the player to move in it.

    Args:
        name: of a game, or a loaded game; a name is loaded with `options`.
        num_envs: N.
        reward: `"win"`, `"rank"`, `"score"`, `"margin"` or `"shaped"`, see `chocofactory_env.core.kernel.rewards`; paid
            to all seats at once, whoever moved. Not a function: it is compiled code that pays.
        autoreset: True: a game that ends is followed by the next one within the step, so that observation, mask and
            `current_player` are those of the new game and rewards and `dones` those of the old one. False: it stays
            over (mask all ones, `current_player` -1, `dones` True), and its actions mean nothing until it is reset.
        scaled: observations float32 in [0, 1]; False: raw integers (`game.observation_layout.raw_dtype`), a quarter of
            the bytes. `raw * game.observation_layout.scale` is the scaled one.
        num_threads: games are divided among so many threads; any number gives the same games.
        asked_only: in a `ParallelBatch`, write the observations of those seats alone that are asked; what stands in the
            place of the others is of an earlier step. It means nothing where one seat is asked.
        options: those of the game.

    `reset` and `step` return a `Step` of buffers that the next step overwrites; `write_into` makes them the caller's.
    Row i plays exactly what the AEC environment plays after `reset(seed=seed + i)` and the same actions, and goes on
    with the next game as that environment does after `reset()`.

    Raises:
        ValueError, TypeError: a bad option.
    """

    _kind: ClassVar[type[Batch]] = Batch

    def __init__(
        self,
        name: Game | str,
        num_envs: int,
        *,
        reward: str = "win",
        autoreset: bool = True,
        scaled: bool = True,
        num_threads: int = 1,
        asked_only: bool = False,
        **options: Any,
    ) -> None:
        self.game = game_of(name, options, type(self))
        self._batch = self._kind(
            self.game,
            num_envs,
            reward=reward,
            autoreset=stepping.SAME_STEP if autoreset else stepping.WAIT,
            scaled=scaled,
            asked_only=asked_only,
            num_threads=num_threads,
        )
        self.num_envs = self._batch.num_envs
        self.num_players = self.game.num_players
        self.num_actions = self._batch.masks.shape[-1]
        self.single_action_space = spaces.Discrete(self.num_actions)
        self.single_observation_space = observation_space(self.game, "flat" if scaled else "raw")
        self.closed = self._begun = False

    @property
    def buffers(self) -> Step:
        """What the last step wrote."""
        return self._batch.buffers

    def write_into(self, **buffers: Any) -> None:
        """Let steps write into the caller's memory from now on: `batch.write_into(observations=storage[t])`.

        Takes NumPy arrays and CPU tensors of the shapes and dtypes of `Step`'s fields; nothing is copied.

        Raises:
            TypeError, ValueError: what is given does not fit; nothing has changed.
        """
        self._batch.write_into(**buffers)

    def reset(self, seed: int | Sequence[int | None] | None = None, games: np.ndarray | None = None) -> Step:
        """Begin games.

        Args:
            seed: row i is dealt from `seed` + i, or each from its own of a sequence; without one, from the generator
                of the row's last game (the first time, from the system's entropy).
            games: (N,) bool: which; all if None.

        Raises:
            ValueError: seeds or `games` that do not fit.
            ClosedEnvironmentError: after `close()`.
        """
        check_open(self.closed, "reset()")
        seeds = seeds_of(seed, self.num_envs)
        rows = None if games is None else chosen_rows(games, self.num_envs)
        if rows is not None and not self._begun:
            raise ResetNeeded("reset() all games before resetting some")
        self._batch.deal(seeds, rows, stepping.PAY)
        self._batch.run(stepping.SHOW)  # all rows: the buffers may be new
        self._begun = True
        return self._batch.buffers

    def step(self, actions: Any) -> Step:
        """Play one action in every game; `actions` are N integers (array or CPU tensor).

        Raises:
            IllegalActionError: names the first game whose action is not legal; no game has changed.
            TypeError, ValueError: not N integers.
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
        return batch.buffers

    def state(self, row: int) -> State:
        """The position of a row, a view for the game's own methods (`game.render`, `game.to_dict`, `game.clone`)."""
        return self._batch.state(row)

    def results(self, games: np.ndarray) -> dict[str, np.ndarray]:
        """`scores`, `ranking`, `won`, (K, P): of the game that ended last in each row of `games` (indices or bool)."""
        row_info = self._batch.row_info[games].copy()
        players = self.num_players
        return {
            "scores": row_info["scores"][:, :players],
            "ranking": row_info["ranking"][:, :players],
            "won": row_info["won"][:, :players].astype(np.bool_),
        }

    def snapshot(self) -> dict[str, np.ndarray]:
        """A copy of all that the games go on from, name -> (N, bytes) uint8, for `restore` on a batch like this one."""
        return {name: kept.copy() for name, kept in self._batch.memory().items()}

    def restore(self, snapshot: Mapping[str, np.ndarray]) -> Step:
        """Go on from where `snapshot` was taken: the same actions lead to the same games.

        The bytes are taken as they are: restore only what this version of the package wrote for the same game.

        Raises:
            ValueError: a snapshot of another number of games, or of states of another size; nothing has changed.
            ClosedEnvironmentError: after `close()`.
        """
        check_open(self.closed, "restore()")
        memory = self._batch.memory()
        there = {name: (array.shape, array.dtype) for name, array in snapshot.items()}
        here = {name: (array.shape, array.dtype) for name, array in memory.items()}
        if there != here:
            raise ValueError(f"the snapshot does not fit this batch: expected {here}, got {there}")
        for name, array in memory.items():
            array[:] = snapshot[name]
        self._batch.run(stepping.SHOW)
        buffers = self._batch.buffers
        self._show_movers()
        buffers.rewards[:] = 0
        buffers.dones[:] = self._batch.row_info["over"]
        self._begun = True
        return buffers

    def _show_movers(self) -> None:
        self._batch.buffers.current_player[:] = self._batch.row_info["mover"]

    def close(self) -> None:
        """Let the threads go. `reset`, `step` and `restore` then raise ClosedEnvironmentError."""
        self.closed, self._begun = True, False
        self._batch.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.game.name!r}, num_envs={self.num_envs}, num_players={self.num_players})"


class ParallelBatch(SelfPlayBatch):
    """N games side by side; a step takes the actions of all seats, (N, P), and who is not asked waits.

    It is to `SelfPlayBatch` what the parallel environment is to AEC: which seats are asked is up to the game
    (`core.kernel.joint`), and `wait`, the last action, is all that the others may do. `reset` and `step` return a
    `JointStep`: observations (N, P, O) of all seats, masks (N, P, A + 1), rewards (N, P), dones (N,). In a game that is
    over all seats wait. Arguments, and all else, as in `SelfPlayBatch`.
    """

    _kind = JointBatch

    # The same calls, which return steps of another kind.

    @property
    def buffers(self) -> JointStep:  # type: ignore[override]
        return cast(JointStep, self._batch.buffers)

    def reset(  # type: ignore[override]
        self, seed: int | Sequence[int | None] | None = None, games: np.ndarray | None = None
    ) -> JointStep:
        return cast(JointStep, super().reset(seed, games))

    def step(self, actions: Any) -> JointStep:  # type: ignore[override]
        return cast(JointStep, super().step(actions))

    def restore(self, snapshot: Mapping[str, np.ndarray]) -> JointStep:  # type: ignore[override]
        return cast(JointStep, super().restore(snapshot))

    @property
    def wait(self) -> int:
        """The action of who has nothing to decide."""
        return self.game.num_actions

    def _show_movers(self) -> None:
        """Masks say who is asked."""


def chosen_rows(games: Any, num_envs: int) -> np.ndarray:
    """(K,) int32: the rows that a mask (N,) bool chooses.

    Raises:
        TypeError, ValueError: no such mask, or one that chooses nothing.
    """
    if not isinstance(games, np.ndarray) or games.dtype != np.bool_:
        raise TypeError(f"the mask of games to reset must be a NumPy array of bool, got {games!r}")
    if games.shape != (num_envs,):
        raise ValueError(f"the mask of games to reset must have shape ({num_envs},), got {games.shape}")
    if not games.any():
        raise ValueError("the mask of games to reset chooses none")
    return np.flatnonzero(games).astype(np.int32)


def make_batch(name: Game | str, num_envs: int, **options: Any) -> SelfPlayBatch:
    """A native batch of N games for self-play: a `ParallelBatch` of games in which seats act at once.

    Args:
        name: of a game, or a loaded game; a name is loaded with those of `options` that are the game's.
        num_envs: N.
        options: of `SelfPlayBatch`.

    Raises:
        UnknownGameError, ValueError, TypeError: an unknown game, or a bad option.
    """
    own = own_options(SelfPlayBatch)
    game = game_of(name, {key: value for key, value in options.items() if key not in own}, SelfPlayBatch)
    kind = ParallelBatch if game.simultaneous else SelfPlayBatch
    return kind(game, num_envs, **{key: value for key, value in options.items() if key in own})
