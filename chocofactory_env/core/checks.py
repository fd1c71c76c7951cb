"""Checks of values from outside, with the same rules and messages everywhere: options, and what compiled code is given.

Compiled code checks nothing: a wrong number, shape or dtype makes it write beyond its arrays. So whatever a caller
passes on to it goes through a function `as_...` here first, which raises before anything changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from math import inf, isfinite
from numbers import Real
from operator import index
from typing import Any, Final, Self

import numpy as np

from .messages import hint, shown

SEED_LIMIT = 1 << 63
MOST: Final = 10**9  # size of numbers that compiled code adds and multiplies; sums of products stay finite in float32
MOST_ROWS: Final = 2**31 - 1
MOST_THREADS: Final = 1024

Shape = tuple[int | None, ...]  # None: any length
Limits = tuple[float, float]  # the least and the greatest number allowed

# Values that a variant's options may take if the other options stay the same: {option: {value: words}}.
# `...` stands for further values, to be typed in.
Choices = Mapping[str, Mapping[Any, str]]


class UnknownOptionError(TypeError):
    """An unknown option. `option` is its name, `known` are the names of all options, `because` is why it is none."""

    def __init__(self, message: str, option: str = "", known: Iterable[str] = (), because: str = "") -> None:
        super().__init__(message)  # one argument only: Gymnasium's `make` re-raises the error with one
        self.option = option
        self.known = tuple(known)
        self.because = because

    @classmethod
    def of(cls, option: str, known: Iterable[str], because: str = "") -> Self:
        """The error for `option`, with all of `known` and `because`, or else the option that it resembles."""
        known = tuple(dict.fromkeys(known))
        # Python's own words: tools that try options, and drop those that fail, look for them.
        message = f"unexpected keyword argument {shown(option)}{because or hint(option, known)}"
        return cls(f"{message}; options are: {', '.join(known)}", option, known, because)


def check_choice(option: str, value: object, choices: tuple[object, ...]) -> None:
    """ValueError unless `value` is one of `choices`."""
    if value not in choices:
        raise ValueError(f"{option} must be one of {', '.join(map(repr, choices))}, got {shown(value)}")


def seat_or_drawn(num_players: int) -> Mapping[Any, str]:
    """The choices of an option that names a seat, or None to draw it from the seed."""
    return {None: "drawn by lot", **{seat: f"seat {seat}" for seat in range(num_players)}}


def as_integer(name: str, value: Any, low: int, high: int | None = None) -> int:
    """The value as an int. It may be any integer, including a NumPy integer or an array without axes.

    Raises:
        TypeError: not an integer; True and False are not.
        ValueError: outside `low` to `high`, both included.
    """
    try:
        if isinstance(value, bool):
            raise TypeError
        number = index(value)
    except TypeError:
        raise TypeError(f"{name}: expected a whole number, got {shown(value)}") from None
    if number < low or (high is not None and number > high):
        limits = f"{low} to {high}" if high is not None else f"{low} or more"
        raise ValueError(f"{name}: expected {limits}, got {shown(number)}")
    return number


def as_count(name: str, value: Any, most: int) -> int:
    """The value as an int from 1 on, as for `as_integer`; ValueError beyond `most`, which compiled code can bear."""
    number = as_integer(name, value, 1)
    if number > most:
        raise ValueError(f"{name}: expected at most {most:,}, got {shown(number)}")
    return number


def as_number(name: str, value: Any, low: float = -inf, high: float = inf) -> float:
    """The value as a float. It may be any finite real number, including a NumPy number.

    Raises:
        TypeError: not a real number; True and False are not.
        ValueError: infinite or NaN, or outside `low` to `high`, both included.
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name}: expected a number, got {shown(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = inf
    if not isfinite(number):
        raise ValueError(f"{name}: expected a finite number, got {shown(value)}")
    if not low <= number <= high:
        raise ValueError(f"{name}: expected {low:,} to {high:,}, got {number}")
    return number


def as_flag(name: str, value: Any) -> bool:
    """The value as a bool; TypeError unless it is True or False, of Python or NumPy."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name}: expected True or False, got {shown(value)}")
    return bool(value)


def as_seed(seed: Any) -> int:
    """The seed of a deal as an int.

    Raises:
        TypeError: not an integer; True and False are not.
        ValueError: outside 0 to 2^63 - 1.
    """
    if seed.__class__ is not int:
        seed = as_integer("seed", seed, 0)
    if not 0 <= seed < SEED_LIMIT:
        raise ValueError(f"seed: expected 0 to 2**63 - 1, got {shown(seed)}")
    return int(seed)


def as_action(action: Any, num_actions: int) -> int:
    """The action as an int. It may be any integer, including a NumPy integer or an array without axes.

    Raises:
        TypeError: not an integer; True and False are not. (Whether the action is legal is not checked.)
    """
    try:
        if action.__class__ is bool:  # an entry of a mask, say
            raise TypeError
        return index(action)
    except TypeError:
        raise TypeError(f"an action is an integer in 0..{num_actions - 1}, got {shown(action)}") from None


def as_array(
    name: str,
    value: Any,
    shape: Shape,
    dtype: Any,
    low: float | None = None,
    high: float | None = None,
    *,
    each: str = "entry",
    words: str = "",
) -> np.ndarray:
    """The numbers as a writable, contiguous array of `dtype`; a copy unless they are one already.

    Args:
        value: an array of any kind of numbers that `dtype` can hold, a CPU tensor, or nested lists.
        shape: as expected.
        dtype: of integers or floats.
        low, high: limits, both included; by default those of the integers, or `MOST` for floats.
        each: what an entry belongs to, for the message.
        words: names the limits in the message.

    Raises:
        TypeError: not numbers, or floats where integers are expected; bool are not numbers.
        ValueError: another shape, or a number outside the limits; infinity and NaN are.
    """
    wanted = np.dtype(dtype)
    whole = wanted.kind in "iu"
    given = _array_of(value)
    if given is None or (given.size and given.dtype.kind not in ("iu" if whole else "iuf")):
        raise TypeError(f"{name}: expected {'whole numbers' if whole else 'numbers'} {_of(shape)}, got {shown(value)}")
    if not _fits(given.shape, shape):
        raise ValueError(f"{name}: expected shape {_of(shape)}, got {given.shape}")
    ends = np.iinfo(wanted) if whole else None
    least, most = (-MOST, MOST) if ends is None else (ends.min, ends.max)
    limits = (least if low is None else low, most if high is None else high)
    if given.dtype != wanted or limits != (least, most) or not whole:
        _check_limits(name, given, limits, each, words)
    return np.require(given, wanted, ["C", "A", "W"])


def as_records(name: str, value: Any, dtype: np.dtype, limits: Mapping[str, Limits]) -> np.ndarray:
    """A copy of one record, (1,) of `dtype`, in which every float is within the `limits` of its field.

    limits: by name of the field, at any depth; -MOST to MOST for others.

    Raises:
        TypeError: not an array.
        ValueError: another shape or dtype, or a number outside its limits; names the field.
    """
    if not isinstance(value, np.ndarray):
        raise TypeError(f"{name}: expected an array (1,) of {shown(dtype)}, got {shown(value)}")
    if value.shape != (1,) or value.dtype != dtype:
        raise ValueError(f"{name}: expected (1,) {shown(dtype)}, got {value.shape} {shown(value.dtype)}")
    copy = np.empty(1, dtype)
    copy[:] = value
    _check_fields(name, copy, limits)
    return copy


def as_buffer(name: str, buffer: Any, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """The caller's array or CPU tensor as an array that compiled code may write into; nothing is copied.

    Raises:
        TypeError: not an array.
        ValueError: a wrong shape or dtype, or memory that cannot be written to or is not contiguous.
    """
    if not isinstance(buffer, np.ndarray) and not hasattr(buffer, "__dlpack__"):
        raise TypeError(f"{name}: expected a NumPy array or a tensor, got {type(buffer).__name__}")
    array = np.asarray(buffer)
    if array.shape != shape or array.dtype != dtype:
        raise ValueError(f"{name}: expected {shape} {np.dtype(dtype)}, got {array.shape} {shown(array.dtype)}")
    if not (array.flags.c_contiguous and array.flags.writeable and array.flags.aligned):
        raise ValueError(f"{name}: expected memory that is contiguous, aligned and can be written to")
    return array


def _array_of(value: Any) -> np.ndarray | None:
    """None if NumPy can make no array of it: ragged lists, tensors of a GPU."""
    try:
        return np.asarray(value)
    except (TypeError, ValueError, RuntimeError):
        return None


def _fits(shape: tuple[int, ...], wanted: Shape) -> bool:
    return len(shape) == len(wanted) and all(each in (None, size) for size, each in zip(shape, wanted, strict=True))


def _of(shape: Shape) -> str:
    """The shape in a message: `(3, any)`."""
    lengths = ["any" if each is None else str(each) for each in shape]
    return f"({', '.join(lengths)}{',' if len(lengths) == 1 else ''})"


def _check_fields(name: str, records: np.ndarray, limits: Mapping[str, Limits]) -> None:
    for field in records.dtype.names or ():
        inner, where = records[field], f"{name}.{field}"
        if inner.dtype.names:
            _check_fields(where, inner, limits)
        elif inner.dtype.kind == "f":
            _check_limits(where, inner[0], limits.get(field, (-MOST, MOST)), "entry", "")


def _check_limits(name: str, given: np.ndarray, limits: Limits, each: str, words: str) -> None:
    """ValueError if a number is outside the limits; NaN is."""
    fits = (given >= limits[0]) & (given <= limits[1])
    if np.all(fits):
        return
    place = np.argwhere(~fits)[0].tolist()
    where = f" for {each} {', '.join(map(str, place))}" if place else ""
    expected = words or f"numbers from {limits[0]:,} to {limits[1]:,}"
    raise ValueError(f"{name}: expected {expected}, got {given[tuple(place)]}{where}")


@dataclass(frozen=True)
class VariantOptions:
    """The options of a variant, each with a default, checked in `__post_init__`."""

    @classmethod
    def from_options(cls, options: dict[str, Any]) -> Self:
        """Make the variant. Raises TypeError for an unknown option, ValueError or TypeError for a bad value."""
        known = [field.name for field in fields(cls)]
        for option in options:
            if option not in known:
                raise UnknownOptionError.of(option, ("deck", *known))
        return cls(**options)

    def _keep(self, name: str, value: int | str) -> None:
        """Store the option as a plain integer or boolean, which JSON can write."""
        object.__setattr__(self, name, value)
