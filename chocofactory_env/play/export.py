"""A game as one HTML file: the table's own page, without a server.

The file is self-contained, with style, scripts and data. Rows that look the same are stored once, and the data are
compressed; the browser needs `DecompressionStream` (all since 2023).
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from ..drawing import theme
from ..view.tree import Tree
from .playing import Playing
from .told import Viewer

PAGE: Final = Path(__file__).parent / "page"
SCRIPTS: Final = ("dom.js", "table.js", "analysis.js", "saved.js")
STYLES: Final = ("table.css", "page.css")


def page_of(playing: Playing, viewers: Sequence[Viewer] = (None,)) -> str:
    """HTML of every position as each of the viewers may see it, with the game's analysis, if any."""
    data = described(playing, viewers) | {"analysis": playing.analysis}
    squeezed = base64.b64encode(zlib.compress(json.dumps(data, separators=(",", ":")).encode(), 9)).decode()
    page = (PAGE / "saved.html").read_text(encoding="utf-8")
    style = theme.style_sheet() + "".join((PAGE / name).read_text(encoding="utf-8") for name in STYLES)
    for place, content in {"STYLE": style, "SCRIPT": one_script(), "DATA": squeezed}.items():
        page = page.replace(f"{{{{{place}}}}}", content)
    return page


def one_script() -> str:
    """`SCRIPTS` without imports and exports, since modules cannot be imported from a file."""
    whole = "\n".join((PAGE / name).read_text(encoding="utf-8") for name in SCRIPTS)
    return re.sub(r"^import .*\n|^export (?=const|function|class|async)", "", whole, flags=re.MULTILINE)


def described(playing: Playing, viewers: Sequence[Viewer]) -> dict[str, Any]:
    """The page's data: `rows` of all trees, and trees with the numbers of their rows."""
    rows: dict[str, int] = {}
    return {
        "names": playing.names,
        "chapters": playing.chapters(),
        "actions": playing.actions,
        "views": [seen_by(playing, viewer, rows) for viewer in viewers],
        "rows": [json.loads(text) for text in rows],
    }


def seen_by(playing: Playing, viewer: Viewer, rows: dict[str, int]) -> dict[str, Any]:
    trees = [numbered(playing.view(viewer, at), rows) for at in range(len(playing.states))]
    return {"eyes": "what lies open" if viewer is None else playing.names[viewer], "trees": trees}


def numbered(tree: Tree, rows: dict[str, int]) -> dict[str, Any]:
    """The tree with numbers of rows; new rows are added to `rows`."""
    built: dict[str, Any] = msgspec.to_builtins(tree)
    for group in built["groups"]:
        group["rows"] = [rows.setdefault(json.dumps(row), len(rows)) for row in group["rows"]]
    return built
