"""Read what people and other programs write, by types; errors name the place, what is there, and what was expected.

A type is whatever `msgspec.convert` takes: `Struct` classes and typed dictionaries with `Annotated` bounds, lists,
dictionaries, and unions of plain values or of tagged `Struct` classes. A rule within a `Struct` stands in its
`__post_init__`, as calls of `need`. A `Form` is a type that the program uses in another form than it is written in.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum
from math import isfinite
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, Self, Union, get_args, get_origin, get_type_hints, is_typeddict

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import astuple

from .messages import hint, shortened, shown

LARGEST = 2**63 - 1  # of an array
# control characters, and those that are invisible, change the direction of text, or are halves of one
UNPRINTABLE = (
    r"\x00-\x1f\x7f-\xa0\xad\u061c\u180e\u2000-\u200f\u2028-\u202f"
    r"\u205f-\u206f\u3000\ud800-\udfff\ufeff\ufff0-\uffff\U000e0000-\U000e0fff"
)
Step = Any  # of a path: a key, an index, or what the caller of `need` can place


class ReadError(ValueError):
    """A value that does not fit: `path` leads to it, `expected` and `found` are words."""

    def __init__(self, expected: str, found: str, path: tuple[Step, ...] = ()) -> None:
        super().__init__(f"{field_at(path)}: expected {expected}, got {found}".removeprefix(": "))
        self.expected, self.found, self.path = expected, found, path


def need(holds: bool, expected: str, got: object, *path: Step, found: str | None = None) -> None:
    """Raise a `ReadError` unless it `holds`. `found`: words for what is there, instead of showing `got`."""
    if not holds:
        raise ReadError(expected, shown(got) if found is None else found, path)


def field_at(path: Iterable[Step]) -> str:
    """The path as `stages[1].pay`."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{shown(step)[1:-1]}" for step in path).lstrip(".")


# --- types


def between(low: float, high: float, **more: Any) -> Meta:
    """Bounds of a number."""
    return Meta(ge=low, le=high, **more)


def at_least(low: int) -> Meta:
    """Bounds of an integer that fits into an array."""
    return Meta(ge=low, le=LARGEST, description=f"an integer of at least {low:,}")


def entries(low: int, high: int | None = None, of: str = "") -> Meta:
    """Bounds of the length of a list or table; without `high` the only length. `of`: the word for its entries."""
    high = low if high is None else high
    return Meta(min_length=low, max_length=high, description=f"{length(low, high)} {of}" if of else None)


def length(low: int, high: int | None) -> str:
    return f"{low} or more" if high is None else str(low) if low == high else f"{low} to {high}"


def text(pattern: str, expected: str) -> Meta:
    """Text that this pattern describes from its begin to its end."""
    return Meta(pattern=rf"^(?:{pattern})\Z", description=expected)


def line(most: int) -> Meta:
    """Text of at most this many characters, all of them printable."""
    return Meta(
        max_length=most, pattern=rf"^[^{UNPRINTABLE}]*\Z", description=f"text of at most {most} printable characters"
    )


Integer = Annotated[int, between(-LARGEST - 1, LARGEST, description="an integer of 64 bits")]
Count = Annotated[int, at_least(0)]


def numbers_of(enum: type[IntEnum]) -> dict[str, int]:
    """The members by lower-case name, as files write them."""
    return {member.name.lower(): int(member) for member in enum}


class Form:
    """A type whose values are written as `written`, and used as what `of` makes of that."""

    written: ClassVar[Any]

    @classmethod
    def of(cls, value: Any) -> Self:
        raise NotImplementedError

    @classmethod
    def read(cls, value: Any) -> Self:
        return cls.of(_converted(cls.written, value))


class Word(int, Form):
    """One of some words, used as its number."""

    _numbers: ClassVar[dict[str, Any]]
    word: str

    def __init_subclass__(cls, words: Mapping[str, int]) -> None:
        cls.written, cls._numbers = Literal[tuple(words)], {}
        for word, number in words.items():
            cls._numbers[word] = cls(number)
            cls._numbers[word].word = word

    @classmethod
    def of(cls, value: str) -> Self:
        number: Self = cls._numbers[value]
        return number

    @classmethod
    def read(cls, value: Any) -> Self:
        known = type(value) is str and value in cls._numbers  # quicker than by the type
        return cls.of(value) if known else super().read(value)

    def __repr__(self) -> str:
        return repr(self.word)


