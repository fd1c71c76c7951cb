"""Checks of values from outside, such as options, with the same rules and messages everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from math import isfinite
from numbers import Real
from operator import index
from typing import Any, Self

import numpy as np

from .messages import hint, shown

SEED_LIMIT = 1 << 63

# Values that a variant's options may take if the other options stay the same: {option: {value: words}}.
# `...` stands for further values, to be typed in.
Choices = Mapping[str, Mapping[Any, str]]


class UnknownOptionError(TypeError):
    """An unknown option. `option` is its name; `known` are the names of all options."""

    def __init__(self, message: str, option: str = "", known: Iterable[str] = ()) -> None:
        super().__init__(message)  # one argument only: Gymnasium's `make` re-raises the error with one
        self.option = option
        self.known = tuple(known)

    @classmethod
    def of(cls, option: str, known: Iterable[str], because: str = "") -> Self:
        """The error for `option`, with all of `known` and `because`, or else the option that it resembles."""
        known = tuple(dict.fromkeys(known))
        # Python's own words: tools that try options, and drop those that fail, look for them.
        message = f"unexpected keyword argument {shown(option)}{because or hint(option, known)}"
        return cls(f"{message}; options are: {', '.join(known)}", option, known)


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


def as_number(name: str, value: Any) -> float:
    """The value as a float. It may be any finite real number, including a NumPy number.

    Raises:
        TypeError: not a real number; True and False are not.
        ValueError: infinite or NaN.
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name}: expected a number, got {shown(value)}")
    number = float(value)
    if not isfinite(number):
        raise ValueError(f"{name}: expected a finite number, got {number}")
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
