"""What is seen of a position, for `drawing`: the table with its cards and goods, and what is under way."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .....drawing.scene import Panel, Scene
from ...cards import Cards
from ...constants import Half, Step, Variety
from .board import board, recipes, specialists, supply
from .layout import LAYOUTS
from .log import move_in_words
from .players import player_panel
from .seen import Seen, see
from .under_way import under_way

__all__ = ["move_in_words", "scene"]


def scene(
    state: np.ndarray,
    cards: Cards,
    viewer: int | None,
    legal: Sequence[int],
    outcome: tuple[Sequence[int], Sequence[int]],
) -> Scene:
    """The picture of a position, (1,) `state.STATE`, as a seat or a spectator (None) may see it.

    legal: flat numbers of what the seat to move may do; they are shown to that seat alone.
    outcome: scores and ranking, by seat.
    """
    seen = see(state, cards, viewer, legal, outcome)
    places = LAYOUTS[len(seen.players)]
    first = viewer or 0
    seats = [*seen.players[first:], *seen.players[:first]]
    panels: list[Panel] = [
        under_way(seen, places["turn"]),
        board(seen, places["board"]),
        supply(seen, places["supply"]),
        recipes(seen, places["recipes"]),
        *(player_panel(seen, player, places[str(player.seat)]) for player in seats),
    ]
    if "specialists" in places:
        panels.append(specialists(seen, places["specialists"]))
    return Scene(title(seen), tuple(panels))


def title(seen: Seen) -> str:
    half = "Plantation" if seen.half == Half.PLANTATION else "Candy Factory"
    words = ["Chocolate Factory", half if seen.variety == Variety.FULL else f"{half} alone"]
    if seen.step == Step.OVER:
        words.append("end of the game")
    else:
        words.append(f"player {seen.current} to move")
    return " · ".join(words)