class Numbers(list[int], Form):
    """A table word -> number from 1, used as the list by the words' numbers, with 0 for the others."""

    words: ClassVar[Mapping[str, int]]
    _zeros: ClassVar[list[int]]

    def __init_subclass__(cls, words: Mapping[str, int], most: int) -> None:
        fields = [(word, Annotated[int, between(1, most)] | UnsetType, UNSET) for word in words]
        cls.words, cls.written = (
            words,
            msgspec.defstruct(cls.__name__, fields, forbid_unknown_fields=True, namespace={"in_words": "a table"}),
        )
        cls._zeros = [0] * (max(words.values()) + 1)

    @classmethod
    def of(cls, value: Struct) -> Self:
        numbers = cls.none()
        for place, number in zip(cls.words.values(), astuple(value), strict=True):
            numbers[place] = number or 0
        if not any(numbers):
            raise ReadError(f"at least one of {', '.join(cls.words)}", "nothing")
        return numbers

    @classmethod
    def none(cls) -> Self:
        return cls(cls._zeros)


# --- reading


def parse_json(content: bytes | str) -> Any:
    """The value of a JSON text, which may come from a stranger.

    Raises:
        ReadError: it is no JSON in UTF-8, names a key twice, has a number that is infinite or of thousands of digits,
            or is nested too deeply.
    """
    try:
        text = content if isinstance(content, str) else content.decode()
        return json.loads(text, object_pairs_hook=_each_once, parse_float=_finite, parse_constant=_finite)
    except ReadError:
        raise
    except UnicodeDecodeError as error:
        raise ReadError("text in UTF-8", f"byte 0x{error.object[error.start]:02x} at {error.start}") from None
    except RecursionError:
        raise ReadError("JSON", "one that is nested too deeply") from None
    except ValueError as error:
        raise ReadError("JSON", shortened(str(error).partition(";")[0])) from None


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ReadError("JSON with every key once", f"{shown(twice)} twice")
    return table


def _finite(text: str) -> float:
    number = float(text)
    need(isfinite(number), "JSON with finite numbers", text, found=shortened(text, 60))
    return number


def read_json(kind: Any, content: bytes | str) -> Any:
    """The value of a JSON text as one of this type. Raises ReadError like `parse_json` and `read`."""
    return read(kind, parse_json(content))


def read(kind: Any, value: Any) -> Any:
    """The value, parsed from TOML or JSON, as one of this type. Nothing is repaired.

    Raises:
        ReadError: it does not fit. `path` leads to the innermost part that does not.
    """
    try:
        return _converted(kind, value)
    except msgspec.ValidationError as error:
        raise _first_error(kind, value, error) from None


def _converted(kind: Any, value: Any) -> Any:
    return msgspec.convert(value, kind, dec_hook=_own_form)


def _own_form(kind: type[Form], value: Any) -> Form:
    return kind.read(value)


def _first_error(kind: Any, value: Any, error: msgspec.ValidationError, path: tuple[Step, ...] = ()) -> ReadError:
    """The error of the first part that does not fit, or of the value itself if all its parts do."""
    tables = _tables(kind, value)
    for step, part_kind, part in _parts(kind, tables, value):
        try:
            _converted(part_kind, part)
        except msgspec.ValidationError as inner:
            return _first_error(part_kind, part, inner, (*path, step))
    own = error.__cause__ if isinstance(error.__cause__, ReadError) else _own_error(kind, tables, value)
    return ReadError(own.expected, own.found, (*path, *own.path))


def alternatives(kind: Any, *metas: Meta) -> Iterator[tuple[Any, tuple[Meta, ...]]]:
    """(type as it is written, its bounds) of each type that it may be."""
    if get_origin(kind) is Annotated:
        kind, *more = get_args(kind)
        yield from alternatives(kind, *metas, *more)
    elif get_origin(kind) in (Union, UnionType):
        for each in get_args(kind):
            yield from alternatives(each, *metas)
    elif isinstance(kind, type) and issubclass(kind, Form):
        yield from alternatives(kind.written, *metas)
    elif kind is not UnsetType:
        yield kind, metas


def _tables(kind: Any, value: Any) -> list[Any]:
    """The types with named fields that the value may have; of several tagged ones, that of its tag."""
    kinds = [each for each, _ in alternatives(kind) if _has_fields(each)] if isinstance(value, dict) else []
    tagged = [each for each in kinds if len(kinds) > 1 and value.get(_tag(each)[0]) == _tag(each)[1]]
    return tagged or kinds


