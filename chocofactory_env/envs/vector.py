"""One seat of N games as a Gymnasium vector environment, stepped in one compiled call.

N = games, P = players, A = actions, O = size of an observation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from inspect import isclass
from typing import Any, Protocol

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ..core.agents.agent import (
    REDEAL_SEED,
    AnyAgent,
    agent_seed,
    ask,
    reads_cards,
    refusal,
    reset_agent,
    searches,
    staying,
)
from ..core.checks import as_flag, as_integer, check_choice
from ..core.game import Game, IllegalActionError
from ..core.kernel import stepping
from ..core.kernel.batch import Batch, seeds_of
from ..core.kernel.rules import NOBODY
from ..core.kernel.variants import GameSet
from ..core.observation.layout import Tensors
from .common import (
    ILLEGAL_PENALTY,
    ILLEGAL_REWARD,
    ManyGames,
    SharesGame,
    check_open,
    observation_space,
    seat_of,
    warn_of_no_render_mode,
)
from .loading import Games, check_reset_options, games_of, with_players
from .opponents import RANDOM, Compiled, MakeByName, compiled, rivals_of
from .pictures import RENDER_FPS, frame_of
from .selfplay import chosen_rows

RENDER_MODES = ("ansi", "rgb_array")
_AFTER_THE_END = {
    AutoresetMode.NEXT_STEP: stepping.NEXT_STEP,
    AutoresetMode.SAME_STEP: stepping.SAME_STEP,
    AutoresetMode.DISABLED: stepping.WAIT,
}


def make_solo(games: Games, num_envs: int = 1, **options: Any) -> SeatVectorEnv:
    """`SeatVectorEnv` of one player, if games are given by name."""
    return SeatVectorEnv(games, num_envs, **with_players(games, options, 1))


def make_versus(games: Games, num_envs: int = 1, **options: Any) -> SeatVectorEnv:
    """`SeatVectorEnv` of two players, if games are given by name and `num_players` is not."""
    return SeatVectorEnv(games, num_envs, **with_players(games, options, 2))


class SeatVectorEnv(ManyGames, SharesGame, VectorEnv[Any, Any, Any]):
    """One seat of N games. Opponents move inside `step`.

    Row i plays what `SeatEnv` plays after `reset(seed=seed + i)` and the same actions, autoresets included. `infos`
    equal those of `SyncVectorEnv` over single environments: `action_mask` (N, A) int8 (`action_masks()` returns it as
    bool), `illegal_action`, `score`, `won`, and with several players `rank`, `seat` (N,), and `scores` (N, P); with
    SAME_STEP also `final_obs` and `final_info`.

    Args:
        games: as in `SeatEnv`. `game_of(row)` is the game in play in a row, `game` the first of the list.
        num_envs: N.
        opponents: P - 1 `BatchOpponent`s for the seats clockwise from this one, or one for all of them. An opponent is
            called once for all games in which it is to move. For agents that play one game at a time give a name, as
            for `SeatEnv`, or `PerGame(make_agent)`; both make one agent per row, which plays on `num_threads` threads.
            Compiled code plays `"random"` (None is the same) and the game's `scripted_agent`, at its own speed.
        seat: as in `SeatEnv`.
        reward: as in `SeatEnv`, but not a function, because compiled code pays.
        illegal_action: as in `SeatEnv`.
        autoreset_mode: Gymnasium's NEXT_STEP (the default), SAME_STEP or DISABLED (`reset(options={"reset_mask": …})`).
        max_episode_steps: truncate a game after so many steps, as `gymnasium.make` does; None or -1: never.
        copy: False: observations and masks alternate between two buffers, so they stay valid for one further step.
        num_threads: number of threads that share the games; it does not change the games.
        render_mode: None, `"ansi"`, or `"rgb_array"`: `render` shows every row as its learner sees it.
        options: as in `SeatEnv`.

    Raises:
        ValueError: an invalid option, the wrong number of opponents, or an unknown name.
        TypeError: an opponent is not a batch opponent, or its agents were made for another game or number of players.
    """

    def __init__(
        self,
        games: Games,
        num_envs: int = 1,
        *,
        opponents: BatchOpponent | str | Iterable[BatchOpponent | str] | None = None,
        seat: int | None = None,
        reward: str = "win",
        illegal_action: str = "penalty",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        copy: bool = True,
        num_threads: int = 1,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        check_choice("illegal_action", illegal_action, ("penalty", "raise", "terminate"))
        check_choice("render_mode", render_mode, (None, *RENDER_MODES))
        check_choice(
            "autoreset_mode", getattr(autoreset_mode, "value", autoreset_mode), tuple(m.value for m in AutoresetMode)
        )
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.games = games_of(games, options, type(self))
        self.game = self.games.first
        self._several = self.games.most_players > 1
        fixed = seat_of(self.games, seat)
        terminate = illegal_action == "terminate"
        self._batch = Batch(
            self.games,
            num_envs,
            seat=stepping.DRAWN if fixed is None else fixed,
            reward=reward,
            autoreset=_AFTER_THE_END[self.autoreset_mode],
            illegal=stepping.TERMINATE if terminate else stepping.PENALTY,
            illegal_reward=ILLEGAL_REWARD if terminate else ILLEGAL_PENALTY,
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
        self.single_observation_space = observation_space(self.observation_layout)
        self.single_action_space = spaces.Discrete(self.game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num)
        self.action_space = batch_space(self.single_action_space, num)
        self._refuses = illegal_action == "raise"
        self._copy = as_flag("copy", copy)
        self._spare: tuple[np.ndarray, np.ndarray] | None = None
        self._limit = _limit(max_episode_steps)
        self._lengths = np.zeros(num, np.int64)  # of the games under way, if there is a limit
        self._everyone = np.ones(num, np.bool_)
        self._blank = {"illegal_action": ~self._everyone, "score": np.zeros(num, np.int64), "won": ~self._everyone}
        if self._several:
            self._blank["rank"] = np.full(num, -1, np.int64)
            self._blank["scores"] = np.zeros((num, self.games.most_players), np.int64)
        self._labels = {  # of the games under way
            name: _only(column.repeat(num), ~self._everyone) for name, column in self.games.columns([0]).items()
        }
        self._begun = False
        self.set_opponents(opponents)
        self.opponents = self._next_opponents

    def set_opponents(self, opponents: BatchOpponent | str | Iterable[BatchOpponent | str] | None) -> None:
        """Replace the opponents from the next full reset on; arguments as in the constructor."""
        if opponents is None:
            self._next_opponents: list[Any] = [RANDOM] * (self.games.most_players - 1)
        else:
            self._next_opponents = rivals_of(self.games, opponents, _refusal, _by_name)

    def action_masks(self) -> np.ndarray:
        """(N, A) bool: the actions that are legal now; all True in finished games."""
        return self._batch.buffers.action_masks.astype(np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin games: row i from `seed` + i, from the i-th seed of a sequence, or from its last game's generator.

        Args:
            options: `reset_mask`, (N,) bool, selects the rows to reset; the others continue. Other keys choose, for
                these rows, among the games of the list: one value of an option as `{"decks": "generated:7"}`,
                several in a list, or None for all again. Later games keep the choice.

        Raises:
            TypeError, ValueError: the seeds or the mask do not fit, an unknown key, or a value that was not
                declared; nothing has changed.
            ResetNeeded: `reset_mask` was given before the first full reset.
            ClosedEnvironmentError: after `close()`.
        """
        check_open(self.closed, "reset()")
        places = check_reset_options(options, ("reset_mask",), self.games, type(self))
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
        self._batch.choose(rows, places)
        self._deal(seeds, rows)
        self._begun = True
        self._lengths[self._everyone if mask is None else mask] = 0
        return self._observations(), self._infos({}, self._everyone if mask is None else mask)

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play one action in every game, then the other seats up to the next decision or the end of the game.

        Returns:
            observations, rewards (N,) float32, terminations (N,) bool, truncations (N,) bool (all False without
            `max_episode_steps`), infos.

        Raises:
            IllegalActionError: an action outside the space, or with `illegal_action="raise"` any illegal one. It names
                the first game; no game has changed.
            TypeError, ValueError: the actions are not N integers.
            ResetNeeded: no game is under way, or with autoreset DISABLED a finished game was not reset.
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
        self._take_turns()
        was_over = batch.row_info["over"] != 0
        self._begun = False  # if an opponent fails, the games cannot continue
        events = self._play()
        rewards, terminations = batch.buffers.rewards[:, 0].copy(), batch.buffers.dones.copy()
        truncations = self._truncations(was_over, terminations)
        cut = np.flatnonzero(truncations & ~terminations)
        more: dict[str, Any] = {}
        told = self._told(terminations) if events or len(cut) else {}
        if told and self.autoreset_mode == AutoresetMode.SAME_STEP:
            ended = terminations | truncations
            more = self._finals(told, terminations, ended) if ended.any() else {}
            told = {"illegal_action": told["illegal_action"] & ~ended}
        if len(cut):
            self._cut(cut)
        self._begun = True
        return self._observations(), rewards, terminations, truncations, {**self._infos(told), **more}

    def render(self) -> tuple[Any, ...] | None:
        """Show the learner's view of every row: text for `"ansi"`, (height, width, 3) uint8 for `"rgb_array"`.

        Raises:
            ResetNeeded: no games are under way.
            ImportError: a package of the extra `render` is missing.
        """
        if self.render_mode is None:
            warn_of_no_render_mode(self, RENDER_MODES)
            return None
        if not self._begun:
            raise ResetNeeded("no games are under way: call reset() before render()")
        rows = [(self.game_of(row), self.state(row), seat) for row, seat in enumerate(self.seats.tolist())]
        if self.render_mode == "rgb_array":
            return tuple(frame_of(*row) for row in rows)
        return tuple(game.render(state, seat) for game, state, seat in rows)

    def close_extras(self, **kwargs: Any) -> None:
        """Release the threads. `reset` and `step` then raise ClosedEnvironmentError."""
        self._begun = False
        self._batch.close()

    def _truncations(self, was_over: np.ndarray, terminations: np.ndarray) -> np.ndarray:
        """(N,): the games that reach the limit of steps. A step in which a row only dealt a game does not count."""
        if not self._limit:
            return ~self._everyone
        self._lengths[was_over] = 0
        self._lengths += ~was_over
        truncations: np.ndarray = self._lengths >= self._limit
        self._lengths[terminations | truncations] = 0
        return truncations

    def _cut(self, rows: np.ndarray) -> None:
        """Leave the games of `rows`, (K,), before their end: deal others, or let the next step or reset do it."""
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            self._deal(seeds_of(None, self.num_envs), rows.astype(np.int32))
        else:
            self._batch.row_info["over"][rows] = self._batch.buffers.dones[rows] = True

    # Infos have the keys and values of single environments (`SeatEnv.present_info`).

    def _unfinished(self) -> dict[str, np.ndarray]:
        """What infos hold of games under way, (N, ...), without masks and labels."""
        told = {name: each.copy() for name, each in self._blank.items()}
        if self._several:
            told["seat"] = self.seats
        return told

    def _results(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """What replaces those values in `rows`, (K,) indices of games that the rules ended: (K, ...)."""
        row_info = self._batch.row_info
        seats, scores = row_info["final_seat"][rows], row_info["scores"][rows]
        results = {"score": row_info["scores"][rows, seats], "won": row_info["won"][rows, seats]}
        if self._several:
            results |= {"rank": row_info["ranking"][rows, seats], "scores": scores[:, : self.games.most_players]}
        return results

    def _told(self, terminations: np.ndarray) -> dict[str, np.ndarray]:
        """The same (N, ...) after a step in which games ended, or had illegal actions."""
        told, illegal = self._unfinished(), self._batch.row_info["illegal"] != 0
        told["illegal_action"] = illegal
        rows = np.flatnonzero(terminations & ~illegal)
        for name, each in self._results(rows).items():
            told[name][rows] = each
        if self._several:
            told["seat"][terminations] = self._batch.row_info["final_seat"][terminations]
        return told

    def _infos(self, told: Mapping[str, np.ndarray], rows: np.ndarray | None = None) -> dict[str, Any]:
        """Infos with the values `told`. With `rows`, (N,) bool, after a reset, only of these, except for the masks."""
        masks, values, everyone = self._batch.buffers.action_masks, self._unfinished(), self._everyone.copy()
        if told:
            values.update(told)
        if self._labels:
            values.update(self._present_labels())
        if rows is not None:
            values = {name: _only(each, rows) for name, each in values.items()}
        infos = {"action_mask": masks.copy() if self._copy else masks, "_action_mask": everyone}
        return _with_flags(infos, values, everyone if rows is None else rows.copy())

    def _present_labels(self) -> dict[str, np.ndarray]:
        """The values of options, (N,) by name, in the games under way."""
        info = self._batch.row_info
        begun = np.flatnonzero(info["begun"])
        for name, each in self.games.columns(info["variant"][begun].tolist()).items():
            self._labels[name][begun] = each
        return {name: each.copy() for name, each in self._labels.items()}

    def _finals(self, told: Mapping[str, np.ndarray], terminations: np.ndarray, ended: np.ndarray) -> dict[str, Any]:
        """`final_info` and `final_obs` of the rows `ended`, whose labels have not been replaced yet."""
        batch = self._batch
        masks = np.where(terminations[:, None], np.int8(1), batch.buffers.action_masks)
        final = {"action_mask": masks, **told, **self._labels}
        seen = np.full(self.num_envs, None, object)
        for row in np.flatnonzero(ended).tolist():
            written = batch.final_observations if terminations[row] else batch.buffers.observations
            seen[row] = written[row].copy()
        final = _with_flags({}, {name: _only(each, ended) for name, each in final.items()}, ended)
        return _with_flags({}, {"final_info": final, "final_obs": seen}, ended)

    def _take_turns(self, *, keep: bool = False) -> None:
        """With `copy=False`, switch to the other of two buffers, so that the last step's arrays stay valid."""
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

    def _observations(self) -> np.ndarray:
        flat = self._batch.buffers.observations
        return flat.copy() if self._copy else flat

    @property
    def seats(self) -> np.ndarray:
        """(N,) int64: the learner's seat in every row."""
        return self._batch.row_info["seat"].astype(np.int64)

    def _deal(self, seeds: np.ndarray, rows: np.ndarray | None) -> None:
        """Deal games in `rows` (None: all), and play up to the learner's first decisions."""
        if rows is None:
            self.opponents = self._next_opponents
            self._batch.set_rivals(
                [each.kind if isinstance(each, Compiled) else stepping.ASKED for each in self.opponents]
            )
        if not self._asks:
            self._batch.deal(seeds, rows, stepping.RIVALS | stepping.PAY | stepping.SHOW)
            return
        self._batch.deal(seeds, rows, 0)
        self._play_opponents(begun=True, rows=rows)
        self._batch.run(stepping.PAY | stepping.SHOW, rows)

    def _play(self) -> int:
        """Carry out the actions. Returns how many games ended or had an illegal action."""
        batch = self._batch
        if not self._asks:
            return batch.run(stepping.MOVE | stepping.RIVALS | stepping.PAY | stepping.SHOW)
        batch.run(stepping.MOVE)
        self._play_opponents(begun=self.autoreset_mode == AutoresetMode.NEXT_STEP)
        events = batch.run(stepping.PAY)
        if events and self.autoreset_mode == AutoresetMode.SAME_STEP:
            self._play_opponents(begun=True)
        batch.run(stepping.SHOW)
        return events

    @property
    def _asks(self) -> bool:
        """Whether an opponent is asked by Python."""
        return not all(isinstance(opponent, Compiled) for opponent in self.opponents)

    def _play_opponents(self, *, begun: bool, rows: np.ndarray | None = None) -> None:
        """Let opponents move until the learner is to move in every row. Calls `begin` for new games first.

        `rows`: the rows that were dealt, unless all were.
        """
        batch = self._batch
        by_opponent = self._by_opponent()
        if begun:
            self._begin_opponents(rows, by_opponent)
        batch.run(stepping.RIVALS)
        while True:
            movers, seats = batch.row_info["mover"], batch.row_info["seat"]
            waiting = np.flatnonzero((movers != seats) & (movers != NOBODY)).astype(np.int32)
            if not len(waiting):
                return
            for opponent, plays in by_opponent:
                asked = waiting if len(by_opponent) == 1 else self._rows_of(plays, waiting)
                if len(asked):
                    batch.reply(asked, self._ask(opponent, asked))
            batch.run(stepping.REPLY | stepping.RIVALS, waiting)

    def _rows_of(self, plays: list[int], rows: np.ndarray) -> np.ndarray:
        """Those rows in which one of these opponents is to move."""
        info, players = self._batch.row_info[rows], self._batch.states["num_players"][rows]
        numbers = (info["mover"].astype(np.int64) - info["seat"]) % players - 1
        return rows[np.isin(numbers, plays)]

    def _by_opponent(self) -> list[tuple[BatchOpponent, list[int]]]:
        """Each distinct opponent that is asked, with the seats that it plays."""
        plays: dict[int, tuple[BatchOpponent, list[int]]] = {}
        asked = [each for each in enumerate(self.opponents) if not isinstance(each[1], Compiled)]
        for number, opponent in asked:
            plays.setdefault(id(opponent), (opponent, []))[1].append(number)
        return list(plays.values())

    def _begin_opponents(self, rows: np.ndarray | None, by_opponent: list[tuple[BatchOpponent, list[int]]]) -> None:
        games = np.flatnonzero(self._batch.row_info["begun"]) if rows is None else rows
        if not len(games):
            return
        batch = self._batch
        for opponent, plays in by_opponent:
            rows = games[batch.states["num_players"][games] > plays[0] + 1]  # in which it has a place
            if isinstance(opponent, PerGame) and len(self.games) > 1:
                for row in rows.tolist():
                    opponent.remake(row, self.game_of(row), self.games)
            begin = getattr(opponent, "begin", None)
            if begin is not None and len(rows):
                players = batch.states["num_players"][rows]
                seats = ((batch.row_info["seat"][rows] + 1 + plays[0]) % players).tolist()
                rows_and_seats = zip(rows.tolist(), seats, strict=True)
                seeds = [agent_seed(self.game_of(row), batch.state(row), seat) for row, seat in rows_and_seats]
                with staying(opponent):
                    begin(rows, np.array(seeds))

    def _ask(self, opponent: BatchOpponent, rows: np.ndarray) -> np.ndarray:
        """The opponent's checked actions in `rows`. If one is illegal, nothing has moved."""
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
        """The opponent's actions in `rows`. Only PerGame is given the positions themselves."""
        batch = self._batch
        if isinstance(opponent, PerGame) and (opponent.searches or self.games.varies):
            return opponent.search(batch, rows)
        seen, masks = self.games.observation_layout.tensors(batch.observe_movers(rows)), batch.masks[rows]
        act = getattr(opponent, "act", None)
        with staying(opponent):
            return opponent(seen, masks) if act is None else act(seen, masks, rows)


def _limit(steps: Any) -> int:
    """`max_episode_steps` as an int; 0 for none, which `gymnasium.make` takes as None or -1."""
    return 0 if steps is None or steps == -1 else as_integer("max_episode_steps", steps, 1)


def _only(values: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """(N, ...): the values in `rows`, (N,) bool, and 0 or None in others, as `SyncVectorEnv` has them."""
    only = np.full_like(values, None if values.dtype == object else 0)
    only[rows] = values[rows]
    return only


def _with_flags(infos: dict[str, Any], values: Mapping[str, Any], rows: np.ndarray) -> dict[str, Any]:
    """Add each value `name`, and `_name`: flags, (N,) bool, of the rows that have it. All names share them."""
    for name, value in values.items():
        infos[name], infos[f"_{name}"] = value, rows
    return infos


class BatchOpponent(Protocol):
    """Plays one seat of many games at a time.

    It may define two more methods. `begin(rows, seeds)` is called when games begin, with (K,) row numbers and (K,)
    seeds. `act(observations, masks, rows)`, which gets the row numbers, is called in place of the opponent itself.
    """

    def __call__(self, observations: Tensors, masks: np.ndarray, /) -> np.ndarray:
        """(K,) legal actions. `observations`: named tensors (K, ...), as an array (K, O) float32. `masks`: (K, A)."""


class PerGame:
    """Makes a batch opponent from agents that play one game at a time, one agent per row.

    Args:
        make: called without arguments for every row. It returns an opponent as for `SeatEnv`; the agent may search.
    """

    def __init__(self, make: Callable[[], AnyAgent]) -> None:
        self._make = make
        self._agents: dict[int, Any] = {}
        self.searches = False  # whether any agent does, and so needs positions
        self.reads_cards = False  # whether any agent does

    def agent(self, row: int) -> AnyAgent:
        """The agent of a row, made at its first use."""
        if row not in self._agents:
            self._agents[row] = self._make()
            self.searches |= searches(self._agents[row])
            self.reads_cards |= reads_cards(self._agents[row])
        agent: AnyAgent = self._agents[row]
        return agent

    def remake(self, row: int, game: Game, games: GameSet) -> None:
        """Remake the row's agent for `game`, if it was made by name, and reads cards or sees another shape."""
        if isinstance(self._make, MakeByName) and (games.varies or reads_cards(self.agent(row))):
            self._agents[row] = replace(self._make, game=game)()

    def begin(self, games: np.ndarray, seeds: np.ndarray) -> None:
        """Reset the agents of `games`, (K,) row numbers, with `seeds`, (K,)."""
        for row, seed in zip(games.tolist(), seeds.tolist(), strict=True):
            reset_agent(self.agent(row), seed)

    def act(self, observations: Tensors, masks: np.ndarray, games: np.ndarray) -> np.ndarray:
        """(K,): the actions that the agents of these rows choose."""
        return np.array([self._agents[row](observations.row(k), masks[k]) for k, row in enumerate(games.tolist())])

    def search(self, batch: Batch, rows: np.ndarray) -> np.ndarray:
        """Like `act`, for agents that search, or that see the observations of their own game."""
        games = {row: batch.game_of(row) for row in rows.tolist()}
        first = self._agents[int(rows[0])]
        if getattr(first, "shares_passes", False) and not batch.games.varies:
            return self._in_one_pass(batch, rows, first)

        def decide(share: np.ndarray) -> list[int]:
            return [ask(games[row], self._agents[row], batch.state(row)) for row in share.tolist()]

        if isinstance(self._make, MakeByName):  # of others, one agent may play several rows
            return batch.ask_all(decide, rows)
        return np.array(decide(rows))

    def _in_one_pass(self, batch: Batch, rows: np.ndarray, agent: Any) -> np.ndarray:
        """One agent's actions in all rows, by one pass of its network, with what each seat knows."""
        seats = batch.row_info["mover"][rows].astype(np.int32)
        raw = np.empty((len(rows), batch.games.observation_layout.raw_size), np.uint8)
        states = batch.states[rows]
        for k, (row, seat) in enumerate(zip(rows.tolist(), seats.tolist(), strict=True)):
            game = batch.game_of(row)
            states[k : k + 1] = game.redeal(batch.state(row), seat, REDEAL_SEED)
            game.write_raw_observation(states[k : k + 1], seat, raw[k])
        return np.array(agent.choose_rows(raw, batch.masks[rows], states, seats, batch.rules(rows)))

    def __call__(self, observations: Tensors, masks: np.ndarray) -> np.ndarray:
        raise TypeError("PerGame plays many games, as in gymnasium.make_vec; in a single game give the agent itself")

    def __repr__(self) -> str:
        return f"PerGame({self._make!r})"


def _by_name(maker: MakeByName) -> Compiled | PerGame:
    return compiled(maker) or PerGame(maker)


def _refusal(opponent: Any, game: Game) -> str | None:
    """Why this cannot be a batch opponent, or None if it can."""
    if isinstance(opponent, Compiled):
        return None
    if isinstance(opponent, PerGame):
        return refusal(opponent.agent(0), game)
    if searches(opponent) or hasattr(opponent, "made_for"):
        return "expected a batch opponent; this agent plays one game at a time: give its name, or PerGame(make_agent)"
    if callable(opponent) and not isclass(opponent):
        return None
    return "expected a callable (observations, masks) -> actions of many games, or PerGame(make_agent)"
