"""Read what people and other programs write, by types; errors name the place, what is there, and what was expected.

A type is whatever `msgspec.convert` takes: `Struct` classes with `Annotated` bounds. A rule within a table stands in
its `__post_init__`, as calls of `need`. A `Form` is a type that the program uses in another form than it is written in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum
from types import UnionType
from typing import Annotated, Any, ClassVar, Literal, Self, Union, get_args, get_origin

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import astuple

from .messages import hint, shown

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


def between(low: int, high: int, **more: Any) -> Meta:
    """Bounds of a number."""
    return Meta(ge=low, le=high, **more)


def entries(low: int, high: int | None = None) -> Meta:
    """Bounds of the length of a list or table; without `high` the only length."""
    return Meta(min_length=low, max_length=low if high is None else high)


def text(pattern: str, expected: str) -> Meta:
    """Text that this pattern describes from its begin to its end."""
    return Meta(pattern=rf"^(?:{pattern})\Z", description=expected)


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
        cls.words, cls.written = words, msgspec.defstruct(cls.__name__, fields, forbid_unknown_fields=True)
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
    kind, metas = _bare(kind, value)
    for step, part_kind, part in _parts(kind, value):
        try:
            _converted(part_kind, part)
        except msgspec.ValidationError as inner:
            return _first_error(part_kind, part, inner, (*path, step))
    own = error.__cause__ if isinstance(error.__cause__, ReadError) else _own_error(kind, metas, value)
    return ReadError(own.expected, own.found, (*path, *own.path))


def _bare(kind: Any, value: Any) -> tuple[Any, list[Meta]]:
    """The type as it is written, without its bounds, and the bounds; of several tagged tables that of the value."""
    metas: list[Meta] = []
    while True:
        if get_origin(kind) is Annotated:
            kind, *more = get_args(kind)
            metas += more
        elif get_origin(kind) in (Union, UnionType):
            kinds = [each for each in get_args(kind) if each not in (type(None), UnsetType)]
            if len(kinds) == 1:
                kind = kinds[0]
                continue
            tags = {each.__struct_config__.tag: each for each in kinds}
            tag = value.get(kinds[0].__struct_config__.tag_field) if isinstance(value, dict) else None
            return (tags[tag] if isinstance(tag, str) and tag in tags else kind), metas
        elif isinstance(kind, type) and issubclass(kind, Form):
            kind = kind.written
        else:
            return kind, metas


def _parts(kind: Any, value: Any) -> Iterator[tuple[Step, Any, Any]]:
    """(step, type, value) of the parts that the value has."""
    if _is_struct(kind) and isinstance(value, dict):
        for field in msgspec.structs.fields(kind):
            if field.encode_name in value:
                yield field.encode_name, field.type, value[field.encode_name]
    elif get_origin(kind) is list and isinstance(value, list):
        for index, part in enumerate(value):
            yield index, get_args(kind)[0], part
    elif get_origin(kind) is dict and isinstance(value, dict):
        for key, part in value.items():
            yield key, get_args(kind)[1], part


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Struct)


def _own_error(kind: Any, metas: list[Meta], value: Any) -> ReadError:
    """The error of a value all of whose parts fit."""
    expected, found = _expected(kind, metas), shown(value)
    if isinstance(value, dict) and (_is_struct(kind) or get_origin(kind) in (Union, UnionType)):
        return _error_of_table(kind, value)
    if get_origin(kind) is Literal and isinstance(value, str):
        found += hint(value, get_args(kind))
    if isinstance(value, list) and any(isinstance(part, dict) for part in value):
        found = str(len(value))
    return ReadError(expected, found)


def _error_of_table(kind: Any, value: dict[str, Any]) -> ReadError:
    """Its tag, an unknown field, or one that lacks."""
    if not _is_struct(kind):
        configs = [each.__struct_config__ for each in get_args(kind)]
        tag, words = configs[0].tag_field, [each.tag for each in configs]
        found = shown(value[tag]) + hint(value[tag], words) if tag in value else "nothing"
        return ReadError(one_of(words), found, (tag,))
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    known = [*filter(None, [kind.__struct_config__.tag_field]), *fields]
    for key in value:
        if key not in known:
            return ReadError(f"one of the fields {', '.join(known)}", f"an unknown field{hint(key, known)}", (key,))
    lacking = next(key for key in fields if fields[key].required and key not in value)
    return ReadError(f"this field, {_expected(*_bare(fields[lacking].type, None))}", "nothing", (lacking,))


def one_of(words: Iterable[object]) -> str:
    return "one of " + ", ".join(map(str, words))


SIMPLE = {bool: "true or false", int: "an integer", float: "a number", str: "text"}
BOUNDS = ("ge", "le", "multiple_of", "min_length", "max_length")


def _expected(kind: Any, metas: list[Meta]) -> str:
    """The type and its bounds in words."""
    for meta in metas:
        if meta.description:
            return meta.description
    given = {name: getattr(meta, name) for meta in metas for name in BOUNDS if getattr(meta, name) is not None}
    least, most, step, shortest, longest = map(given.get, BOUNDS)
    if get_origin(kind) is Literal:
        return one_of(get_args(kind))
    if get_origin(kind) is list and (shortest, longest) == (None, None):
        return "a list"
    if get_origin(kind) is list:
        length = f"{shortest} or more" if longest is None else f"{shortest} to {longest}".removeprefix(f"{longest} to ")
        return f"a list of {length} {'entry' if longest == 1 else 'entries'}"
    if kind not in SIMPLE:
        return "a table"
    limits = "" if least is None else f" {least}..{most}" if most is not None else f" of at least {least}"
    return SIMPLE[kind] + limits + (f", a multiple of {step}" if step else "")
