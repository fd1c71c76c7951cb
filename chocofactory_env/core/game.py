"""What a game offers to everything that does not know it: environments, agents' tools, tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from .layout import ActionLayout, ObservationLayout, Tensors

State = Any  # a numpy record; only the game's own folder looks inside


class IllegalActionError(ValueError):
    """An action that the rules do not allow now: what, when, and what is legal. The state is unchanged."""


class Game(Protocol):
    """One variant of one game. Holds no state of a play: every method takes it.

    Shapes: `num_players` = P, `num_actions` = A, `observation_layout.size` = O.
    """

    name: str
    rules_version: int  # raised when the same actions no longer lead to the same positions
    options: Mapping[str, Any]
    num_players: int
    num_actions: int
    action_layout: ActionLayout
    observation_layout: ObservationLayout
    deck_hash: str

    def new(self, seed: int | None = None) -> State: ...
    def renew(self, state: State) -> None:
        """Deal the next game into `state`, with a seed drawn from its own generator."""

    def seed_of(self, state: State) -> int:
        """The seed with which `new` gives the same deal."""

    def current_player(self, state: State) -> int:
        """The seat to move; -1 when the game is over."""

    def legal_mask(self, state: State) -> np.ndarray:
        """(A,) int8, a fresh array."""

    def apply(self, state: State, action: int) -> None: ...
    def is_over(self, state: State) -> bool: ...
    def scores(self, state: State) -> np.ndarray:
        """(P,) int: money; with the prizes of the end once the game is over."""

    def standings(self, state: State) -> np.ndarray:
        """(P,) int: `scores` had the game ended now, without what is left over; 0 at the start (for shaping)."""

    def ranking(self, state: State) -> np.ndarray:
        """(P,) int: 0 = winner, ties broken by the rules."""

    def won(self, state: State) -> np.ndarray:
        """(P,) bool: who has won; all False before the end."""

    def observe(self, state: State, player: int) -> Tensors:
        """Named float32 tensors in [0, 1]: views of one fresh buffer, `flat`."""

    def clone(self, state: State) -> State: ...
    def redeal(self, state: State, player: int, seed: int) -> State: ...
    def to_dict(self, state: State) -> dict[str, Any]: ...
    def from_dict(self, data: Mapping[str, Any]) -> State: ...
    def describe(self, action: int) -> str: ...
    def decode(self, action: int) -> tuple[str, int]: ...
    def render(self, state: State) -> str:
        """The whole table as text, at most 100 columns."""

    # The adapters' fast path: no checks, results written into the caller's arrays.

    def write_mask(self, state: State, mask: np.ndarray) -> None:
        """Write the legal mask into `mask`, (A,) int8."""

    def advance(self, state: State, action: int, mask: np.ndarray) -> int:
        """Apply a legal action, write the mask of the next decision; returns the next seat, -1 when over."""

    def write_observation(self, state: State, player: int, out: np.ndarray) -> None:
        """Write the scaled observation into `out`, (O,) float32."""

    def write_raw_observation(self, state: State, player: int, out: np.ndarray) -> None:
        """Write the unscaled observation into `out`, (O,) int16."""
