"""Words in the shipped font: widths, lines, boxes."""

from __future__ import annotations

from itertools import pairwise

import pytest
from fontTools.ttLib import TTFont

from chocofactory_env.drawing import text
from chocofactory_env.drawing.scene import Text


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


def test_a_line_is_as_wide_as_its_characters() -> None:
    assert text.width("", 12) == 0
    assert text.width("ab", 12) == pytest.approx(text.width("a", 12) + text.width("b", 12))
    assert text.width("AV", 24) == pytest.approx(2 * text.width("AV", 12))
    assert text.width("AV", 12, bold=True) > text.width("AV", 12)
    assert text.width("漢", 12) == text.width(text.UNKNOWN, 12)
    assert text.known("漢a") == "?a"


def test_extents_follow_the_anchor() -> None:
    length = text.width("words", 10)
    for anchor, left in (("start", 100), ("middle", 100 - length / 2), ("end", 100 - length)):
        line = Text(100, 50, "words", 10, anchor=anchor)  # type: ignore[arg-type]  # one of three
        area = text.extent(line)
        assert area == pytest.approx((left, 50 - 10 * text.ABOVE, left + length, 50 + 10 * text.BELOW))


@pytest.mark.parametrize("width", [60, 90, 200, 1000])
def test_lines_are_no_wider_than_asked_and_keep_all_words(width: float) -> None:
    words = "Every player in turn order takes one factory part and one employee"
    lines = text.wrap(words, width, 12)
    assert " ".join(lines) == words
    assert all(text.width(line, 12) <= width for line in lines)
    for one, following in pairwise(lines):  # and no line has room for another word
        assert text.width(f"{one} {following.split()[0]}", 12) > width


def test_words_that_are_too_wide_are_refused_or_broken() -> None:
    with pytest.raises(ValueError, match="'Manufacturing' is wider than 40"):
        text.wrap("a Manufacturing", 40, 12)
    lines = text.wrap("a Manufacturing", 40, 12, breaking=True)
    assert "".join(lines) == "aManufacturing"
    assert all(text.width(line, 12) <= 40 for line in lines)
    assert text.wrap("ab", 1, 12, breaking=True) == ["a", "b"]


def test_the_largest_size_that_fits_is_taken() -> None:
    assert text.fit("words", 1000, 14) == 14
    size = text.fit("some more words", 80, 14)
    assert 9 <= size < 14
    assert text.width("some more words", size) <= 80 < text.width("some more words", size + text.STEP)
    with pytest.raises(ValueError, match="does not fit"):
        text.fit("some more words", 40, 14)


@pytest.mark.parametrize("centred", [False, True])
def test_blocks_lie_in_their_box(centred: bool) -> None:
    words = "benefit: one part may work on a neighbouring tile at 1 more coal"
    lines = text.block(words, 10, 20, 120, 50, 13, centred=centred)
    assert " ".join(line.words for line in lines) == words
    areas = [text.extent(line) for line in lines]
    for left, top, right, bottom in areas:
        assert left >= 10 - 1e-9
        assert top >= 20 - 1e-9
        assert right <= 130 + 1e-9
        assert bottom <= 70 + 1e-9
    assert all(above[3] <= below[1] + 1e-9 for above, below in pairwise(areas))
    with pytest.raises(ValueError, match="does not fit"):
        text.block(words, 10, 20, 60, 30, 13)
