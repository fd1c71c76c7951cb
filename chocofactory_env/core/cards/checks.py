"""Checks of data that people write. Small checks combine into the schema of a whole file.

A check is a function `(value, place) -> value`. It returns the value in the form that the program uses, or raises a
`DeckError` with the place, what was expected, and what is there. Nothing is repaired.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

from ..errors import DeckError
from ..messages import shortened, shown

Card = dict[str, Any]  # a checked card, or a table inside one


@dataclass(frozen=True)
class Place:
    """The place of a value in a deck."""

    file: str
    table: str = ""
    card: str = ""
    field: str = ""

    def item(self, index: int, card: object) -> Place:
        """The card at `index` of this table, named by its id if that is valid."""
        name = card.get("id") if isinstance(card, dict) else None
        sound = isinstance(name, str) and len(name) <= MAX_ID and IDENTIFIER.fullmatch(name)
        return replace(self, card=f"{name!r}" if sound else f"number {index + 1}")

    def at(self, key: str | int) -> Place:
        """The value under `key` in the value at this place."""
        step = f"[{key}]" if isinstance(key, int) else f".{shown(key)[1:-1]}"
        return replace(self, field=(self.field + step).lstrip("."))

    def error(self, expected: str, got: object = None, *, found: str | None = None) -> DeckError:
        """The error for a value that does not fit. `found`: words for what is there, instead of showing `got`."""
        where = " ".join(part for part in (self.table, self.card) if part)
        file = shortened(self.file, MAX_PATH)
        place = ": ".join(part for part in (file, where, self.field) if part)
        return DeckError(f"{place}: expected {expected}, got {shown(got) if found is None else found}")


Check = Callable[[Any, Place], Any]
Rule = Callable[[Card, Place], None]

MAX_ID = 60
MAX_PATH = 300  # characters of a file's name in a message
IDENTIFIER = re.compile(r"[a-z0-9]+([-_][a-z0-9]+)*")


def one_of(words: Iterable[str]) -> str:
    return "one of " + ", ".join(words)


def numbers_of(enum: type[IntEnum]) -> dict[str, int]:
    """The members by lower-case name, as decks write them."""
    return {member.name.lower(): int(member) for member in enum}


def integer(low: int, high: int) -> Check:
    def check(value: Any, place: Place) -> int:
        if type(value) is not int or not low <= value <= high:  # `type`, because True is an int for isinstance
            raise place.error(f"an integer {low}..{high}", value)
        return value

    return check


def flag(value: Any, place: Place) -> bool:
    if not isinstance(value, bool):
        raise place.error("true or false", value)
    return value


def text(pattern: str, expected: str) -> Check:
    """Text of this pattern. It is shown on terminals and pages, so it has printable characters and line ends alone."""
    compiled = re.compile(pattern)

    def check(value: Any, place: Place) -> str:
        if not isinstance(value, str) or not compiled.fullmatch(value):
            raise place.error(expected, value)
        if not value.replace("\n", "").isprintable():
            raise place.error(f"{expected}, all of them printable", value)
        return value

    return check


def word(words: Mapping[str, int]) -> Check:
    """A word, returned as its number."""

    def check(value: Any, place: Place) -> int:
        if not isinstance(value, str) or value not in words:
            raise place.error(one_of(words), value)
        return words[value]

    return check


def sequence(check_item: Check, low: int, high: int) -> Check:
    length = f"{low}" if low == high else f"{low} to {high}"

    def check(value: Any, place: Place) -> list[Any]:
        if not isinstance(value, list) or not low <= len(value) <= high:
            raise place.error(f"a list of {length} entries", value)
        return [check_item(item, place.at(index)) for index, item in enumerate(value)]

    return check


def ascending(check_list: Check) -> Check:
    """A list whose order in the file has no meaning, returned in ascending order."""
    return lambda value, place: sorted(check_list(value, place))


def table_of(value: Any, place: Place) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise place.error("a table", value)
    return value


def numbers(words: Mapping[str, int], low: int, high: int) -> Check:
    """A non-empty table word -> integer, returned as a list by the words' numbers; 0 for missing words."""
    check_number = integer(low, high)

    def check(value: Any, place: Place) -> list[int]:
        result = [0] * (max(words.values()) + 1)
        for key, number in table_of(value, place).items():
            if key not in words:
                raise place.error(f"keys that are {one_of(words)}", key)
            result[words[key]] = check_number(number, place.at(key))
        if not any(result):
            raise place.error(f"at least one entry, {one_of(words)}", value)
        return result

    return check


@dataclass(frozen=True)
class Field:
    check: Check
    default: Any = None
    required: bool = True


def optional(check: Check, default: Any) -> Field:
    return Field(check, default, required=False)


Fields = Mapping[str, Field]


def table(fields: Fields, *rules: Rule) -> Check:
    """A table with exactly these fields, for which every rule holds. Absent optional fields get their default."""

    def check(value: Any, place: Place) -> Card:
        given = table_of(value, place)
        for key in given:
            if key not in fields:
                raise place.at(key).error(f"one of the fields {', '.join(fields)}", found="an unknown field")
        result = {key: checked_field(field, key, given, place) for key, field in fields.items()}
        for rule in rules:
            rule(result, place)
        return result

    return check


def checked_field(field: Field, key: str, given: Mapping[str, Any], place: Place) -> Any:
    if key in given:
        return field.check(given[key], place.at(key))
    if field.required:
        raise place.at(key).error("this field", found="nothing")
    return field.default


def tagged(tag: str, words: Mapping[str, int], common: Fields, by_word: Mapping[str, Fields], *rules: Rule) -> Check:
    """A table whose other fields depend on the word in its field `tag`."""
    tag_field = {tag: Field(word(words))}
    checks = {key: table({**common, **tag_field, **fields}, *rules) for key, fields in by_word.items()}

    def check(value: Any, place: Place) -> Card:
        given = table_of(value, place)
        key = given.get(tag)
        if not isinstance(key, str) or key not in checks:
            raise place.at(tag).error(one_of(checks), key, found=None if tag in given else "nothing")
        result: Card = checks[key](value, place)
        return result

    return check
