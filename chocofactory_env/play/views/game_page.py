"""A game that was played as one HTML file: the replay without a server.

The file asks for nothing else: style, fonts and data lie in it. Things that look the same are stored once, and the data
are compressed; the browser needs `DecompressionStream` (all since 2023).
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from ...drawing import theme
from ...drawing.moved import with_moved
from ...drawing.names import with_names
from ...drawing.plain import panels_of
from ...drawing.scene import Panel
from ...drawing.svg import Pen
from ...drawing.text import FONTS
from ..protocol import Message
from ..tables.replays import Replay
from ..tables.table import MOST_EARLIER, Viewer

TEMPLATE: Final = Path(__file__).parent / "game_page.html"
WEIGHTS: Final = (400, 700)  # of FONTS


def page_of(replay: Replay, viewer: Viewer = None) -> str:
    """HTML of every position as the viewer may see it; with the replay's analysis, if there is one."""
    data = described(replay, viewer) | {"analysis": replay.analysis}
    squeezed = base64.b64encode(zlib.compress(json.dumps(data, separators=(",", ":")).encode(), 9)).decode()
    page = TEMPLATE.read_text(encoding="utf-8")
    for place, content in {"STYLE": theme.style_sheet() + "".join(faces()), "DATA": squeezed}.items():
        page = page.replace(f"{{{{{place}}}}}", content)
    return page


def saved_page(replay: Replay, viewer: Viewer) -> Message:
    """The message `saved`."""
    header = replay.record.header
    return {"type": "saved", "name": f"{header['game']}-{header['seed']}.html", "text": page_of(replay, viewer)}


def described(replay: Replay, viewer: Viewer) -> dict[str, Any]:
    """What the page shows, JSON-able."""
    game, end = replay.game, len(replay.actions)
    scenes = [panels_of(game, state, viewer) for state in replay.states]
    tiles, panels = Numbered(), Numbered()
    frames, titles = [], []
    for at, scene in enumerate(scenes):
        shown = with_names(with_moved(scene, reversed(scenes[max(0, at - MOST_EARLIER) : at])), replay.names)
        frames.append([panels(tiled(panel, tiles)) for panel in shown.panels])
        titles.append(shown.title)
    log = replay.log(viewer, end)
    return {
        "game": game.name,
        "names": replay.names,
        "titles": titles,
        "tiles": tiles.seen,
        "panels": panels.seen,
        "frames": frames,
        "lines": [[line.number, line.seat, line.words] for line in log],
        "stories": [story._asdict() for story in replay.stories(viewer, end)],
        "chapters": replay.chapters(),
        "over": replay.view(viewer, end)["over"],
    }


class Numbered:
    """Gives equal things the same number."""

    def __init__(self) -> None:
        self.seen: list[Any] = []
        self._numbers: dict[Any, int] = {}

    def __call__(self, one: Any) -> int:
        if one not in self._numbers:
            self._numbers[one] = len(self.seen)
            self.seen.append(one)
        return self._numbers[one]


def tiled(panel: Panel, tiles: Callable[[str], int]) -> tuple[Any, ...]:
    """Role, owner, name and size of a panel, and the numbers of what it is drawn of."""
    pen = Pen(None)
    drawn = [pen.ground(panel), *(pen.thing(thing, thing.x, thing.y) for thing in panel.things)]
    return panel.role, panel.owner, panel.name, panel.width, panel.height, tuple(map(tiles, drawn))


def faces(fonts: Sequence[Path] = FONTS) -> Iterator[str]:
    for path, weight in zip(fonts, WEIGHTS, strict=True):
        content = base64.b64encode(path.read_bytes()).decode()
        yield f"@font-face{{font-family:Inter;font-weight:{weight};src:url(data:font/ttf;base64,{content})}}"
