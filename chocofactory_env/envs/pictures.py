"""Pictures of environments: text, frames, and windows. P = number of players."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ..core.checks import as_integer
from ..core.game import Game, State
from ..core.messages import shown
from ..drawing import frames
from ..drawing.plain import LOG_LINES
from ..drawing.small import seen_in
from ..drawing.window import Window

RENDER_MODES: Final = ("ansi", "rgb_array", "human")
PICTURES: Final = ("rgb_array", "human")
RENDER_FPS: Final = 4  # decisions that a reader can follow
SIZES: Final = (64, 4096)  # least and most pixels of a side
RenderSize = tuple[int, int]
DEFAULT_SIZE: Final[RenderSize] = frames.SIZE


def as_size(value: Any) -> RenderSize:
    """(width, height) in pixels. Raises TypeError or ValueError unless it is such a pair within `SIZES`."""
    if not isinstance(value, Sequence | np.ndarray) or isinstance(value, str) or len(value) != 2:
        raise TypeError(f"render_size: expected (width, height) in pixels, got {shown(value)}")
    width, height = value
    return as_integer("render_size[0]", width, *SIZES), as_integer("render_size[1]", height, *SIZES)


class MoveLog:
    """The last moves of a game, in words, as a viewer may know them: a seat, or None for a spectator."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.player: int | None = None
        self.lines: deque[str] = deque(maxlen=LOG_LINES)

    def begin(self, player: int | None) -> None:
        """Begin another game."""
        self.player = player
        self.lines.clear()

    def note(self, state: State, action: int) -> None:
        """Add a legal move that is about to be made."""
        words = self.game.move_in_words(state, action, self.player)
        if words:
            self.lines.append(words)

    def frame(self, state: State, size: RenderSize) -> np.ndarray:
        """Draw the position as the viewer sees it, with the last moves: (height, width, 3) uint8.

        Raises MissingExtraError (an ImportError) without the extra `render`.
        """
        return frames.frame(seen_in(self.game, state, self.player, size, list(self.lines)), size)


def window_of(title: str, size: RenderSize) -> Window:
    """Make a window, not yet open. Raises MissingExtraError (an ImportError) without the extra `render`."""
    frames.check()
    Window.check()
    return Window(title, size, RENDER_FPS)


class Display:
    """Pictures of one game. Call its `advance` in place of the game's.

    Args:
        game: the game.
        size: (width, height) of frames.
        window: also show every position in a window.
    """

    def __init__(self, game: Game, size: RenderSize, window: bool) -> None:
        self.log = MoveLog(game)
        self.size = size
        self.window = window_of(game.name, size) if window else None

    def begin(self, state: State, player: int | None) -> None:
        """Begin a newly dealt game, seen by a seat, or by a spectator (None)."""
        self.log.begin(player)
        self._show(state)

    def advance(self, state: State, action: int, mask: np.ndarray) -> int:
        """Call `Game.advance`, log the move, and show the result."""
        self.log.note(state, action)
        seat = self.log.game.advance(state, action, mask)
        self._show(state)
        return seat

    def advance_jointly(self, state: State, actions: np.ndarray, masks: np.ndarray) -> int:
        """Call `Game.advance_jointly`, log the moves, and show the result."""
        game, first = self.log.game, self.log.game.current_player(state)
        for seat, action in enumerate(actions.tolist()):
            if action < game.num_actions:
                game.ask_seat(state, seat)
                self.log.note(state, action)
        game.ask_seat(state, first)
        seat = game.advance_jointly(state, actions, masks)
        self._show(state)
        return seat

    def frame(self, state: State) -> np.ndarray | None:
        """(height, width, 3) uint8, or None if a window has already shown it."""
        return self.log.frame(state, self.size) if self.window is None else None

    def _show(self, state: State) -> None:
        if self.window is not None and not self.window.closed:
            self.window.show(self.log.frame(state, self.size))

    def close(self) -> None:
        if self.window is not None:
            self.window.close()


class RowsDisplay:
    """Pictures of N games, with one log per row. A window shows all games side by side."""

    def __init__(self, game: Game, num_envs: int, size: RenderSize, window: bool) -> None:
        self.logs = [MoveLog(game) for _ in range(num_envs)]
        columns = int(np.ceil(np.sqrt(num_envs)))
        rows = -(-num_envs // columns)
        self.grid = (rows, columns)
        self.size = (max(1, size[0] // columns), max(1, size[1] // rows)) if window else size
        self.window = window_of(f"{game.name}: {num_envs} games", size) if window else None

    def begin(self, row: int, player: int | None, game: Game) -> None:
        self.logs[row].game = game
        self.logs[row].begin(player)

    def note(self, row: int, state: State, action: int) -> None:
        self.logs[row].note(state, action)

    def frames(self, states: Sequence[State]) -> tuple[np.ndarray, ...]:
        return tuple(log.frame(state, self.size) for log, state in zip(self.logs, states, strict=True))

    def show(self, states: Sequence[State]) -> None:
        if self.window is None or self.window.closed:
            return
        width, height = self.size
        picture = np.zeros((self.window.size[1], self.window.size[0], 3), np.uint8)
        for number, one in enumerate(self.frames(states)):
            row, column = divmod(number, self.grid[1])
            picture[row * height : (row + 1) * height, column * width : (column + 1) * width] = one
        self.window.show(picture)

    def close(self) -> None:
        if self.window is not None:
            self.window.close()
