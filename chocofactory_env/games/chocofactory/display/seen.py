"""The input of a view: the position in words, the cards, the viewer, and the viewer's legal actions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..actions import ACTIONS
from ..cards import Cards
from .position import is_solo, task_of

Json = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Accounts:
    """Every seat's money by `rules.end.Source`, its place, and whether it has won; now or at the end."""

    sheets: list[list[int]]
    ranking: list[int]
    won: list[bool]


@dataclass(frozen=True, eq=False)
class View:
    """position: from `to_dict`. legal: the viewer's legal actions, empty unless the viewer is to move.

    satisfied: whether each requirement of the solo game is, in the order of the observation's block `satisfied`.
    """

    position: Json
    cards: Cards
    viewer: int | None
    legal: frozenset[int]
    accounts: Accounts
    satisfied: tuple[bool, ...] = ()

    @property
    def mover(self) -> int | None:
        seat: int | None = self.position["current"]
        return seat

    @property
    def phase(self) -> str:
        phase: str = self.position["phase"]
        return phase

    @property
    def task(self) -> Json | None:
        return task_of(self.position)

    @property
    def is_solo(self) -> bool:
        return is_solo(self.position)

    def under_way(self, name: str, seat: int | None = None) -> Any:
        """An entry of the task under way; None if there is no task, or it is another seat's."""
        if self.task is None or (seat is not None and seat != self.mover):
            return None
        return self.task[name]

    def action(self, verb: str, argument: int = 0, seat: int | None = None) -> int | None:
        """The action if the viewer may take it now; with `seat`, only if that is the viewer's seat."""
        number = ACTIONS.first[verb] + argument
        return number if number in self.legal and seat in (None, self.viewer) else None
