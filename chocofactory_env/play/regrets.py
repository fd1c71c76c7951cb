"""What decisions of a replayed game cost, where the code that judges them is installed: it is part of a checkout."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from ..core.game import Game
from .protocol import Message
from .replays import Replay
from .thinking import Thinker


def why_none(game: Game) -> str | None:
    """Why regrets of this game cannot be had here; None if they can."""
    return "STUB"


async def regrets_of(
    replay: Replay, thinker: Thinker, deals: int, report: Callable[[Message], Awaitable[None]]
) -> Message | None:
    return None
