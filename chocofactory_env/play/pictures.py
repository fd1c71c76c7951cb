"""What a viewer sees of a position, drawn, and what it reads of a move. A viewer is a seat, or None who watches."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..core.game import Game, State
from ..drawing import svg


class Picture(NamedTuple):
    title: str
    svg: str


def picture_of(game: Game, state: State, viewer: int | None, tall: bool) -> Picture:
    """The scene that the viewer may see; colours are classes, for the page's style sheet."""
    scene = game.scene(state, viewer)
    return Picture(scene.title, svg.draw(scene, classes=True, tall=tall))


def words_of_move(game: Game, state: State, action: int, viewer: int | None) -> str:
    """The move about to be made in `state`, as the viewer may know it; "" if it may not know that there was one."""
    return game.move_in_words(state, action, viewer)


def actions_of(game: Game, state: State) -> list[dict[str, Any]]:
    """All legal actions with their words."""
    legal = np.flatnonzero(game.legal_mask(state)).tolist()
    return [{"action": action, "words": game.describe(action)} for action in legal]


def has_secrets(game: Game) -> bool:
    """Whether seats see what others do not."""
    return any(block.private for block in game.observation_layout.blocks)
