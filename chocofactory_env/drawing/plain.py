"""Common parts of scenes: rows of buttons, the last moves, and a scene of words for games without one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, Protocol, runtime_checkable

import numpy as np

from ..core.checks import as_integer
from ..core.game import Game, State
from . import text
from .scene import HEIGHT, PANEL_WIDTH, Box, Panel, Scene, Text, Thing
from .svg import GAP, HEADING_HEIGHT, TITLE_HEIGHT

COLUMNS: Final = (8, 430, 852)  # left edges of the panels in the wide picture
MARGIN: Final = 12  # inside a panel, in line with its heading
LOG: Final = (852, 420, 140)  # left edge, width and height of the last moves; they end at the bottom of the picture
LOG_LINES: Final = 8  # kept by environments; the panel shows as many as it has room for
_SIZE: Final = 12
_STEP: Final = 15  # from line to line


class Choice(NamedTuple):
    """A button: its words, the legal action that it takes, and whether it is the one chosen."""

    words: str
    action: int | None
    marked: bool = False


def buttons(
    choices: Sequence[Choice], x: float, y: float, width: float, size: float = _SIZE, gap: float = 5
) -> tuple[tuple[Thing, ...], float]:
    """Buttons from left to right in as many rows as they need, and the y below the last row.

    Words wider than `width` are broken into lines.
    """
    things: list[Thing] = []
    left, top, bottom = x, y, y
    for choice in choices:
        lines = text.wrap(choice.words, width - 16, size, breaking=True) or [""]
        across = min(width, max(30, 16 + max(text.width(line, size) for line in lines)))
        high = round(size * 1.25) * len(lines) + 8
        if left > x and left + across > x + width:
            left, top = x, bottom + gap
        parts = _lines(lines, across / 2, 4 + size, round(size * 1.25), size)
        ground = Box(0, 0, across, high, "card", "line")
        things.append(
            Thing(choice.words, left, top, across, high, (ground, *parts), action=choice.action, marked=choice.marked)
        )
        left += across + gap
        bottom = max(bottom, top + high)
    return tuple(things), bottom


def _lines(lines: Sequence[str], middle: float, first: float, step: float, size: float) -> Iterator[Text]:
    for number, line in enumerate(lines):
        if line:
            yield Text(middle, first + number * step, line, size, anchor="middle")


@runtime_checkable
class HasScene(Protocol):
    """A game with a picture of its own."""

    def scene(self, state: State, player: int | None = None) -> Scene:
        """See `scene_of`."""


def scene_of(game: Game, state: State, player: int | None = None) -> Scene:
    """The position as a scene, as `player` may see it, or with None a spectator.

    If `player` is to move, every legal action is the action of a thing. A game with a method `scene` makes its own. For
    others, the scene holds the words of `render` and a button for every legal action.

    Raises:
        TypeError, ValueError: no such seat, or the state is no position of the game.
    """
    return game.scene(state, player) if isinstance(game, HasScene) else scene_in_words(game, state, player)


@runtime_checkable
class HasPanels(Protocol):
    """A game with narrow panels of its own."""

    def panels(self, state: State, player: int | None = None) -> Scene:
        """See `panels_of`."""


def panels_of(game: Game, state: State, player: int | None = None) -> Scene:
    """Like `scene_of`, as a row of narrow panels (`NARROW`) with roles, for web pages."""
    if isinstance(game, HasPanels):
        return game.panels(state, player)
    scene = scene_in_words(game, state, player, NARROW)
    return in_a_row(scene.title, reversed(scene.panels))  # the choices last, because there may be none


def scene_in_words(game: Game, state: State, player: int | None = None, width: float = PANEL_WIDTH) -> Scene:
    """The scene of words for a game without one, see `scene_of`. width: of its panels."""
    if player is not None:
        player = as_integer("player", player, 0, game.num_players - 1)
    mover = game.current_player(state)
    whose = f"player {mover} to move" if mover >= 0 else "the game is over"
    legal = np.flatnonzero(game.legal_mask(state)).tolist() if mover == player else []
    choices = [Choice(game.describe(action), action) for action in legal]
    title = f"{game.name}, {game.when(state)}: {whose}"
    return scene_of_text(title, game.render(state, player), choices, width)


def scene_of_text(title: str, table: str, choices: Sequence[Choice], width: float = PANEL_WIDTH) -> Scene:
    """A scene of words: the table as `render` writes it, in two columns, and a button for every legal action."""
    inside = width - 2 * MARGIN
    lines = [part for line in table.splitlines() for part in text.wrap(line, inside, _SIZE, breaking=True) or [""]]
    half = max(45, -(-len(lines) // 2))
    columns = [lines[:half], lines[half:]]
    panels = []
    if choices:
        things, bottom = buttons(choices, MARGIN, HEADING_HEIGHT + 4, inside)
        panels.append(Panel("Your move", COLUMNS[2], TITLE_HEIGHT + 4, width, bottom + MARGIN, things, role="choose"))
    for x, name, column in zip(COLUMNS, ("The table", "The table, continued"), columns, strict=False):
        if column:
            panels.append(_panel_of_lines(name, x, TITLE_HEIGHT + 4, column, width))
    log_height = LOG[2] + 2 * GAP
    height = log_height + max([HEIGHT - log_height, *(panel.y + panel.height for panel in panels)])
    return Scene(title, tuple(panels), height=height)


def _panel_of_lines(name: str, x: float, y: float, lines: Sequence[str], width: float = PANEL_WIDTH) -> Panel:
    """A panel with a thing for every line, so that lines that move up need no new drawing."""
    first, high = HEADING_HEIGHT + 2, len(lines) * _STEP
    things = tuple(
        Thing(line, MARGIN, first + number * _STEP, width - 2 * MARGIN, _STEP, (Text(0, _SIZE - 1, line, _SIZE),))
        for number, line in enumerate(lines)
        if line
    )
    return Panel(name, x, y, width, first + high + GAP, things)


def with_log(scene: Scene, lines: Sequence[str]) -> Scene:
    """The scene with a panel of the last moves, the newest at the bottom, if there is room for it."""
    x, width, height = LOG
    y = scene.height - GAP - height
    taken = any(
        panel.x < x + width and panel.x + panel.width > x and panel.y + panel.height > y for panel in scene.panels
    )
    if taken or not lines:
        return scene
    room = int((height - HEADING_HEIGHT - GAP) // _STEP)
    broken = [part for line in lines for part in text.wrap(line, width - 2 * MARGIN, _SIZE, breaking=True)]
    panel = replace(_panel_of_lines("Last moves", x, y, broken[-room:]), height=height)
    return replace(scene, panels=(*scene.panels, panel))


# --- narrow panels: side by side on a desktop, stacked on a phone, where the smallest words stay legible


NARROW: Final = 306  # width: on the 378 pixels of a phone, words of size 9 have 11 pixels


def in_a_row(title: str, panels: Iterable[Panel]) -> Scene:
    """A scene of narrow panels, for a game's method `panels`. Roles say what the panels are for.

    Two scenes are compared by place in the row, whatever a panel's role and height.
    """
    step = NARROW + GAP
    placed = tuple(replace(panel, x=GAP + place * step, y=TITLE_HEIGHT) for place, panel in enumerate(panels))
    height = TITLE_HEIGHT + max(panel.height for panel in placed) + GAP
    return Scene(title, placed, width=GAP + len(placed) * step, height=height)
