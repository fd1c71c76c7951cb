"""Looking at the month's event card."""

from ....core.jit import Row, jit


@jit
def can_look(cards: Row, player: Row) -> bool:
    """LOOK-2"""
    return bool(player.cash >= cards.look)


@jit
def look(cards: Row, player: Row) -> None:
    """LOOK-1"""
    player.cash -= cards.look
    player.looked = 1
