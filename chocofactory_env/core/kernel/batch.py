"""N games of one variant, or of several, stepped together by compiled code. All batched environments use it.

N = games, P = players (of the largest variant), A = actions, O = size of an observation.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ..checks import MOST_ROWS, MOST_THREADS, SEED_LIMIT, as_buffer, as_count, as_integer, as_seed
from ..game import Game, IllegalActionError, JointStep, State, Step
from ..jit import Entry
from ..messages import shown
from . import stepping
from .joint import first_illegal_jointly
from .rewards import check_reward
from .rng import WORDS, choose_legal, seed_generator
from .rules import NOBODY
from .stepping import NEXT_STEP, ONE_WAITS, PENALTY, RowInfo, StepOptions, choose_all, first_illegal
from .variants import GameSet, LoadedVariants, Places, RowRules

ALL_SEATS = NOBODY
FEWEST_ROWS_A_THREAD = 64  # handing fewer to another thread costs more than it saves


class LegalSampler:
    """`sampler(masks)` returns a uniformly random legal action of every mask, int64. It is compiled.

    Args:
        seed: a non-negative integer; None takes the system's entropy.

    Raises:
        TypeError, ValueError: the seed is not such an integer.
    """

    def __init__(self, seed: int | None = None) -> None:
        if seed is not None:
            seed = as_integer("seed", seed, 0)
        self._words = np.zeros(WORDS, np.uint32)
        self._actions = np.empty(0, np.int64)
        seed_generator(self._words, int(np.random.SeedSequence(seed).generate_state(1, np.uint32)[0]))

    def __getstate__(self) -> dict[str, Any]:
        return {"_words": self._words, "_actions": self._actions}  # without addresses

    @cached_property
    def _choose_all(self) -> Callable[[np.ndarray, np.ndarray], None]:
        choose: Entry = choose_all  # type: ignore[assignment]
        return choose.bind(self._words)

    @cached_property
    def _choose_one(self) -> Callable[[np.ndarray], int]:
        choose: Entry = choose_legal  # type: ignore[assignment]  # what the mark makes of it
        return choose.bind(self._words)

    def __call__(self, masks: np.ndarray) -> np.ndarray:
        """`masks`: (N, A) int8 or bool, or (N, P, A) for actions (N, P); a NumPy array or a CPU tensor.

        Raises TypeError without either, and ValueError for other arrays, a number that is neither 0 nor 1, or a mask
        that allows nothing.
        """
        masks = as_masks(masks, (2, 3), "masks: expected (N, A) or (N, P, A)")
        # A view of our own: compiled code knows an array that comes again, whose shape its owner may have changed.
        rows = masks.view() if masks.ndim == 2 else masks.reshape(-1, masks.shape[-1])
        if len(rows) != len(self._actions):
            self._actions = np.empty(len(rows), np.int64)  # its address is taken once; a copy is cheaper
        self._choose_all(rows, self._actions)
        if self._actions.min(initial=0) < 0:
            raise ValueError(f"masks: row {int(self._actions.argmin())} allows no action")
        return self._actions.reshape(masks.shape[:-1]).copy()

    def one(self, mask: np.ndarray) -> int:
        """Sample from one mask, (A,) int8 or bool, such as `action_masks()` of an environment. Errors as in a call."""
        action = self._choose_one(as_masks(mask, (1,), "mask: expected (A,)"))
        if action < 0:
            raise ValueError("mask: it allows no action")
        return action


def as_masks(masks: np.ndarray, axes: tuple[int, ...], expected: str) -> np.ndarray:
    """Return int8 masks of 0 and 1, or an int8 view of bool masks. Raises TypeError or ValueError for others.

    Compiled code trusts them: it counts legal actions by their sum.
    """
    if hasattr(masks, "__dlpack__"):  # a CPU tensor shares its memory
        masks = np.asarray(masks)
    if not isinstance(masks, np.ndarray):
        raise TypeError(f"{expected} int8 or bool, got {shown(masks)}")
    kind = masks.dtype.char
    if masks.ndim not in axes or kind not in "b?":
        raise ValueError(f"{expected} int8 or bool, got {masks.shape} {masks.dtype}")
    if kind == "?":
        return masks.view(np.int8)
    if masks.view(np.uint8).max(initial=0) > 1:
        place = tuple(int(axis[0]) for axis in np.nonzero((masks != 0) & (masks != 1)))
        raise ValueError(f"{expected} of 0 and 1, got {masks[place]} at {list(place)}")
    return masks


class Batch:
    """The games, a record for each of them, and the buffers that a step writes. Environments drive it.

    Args:
        games: the game, or several; the seed of a deal then chooses one.
        num_envs: N.
        seat: the learner's seat in all games; `stepping.DRAWN` draws one for every game; with ALL_SEATS the caller
            decides for every seat.
        reward: a name in `rewards.REWARDS`.
        autoreset: `stepping.NEXT_STEP`, `SAME_STEP` or `WAIT`.
        illegal, illegal_reward: `stepping.PENALTY` or `TERMINATE`, and the reward of an illegal action. To reject
            illegal actions, call `check` before a step.
        scaled: observations are float32 in [0, 1], or else raw bytes.
        keep_final: with SAME_STEP, keep the last observation of a game in `final_observations`.
        asked_only: in joint steps, write only the observations of seats that are asked.
        num_threads: number of threads that share the games; small batches use fewer. It does not change the games.
    """

    buffers: Step  # what the last step wrote
    _FIRST_ILLEGAL: ClassVar[Any] = first_illegal  # an entry, which `_bind` binds

    def __init__(
        self,
        games: Game | GameSet,
        num_envs: int,
        *,
        seat: int = ALL_SEATS,
        reward: str = "win",
        autoreset: int = NEXT_STEP,
        illegal: int = PENALTY,
        illegal_reward: float = 0.0,
        scaled: bool = True,
        keep_final: bool = False,
        asked_only: bool = False,
        num_threads: int = 1,
    ) -> None:
        self.games = GameSet.of(games)
        self.game = game = self.games.first
        self.num_envs = num = as_count("num_envs", num_envs, MOST_ROWS)
        self._everyone = np.arange(num, dtype=np.int32)
        self._most_threads = as_count("num_threads", num_threads, MOST_THREADS)
        self._shares = shared_out(self._everyone, self._most_threads)
        self.num_threads = len(self._shares)  # no more than there is work for
        self.num_players = self.games.most_players
        layout = self.games.observation_layout
        self.states = game.blank_states(num)
        self.row_info = np.zeros(num, RowInfo.dtype)
        self.row_info["over"] = True
        self.row_info["mover"] = NOBODY
        self.row_info["dealt"] = -1
        self.row_info["ranking"] = NOBODY  # until a game has ended
        self._variants = LoadedVariants(self.games, num) if len(self.games) > 1 else None
        self._options = np.zeros(1, StepOptions.dtype)
        options = self._options[0]
        options["seat"], options["autoreset"] = seat, autoreset
        options["reward"] = check_reward(reward, self.games.fewest_players)
        options["illegal"], options["illegal_reward"] = illegal, illegal_reward
        options["keep_final"], options["asked_only"] = keep_final, asked_only
        options["padded"] = self.games.varies or getattr(game, "pads", False)
        self.masks = np.ones((*self._decisions(), self._choices()), np.int8)
        self._actions = np.zeros(self._decisions(), np.int64)
        self._scaled = options["scaled"] = scaled
        # One row of scratch per thread, and a stand-in for the array of scaled observations if raw ones are written.
        one = (1,) * len(self._decisions())
        self._scratch = np.empty((self.num_threads, *one, layout.raw_size), np.uint8)
        self._nowhere = np.empty((*one, layout.size), np.float32)
        size, kind = (layout.size, np.float32) if scaled else (layout.raw_size, np.uint8)
        self.final_observations = np.zeros((num if keep_final else 1, size), kind)
        self.buffers = self._make_buffers(
            observations=np.zeros((*self._decisions(), size), kind),
            action_masks=np.ones(self.masks.shape, np.int8),
            rewards=np.zeros((num, self.num_players if seat == ALL_SEATS else 1), np.float32),
            dones=np.zeros(num, np.bool_),
        )
        self._pool: ThreadPoolExecutor | None = None
        self._pool_process = 0
        self._play: list[Callable[[np.ndarray], int]] = []
        self._bind()

    # `JointBatch` overrides these.

    def _decisions(self) -> tuple[int, ...]:
        """The shape of a step's decisions."""
        return (self.num_envs,)

    def _choices(self) -> int:
        """The number of entries of a mask."""
        return self.game.num_actions

    def _make_buffers(self, **buffers: np.ndarray) -> Any:
        return Step(current_player=np.full(self.num_envs, NOBODY, np.int32), **buffers)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_pool": None, "_play": [], "_first_illegal": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._bind()

    def write_into(self, **buffers: Any) -> None:
        """Let the next steps write into the caller's arrays, without a copy.

        Args:
            buffers: replacements for any fields of `buffers`: NumPy arrays, or CPU tensors that share memory with
                NumPy, with the same shapes and dtypes.

        Raises:
            TypeError: an unknown name, or a value that is not an array.
            ValueError: a wrong shape or dtype, or memory that cannot be written to or is not contiguous.
        """
        new = {name: self._fitting(name, buffer) for name, buffer in buffers.items()}
        for name in ("current_player", "rewards", "dones"):  # the others are rewritten where it matters
            if name in new:
                np.copyto(new[name], getattr(self.buffers, name))
        self.buffers = self.buffers._replace(**new)
        self._bind()

    def _fitting(self, name: str, buffer: Any) -> np.ndarray:
        names = self.buffers._fields
        if name not in names:
            raise TypeError(f"unknown buffer {name!r}; there are: {', '.join(names)}")
        present = getattr(self.buffers, name)
        return as_buffer(name, buffer, present.shape, present.dtype)

    def deal(self, seeds: np.ndarray, rows: np.ndarray | None, stages: int) -> None:
        """Begin games in `rows` (None: all) from `seeds`, as `seeds_of` returns them, then carry out `stages`."""
        chosen = self._everyone if rows is None else rows
        self.row_info["seed"][chosen] = seeds[chosen]
        never = chosen[self.row_info["dealt"][chosen] < 0]
        unseeded = never[self.row_info["seed"][never] < 0]
        if len(unseeded):
            words = np.random.SeedSequence().generate_state(len(unseeded), np.uint64)
            self.row_info["seed"][unseeded] = words % SEED_LIMIT
        self.run(stepping.DEAL | stages, chosen)

    def choose(self, rows: np.ndarray | None, places: Places) -> None:
        """Restrict the next deals in `rows` (None: all) to variants with the values at these places."""
        if self._variants is not None and places:
            self._variants.choose(self._everyone if rows is None else rows, places, self.row_info)
            self._bind()

    @property
    def choices(self) -> np.ndarray:
        """(C,) int32: see `LoadedVariants`."""
        return np.zeros(1, np.int32) if self._variants is None else self._variants.choices

    @choices.setter
    def choices(self, choices: np.ndarray) -> None:
        if self._variants is not None:
            self._variants.choose_again(choices.copy(), self.row_info)
            self._bind()

    def take(self, actions: Any) -> None:
        """Store the actions of the next step: (N,) integers of any kind, or (N, P) in a `JointBatch`.

        Raises:
            TypeError, ValueError: they are not integers, or not one per decision.
            IllegalActionError: one is outside the space; it names the first such game.
        """
        try:
            given = np.asarray(actions)
        except ValueError:  # lists of different lengths
            raise ValueError(f"actions: expected shape {self._decisions()}, got {shown(actions)}") from None
        if given.dtype.kind not in "iu":
            raise TypeError(f"actions: expected integers, got {given.dtype}")
        if given.shape != self._decisions():
            raise ValueError(f"actions: expected shape {self._decisions()}, got {given.shape}")
        if given.min() < 0 or given.max() >= self._choices():
            row, *seat = np.argwhere((given < 0) | (given >= self._choices()))[0].tolist()
            raise IllegalActionError(
                f"game {row}: illegal action {given[row, *seat]} (no such action): expected 0 to {self._choices() - 1}"
            )
        self._actions[:] = given

    def set_rivals(self, kinds: Sequence[int]) -> None:
        """Say who plays each rival, clockwise from the learner: `stepping.RANDOM`, `SCRIPTED` or `ASKED`."""
        self._options["rivals"][0, : len(kinds)] = kinds

    def reply(self, rows: np.ndarray, actions: np.ndarray) -> None:
        """Store the rivals' actions in `rows`, unchecked."""
        self._actions[rows] = actions

    @property
    def actions(self) -> np.ndarray:
        """(N,) int64: the actions stored last."""
        return self._actions

    def check(self) -> None:
        """Before anything is played, raise IllegalActionError if an action is illegal. It names the first such row."""
        row = self._first_illegal()
        if row >= 0:
            try:
                game = self.game_of(row)
                game.apply(game.clone(self.state(row)), int(self._actions[row]))
            except IllegalActionError as error:
                raise IllegalActionError(f"game {row}: {error}") from None
            raise IllegalActionError(f"game {row}: action {self._actions[row]} is forbidden by the mask")

    def state(self, row: int) -> State:
        """The position of a row, as a view for the game's methods. Clone it before changing it.

        Raises:
            TypeError: `row` is not an integer.
            IndexError: there is no such row.
        """
        if isinstance(row, bool) or not isinstance(row, int | np.integer):
            raise TypeError(f"row: expected a whole number, got {shown(row)}")
        if not 0 <= row < self.num_envs:
            raise IndexError(f"row: expected 0 to {self.num_envs - 1}, got {row}")
        return self.states[row : row + 1]

    def game_of(self, row: int) -> Game:
        """The game of a row, whose methods take `state(row)`. Rows may have different decks.

        Raises:
            TypeError, IndexError: as in `state`.
        """
        self.state(row)
        return self.games[int(self.row_info["variant"][row])]

    def rules(self, rows: np.ndarray | slice) -> RowRules | None:
        """The card tables of the games in these rows; None if the game is not compiled."""
        numbers = self.row_info["variant"][rows]
        return RowRules.alone(self.game, len(numbers)) if self._variants is None else self._variants.rules_of(numbers)

    def memory(self) -> dict[str, np.ndarray]:
        """Everything needed to continue the games: name -> (N, bytes) uint8, views of the memory itself."""
        kept = {"states": self.states, "row_info": self.row_info, "masks": self.masks}
        return {name: array.view(np.uint8).reshape(self.num_envs, -1) for name, array in kept.items()}

    def check_positions(self, numbers: np.ndarray, states: np.ndarray) -> None:
        """ValueError unless the positions, (N,), are of the games with these numbers, (N,), which are loaded."""
        if self._variants is None:
            expected = self.game.blank_states(1)["variant"]
        else:
            self._variants.load(np.unique(numbers).tolist(), np.union1d(self.row_info["variant"], numbers).tolist())
            expected = self._variants.blanks["variant"][self._variants.slots[numbers]]
        wrong = states["variant"] != expected
        if wrong.any():
            row = int(wrong.argmax())
            raise ValueError(f"game {row}: expected a position of {self.games[int(numbers[row])]!r}")

    def load_variants(self) -> None:
        """Load the variants that the rows play, and those that they wait for (`row_info.wanted`)."""
        if self._variants is not None:
            in_use, wanted = np.unique(self.row_info["variant"]), np.unique(self.row_info["wanted"])
            self._variants.load(np.union1d(in_use, wanted[wanted > 0] - 1).tolist(), in_use.tolist())

    def run(self, stages: int, rows: np.ndarray | None = None) -> int:
        """Carry out the stages (`stepping.DEAL` and so on) for `rows` (None: all), loading variants as they are drawn.

        Returns how many games ended or had an illegal action.
        """
        events, waiting = self._run(stages, rows)
        while waiting:
            late = np.flatnonzero(self.row_info["wanted"]).astype(np.int32)
            self.load_variants()
            self.row_info["wanted"][late] = 0
            left = self.row_info["left"][late]
            results = [self._run(int(each), late[left == each]) for each in np.unique(left)]
            events += sum(result[0] for result in results)
            waiting = sum(result[1] for result in results)
        return events

    def _run(self, stages: int, rows: np.ndarray | None) -> tuple[int, int]:
        """Return the number of events, and of rows whose variant must be loaded."""
        self._options["stages"] = stages
        shares = self._shares if rows is None else shared_out(rows, self.num_threads)
        waiting, events = divmod(sum(self._in_threads(self._play, shares)), ONE_WAITS)
        return events, waiting

    def _in_threads(self, functions: Sequence[Callable[[np.ndarray], Any]], shares: list[np.ndarray]) -> list[Any]:
        """What each function returns for its share of the rows; the first runs in this thread."""
        if len(shares) == 1:
            return [functions[0](shares[0])]
        if self._pool is None or self._pool_process != os.getpid():  # a forked process has no threads of the pool
            self._pool = ThreadPoolExecutor(self._most_threads - 1, "batch")
            self._pool_process = os.getpid()
        others = [self._pool.submit(one, share) for one, share in zip(functions[1:], shares[1:], strict=False)]
        return [functions[0](shares[0]), *(other.result() for other in others)]

    def ask_all(self, decide: Callable[[np.ndarray], list[int]], rows: np.ndarray) -> np.ndarray:
        """(K,): what `decide` chooses in these rows, for any share of them, in all threads."""
        shares = np.array_split(rows, min(self._most_threads, len(rows)))
        return np.concatenate(self._in_threads([decide] * len(shares), shares))

    def _bind(self) -> None:
        """Bind the compiled function to its constant arguments, once for every thread."""
        self._first_illegal = self._FIRST_ILLEGAL.bind(self.row_info, self.masks, self._actions)
        self._play = [self._stepper(scratch) for scratch in self._scratch]

    def _shown(self, scratch: np.ndarray, observations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The raw and the scaled array into which compiled code writes observations."""
        return (scratch, observations) if self._scaled else (observations, self._nowhere)

    def _stepper(self, scratch: np.ndarray) -> Callable[[np.ndarray], int]:
        """The game's compiled step."""
        shown = self._shown(scratch, self.buffers.observations)
        memory = (self.states, self.row_info, self._actions, self.masks)
        kept = self._shown(scratch, self.final_observations)
        return self.game.row_stepper(self._options, self._variants, *memory, self.buffers, shown, kept)

    def observe_movers(self, rows: np.ndarray) -> np.ndarray:
        """Observations of the seats to move in `rows`: a fresh array (len(rows), O) float32."""
        seen = np.empty((len(rows), self.games.observation_layout.size), np.float32)
        scratch = self._scratch[0, 0]
        self.game.observe_movers(self._variants, self.states, self.row_info, rows, scratch, seen)
        return seen

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None


class JointBatch(Batch):
    """A batch of joint steps (`core.kernel.joint`): actions (N, P), masks (N, P, A + 1), observations (N, P, O).

    `autoreset` is `stepping.SAME_STEP` or `WAIT`, and the caller decides for every seat.
    """

    buffers: JointStep  # type: ignore[assignment]  # a step of another kind
    _FIRST_ILLEGAL = first_illegal_jointly

    def _decisions(self) -> tuple[int, ...]:
        return (self.num_envs, self.num_players)

    def _choices(self) -> int:
        return self.game.num_actions + 1

    def _make_buffers(self, **buffers: np.ndarray) -> Any:
        return JointStep(**buffers)

    def check(self) -> None:
        """Before anything is played, raise IllegalActionError if an action is illegal. It names game and seat."""
        place = self._first_illegal()
        if place < 0:
            return
        row, seat = divmod(place, self.num_players)
        where = f"game {row}, player {seat}"
        action, wait = int(self._actions[row, seat]), self.game.num_actions
        if self.masks[row, seat, wait]:
            raise IllegalActionError(
                f"{where}: illegal action {action}; a seat that is not asked must wait (action {wait})"
            )
        legal = ", ".join(
            f"{each} ({self.game.describe(each)})" for each in np.flatnonzero(self.masks[row, seat]).tolist()
        )
        raise IllegalActionError(f"{where}: illegal action {action}; legal: {legal}")

    def _stepper(self, scratch: np.ndarray) -> Callable[[np.ndarray], int]:
        shown = self._shown(scratch, self.buffers.observations)
        memory = (self.states, self.row_info, self._actions, self.masks)
        return self.game.joint_stepper(self._options, self._variants, *memory, self.buffers, shown)


def shared_out(rows: np.ndarray, num_threads: int) -> list[np.ndarray]:
    """Divide the rows among threads, but use no more threads than there is work for."""
    shares = min(num_threads, max(1, len(rows) // FEWEST_ROWS_A_THREAD))
    return [rows] if shares == 1 else np.array_split(rows, shares)


def seeds_of(seed: int | Sequence[int | None] | np.ndarray | None, num_envs: int) -> np.ndarray:
    """(N,) int64: `seed` + i for row i, or the given seed of each row; -1 for rows without a seed.

    Raises:
        TypeError: a seed is not an integer.
        ValueError: there is not one seed per row, or a seed is outside 0 to 2^63 - 1.
    """
    if seed is None:
        return np.full(num_envs, -1, np.int64)
    each: Any = seed
    if np.ndim(each):
        if len(each) != num_envs:
            raise ValueError(f"seed: expected one for each of {num_envs} games, got {len(each)}")
    else:
        first = as_seed(seed)
        each = range(first, first + num_envs)
    return np.array([-1 if one is None else as_seed(one) for one in each], np.int64)
