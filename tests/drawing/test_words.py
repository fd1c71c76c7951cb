"""Words in the shipped font: widths, lines, boxes."""

from __future__ import annotations

import pytest
from fontTools.ttLib import TTFont

from chocofactory_env.drawing import text


def test_the_measures_are_those_of_the_shipped_font() -> None:
    units, *measured = text._measures()
    for path, widths in zip(text.FONTS, measured, strict=True):
        shipped = TTFont(path)
        advances = shipped["hmtx"].metrics
        assert widths == {chr(code): advances[glyph][0] for code, glyph in shipped.getBestCmap().items()}
        assert shipped["head"].unitsPerEm == units


@pytest.mark.parametrize("path", text.FONTS)
def test_the_font_is_whole_free_and_without_rules_for_pairs_of_characters(path: str) -> None:
    shipped = TTFont(path)
    latin = {*range(0x20, 0x7F), *range(0xA0, 0x180)} - {ord("ŉ")}
    assert latin < shipped.getBestCmap().keys()
    assert not {"GPOS", "GSUB", "kern"} & set(shipped.keys())
    assert shipped["name"].getDebugName(1) == text.FAMILY
    assert "SIL OPEN FONT LICENSE" in (text.DATA / "LICENCE-Inter").read_text(encoding="utf-8")


def test_letters_reach_no_further_than_the_measures_say() -> None:
    for path in text.FONTS:
        shipped = TTFont(path)
        units, glyphs, names = shipped["head"].unitsPerEm, shipped["glyf"], shipped.getBestCmap()
        for character in "Hdlgjpqy(),0123456789£€":
            outline = glyphs[names[ord(character)]]
            assert outline.yMax <= text.ABOVE * units, character
            assert outline.yMin >= -text.BELOW * units, character
