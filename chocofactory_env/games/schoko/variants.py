"""The options of the variant, checked once and then frozen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from ...core.checks import Choices, VariantOptions, as_flag, as_integer, check_choice, seat_or_drawn
from .constants import LEAST_MONTHS, MAX_MONTHS, MAX_PLAYERS, MIN_PLAYERS

UPSETS: Final = ("bookkeepers", "all")


@dataclass(frozen=True)
class Variant(VariantOptions):
    """Which game is played.

    num_players: 2 to 4 (SET-1).
    months: a multiple of the number of players from 6 to 12; None: what the deck says (SET-7).
    leader: the seat that leads the first month, or None: drawn from the seed (SET-6).
    upset: which contracts the event `stomach_upset` strikes, `"bookkeepers"` or `"all"` (EV-1).
    play_forced: whether a single legal answer is played by itself.
    """

    num_players: int = 2
    months: int | None = None
    leader: int | None = None
    upset: str = UPSETS[0]
    play_forced: bool = True

    def __post_init__(self) -> None:
        self._keep("num_players", as_integer("num_players", self.num_players, MIN_PLAYERS, MAX_PLAYERS))
        if self.months is not None:
            self._keep("months", as_months(self.months, self.num_players))
        if self.leader is not None:
            self._keep("leader", as_integer("leader", self.leader, 0, self.num_players - 1))
        check_choice("upset", self.upset, UPSETS)
        self._keep("play_forced", as_flag("play_forced", self.play_forced))

    def choices(self) -> Choices:
        """Of `months`, `leader` and `upset`, in words."""
        return {
            "months": {None: "the usual number", **{months: str(months) for months in months_of(self.num_players)}},
            "leader": seat_or_drawn(self.num_players),
            "upset": dict(zip(UPSETS, ("contracts at bookkeepers", "all contracts"), strict=True)),
        }


def months_of(num_players: int) -> list[int]:
    """The numbers of months that a game may have (SET-7)."""
    return [months for months in range(LEAST_MONTHS, MAX_MONTHS + 1) if months % num_players == 0]


def as_months(months: Any, num_players: int) -> int:
    """Check a number of months. TypeError or ValueError if SET-7 does not allow it."""
    number = as_integer("months", months, LEAST_MONTHS, MAX_MONTHS)
    allowed = months_of(num_players)
    if number not in allowed:
        expected = ", ".join(map(str, allowed))
        raise ValueError(f"months: expected one of {expected} with {num_players} players, got {number}")
    return number
