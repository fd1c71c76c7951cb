"""The interface of a game for code that works with any game: environments, agents, tests."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from .observation.layout import ActionLayout, ObservationLayout, Tensors

if TYPE_CHECKING:
    from .kernel.variants import LoadedVariants
    from .text.events import Event

State = Any  # a numpy record; only the game's own folder looks inside


class IllegalActionError(ValueError):
    """The rules do not allow an action now. The message says which, when, and what is legal. The state is unchanged."""


class Playouts(NamedTuple):
    """Results of K playouts of one position."""

    scores: np.ndarray  # (K, P) int32
    ranking: np.ndarray  # (K, P) int32, 0 = winner
    won: np.ndarray  # (K, P) bool
    decisions: np.ndarray  # (K,) int32, without forced ones
    payoffs: np.ndarray  # (K, P) int32, the scores as learning counts them; see `Game.payoffs`


class Step(NamedTuple):
    """The result of a batch's step, in buffers that the next step overwrites."""

    observations: np.ndarray  # (N, O) float32 in [0, 1], or raw integers
    action_masks: np.ndarray  # (N, A) int8; all ones for a game that is over
    current_player: np.ndarray  # (N,) int32: the seat to move, -1 for a game that is over
    rewards: np.ndarray  # (N, P) float32 of all seats, or (N, 1) of the learner's seat
    dones: np.ndarray  # (N,) bool


class JointStep(NamedTuple):
    """The result of a batch's joint step, in buffers that the next step overwrites."""

    observations: np.ndarray  # (N, P, O) float32 in [0, 1], or raw integers; one for every seat
    action_masks: np.ndarray  # (N, P, A + 1) int8; the last action is `wait`, for seats that are not asked
    rewards: np.ndarray  # (N, P) float32
    dones: np.ndarray  # (N,) bool


