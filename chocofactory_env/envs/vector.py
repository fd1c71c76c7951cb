"""Batches as Gymnasium vector environments: one player, or one seat against opponents, N games a step.

N = games, P = players, A = actions, O = size of an observation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from inspect import isclass
from time import perf_counter
from typing import Any, Protocol

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ..core.agents.agent import AnyAgent, agent_seed, ask, refusal, reset_agent, searches
from ..core.agents.observers import OBSERVATION_FORMS, Observation, ObservationForm
from ..core.checks import as_number, check_choice
from ..core.game import Game, IllegalActionError, State
from ..core.kernel import stepping
from ..core.kernel.batch import Batch, seeds_of
from ..core.kernel.rng import choose_legal
from ..core.kernel.rules import NOBODY
from ..core.observation.layout import Tensors
from .common import (
    ILLEGAL_REWARD,
    SharesGame,
    check_open,
    check_reset_options,
    observation_space,
    rivals_of,
    seat_of,
    solo_game_of,
    versus_game_of,
    warn_of_no_render_mode,
)
from .pictures import DEFAULT_SIZE, PICTURES, RENDER_FPS, RENDER_MODES, RenderSize, RowsDisplay, as_size
from .selfplay import chosen_rows

_AFTER_THE_END = {
    AutoresetMode.NEXT_STEP: stepping.NEXT_STEP,
    AutoresetMode.SAME_STEP: stepping.SAME_STEP,
    AutoresetMode.DISABLED: stepping.WAIT,
}


class OneSeatVectorEnv(SharesGame, VectorEnv[Any, Any, Any]):
    """One seat of N games of a variant, stepped by one call of compiled code; the other seats, if any, move inside it.

    Row i plays what the single environment plays after `reset(seed=seed + i)` and the same actions, autoresets
    included, and `infos` are those of `SyncVectorEnv` over single environments: `action_mask` (N, A) int8 of every row
    (`action_masks()` gives the same as bool), `score` and `won` of games that ended, `final_obs` and `final_info` with
    SAME_STEP. With `episode_statistics` the step in which a game ends has `episode` besides: `r` return, `l` decisions,
    `t` seconds, each (N,).
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        *,
        seat: int,
        reward: str,
        illegal_action: str,
        illegal_penalty: float,
        observation: ObservationForm,
        autoreset_mode: AutoresetMode | str,
        episode_statistics: bool,
        copy: bool,
        num_threads: int,
        render_mode: str | None,
        render_size: RenderSize,
    ) -> None:
        check_choice("illegal_action", illegal_action, ("penalty", "raise", "terminate"))
        check_choice("observation", observation, OBSERVATION_FORMS)
        check_choice("render_mode", render_mode, (None, *RENDER_MODES))
        render_size = as_size(render_size)
        check_choice(
            "autoreset_mode", getattr(autoreset_mode, "value", autoreset_mode), tuple(m.value for m in AutoresetMode)
        )
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.game = game
        terminate = illegal_action == "terminate"
        penalty = as_number("illegal_penalty", illegal_penalty)
        self._batch = Batch(
            game,
            num_envs,
            seat=seat,
            reward=reward,
            autoreset=_AFTER_THE_END[self.autoreset_mode],
            illegal=stepping.TERMINATE if terminate else stepping.PENALTY,
            illegal_reward=ILLEGAL_REWARD if terminate else penalty,
            scaled=observation != "raw",
            keep_final=self.autoreset_mode == AutoresetMode.SAME_STEP,
            num_threads=num_threads,
        )
        self.num_envs = num = self._batch.num_envs
        self.metadata = {
            "render_modes": list(RENDER_MODES),
            "render_fps": RENDER_FPS,
            "autoreset_mode": self.autoreset_mode,
        }
        self.render_mode = render_mode
        pictures = render_mode in PICTURES
        self._display = RowsDisplay(game, num, render_size, window=render_mode == "human") if pictures else None
        self.single_observation_space = observation_space(game, observation)
        self.single_action_space = spaces.Discrete(game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num)
        self.action_space = batch_space(self.single_action_space, num)
        self._named = observation == "named"
        self._refuses = illegal_action == "raise"
        self._copy = copy
        self._spare: tuple[np.ndarray, np.ndarray] | None = None
        self._statistics = _Episodes(num) if episode_statistics else None
        self._everyone = np.ones(num, np.bool_)
        self._begun = False

    @property
    def has_episode_statistics(self) -> bool:
        """Whether `infos` have `episode` when games end."""
        return self._statistics is not None

    def action_masks(self) -> np.ndarray:
        """(N, A) bool: what is legal now; all True in rows whose game is over."""
        return self._batch.buffers.action_masks.astype(np.bool_)

    def state(self, row: int) -> State:
        """The position of a row, a view for the game's own methods; `game.clone` it before changing it."""
        return self._batch.state(row)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin games: row i from `seed` + i, each from its own of a sequence, or from the generator of its last one.

        Args:
            options: `reset_mask`, (N,) bool, chooses the rows to reset; the others go on.

        Raises:
            TypeError, ValueError: seeds or a mask that do not fit, or another key; nothing has changed.
            ResetNeeded: some rows are to be reset before all have been.
            ClosedEnvironmentError: after `close()`.
        """
        check_open(self.closed, "reset()")
        check_reset_options(options, ("reset_mask",), self.game, type(self))
        seeds = seeds_of(seed, self.num_envs)
        mask = None if options is None else options.get("reset_mask")
        rows = None if mask is None else chosen_rows(mask, self.num_envs)
        if rows is not None and not self._begun:
            raise ResetNeeded("reset() all games before resetting some")
        super().reset(seed=int(seed) if isinstance(seed, (int, np.integer)) else None)
        if seed is None and not self._begun:
            seeds = self.np_random.integers(2**63, size=self.num_envs)
        self._take_turns(keep=rows is not None)  # rows that are not dealt keep what they show
        self._begun = False
        self._deal(seeds, rows)
        self._begun = True
        if self._statistics is not None:
            self._statistics.begin(self._everyone if mask is None else mask)
        self._show()
        return self._observations(), self._masks()

    def step(self, actions: Any) -> tuple[Observation, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play one action in every game, then the other seats up to the next decision or the end of the game.

        Returns:
            observations, rewards (N,) float32, terminations (N,) bool, truncations (N,) bool (all False), infos.

        Raises:
            IllegalActionError: with `illegal_action="raise"`, naming the first game; no game has changed.
            TypeError, ValueError: not N integers.
            ResetNeeded: no game is under way, or with autoreset DISABLED one is over and waits for its reset.
            ClosedEnvironmentError: after `close()`.
        """
        batch = self._batch
        if not self._begun:
            check_open(self.closed, "step()")
            raise ResetNeeded("no games are under way: call reset() before step()")
        if self.autoreset_mode == AutoresetMode.DISABLED and batch.buffers.dones.any():
            waiting = np.flatnonzero(batch.buffers.dones).tolist()
            raise ResetNeeded(f'games {waiting} are over: reset(options={{"reset_mask": ...}}) them before step()')
        batch.take(actions)
        if self._refuses:
            batch.check()
        self._note_actions()
        self._take_turns()
        was_over = batch.row_info["over"].astype(np.bool_) if self._statistics is not None else None
        self._begun = False  # where an opponent fails in the middle, nobody can go on from here
        events = self._play()
        self._begun = True
        buffers = batch.buffers
        rewards, dones = buffers.rewards[:, 0].copy(), buffers.dones.copy()
        infos = self._masks()
        if events:
            self._add_events(dones, infos)
        if self._statistics is not None and was_over is not None:
            self._statistics.count(was_over, rewards, dones, infos)
        self._show()
        return self._observations(), rewards, dones, np.zeros(self.num_envs, np.bool_), infos

    def render(self) -> tuple[Any, ...] | None:
        """What the seat played sees in every row: text with `"ansi"`, (height, width, 3) uint8 with `"rgb_array"`.

        None with `"human"`: a window has shown all rows, side by side, already.

        Raises:
            ResetNeeded: no games are under way.
            ImportError: a package of the extra `render` is missing.
        """
        if self.render_mode is None:
            warn_of_no_render_mode(self)
            return None
        if not self._begun:
            raise ResetNeeded("no games are under way: call reset() before render()")
        if self._display is not None:
            return self._display.frames(self._states()) if self.render_mode == "rgb_array" else None
        seats = self._batch.row_info["seat"].tolist()
        return tuple(self.game.render(state, seat) for state, seat in zip(self._states(), seats, strict=True))

    def close_extras(self, **kwargs: Any) -> None:
        """Let the threads and the window go. `reset` and `step` then raise ClosedEnvironmentError."""
        self._begun = False
        self._batch.close()
        if self._display is not None:
            self._display.close()

    def _states(self) -> list[State]:
        return [self.state(row) for row in range(self.num_envs)]

    def _show(self) -> None:
        if self._display is not None:
            self._display.show(self._states())

    def _note_actions(self) -> None:
        """Note the moves that the actions taken make."""
        if self._display is not None:
            masks, movers = self._batch.masks, self._batch.row_info["mover"]
            for row, action in enumerate(self._batch.actions.tolist()):
                if movers[row] != NOBODY and 0 <= action < self.game.num_actions and masks[row, action]:
                    self._display.note(row, self.state(row), action)

    def _note_begun(self, rows: np.ndarray | None = None) -> None:
        """Empty the lists of moves of `rows`, or of those that were dealt in this step."""
        if self._display is not None:
            info = self._batch.row_info
            for row in (np.flatnonzero(info["begun"]) if rows is None else rows).tolist():
                self._display.begin(row, int(info["seat"][row]))

    def _deal(self, seeds: np.ndarray, rows: np.ndarray | None) -> None:
        self._batch.deal(seeds, rows, stepping.PAY | stepping.SHOW)
        self._note_begun(rows)

    def _play(self) -> int:
        """Carry out the actions taken; returns how many games ended or had an illegal action."""
        events = self._batch.run(stepping.MOVE | stepping.PAY | stepping.SHOW)
        self._note_begun()
        return events

    def _results(self, ended: np.ndarray) -> dict[str, np.ndarray]:
        """Results of the games that ended, (N, ...), 0 in other rows."""
        row_info = self._batch.row_info
        rows = np.arange(self.num_envs)
        seats = row_info["final_seat"]
        return {
            "score": np.where(ended, row_info["scores"][rows, seats], 0).astype(np.int64),
            "won": ended & (row_info["won"][rows, seats] != 0),
        }

    def _take_turns(self, *, keep: bool = False) -> None:
        """Without copies, the arrays of this step are not those of the last one: two of each take turns."""
        if self._copy:
            return
        buffers = self._batch.buffers
        if self._spare is None:
            self._spare = np.zeros_like(buffers.observations), np.zeros_like(buffers.action_masks)
        observations, masks = self._spare
        if keep:
            np.copyto(observations, buffers.observations)
            np.copyto(masks, buffers.action_masks)
        self._spare = buffers.observations, buffers.action_masks
        self._batch.write_into(observations=observations, action_masks=masks)

    def _observations(self) -> Observation:
        flat = self._batch.buffers.observations
        flat = flat.copy() if self._copy else flat
        return self.game.observation_layout.views(flat) if self._named else flat

    def _masks(self) -> dict[str, Any]:
        masks = self._batch.buffers.action_masks
        return {"action_mask": masks.copy() if self._copy else masks, "_action_mask": self._everyone.copy()}

    def _add_events(self, dones: np.ndarray, infos: dict[str, Any]) -> None:
        """Add what happened at the end of games and to illegal actions, as `SyncVectorEnv` does."""
        illegal = self._batch.row_info["illegal"].astype(np.bool_)
        ended = dones & ~illegal
        events = {name: (values, ended) for name, values in self._results(ended).items()} if ended.any() else {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP and dones.any():
            final = dict(events)
            stopped = dones & illegal
            if stopped.any():
                final["illegal_action"] = (stopped, stopped)
            masks = np.zeros_like(self._batch.masks)
            masks[dones] = 1
            final["action_mask"] = (masks, dones)
            infos["final_info"], infos["_final_info"] = _with_flags(final), dones.copy()
            infos["final_obs"], infos["_final_obs"] = self._final_observations(dones), dones.copy()
            illegal &= ~dones
            events = {}
        if illegal.any():
            events["illegal_action"] = (illegal, illegal)
        infos.update(_with_flags(events))

    def _final_observations(self, dones: np.ndarray) -> np.ndarray:
        """(N,) of objects: what the seat saw at the end of its game, None in rows that go on."""
        final = np.full(self.num_envs, None, object)
        for row in np.flatnonzero(dones).tolist():
            flat = self._batch.final_observations[row].copy()
            final[row] = self.game.observation_layout.views(flat) if self._named else flat
        return final


def _with_flags(events: Mapping[str, tuple[np.ndarray, np.ndarray]]) -> dict[str, np.ndarray]:
    """Each value and, under its name with an underscore, which rows have it."""
    infos: dict[str, np.ndarray] = {}
    for name, (values, rows) in events.items():
        infos[name], infos[f"_{name}"] = values, rows.copy()
    return infos


class _Episodes:
    """Return, length and duration of the games under way."""

    def __init__(self, num_envs: int) -> None:
        self.returns = np.zeros(num_envs)
        self.lengths = np.zeros(num_envs, np.int64)
        self.starts = np.zeros(num_envs)

    def begin(self, rows: np.ndarray) -> None:
        self.returns[rows] = 0
        self.lengths[rows] = 0
        self.starts[rows] = perf_counter()

    def count(self, was_over: np.ndarray, rewards: np.ndarray, dones: np.ndarray, infos: dict[str, Any]) -> None:
        """Count a step; a row that was over has only been dealt in it."""
        if was_over.any():
            self.begin(was_over)
        self.returns += rewards
        self.lengths += ~was_over
        if dones.any():
            infos["episode"] = {
                "r": np.where(dones, self.returns, 0),
                "l": np.where(dones, self.lengths, 0),
                "t": np.where(dones, np.round(perf_counter() - self.starts, 6), 0),
            }
            infos["_episode"] = dones.copy()
            self.begin(dones)


class SoloVectorEnv(OneSeatVectorEnv):
    """N one-player games.

    Args:
        name: of a game, or a loaded game of one player; a name is loaded with `num_players=1` and `options`.
        num_envs: N.
        reward: as in `SoloEnv`, but not a function: it is compiled code that pays.
        illegal_action: as in `SoloEnv`.
        illegal_penalty: as in `SoloEnv`.
        observation: as in `SoloEnv`, or `"raw"`, (N, R) uint8.
        render_mode: as in `SoloEnv`.
        render_size: (width, height) in pixels of every row's frame, and of the window, which has all rows.
        options: those of the game.
        autoreset_mode: Gymnasium's NEXT_STEP (the default), SAME_STEP or DISABLED (`reset(options={"reset_mask": …})`).
        episode_statistics: add `infos["episode"]` when games end, as Gymnasium's RecordEpisodeStatistics does. It takes
            environments without them.
        copy: False: observations and masks are two buffers that take turns, valid until the step after the next.
        num_threads: games are divided among so many threads; any number gives the same games.

    Raises:
        ValueError: a bad option, or a game of more than one player.
    """

    def __init__(
        self,
        name: Game | str,
        num_envs: int = 1,
        *,
        reward: str = "win",
        illegal_action: str = "penalty",
        illegal_penalty: float = -0.01,
        observation: ObservationForm = "flat",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        episode_statistics: bool = False,
        copy: bool = True,
        num_threads: int = 1,
        render_mode: str | None = None,
        render_size: RenderSize = DEFAULT_SIZE,
        **options: Any,
    ) -> None:
        game = solo_game_of(name, options, type(self))
        super().__init__(
            game,
            num_envs,
            seat=0,
            reward=reward,
            illegal_action=illegal_action,
            illegal_penalty=illegal_penalty,
            observation=observation,
            autoreset_mode=autoreset_mode,
            episode_statistics=episode_statistics,
            copy=copy,
            num_threads=num_threads,
            render_mode=render_mode,
            render_size=render_size,
        )


class BatchOpponent(Protocol):
    """Plays one seat of many games at a time.

    It may have two more methods. `begin(rows, seeds)` is called when games begin: (K,) row numbers and (K,) seeds.
    `act(observations, masks, rows)` is called in place of the opponent itself, with the row number of every game.
    """

    def __call__(self, observations: Tensors, masks: np.ndarray, /) -> np.ndarray:
        """(K,) legal actions. `observations`: named tensors (K, ...), as an array (K, O) float32. `masks`: (K, A)."""


class PerGame:
    """A batch opponent made of agents that play one game at a time, one for every row.

    Args:
        make: called without arguments for every row; it returns what `VersusEnv` takes as an opponent, an agent that
            searches too.
    """

    def __init__(self, make: Callable[[], AnyAgent]) -> None:
        self._make = make
        self._agents: dict[int, Any] = {}
        self.searches = False  # whether any of the agents does, and so needs positions

    def agent(self, row: int) -> AnyAgent:
        """The agent of a row, made when it is first asked for."""
        if row not in self._agents:
            self._agents[row] = self._make()
            self.searches |= searches(self._agents[row])
        agent: AnyAgent = self._agents[row]
        return agent

    def begin(self, games: np.ndarray, seeds: np.ndarray) -> None:
        """Reset the agents of `games`, (K,) row numbers, with `seeds`, (K,)."""
        for row, seed in zip(games.tolist(), seeds.tolist(), strict=True):
            reset_agent(self.agent(row), seed)

    def act(self, observations: Tensors, masks: np.ndarray, games: np.ndarray) -> np.ndarray:
        """(K,) what the agents of these rows answer."""
        return np.array([self._agents[row](observations.row(k), masks[k]) for k, row in enumerate(games.tolist())])

    def search(self, game: Game, states: State, games: np.ndarray) -> np.ndarray:
        """The same where agents search; `states` are the positions of all rows."""
        return np.array([ask(game, self._agents[row], states[row : row + 1]) for row in games.tolist()])

    def __call__(self, observations: Tensors, masks: np.ndarray) -> np.ndarray:
        raise TypeError("PerGame needs to know the rows: call act()")

    def __repr__(self) -> str:
        return f"PerGame({self._make!r})"


class _ShownRivals:
    """The random opponents of compiled code, move by move: they draw from the same generators, and can be watched."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch

    def act(self, observations: Tensors, masks: np.ndarray, rows: np.ndarray) -> np.ndarray:
        info, players = self._batch.row_info[rows], self._batch.game.num_players
        numbers = (info["mover"].astype(np.int64) - info["seat"]) % players - 1
        generators = self._batch.row_info["rivals"]
        return np.array(
            [
                choose_legal(generators[row, number], mask)
                for row, number, mask in zip(rows, numbers, masks, strict=True)
            ]
        )

    def __call__(self, observations: Tensors, masks: np.ndarray) -> np.ndarray:
        raise TypeError("these opponents need to know the rows: call act()")

    def __repr__(self) -> str:
        return "random opponents"


class VersusVectorEnv(OneSeatVectorEnv):
    """One seat of N games against opponents, who move inside `step`.

    Args:
        name: of a game, or a loaded game of two or more; a name is loaded with `options`, for two unless they say more.
        num_envs: N.
        opponents: P - 1 `BatchOpponent`s for the seats clockwise from this one, or one for all. They are called with
            all games at once in which they are to move. None: random ones, played by the compiled code. Agents that
            play one game at a time are given by name, as to `VersusEnv`, or wrapped: `PerGame(make_agent)`. Both make
            one for every row.
        reward: as in `VersusEnv`, but not a function: it is compiled code that pays.
        seat: as in `VersusEnv`.
        illegal_action: as in `VersusEnv`.
        illegal_penalty: as in `VersusEnv`.
        observation: as in `VersusEnv`, or `"raw"`, (N, R) uint8.
        render_mode: as in `VersusEnv`.
        autoreset_mode: as in `SoloVectorEnv`.
        episode_statistics: as in `SoloVectorEnv`.
        copy: as in `SoloVectorEnv`.
        num_threads: as in `SoloVectorEnv`.
        render_size: as in `SoloVectorEnv`.
        options: those of the game.

    At the end of a game `info` has `score`, `won`, `rank`, `seat` (N,) and `scores` (N, P).

    Raises:
        ValueError: a bad option, a game of one player, a wrong number of opponents, an unknown name of one.
        TypeError: an opponent that is none, or whose agents were made for another game or number of players.
    """

    def __init__(
        self,
        name: Game | str,
        num_envs: int = 1,
        *,
        opponents: BatchOpponent | str | Iterable[BatchOpponent | str] | None = None,
        seat: int | None = None,
        reward: str = "win",
        illegal_action: str = "penalty",
        illegal_penalty: float = -0.01,
        observation: ObservationForm = "flat",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        episode_statistics: bool = False,
        copy: bool = True,
        num_threads: int = 1,
        render_mode: str | None = None,
        render_size: RenderSize = DEFAULT_SIZE,
        **options: Any,
    ) -> None:
        game = versus_game_of(name, options, type(self))
        seat = seat_of(game, seat)
        super().__init__(
            game,
            num_envs,
            seat=stepping.DRAWN if seat is None else seat,
            reward=reward,
            illegal_action=illegal_action,
            illegal_penalty=illegal_penalty,
            observation=observation,
            autoreset_mode=autoreset_mode,
            episode_statistics=episode_statistics,
            copy=copy,
            num_threads=num_threads,
            render_mode=render_mode,
            render_size=render_size,
        )
        self.set_opponents(opponents)
        self.opponents = self._next_opponents

    def set_opponents(self, opponents: BatchOpponent | str | Iterable[BatchOpponent | str] | None) -> None:
        """Who plays from the next reset of all games on: as in the constructor."""
        if opponents is None and self._display is not None:
            opponents = _ShownRivals(self._batch)
        self._next_opponents = None if opponents is None else rivals_of(self.game, opponents, _refusal, PerGame)

    @property
    def seats(self) -> np.ndarray:
        """(N,) int64: the seat played in every row."""
        return self._batch.row_info["seat"].astype(np.int64)

    def _deal(self, seeds: np.ndarray, rows: np.ndarray | None) -> None:
        if rows is None:
            self.opponents = self._next_opponents
        if self.opponents is None:
            self._batch.deal(seeds, rows, stepping.RIVALS | stepping.PAY | stepping.SHOW)
            return
        self._batch.deal(seeds, rows, 0)
        self._play_opponents(begun=True, rows=rows)
        self._batch.run(stepping.PAY | stepping.SHOW, rows)

    def _play(self) -> int:
        batch = self._batch
        if self.opponents is None:
            return batch.run(stepping.MOVE | stepping.RIVALS | stepping.PAY | stepping.SHOW)
        batch.run(stepping.MOVE)
        self._play_opponents(begun=self.autoreset_mode == AutoresetMode.NEXT_STEP)
        events = batch.run(stepping.PAY)
        if events and self.autoreset_mode == AutoresetMode.SAME_STEP:
            self._play_opponents(begun=True)
        batch.run(stepping.SHOW)
        return events

    def _play_opponents(self, *, begun: bool, rows: np.ndarray | None = None) -> None:
        """Let opponents move until it is the own seat's turn everywhere; first call `begin` for games that have begun.

        `rows`: the rows that were dealt, where not all were.
        """
        batch, players = self._batch, self.game.num_players
        by_opponent = self._by_opponent()
        if begun:
            self._note_begun(rows)
            self._begin_opponents(rows, by_opponent)
        while True:
            movers, seats = batch.row_info["mover"], batch.row_info["seat"]
            waiting = np.flatnonzero((movers != seats) & (movers != NOBODY)).astype(np.int32)
            if not len(waiting):
                return
            numbers = (movers[waiting].astype(np.int64) - seats[waiting]) % players - 1
            for opponent, plays in by_opponent:
                asked = waiting[np.isin(numbers, plays)]
                if len(asked):
                    batch.reply(asked, self._ask(opponent, asked))
            self._note_replies(waiting)
            batch.run(stepping.REPLY, waiting)

    def _note_replies(self, rows: np.ndarray) -> None:
        if self._display is not None:
            for row in rows.tolist():
                self._display.note(row, self.state(row), int(self._batch.actions[row]))

    def _by_opponent(self) -> list[tuple[BatchOpponent, list[int]]]:
        """Every opponent once, with the numbers of the seats that it plays."""
        assert self.opponents is not None
        plays: dict[int, tuple[BatchOpponent, list[int]]] = {}
        for number, opponent in enumerate(self.opponents):
            plays.setdefault(id(opponent), (opponent, []))[1].append(number)
        return list(plays.values())

    def _begin_opponents(self, rows: np.ndarray | None, by_opponent: list[tuple[BatchOpponent, list[int]]]) -> None:
        games = np.flatnonzero(self._batch.row_info["begun"]) if rows is None else rows
        if not len(games):
            return
        game, batch = self.game, self._batch
        for opponent, plays in by_opponent:
            begin = getattr(opponent, "begin", None)
            if begin is not None:
                seats = ((batch.row_info["seat"][games] + 1 + plays[0]) % game.num_players).tolist()
                rows_and_seats = zip(games.tolist(), seats, strict=True)
                begin(games, np.array([agent_seed(game, batch.state(row), seat) for row, seat in rows_and_seats]))

    def _ask(self, opponent: BatchOpponent, rows: np.ndarray) -> np.ndarray:
        """The opponent's actions in `rows`, checked: nothing has moved where they are refused."""
        batch = self._batch
        actions = np.asarray(self._answer(opponent, rows))
        if actions.dtype.kind not in "iu" or actions.shape != rows.shape:
            raise TypeError(
                f"opponent {opponent!r}: expected {len(rows)} integers, got {actions.dtype} of shape {actions.shape}"
            )
        known = (actions >= 0) & (actions < self.game.num_actions)
        legal = known & (batch.masks[rows, np.where(known, actions, 0)] != 0)
        if not legal.all():
            k = int(np.flatnonzero(~legal)[0])
            raise IllegalActionError(
                f"opponent {opponent!r} chose action {actions[k]} in game {rows[k]}, which its mask forbids"
            )
        return actions

    def _answer(self, opponent: BatchOpponent, rows: np.ndarray) -> Any:
        """What the opponent answers in `rows`. PerGame alone is trusted with the positions themselves."""
        batch = self._batch
        if isinstance(opponent, PerGame) and opponent.searches:
            return opponent.search(self.game, batch.states, rows)
        seen, masks = self.game.observation_layout.tensors(batch.observe_movers(rows)), batch.masks[rows]
        act = getattr(opponent, "act", None)
        return opponent(seen, masks) if act is None else act(seen, masks, rows)

    def _results(self, ended: np.ndarray) -> dict[str, np.ndarray]:
        row_info, players = self._batch.row_info, self.game.num_players
        seats = row_info["final_seat"].astype(np.int64)
        return {
            **super()._results(ended),
            "rank": np.where(ended, row_info["ranking"][np.arange(self.num_envs), seats], 0).astype(np.int64),
            "seat": np.where(ended, seats, 0),
            "scores": np.where(ended[:, None], row_info["scores"][:, :players], 0).astype(np.int64),
        }


def _refusal(opponent: Any, game: Game) -> str | None:
    """Why this is no opponent of many games; None if it is one."""
    if isinstance(opponent, PerGame):
        return refusal(opponent.agent(0), game)
    if searches(opponent) or hasattr(opponent, "made_for"):
        return "expected a batch opponent; this agent plays one game at a time: give its name, or PerGame(make_agent)"
    if callable(opponent) and not isclass(opponent):
        return None
    return "expected a callable (observations, masks) -> actions of many games, or PerGame(make_agent)"
