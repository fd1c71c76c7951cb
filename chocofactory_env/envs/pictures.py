"""Pictures of environments: text, frames, and windows. P = number of players."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final

import numpy as np

from ..core.game import Game, State
from ..drawing import frames
from ..drawing.window import Window
from ..view.views import Told, seen_in

RENDER_MODES: Final = ("ansi", "rgb_array", "human")
PICTURES: Final = ("rgb_array", "human")
LOG_LINES: Final = 12  # kept; a picture shows as many as it has room for
RENDER_FPS: Final = 4  # decisions that a reader can follow
RenderSize = tuple[int, int]
DEFAULT_SIZE: Final[RenderSize] = frames.SIZE


def frame_of(
    game: Game, state: State, player: int | None, size: RenderSize = DEFAULT_SIZE, log: Sequence[Told] = ()
) -> np.ndarray:
    """Draw a position as a seat sees it, or a spectator (None), with these last moves: (height, width, 3) uint8.

    Raises MissingExtraError (an ImportError) without the extra `render`.
    """
    return frames.frame(seen_in(game, state, player, size, log=log), size)


class Display:
    """Pictures of one game, with its last moves in words, as a viewer may know them.

    Args:
        game: the game.
        size: (width, height) of frames.
        window: also show every position in a window.
    """

    def __init__(self, game: Game, size: RenderSize, window: bool) -> None:
        self.game = game
        self.size = size
        self.player: int | None = None
        self.lines: deque[Told] = deque(maxlen=LOG_LINES)
        self.window: Window | None = None
        if window:
            frames.check()
            Window.check()
            self.window = Window(game.name, size, RENDER_FPS)  # not yet open

    def begin(self, state: State, player: int | None) -> None:
        """Begin a newly dealt game, seen by a seat, or by a spectator (None)."""
        self.player = player
        self.lines.clear()
        self.show(state)

    def note(self, state: State, action: int) -> None:
        """Log a legal move that is about to be made."""
        words = self.game.move_in_words(state, action, self.player)
        if words:
            self.lines.append(Told(self.game.current_player(state), words))

    def note_jointly(self, state: State, actions: np.ndarray) -> None:
        """Log the legal moves, (P,), that the seats which are asked are about to make."""
        game, first = self.game, self.game.current_player(state)
        for seat, action in enumerate(actions.tolist()):
            if action < game.num_actions:
                game.ask_seat(state, seat)
                self.note(state, action)
        game.ask_seat(state, first)

    def show(self, state: State) -> None:
        """Show the position in the window, if there is one."""
        if self.window is not None and not self.window.closed:
            self.window.show(self._drawn(state))

    def frame(self, state: State) -> np.ndarray | None:
        """(height, width, 3) uint8, or None if a window has already shown it."""
        return self._drawn(state) if self.window is None else None

    def _drawn(self, state: State) -> np.ndarray:
        return frame_of(self.game, state, self.player, self.size, list(self.lines))

    def close(self) -> None:
        if self.window is not None:
            self.window.close()
