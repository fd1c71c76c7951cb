"""Games with a module `serial` that puts actions and positions into words.

Reading a position builds its record field by field, then writes it again. A dictionary that does not come back the same
is refused, so nothing is silently repaired.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from ..checks import as_action
from ..compiled import CompiledGame
from ..game import State
from .reading import Fault, Reader, difference, refuse


class Serial(Protocol):
    """The protocol of the module. A position is a table; its first keys, `game` to `rng`, are the same in all games."""

    SCHEMA: int  # version of the positions' schema

    @property
    def Reader(self) -> type[Reader]:  # noqa: N802 - a class
        """The class that reads values of this game's positions."""

    def describe(self, action: int) -> str:
        """An action in words; IndexError if there is no such action."""

    def write(self, game: Any, state: np.void) -> dict[str, Any]:
        """The position, without the keys that all games share."""

    def read(self, game: Any, read: Any, states: np.ndarray) -> None:
        """Write the values of `read`, a `Reader`, into the blank record of `states`, (1,), each within its range."""

    def first_fault(self, game: Any, data: Mapping[str, Any], states: np.ndarray) -> Fault | None:
        """The first field that contradicts the others. The position is given in words and as a record."""


class SerialGame(CompiledGame):
    """A compiled game with a module `serial`. A subclass sets `serial` and whatever else `CompiledGame` needs."""

    serial: Serial

    def blank_state(self) -> State:
        """A state, (1,), with the options of the variant, for `serial.read`."""
        return self.blank_states(1)

    def describe(self, action: int) -> str:
        return self.serial.describe(as_action(action, self.num_actions))

    def to_dict(self, state: State) -> dict[str, Any]:
        """The position in the rulebook's words (see `protocol.md`), JSON-compatible and lossless."""
        self.check_state(state)
        record = state[0]
        return {
            "game": self.name,
            "schema": self.serial.SCHEMA,
            "deck": self.deck_hash,
            "options": self._rule_options(),
            "seed": int(record["seed"]),
            "rng": record["rng"].tolist(),
            **self.serial.write(self, record),
        }

    def from_dict(self, data: Mapping[str, Any]) -> State:
        """The inverse of `to_dict`. Raises StateError (a ValueError), which names the field that does not fit."""
        read, states = self.serial.Reader(data), self.blank_state()
        read["game"].equals(self.name)
        read["schema"].equals(self.serial.SCHEMA)
        read["deck"].equals(self.deck_hash)
        read["options"].equals(self._rule_options())
        record = states[0]
        record["seed"] = read["seed"].integer(0, (1 << 63) - 1)
        record["rng"] = [word.integer(0, (1 << 32) - 1) for word in read["rng"].items(len(record["rng"]))]
        self.serial.read(self, read, states)
        understood = self.to_dict(states)
        refuse(difference(data, understood, "state"))
        refuse(self.serial.first_fault(self, understood, states), "state.")
        return states

    def _rule_options(self) -> dict[str, Any]:
        """The options without `deck`: a position stores the deck's hash, not its path."""
        return {name: value for name, value in self.options.items() if name != "deck"}
