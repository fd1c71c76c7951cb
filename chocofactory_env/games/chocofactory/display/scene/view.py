"""The input of a scene: the position in words, the cards, the viewer, and the viewer's legal actions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from ...actions import ACTIONS
from ...cards import Cards
from ..render import is_solo, task_of

Json = Mapping[str, Any]

LEFT: Final = 5  # from the edge of a panel to its things
HEADING: Final = 26  # of a panel, above its things
GAP: Final = 4  # between cards in a row


@dataclass(frozen=True)
class Heights:
    """The heights of a panel's rows, in pixels."""

    facts: float
    employee: float
    slot: float
    tile: float
    store_room: float
    orders: float
    gap: float
    size: float  # of words


LOW: Final = Heights(facts=19, employee=30, slot=60, tile=50, store_room=27, orders=74, gap=4, size=10.5)
HIGH: Final = Heights(facts=28, employee=50, slot=122, tile=114, store_room=56, orders=168, gap=9, size=13)
HIGH_WITH_TWO_ROWS: Final = Heights(
    facts=26, employee=46, slot=100, tile=106, store_room=50, orders=122, gap=8, size=13
)
NARROW: Final = Heights(facts=22, employee=56, slot=105, tile=76, store_room=38, orders=106, gap=6, size=11)
NARROW_BELOW: Final = 97  # on narrower cards the name has one or two lines of its own


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
