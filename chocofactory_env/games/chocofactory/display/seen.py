"""A position in words, as all seats see it, and what its viewer may do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ..actions import ACTIONS
from ..cards import Cards

PHASES: Final = {
    "draft": "Expand and recruit",
    "run": "Run factory",
    "fulfil": "Fulfil orders",
    "agents": "Cleanup: Department Store Agents",
    "cleanup": "Cleanup: store and trade",
    "replace": "Cleanup: choose an order",
    "over": "End of the game",
}

Json = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class View:
    """position: from `to_dict`. legal: the viewer's legal actions, empty unless the viewer is to move.

    sheets, won: every seat's money by `rules.end.Source`, and whether it has won; now or at the end.
    satisfied: whether each requirement of the solo game is, in the order of the observation's block `satisfied`.
    """

    position: Json
    cards: Cards
    viewer: int | None = None
    legal: Sequence[int] = ()
    sheets: Sequence[Sequence[int]] = ()
    won: Sequence[bool] = ()
    satisfied: Sequence[bool] = ()

    @property
    def phase(self) -> str:
        phase: str = self.position["phase"]
        return phase

    @property
    def is_solo(self) -> bool:
        return len(self.position["players"]) == 1

    # --- who decides

    @property
    def mover(self) -> int | None:
        seat: int | None = self.position["current"]
        return seat

    @property
    def moving(self) -> Json:
        """The player who is to move."""
        player: Json = self.position["players"][self.mover]
        return player

    @property
    def acting(self) -> list[int]:
        """The seats that must decide; if all seats act at once (SIM-1), those that have not ended the phase."""
        position = self.position
        if self.mover is None:
            return []
        if position["options"].get("mode") != "simultaneous" or self.phase not in ("run", "fulfil"):
            return [self.mover]
        return [seat for seat in range(len(position["players"])) if seat not in position["finished"]]

    def to_move(self, seat: int) -> str:
        """The words for a seat that must decide: `to move` or, where several run their factories at once, its shift."""
        acting = self.acting
        if seat not in acting:
            return ""
        if len(acting) < 2 or self.phase != "run":
            return "to move"
        return f"shift {self.position['shift'] if seat == self.mover else self.position['shifts'][seat]}"

    def action(self, verb: str, argument: int = 0, seat: int | None = None) -> int | None:
        """The action if the viewer may take it now; with `seat`, only if that is the viewer's seat."""
        number = ACTIONS.first[verb] + argument
        return number if number in self.legal and seat in (None, self.viewer) else None

    # --- the task under way

    @property
    def task(self) -> Json | None:
        task: Json = self.position["task"]
        return None if task["kind"] == "nothing" else task

    def under_way(self, name: str, seat: int | None = None) -> Any:
        """An entry of the task under way; None if there is no task, or it is another seat's."""
        if self.task is None or (seat is not None and seat != self.mover):
            return None
        return self.task[name]

    @property
    def tool(self) -> str:
        """The name of the part in use or, without one, of today's employee; "" if there is neither."""
        slot, player = self.under_way("slot"), self.moving
        card = player["employee"] if slot is None else player["factory"][slot]
        return self.cards.names[card] if card else ""

    # --- the solo game

    def manager_card(self, card: int) -> str:
        """The id of the Weekly Target (0) or of a Demand dealt (from 1 on)."""
        name: str = self.position["target"] if card == 0 else self.position["demands"][card - 1]
        return name

    def requirements(self, card: int) -> Any:
        """The record of a `manager_card`."""
        return self.cards.row("demands" if card else "targets", self.manager_card(card))
