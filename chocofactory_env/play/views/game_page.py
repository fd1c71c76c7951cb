"""A game as one HTML file: the replay without a server.

The file is self-contained, with style, fonts and data. Things that look the same are stored once, and the data are
compressed; the browser needs `DecompressionStream` (all since 2023).
"""

from __future__ import annotations

import base64
import json
import re
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
PAGE: Final = Path(__file__).parents[1] / "page"
SCRIPTS: Final = ("dom.js", "results.js", "analysis.js")  # of the table's page
WEIGHTS: Final = (400, 700)  # of FONTS


def page_of(replay: Replay, viewers: Sequence[Viewer] = (None,)) -> str:
    """HTML of every position as each of the viewers may see it, with the replay's analysis, if any."""
    data = described(replay, viewers) | {"analysis": replay.analysis}
    squeezed = base64.b64encode(zlib.compress(json.dumps(data, separators=(",", ":")).encode(), 9)).decode()
    page = TEMPLATE.read_text(encoding="utf-8")
    style = theme.style_sheet() + "".join(faces()) + (PAGE / "shared.css").read_text(encoding="utf-8")
    for place, content in {"STYLE": style, "SCRIPT": one_script(), "DATA": squeezed}.items():
        page = page.replace(f"{{{{{place}}}}}", content)
    return page


def one_script() -> str:
    """`SCRIPTS` without imports and exports, since modules cannot be imported from a file."""
    texts = ((PAGE / name).read_text(encoding="utf-8") for name in SCRIPTS)
    return "".join(re.sub(r"^import .*\n|^export ", "", text, flags=re.MULTILINE) for text in texts)


def saved_page(replay: Replay, viewer: Viewer) -> Message:
    """The message `saved`."""
    name = f"{replay.record.game}-{replay.record.seed}.html"
    return {"type": "saved", "name": name, "text": page_of(replay, [viewer])}


def described(replay: Replay, viewers: Sequence[Viewer]) -> dict[str, Any]:
    """The page's data, JSON-compatible."""
    tiles, panels = Numbered(), Numbered()
    views = [seen_by(replay, viewer, tiles, panels) for viewer in viewers]
    return {
        "game": replay.game.name,
        "names": replay.names,
        "tiles": tiles.seen,
        "panels": panels.seen,
        "views": views,
        "chapters": replay.chapters(),
        "over": replay.outcome(len(replay.actions)),
    }


def seen_by(replay: Replay, viewer: Viewer, tiles: Numbered, panels: Numbered) -> dict[str, Any]:
    """An entry of `views`: titles and numbers of panels for every position, the log and its turns."""
    game, end = replay.game, len(replay.actions)
    scenes = [panels_of(game, state, viewer) for state in replay.states]
    frames, titles = [], []
    for at, scene in enumerate(scenes):
        shown = with_names(with_moved(scene, reversed(scenes[max(0, at - MOST_EARLIER) : at])), replay.names)
        frames.append([panels(tiled(panel, tiles)) for panel in shown.panels])
        titles.append(shown.title)
    log = replay.log(viewer, end)
    return {
        "eyes": "what lies open" if viewer is None else replay.names[viewer],
        "titles": titles,
        "frames": frames,
        "lines": [[line.number, line.seat, line.words] for line in log],
        "stories": [story._asdict() for story in replay.stories(viewer, end)],
    }


class Numbered:
    """Numbers things; equal ones get the same number."""

    def __init__(self) -> None:
        self.seen: list[Any] = []
        self._numbers: dict[Any, int] = {}

    def __call__(self, one: Any) -> int:
        if one not in self._numbers:
            self._numbers[one] = len(self.seen)
            self.seen.append(one)
        return self._numbers[one]


def tiled(panel: Panel, tiles: Callable[[str], int]) -> tuple[Any, ...]:
    """Role, owner, name and size of a panel, and the numbers of its tiles."""
    pen = Pen(None)
    drawn = [pen.ground(panel), *(pen.thing(thing, thing.x, thing.y) for thing in panel.things)]
    return panel.role, panel.owner, panel.name, panel.width, panel.height, tuple(map(tiles, drawn))


def faces(fonts: Sequence[Path] = FONTS) -> Iterator[str]:
    for path, weight in zip(fonts, WEIGHTS, strict=True):
        content = base64.b64encode(path.read_bytes()).decode()
        yield f"@font-face{{font-family:Inter;font-weight:{weight};src:url(data:font/ttf;base64,{content})}}"
