"""Helpers for counting pieces. A `place` is a tile, 0 to 3, or STORE_ROOM; `kinds` is a bit mask."""

from ....core.jit import jit
from ..constants import ANY_KINDS, NUM_KINDS, NUM_TILES
from ..state import Player


@jit
def accepts(kinds: int, kind: int) -> bool:
    """Whether the kind is one of `kinds`."""
    return (kinds >> kind) & 1 == 1


@jit
def from_kind_on(kinds: int, lowest: int) -> int:
    """The subset of `kinds` from `lowest` on, in the order of kinds; all of them if `lowest` is NONE."""
    return kinds & (ANY_KINDS << max(lowest, 0))


@jit
def number_of(player: Player, place: int, kinds: int) -> int:
    """The number of pieces of these kinds at the place."""
    number = 0
    for kind in range(NUM_KINDS):
        number += player.pieces[place, kind] * ((kinds >> kind) & 1)
    return number


@jit
def on_belt(player: Player, kinds: int) -> bool:
    """Whether the belt holds a piece of these kinds."""
    for tile in range(NUM_TILES):
        if number_of(player, tile, kinds) > 0:
            return True
    return False
