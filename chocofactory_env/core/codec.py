"""A position as JSON and back, from its record class and a table of words for each game.

Field by field: a number stays a number, or becomes a word; an array becomes a list, or an object by the words of its
axis; -1 becomes null wherever a field may be -1. Fields of a record's bases are left out: they hold the variant's
options. Reading checks types, shapes and the declared bounds of every number before anything is used. Whether play can
reach the position is not asked.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from .errors import StateError
from .messages import hint, shown
from .records import Field, Record

NONE = -1
MANY = 12  # words that a message still lists


class Words(NamedTuple):
    """How a field is written.

    Attributes:
        values: what stands for the numbers 0, 1, ...; None for the numbers themselves.
        axes: for every axis of an array: words, if it is written as an object, or a range, if as a list; a field
            without them is a list. Rows beyond the words or the range are left out; `from_json` keeps them.
        bits: what the bits of the number mean, if it is written as the list of those that are set.
        what: the kind of word, for messages that cannot list them all.
    """

    values: Sequence[Any] | None = None
    axes: tuple[Sequence[Any], ...] = ()
    bits: Sequence[Any] | None = None
    what: str = "a word"


PLAIN = Words()
FLAG = Words((False, True))
Table: TypeAlias = Mapping[type[Record], Mapping[str, Words]]  # record -> field -> its words


def to_json(record: type[Record], row: Any, table: Table) -> dict[str, Any]:
    """A row of `record` as JSON-compatible data, without the fields of its bases."""
    words = table.get(record, {})
    return {
        name: _written(each, row[name] if each.record else row[name].tolist(), words.get(name, PLAIN), table)
        for name, each in record.own_fields.items()
    }


def _written(of: Field, value: Any, words: Words, table: Table, depth: int = 0) -> Any:
    if depth < len(of.shape):
        axis = words.axes[depth] if depth < len(words.axes) else range(of.shape[depth])
        if of.record is None and depth + 1 == len(of.shape):
            items = _in_words(of, value[: len(axis)], words)
        else:
            items = [_written(of, value[place], words, table, depth + 1) for place in range(len(axis))]
        return items if isinstance(axis, range) else dict(zip(axis, items, strict=True))
    return _in_words(of, [value], words)[0] if of.record is None else to_json(of.record, value, table)


def _in_words(of: Field, numbers: Sequence[int], words: Words) -> list[Any]:
    if words.bits is not None:
        return [[word for bit, word in enumerate(words.bits) if number >> bit & 1] for number in numbers]
    if words.values is not None:
        return [None if number == NONE == of.least else words.values[number] for number in numbers]
    return [None if number == NONE == of.least else number for number in numbers]


def from_json(record: type[Record], data: Any, row: Any, table: Table, path: str = "state") -> None:
    """Write JSON data into a row of `record`; the fields of its bases stay as they are.

    Raises:
        StateError: a value is not of its type or shape, or beyond its bounds; says where, and what was expected.
    """
    words = table.get(record, {})
    check_keys(data, record.own_fields, path)
    for name, each in record.own_fields.items():
        _read(each, data[name], row, name, words.get(name, PLAIN), table, f"{path}.{name}")


def check_keys(data: Any, names: Collection[str], path: str) -> None:
    """StateError unless it is an object with just these fields."""
    if not isinstance(data, Mapping):
        raise _refusal(path, "an object", data)
    for name in names:
        if name not in data:
            raise StateError(f"{path}: expected a field {name!r}, got none")
    for name in data:
        if name not in names:
            raise StateError(f"{path}: expected no other field, got {shown(name)}{hint(name, names)}")


def check_same(data: Any, expected: Any, path: str) -> None:
    """StateError unless the data are these, types included."""
    if isinstance(expected, Mapping):
        check_keys(data, expected, path)
        for name, each in expected.items():
            check_same(data[name], each, f"{path}.{name}")
    elif type(data) is not type(expected) or data != expected:
        raise _refusal(path, shown(expected, 120), data)


def _read(of: Field, data: Any, into: Any, key: Any, words: Words, table: Table, path: str, depth: int = 0) -> None:
    """Write `data` to `into[key]`."""
    if depth < len(of.shape):
        axis = words.axes[depth] if depth < len(words.axes) else range(of.shape[depth])
        for place, (where, item) in enumerate(_items(data, axis, path)):
            _read(of, item, into[key], place, words, table, where, depth + 1)
    elif of.record is not None:
        from_json(of.record, data, into[key], table, path)
    else:
        into[key] = _number(of, data, words, path)


def _items(data: Any, axis: Sequence[Any], path: str) -> list[tuple[str, Any]]:
    """Path and value of every entry along an axis."""
    if not isinstance(axis, range):
        check_keys(data, axis, path)
        return [(f"{path}.{name}", data[name]) for name in axis]
    if not isinstance(data, list) or len(data) != len(axis):
        raise _refusal(path, f"a list of {len(axis)} entries", data)
    return [(f"{path}[{place}]", item) for place, item in enumerate(data)]


def _number(of: Field, data: Any, words: Words, path: str) -> int:
    if words.bits is not None:
        return _bits(data, words.bits, path)
    if data is None and of.least == NONE:
        return NONE
    or_null = ", or null" if of.least == NONE else ""
    if words.values is None or isinstance(words.values, range):
        allowed = words.values or range(max(of.least, 0) if or_null else of.least, of.most + 1)
        if type(data) is not int or data not in allowed:  # `type`, because True is an int
            raise _refusal(path, f"a whole number from {allowed[0]} to {allowed[-1]}{or_null}", data)
        return data if words.values is None else allowed.index(data)
    number = _index(words.values, data)
    if number is None:
        listed = ", ".join(map(str, words.values)) if len(words.values) <= MANY else ""
        raise _refusal(path, (f"one of {listed}" if listed else words.what) + or_null, data, words.values)
    return number


def _bits(data: Any, bits: Sequence[Any], path: str) -> int:
    if not isinstance(data, list):
        raise _refusal(path, "a list", data)
    found = 0
    for place, word in enumerate(data):
        bit = _index(bits, word)
        if bit is None or found >> bit:
            known = () if bit is not None else bits
            raise _refusal(f"{path}[{place}]", "a word of its kind, each once and in their order", word, known)
        found |= 1 << bit
    return found


def _index(words: Sequence[Any], data: Any) -> int | None:
    """The place of a word; None if it is none of them. In Python 1, 1.0 and True are equal, so types count."""
    return next((n for n, word in enumerate(words) if type(word) is type(data) and word == data), None)


def _refusal(path: str, expected: str, got: Any, known: Sequence[Any] = ()) -> StateError:
    near = hint(got, [word for word in known if isinstance(word, str)]) if isinstance(got, str) else ""
    return StateError(f"{path}: expected {expected}, got {shown(got)}{near}")
