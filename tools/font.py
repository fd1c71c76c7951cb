"""Subset and measure the font of the pictures: `python -m tools.font Inter-roman.var.ttf`.

The source is Inter's variable font (https://rsms.me/inter, Debian's `fonts-inter-variable`). The result has two
weights, without kerning and ligatures, so that every program renders a text as wide as the sum of its characters.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

import chocofactory_env

DATA: Final = Path(chocofactory_env.__file__).parent / "drawing" / "data"
WEIGHTS: Final = {"Regular": 400, "Bold": 680}
MARKS: Final = "–—‘’“”„†…•‹›−≤≥≠≈←↑→↓↔↕⇒€№✓✗●○■□▲▼▶◀◆★☆∞"  # noqa: RUF001  # typographic marks are meant


def characters() -> list[int]:
    """Code points: Latin-1, Latin Extended-A, and typographic marks, arrows and shapes."""
    return [*range(0x20, 0x7F), *range(0xA0, 0x180), *map(ord, MARKS)]


def cut(source: Path, weight: int, style: str) -> Any:
    """A font of one weight with only `characters`, without kerning and ligatures."""
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont
    from fontTools.varLib.instancer import instantiateVariableFont

    font = instantiateVariableFont(TTFont(source), {"wght": weight})
    options = Options(hinting=False, name_IDs=[0, 1, 2, 3, 4, 5, 6, 7, 13, 14], notdef_outline=True)
    options.drop_tables += ["GDEF", "GPOS", "GSUB", "STAT"]
    cutter = Subsetter(options)
    cutter.populate(unicodes=characters())
    cutter.subset(font)
    for name, words in ((2, style), (4, f"Inter {style}"), (6, f"Inter-{style}")):
        font["name"].setName(words, name, 3, 1, 0x409)
    font["OS/2"].usWeightClass = 700 if style == "Bold" else weight
    font["OS/2"].fsSelection = 0x20 if style == "Bold" else 0x40
    font["head"].macStyle = int(style == "Bold")
    return font


def advances(font: Any) -> dict[str, int]:
    """The width of each character, in font units."""
    widths = font["hmtx"].metrics
    return {chr(code): widths[glyph][0] for code, glyph in sorted(font.getBestCmap().items())}


def measures() -> dict[str, Any]:
    """Measures of the shipped files for `drawing.text`."""
    from fontTools.ttLib import TTFont

    fonts = {style.lower(): TTFont(DATA / f"Inter-{style}.ttf") for style in WEIGHTS}
    return {"units": fonts["regular"]["head"].unitsPerEm, **{style: advances(font) for style, font in fonts.items()}}


def main() -> None:
    if len(sys.argv) != 2:
        raise SystemExit("usage: python -m tools.font Inter-roman.var.ttf")
    for style, weight in WEIGHTS.items():
        cut(Path(sys.argv[1]), weight, style).save(DATA / f"Inter-{style}.ttf")
    (DATA / "widths.json").write_text(json.dumps(measures(), ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
