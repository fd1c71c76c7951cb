"""Reading by types: what is taken, and in which words the rest is refused."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from typing import Annotated, Any, TypedDict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET, Meta, Struct, UnsetType

from chocofactory_env.core.reading import (
    Count,
    Integer,
    Numbers,
    ReadError,
    Word,
    between,
    entries,
    line,
    need,
    parse_json,
    read,
    read_json,
    text,
)

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


class _Needed(TypedDict):
    name: str


class Thing(_Needed, total=False):
    """Further fields are allowed."""

    number: Count
    whole: Integer
    share: Annotated[float, between(0, 1)]
    time: Annotated[float, Meta(gt=0)] | None
    parts: list[dict[str, int | None]]
    options: dict[Annotated[str, line(4)], int | float | Annotated[str, line(5)] | bool | None]
    shape: Circle | Square
    shown: Annotated[str, line(3)]


def test_words_are_numbers_and_absent_fields_have_their_defaults() -> None:
    picture = read(Picture, {"name": "a", "shapes": [{"kind": "square", "color": "blue"}], "colors": {"blue": 3}})
    color = picture.shapes[0].color
    assert (color, color.word, repr(color)) == (7, "blue", "'blue'")
    assert (picture.colors, picture.even, picture.two) == ([0, 0, 3], 0, None)
    assert Colors.none() == [0, 0, 0]


LIST_OF_NAMES = "one of the fields name, shapes, colors, even, 2, share, least, parts"
REFUSED = [
    ([], "expected an object, got []"),
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
    (
        {"colors": {"green": 1}},
        "colors.green: expected one of the fields red, blue, got an unknown field",
    ),
    ({"colors": {}}, "colors: expected at least one of red, blue, got nothing"),
    ({"even": 3}, "even: expected an integer 0..8, a multiple of 2, got 3"),
    ({"2": [True]}, "2: expected a list of 2 entries or null, got [True]"),
    ({"2": [True, 1]}, "2[1]: expected true or false, got 1"),
    ({"share": "half"}, "share: expected a number, got 'half'"),
    ({"parts": {"lid": 0}}, "parts.lid: expected an integer of at least 1, got 0"),
    ({"parts": 3}, "parts: expected an object, got 3"),
    ({"least": 0}, "least: expected an integer of at least 1, got 0"),
]


REFUSED_THINGS = [
    ({}, "name: expected this field, text, got nothing"),
    ({"name": None}, "name: expected text, got None"),
    ({"number": 2**63}, "number: expected an integer of at least 0, got 9223372036854775808"),
    ({"whole": -(2**63) - 1}, "whole: expected an integer of 64 bits, got -9223372036854775809"),
    ({"share": 2}, "share: expected a number 0..1, got 2"),
    ({"time": 0}, "time: expected a number above 0 or null, got 0"),
    ({"parts": [{}, 3]}, "parts[1]: expected an object, got 3"),
    ({"parts": [{"a": 1}, {"b": ""}]}, "parts[1].b: expected an integer or null, got ''"),
    (
        {"options": {"a": "123456"}},
        "options.a: expected an integer or a number or text of at most 5 printable characters or ",
    ),
    (
        {"options": {"long name": 1}},
        "options.long name: expected text of at most 4 printable characters, got 'long name'",
    ),
    ({"shown": "a\n"}, "shown: expected text of at most 3 printable characters, got 'a\\n'"),
    ({"shown": "\u202e"}, "shown: expected text of at most 3 printable characters, got '\\u202e'"),
    ({"shown": "\ud800"}, "shown: expected text of at most 3 printable characters, got '\\ud800'"),
]


@pytest.mark.parametrize(
    ("kind", "value", "message"),
    [(kind, *case) for kind, cases in ((Picture, REFUSED), (Thing, REFUSED_THINGS)) for case in cases],
)
def test_what_does_not_fit_is_refused_with_its_place(kind: Any, value: Any, message: str) -> None:
    if value and isinstance(value, dict) and "nam" not in value:
        value = {"name": "a", **value}
    refused = refusal(value, kind)
    assert message in str(refused)


def test_all_values_of_a_union_and_further_fields_are_taken() -> None:
    options = {"a": 1, "b": 0.5, "c": "é 五", "d": True, "e": None}
    thing = {"name": "x", "number": 0, "share": 1, "parts": [{"a": None, "b": 2}, {}], "options": options}
    assert read(Thing, {**thing, "more": [[]]}) == thing


NO_JSON = [
    (b'{"a": 1, "b": 2, "a": 3}', "expected JSON with every key once, got 'a' twice"),
    (b'{"a": NaN}', "expected JSON with finite numbers, got NaN"),
    (b"[1e999]", "expected JSON with finite numbers, got 1e999"),
    (b"[" + b"1" * 5000 + b"]", "expected JSON, got Exceeds the limit (4300 digits) for integer string conversion"),
    (b"[" * 100_000, "expected JSON, got one that is nested too deeply"),
    (b'"\xff"', "expected text in UTF-8, got byte 0xff at 1"),
    (b'\xef\xbb\xbf{"a": 1}', "expected JSON, got Unexpected UTF-8 BOM"),
    (b'{"a"', "expected JSON, got Expecting ':' delimiter: line 1 column 5"),
    (b"", "expected JSON, got Expecting value"),
]


@pytest.mark.parametrize(("content", "message"), NO_JSON, ids=range(len(NO_JSON)))
def test_what_is_no_json_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(ReadError) as refused:
        parse_json(content)
    assert str(refused.value).startswith(message)


def test_fifty_thousand_keys_are_searched_for_duplicates_at_once() -> None:
    keys = ", ".join(f'"{number}": 0' for number in range(50_000))
    with pytest.raises(ReadError, match="got '49999' twice"):
        parse_json(f'{{{keys}, "49999": 1}}')


@pytest.mark.parametrize("value", ["x" * 10**6, list(range(10**5)), {"x" * 10**5: 1}, 10**4000], ids=range(4))
def test_long_values_are_shortened_in_messages(value: Any) -> None:
    for refused in (refusal({"name": "x", "number": value}, Thing), refusal({"x" * 10**6: ""}, dict[str, int])):
        assert len(str(refused)) < 400


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.sampled_from(["red", "circle"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["name", "shapes", "kind", "size", "color", "colors", "red", "2"]), inner)
    ),
)


@settings(deadline=None)
@given(VALUES)
def test_whatever_it_is_it_is_read_or_refused_with_what_is_there(value: Any) -> None:
    for kind in (Picture, Thing):
        if (refused := refusal(value, kind)) is None:
            continue
        part = value
        for step in refused.path[:-1]:
            part = part[step]
        there = not refused.path or isinstance(part, list) or refused.path[-1] in part
        assert there or refused.found == "nothing"
        assert str(refused).isprintable()


@settings(deadline=None)
@given(st.binary(max_size=20) | VALUES.map(lambda value: json.dumps(value).encode()))
def test_whatever_bytes_there_are_they_are_read_or_refused(content: bytes) -> None:
    refused = refusal(content, Thing, read_json)
    assert str(refused).isprintable()


def refusal(value: Any, kind: Any, how: Callable[..., Any] = read) -> ReadError | None:
    try:
        how(kind, value)
    except ReadError as error:
        return error
    return None
