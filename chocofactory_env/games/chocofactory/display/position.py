"""What several fields of a position from `to_dict` say together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from .describe_cards import counted

PHASES: Final = {
    "draft": "Expand and recruit",
    "run": "Run factory",
    "fulfil": "Fulfil orders",
    "agents": "Cleanup: Department Store Agents",
    "cleanup": "Cleanup: store and trade",
    "replace": "Cleanup: choose an order",
    "over": "End of the game",
}

Position = Mapping[str, Any]


def seats_acting(position: Position) -> list[int]:
    """The seats that must decide; if all seats act at once (SIM-1), those that have not ended the phase."""
    if position["current"] is None:
        return []
    if position["options"].get("mode") != "simultaneous" or position["phase"] not in ("run", "fulfil"):
        return [position["current"]]
    return [seat for seat in range(len(position["players"])) if seat not in position["finished"]]


def is_solo(position: Position) -> bool:
    return len(position["players"]) == 1


def only_completed(position: Position) -> bool:
    """SOLO-7"""
    return bool(position["options"].get("solo_money") == "completed")


def task_of(position: Position) -> Mapping[str, Any] | None:
    """The task under way."""
    task: Mapping[str, Any] = position["task"]
    return None if task["kind"] == "nothing" else task


def to_move(position: Position, seat: int) -> str:
    """The words for a seat that must decide: `to move` or, where several run their factories at once, its shift."""
    acting = seats_acting(position)
    if seat not in acting:
        return ""
    if len(acting) < 2 or position["phase"] != "run":
        return "to move"
    own = seat == position["current"]
    return f"shift {position['shift'] if own else position['shifts'][seat]}"


def held(pieces: Mapping[str, int]) -> str:
    """The kinds and numbers of pieces, in short."""
    return " + ".join(counted(number, kind) for kind, number in pieces.items() if number) or "empty"


def in_title(word: str) -> str:
    return word.replace("_", " ").title()