class Game(Protocol):
    """One variant of one game. It holds no position: every method takes the state.

    `CompiledGame` implements everything except the abstract methods. A game need not inherit from this class.

    Shapes: `num_players` = P, `num_actions` = A, `observation_layout.size` = O, `observation_layout.raw_size` = R.
    """

    name: str
    rules_version: int  # raised when the same actions no longer lead to the same positions
    options: Mapping[str, Any]
    num_players: int
    num_actions: int
    action_layout: ActionLayout
    observation_layout: ObservationLayout
    deck_hash: str
    simultaneous: bool  # True if several seats may decide at the same time, see `core.kernel.joint`

    def new(self, seed: int | None = None) -> State:
        """Deal a game. The same seed, 0 to 2^63 - 1, gives the same deal; None uses the system's entropy.

        Raises:
            TypeError, ValueError: the seed is not such an integer.
        """

    def renew(self, state: State) -> None:
        """Deal the next game into `state`, with a seed drawn from its own generator."""

    def seed_of(self, state: State) -> int:
        """The seed of the deal, as for `new`; for a redealt position, the seed given to `redeal`."""

    def current_player(self, state: State) -> int:
        """The seat to move; -1 when the game is over."""

    def legal_mask(self, state: State) -> np.ndarray:
        """(A,) int8, a fresh array: 1 for every legal action of the seat to move; all 0 when the game is over."""

    def apply(self, state: State, action: int) -> None:
        """Play an action of the seat to move, in place.

        The state is unchanged after an error.

        Raises:
            IllegalActionError: the rules do not allow it now; says what, when, and what is legal.
            TypeError: the action is not an integer.
            TypeError, ValueError: the state is not a position of this variant. All methods check it, except the fast
                path, and `clone`, which checks only the game.
            ValueError: the state is a read-only array.
        """

    def is_over(self, state: State) -> bool:
        """Whether the game has ended."""

    def scores(self, state: State) -> np.ndarray:
        """(P,) int32: scores so far; the final scores once the game is over."""

    def payoffs(self, state: State) -> np.ndarray:
        """(P,) int32: scores as rewards and searches count them, consistent with the ranking.

        They equal the scores, except in games where a seat that is out ranks behind others with lower scores.
        """

    def standings(self, state: State) -> np.ndarray:
        """(P,) int32: the part of the payoffs that already counts; its growth is the shaped reward."""

    def ranking(self, state: State) -> np.ndarray:
        """(P,) int32: every seat's place, 0 = first, ties broken by the rules; before the end by the scores so far."""

    def won(self, state: State) -> np.ndarray:
        """(P,) bool: True for every winner; all False before the end."""

    def observe(self, state: State, player: int) -> Tensors:
        """Named float32 tensors in [0, 1], egocentric: views of one fresh buffer, `flat`, of O numbers."""

    def clone(self, state: State) -> State:
        """An exact copy, including hidden cards and future chance. A search calls `redeal` before it plays on.

        For speed, only the game of the position is checked, and not its variant; a copy of another variant's position
        does no harm, because all other methods refuse it.
        """

    def redeal(self, state: State, player: int, seed: int) -> State:
        """A copy in which everything that `player` cannot know is drawn afresh, including future dice.

        The result depends only on what `player` knows and on `seed` (as for `new`), not on the true hidden cards.
        """

    @abstractmethod
    def to_dict(self, state: State) -> dict[str, Any]:
        """The whole position as JSON-compatible data, in the rulebook's words."""

    @abstractmethod
    def from_dict(self, data: Mapping[str, Any]) -> State:
        """Rebuild a position from the output of `to_dict`.

        Raises:
            StateError: it is not a playable position of this variant; names the field.
        """

    @abstractmethod
    def describe(self, action: int) -> str:
        """An action in words, the same for every position; IndexError for a number outside 0..A - 1."""

    def decode(self, action: int) -> tuple[str, int]:
        """An action's verb and argument; IndexError for a number outside 0..A - 1."""

    @abstractmethod
    def when(self, state: State) -> str:
        """The stage of the game in a few words, such as "round 2, bidding", for messages and titles."""

    def event(self, state: State, action: int, player: int | None) -> Event | None:
        """What a legal action, not yet applied, does, for one viewer: a seat, or None for a spectator.

        None if the viewer may not even know that there was a move. IllegalActionError if the action is illegal.
        """

    def move_in_words(self, state: State, action: int, player: int | None = None) -> str:
        """The line of the log about an `event`, or "". IllegalActionError if the action is illegal."""

    def prompt(self, state: State, player: int, moves: Iterable[str] = (), *, rules: bool = True) -> str:
        """All that a seat may know, as text, with its numbered legal moves.

        Args:
            player: the seat that reads; where several seats decide at the same time, each sees its own decision.
            moves: lines of `move_in_words` for this seat since its last decision. "" is skipped.
            rules: begin with `prompt_rules`. A caller may instead send these once.

        Raises:
            TypeError: `moves` is one string instead of lines.
        """

    def prompt_rules(self, state: State, player: int) -> str:
        """The part of a prompt that is constant during a phase: rules in brief, list of fields, how to answer."""

    def read_prompt(self, text: str) -> tuple[np.ndarray, int]:
        """The raw observation, (R,) uint8, and the seat of a prompt. ValueError if it is no prompt of this variant."""

    def parse_move(self, state: State, text: str, player: int | None = None) -> int:
        """The legal action that an answer names; `core.text.answers` lists the formats. Errors as in `parse_moves`."""

    def parse_moves(self, state: State, text: str, player: int | None = None) -> list[int]:
        """The actions that an answer names. The first is legal; later ones are not checked.

        player: the seat that answers; None: the seat to move.

        Raises:
            TypeError: the answer is not a string.
            MoveError: the answer names no legal move; the message is a correction for its author.
        """

    def move_tool(self, state: State, player: int) -> dict[str, Any]:
        """A tool definition `play` for OpenAI-compatible endpoints, whose schema lists the seat's legal moves."""

    @abstractmethod
    def render(self, state: State, player: int | None = None) -> str:
        """The position as text, at most 100 columns, for one viewer: a seat, or None for a spectator."""

    # Search: random play to the end of the game.

    def random_playout(self, state: State, seed: int) -> State:
        """A copy of the position, played at random to the end without a redeal."""

    def random_playouts(
        self,
        state: State,
        seeds: Sequence[int] | np.ndarray,
        *,
        player: int | None = None,
        action: int | None = None,
        num_threads: int = 1,
    ) -> Playouts:
        """Play one random playout of the position for every seed.

        Args:
            state: left unchanged.
            seeds: (K,) integers from 0 on; equal seeds give equal playouts.
            player: the seat that searches. `redeal(state, player, seed)` precedes every playout. None: no redeal.
            action: first action of every playout, applied after the redeal. None: drawn like the others.
            num_threads: number of threads, at most 1,024; it does not change the results.

        Raises:
            IllegalActionError: the action is not legal, or not after every redeal, because another seat than `player`
                is to move and its hand is redealt.
            TypeError, ValueError: another argument is not what is described here.
            StoppedError: see `core.search.stopping`.
        """

    # Many games at once, for `core.kernel.batch`: N rows, of which a call handles `rows`, (K,) int32. See
    # `core.kernel.stepping`.

    def blank_states(self, number: int) -> State:
        """`number` undealt positions; `states[i : i + 1]` is a state."""

    def row_stepper(
        self,
        step_options: np.ndarray,
        variants: LoadedVariants | None,
        states: State,
        row_info: np.ndarray,
        actions: np.ndarray,
        masks: np.ndarray,
        out: Step,
        observations: tuple[np.ndarray, np.ndarray],
        final: tuple[np.ndarray, np.ndarray],
    ) -> Callable[[np.ndarray], int]:
        """Return a function of `rows` that carries out the stages of a step for them.

        It returns how many games ended or had an illegal action, plus `stepping.ONE_WAITS` for every row whose variant
        is not loaded.

        Args:
            step_options: (1,) `stepping.StepOptions`.
            variants: what deals choose from; None: only this game.
            states: (N,); the batch owns these and the next three arrays.
            row_info: (N,) `stepping.RowInfo`.
            actions: (N,) int64.
            masks: (N, A) int8.
            out: takes masks, rewards, and so on.
            observations: a raw and a scaled array. With `options.scaled` row 0 of the raw one is scratch.
            final: the same for the last observations of games that end.
        """

    def observe_movers(
        self,
        variants: LoadedVariants | None,
        states: State,
        row_info: np.ndarray,
        rows: np.ndarray,
        raw: np.ndarray,
        out: np.ndarray,
    ) -> None:
        """Write scaled observations of the seats to move in `rows` to `out`, (K, O) float32; `raw`, (R,): scratch."""

    def joint_stepper(
        self,
        step_options: np.ndarray,
        variants: LoadedVariants | None,
        states: State,
        row_info: np.ndarray,
        actions: np.ndarray,
        masks: np.ndarray,
        out: JointStep,
        observations: tuple[np.ndarray, np.ndarray],
    ) -> Callable[[np.ndarray], int]:
        """Like `row_stepper`, for joint steps (`core.kernel.joint`): `actions` (N, P), `masks` (N, P, A + 1) int8."""

    # The adapters' fast path: no checks, results written into the caller's arrays.

    def write_joint_masks(self, state: State, masks: np.ndarray) -> None:
        """Write every seat's mask into `masks`, (P, A + 1) int8. A seat that is not asked may only `wait`, action A."""

    def ask_seat(self, state: State, seat: int) -> None:
        """Make `seat`, which must be one of those that decide now, the seat to move; it then sees its decision."""

    def advance_jointly(self, state: State, actions: np.ndarray, masks: np.ndarray) -> int:
        """Apply a legal action of every seat, (P,) int64, and write the next masks; returns the next seat, -1 when
        over. Actions of seats that are not asked are ignored.
        """

    def write_mask(self, state: State, mask: np.ndarray) -> None:
        """Write the legal mask into `mask`, (A,) int8."""

    def advance(self, state: State, action: int, mask: np.ndarray) -> int:
        """Apply a legal action, write the mask of the next decision; returns the next seat, -1 when over."""

    def write_observation(self, state: State, player: int, out: np.ndarray, scratch: np.ndarray | None = None) -> None:
        """Write the scaled observation into `out`, (O,) float32; `scratch`, (R,) uint8, saves making one."""

    def write_raw_observation(self, state: State, player: int, out: np.ndarray) -> None:
        """Write the unscaled observation into `out`, (R,) uint8."""


def seat_to_move(game: Game, state: State) -> int:
    """The seat that decides now; ValueError when the game is over."""
    seat = game.current_player(state)
    if seat < 0:
        raise ValueError("state: expected a decision of a seat, but the game is over")
    return seat
