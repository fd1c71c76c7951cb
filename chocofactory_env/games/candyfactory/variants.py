"""The options of the variant, checked once and then frozen."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.checks import Choices, VariantOptions, as_flag, as_integer, seat_or_drawn
from ...core.messages import shown
from .constants import MAX_PLAYERS, MIN_PLAYERS, Variety

VARIETIES = {variety.name.lower(): variety for variety in Variety}


@dataclass(frozen=True)
class Variant(VariantOptions):
    """Which game is played.

    num_players: 2 to 4 (START-1).
    game: `"full"`, or one of the shorter games `"plantation"` and `"candy"` (SHORT-1, SHORT-3).
    start_player: the seat that starts, or None: drawn from the seed (START-8).
    play_forced: whether a single legal answer inside a turn is played by itself.
    """

    num_players: int = 2
    game: str = "full"
    start_player: int | None = None
    play_forced: bool = True

    def __post_init__(self) -> None:
        self._keep("num_players", as_integer("num_players", self.num_players, MIN_PLAYERS, MAX_PLAYERS))
        if self.game not in tuple(VARIETIES):
            known = ", ".join(f'"{name}"' for name in VARIETIES)
            raise ValueError(f"game: expected one of {known}, got {shown(self.game)}")
        if self.start_player is not None:
            self._keep("start_player", as_integer("start_player", self.start_player, 0, self.num_players - 1))
        self._keep("play_forced", as_flag("play_forced", self.play_forced))

    def choices(self) -> Choices:
        """Of `game` and `start_player`, in words."""
        return {
            "game": {name: "the full game" if name == "full" else f"short: {name}" for name in VARIETIES},
            "start_player": seat_or_drawn(self.num_players),
        }

    @property
    def variety(self) -> Variety:
        return VARIETIES[self.game]