def _has_fields(kind: Any) -> bool:
    return is_typeddict(kind) or (isinstance(kind, type) and issubclass(kind, Struct))


def _tag(kind: type[Struct]) -> tuple[Any, Any]:
    return kind.__struct_config__.tag_field, kind.__struct_config__.tag


def _fields(kind: Any) -> dict[str, tuple[Any, bool]]:
    """(type, whether it is required) of the fields."""
    if is_typeddict(kind):
        hints = get_type_hints(kind, include_extras=True)
        return {name: (hint, name in kind.__required_keys__) for name, hint in hints.items()}
    return {field.encode_name: (field.type, field.required) for field in msgspec.structs.fields(kind)}


def _parts(kind: Any, tables: list[Any], value: Any) -> Iterator[tuple[Step, Any, Any]]:
    """(step, type, value) of the parts that the value has."""
    if len(tables) == 1:
        for name, (field, _) in _fields(tables[0]).items():
            if name in value:
                yield name, field, value[name]
    for each, _ in alternatives(kind):
        if get_origin(each) in (list, tuple) and isinstance(value, list | tuple):
            for index, part in enumerate(value):
                yield index, get_args(each)[0], part
        elif get_origin(each) is dict and isinstance(value, dict):
            for key, part in value.items():
                yield key, get_args(each)[0], key
                yield key, get_args(each)[1], part


def _own_error(kind: Any, tables: list[Any], value: Any) -> ReadError:
    """The error of a value all of whose parts fit."""
    if tables:
        return _error_of_table(tables, value)
    found = shown(value)
    if isinstance(value, str):
        found += hint(value, (word for each, _ in alternatives(kind) for word in _words(each) if isinstance(word, str)))
    if isinstance(value, list) and any(isinstance(part, dict) for part in value):
        found = str(len(value))
    return ReadError(_expected(kind), found)


def _words(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) is Literal else ()


def _error_of_table(kinds: list[Any], value: dict[str, Any]) -> ReadError:
    """Its tag, an unknown field, or one that lacks."""
    if len(kinds) > 1:
        (field, _), words = _tag(kinds[0]), [_tag(each)[1] for each in kinds]
        found = shown(value[field]) + hint(value[field], words) if field in value else "nothing"
        return ReadError(one_of(words), found, (field,))
    fields = _fields(kinds[0])
    known = fields if is_typeddict(kinds[0]) else [*filter(None, [_tag(kinds[0])[0]]), *fields]
    for key in value:
        if key not in known and not is_typeddict(kinds[0]):
            return ReadError(f"one of the fields {', '.join(known)}", f"an unknown field{hint(key, known)}", (key,))
    lacking = next(name for name, (_, required) in fields.items() if required and name not in value)
    return ReadError(f"this field, {_expected(fields[lacking][0])}", "nothing", (lacking,))


def one_of(words: Iterable[object]) -> str:
    return "one of " + ", ".join(map(str, words))


SIMPLE = {bool: "true or false", int: "an integer", float: "a number", str: "text", NoneType: "null"}
BOUNDS = ("gt", "ge", "le", "multiple_of", "min_length", "max_length")


def _expected(kind: Any) -> str:
    """The type and its bounds in words."""
    return " or ".join(dict.fromkeys(in_words(each, metas) for each, metas in alternatives(kind)))


def in_words(kind: Any, metas: tuple[Meta, ...]) -> str:
    for meta in metas:
        if meta.description and kind is not NoneType:
            return meta.description
    given = {name: getattr(meta, name) for meta in metas for name in BOUNDS if getattr(meta, name) is not None}
    above, least, most, step, shortest, longest = map(given.get, BOUNDS)
    if choices := _words(kind):
        return one_of(choices) if len(choices) > 1 else shown(choices[0])
    if kind not in SIMPLE:
        words = "a list" if get_origin(kind) in (list, tuple) else getattr(kind, "in_words", "an object")
        if shortest is None:
            return words
        return f"{words} of {length(shortest, longest)} {'entry' if longest == 1 else 'entries'}"
    limits = f" above {above:,}" if above is not None else "" if least is None else f" of at least {least:,}"
    limits = limits if most is None else f" {least:,}..{most:,}"
    return SIMPLE[kind] + limits + (f", a multiple of {step}" if step else "")
