"""Reading by types: what is taken, and in which words the rest is refused."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, Meta, Struct, UnsetType

from chocofactory_env.core.reading import Numbers, ReadError, Word, between, entries, field_at, need, read, text

COLORS = {"red": 4, "blue": 7}


class Color(Word, words=COLORS): ...


class Colors(Numbers, words={"red": 0, "blue": 2}, most=3): ...


class Shape(Struct, tag_field="kind", forbid_unknown_fields=True):
    size: Annotated[int, between(1, 9)] = 1


class Circle(Shape, tag="circle"): ...


class Square(Shape, tag="square"):
    color: Color | UnsetType = UNSET

    def __post_init__(self) -> None:
        need(self.size != 5, "another size than 5", self.size, "size")


class Picture(Struct, forbid_unknown_fields=True, rename={"two": "2"}):
    name: Annotated[str, text("[a-z]+", "a name of small letters")]
    shapes: Annotated[list[Circle | Square], entries(0, 3)] = []
    colors: Colors | None = None
    even: Annotated[int, between(0, 8, multiple_of=2)] = 0
    two: Annotated[list[bool], entries(2)] | None = None
    share: float = 0.5
    least: Annotated[int, Meta(ge=1)] = 1
    parts: dict[str, Annotated[int, Meta(ge=1)]] = {}


def test_words_are_numbers_and_absent_fields_have_their_defaults() -> None:
    picture = read(Picture, {"name": "a", "shapes": [{"kind": "square", "color": "blue"}], "colors": {"blue": 3}})
    color = picture.shapes[0].color
    assert (color, color.word, repr(color)) == (7, "blue", "'blue'")
    assert (picture.colors, picture.even, picture.two) == ([0, 0, 3], 0, None)
    assert Colors.none() == [0, 0, 0]


LIST_OF_NAMES = "one of the fields name, shapes, colors, even, 2, share, least, parts"
REFUSED = [
    ([], "expected a table, got []"),
    ({}, "name: expected this field, a name of small letters, got nothing"),
    ({"nam": "a"}, f"nam: expected {LIST_OF_NAMES}, got an unknown field (did you mean 'name'?)"),
    ({"name": "a\n"}, "name: expected a name of small letters, got 'a\\n'"),
    ({"name": 7}, "name: expected a name of small letters, got 7"),
    ({"name": dt.date(2026, 2, 3)}, "name: expected a name of small letters, got datetime.date(2026, 2, 3)"),
    ({"shapes": {}}, "shapes: expected a list of 0 to 3 entries, got {}"),
    ({"shapes": [{"kind": "circle"}] * 4}, "shapes: expected a list of 0 to 3 entries, got 4"),
    ({"shapes": [{}]}, "shapes[0].kind: expected one of circle, square, got nothing"),
    ({"shapes": [{"kind": "sqare"}]}, "kind: expected one of circle, square, got 'sqare' (did you mean 'square'?)"),
    ({"shapes": [{"kind": []}]}, "shapes[0].kind: expected one of circle, square, got []"),
    ({"shapes": [{"kind": "circle", "color": "red"}]}, "shapes[0].color: expected one of the fields kind, size, "),
    ({"shapes": [{"kind": "square", "color": "rde"}]}, "expected one of red, blue, got 'rde' (did you mean 'red'?)"),
    ({"shapes": [{"kind": "square", "color": ["red"]}]}, "shapes[0].color: expected one of red, blue, got ['red']"),
    ({"shapes": [{"kind": "square", "size": 5}]}, "shapes[0].size: expected another size than 5, got 5"),
    ({"shapes": [{"kind": "square", "size": 10}]}, "shapes[0].size: expected an integer 1..9, got 10"),
    ({"shapes": [{"kind": "circle", "size": 1.0}]}, "shapes[0].size: expected an integer 1..9, got 1.0"),
    ({"shapes": [{"kind": "circle", "size": True}]}, "shapes[0].size: expected an integer 1..9, got True"),
    ({"colors": {"red": 0}}, "colors.red: expected an integer 1..3, got 0"),
    ({"colors": {"green": 1}}, "colors.green: expected one of the fields red, blue, got an unknown field"),
    ({"colors": {}}, "colors: expected at least one of red, blue, got nothing"),
    ({"even": 3}, "even: expected an integer 0..8, a multiple of 2, got 3"),
    ({"2": [True]}, "2: expected a list of 2 entries, got [True]"),
    ({"2": [True, 1]}, "2[1]: expected true or false, got 1"),
    ({"share": "half"}, "share: expected a number, got 'half'"),
    ({"parts": {"lid": 0}}, "parts.lid: expected an integer of at least 1, got 0"),
    ({"parts": 3}, "parts: expected a table, got 3"),
    ({"least": 0}, "least: expected an integer of at least 1, got 0"),
]


@pytest.mark.parametrize(("value", "message"), REFUSED)
def test_what_does_not_fit_is_refused_with_its_place(value: Any, message: str) -> None:
    if isinstance(value, dict) and value and "nam" not in value:
        value = {"name": "a", **value}
    with pytest.raises(ReadError) as refused:
        read(Picture, value)
    assert message in str(refused.value)


def test_a_place_is_a_path_of_fields_and_indices() -> None:
    assert field_at(("stages", 1, "pay")) == "stages[1].pay"
    assert field_at(("\x1b", 0)) == "\\x1b[0]"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.sampled_from(["red", "circle"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["name", "shapes", "kind", "size", "color", "colors", "red", "2"]), inner)
    ),
)


@given(VALUES)
def test_whatever_it_is_it_is_read_or_refused_with_what_is_there(value: Any) -> None:
    refused = refusal(value)
    if refused is None:
        return
    part = value
    for step in refused.path[:-1]:
        part = part[step]
    there = not refused.path or isinstance(part, list) or refused.path[-1] in part
    assert there or refused.found == "nothing"
    assert str(refused).isprintable()


def refusal(value: Any) -> ReadError | None:
    try:
        read(Picture, value)
    except ReadError as error:
        return error
    return None
