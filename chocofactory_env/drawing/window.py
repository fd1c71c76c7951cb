"""Windows that show frames, by pygame-ce."""

from __future__ import annotations

import os
from functools import cache
from typing import Any, Self
from weakref import WeakValueDictionary

import numpy as np

from .frames import MissingExtraError, missing

_open: WeakValueDictionary[int, Window] = WeakValueDictionary()  # by pygame's number


@cache
def _pygame() -> Any:
    """The module. MissingExtraError if it is missing, or is the older pygame, which has no such windows."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame
    except ImportError as error:
        raise missing("a window", "pygame-ce") from error
    if not hasattr(pygame, "Window"):
        raise MissingExtraError(f"a window needs pygame-ce in place of pygame {pygame.__version__}: uninstall pygame")
    pygame.display.init()
    return pygame


class Window:
    """A window of a fixed size, opened by the first frame. Once the user has closed it, it stays closed.

    A copy is a separate window, not yet open.

    Args:
        title: of the window.
        size: (width, height) in pixels.
        fps: the most frames per second; `show` waits.
    """

    def __init__(self, title: str, size: tuple[int, int], fps: float) -> None:
        self.title, self.size, self.fps = title, size, fps
        self._window: Any = None
        self._clock: Any = None
        self.closed = False

    @staticmethod
    def check() -> None:
        """Raise MissingExtraError unless windows can be opened."""
        _pygame()

    def show(self, frame: np.ndarray) -> None:
        """Show (height, width, 3) uint8. MissingExtraError without pygame-ce."""
        pygame = _pygame()
        if self._window is None and not self.closed:
            self._window = pygame.Window(self.title, self.size)
            self._clock = pygame.time.Clock()
            _open[self._window.id] = self
        _handle_events()
        if self.closed:
            return
        picture = pygame.image.frombuffer(np.ascontiguousarray(frame).tobytes(), self.size, "RGB")
        self._window.get_surface().blit(picture, (0, 0))
        self._window.flip()
        self._clock.tick(self.fps)

    def close(self) -> None:
        """Close it for good. Repeated calls are harmless."""
        self.closed = True
        if self._window is not None:
            _open.pop(self._window.id, None)
            self._window.destroy()
            self._window = None

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return type(self)(self.title, self.size, self.fps)

    def __reduce__(self) -> tuple[type[Self], tuple[str, tuple[int, int], float]]:
        return type(self), (self.title, self.size, self.fps)


def _handle_events() -> None:
    """Close the windows whose users have closed them. Events of all windows come in one queue."""
    pygame = _pygame()
    for event in pygame.event.get():
        if event.type == pygame.WINDOWCLOSE and event.window is not None:
            window = _open.get(event.window.id)
            if window is not None:
                window.close()
