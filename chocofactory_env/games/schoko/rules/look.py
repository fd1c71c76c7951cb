"""Looking at the month's event card."""

from ....core.jit import jit
from ..records import Player, Tables


@jit
def can_look(cards: Tables, player: Player) -> bool:
    """LOOK-2"""
    return bool(player.cash >= cards.look)


@jit
def look(cards: Tables, player: Player) -> None:
    """LOOK-1"""
    player.cash -= cards.look
    player.looked = 1
