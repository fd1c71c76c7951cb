"""Checks of values that come from outside, options among them: the same rules and messages everywhere."""

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

# Values that an option of a variant may have next to the others that it has now, in words: {option: {value: words}}.
# `...` stands for others, which a reader has to write.
Choices = Mapping[str, Mapping[Any, str]]


class UnknownOptionError(TypeError):
    """An option that there is not. `option` is its name, `known` are the names that there are."""

    def __init__(self, message: str, option: str = "", known: Iterable[str] = ()) -> None:
        super().__init__(message)  # one argument is enough: Gymnasium's `make` raises anew what it catches
        self.option = option
        self.known = tuple(known)

    @classmethod
    def of(cls, option: str, known: Iterable[str], because: str = "") -> Self:
        """The error about `option`: `because`, or else the option that it resembles, and all of `known`."""
        known = tuple(dict.fromkeys(known))
        # The words of Python itself: tools that try options and drop those that are refused look for them.
        message = f"unexpected keyword argument {shown(option)}{because or hint(option, known)}"
        return cls(f"{message}; options are: {', '.join(known)}", option, known)


def check_choice(option: str, value: object, choices: tuple[object, ...]) -> None:
    """ValueError unless `value` is one of `choices`."""
    if value not in choices:
        raise ValueError(f"{option} must be one of {', '.join(map(repr, choices))}, got {shown(value)}")


def seat_or_drawn(num_players: int) -> Mapping[Any, str]:
    """The choices of an option that names a seat, or None: drawn from the seed."""
    return {None: "drawn", **{seat: f"player {seat}" for seat in range(num_players)}}


def as_integer(name: str, value: Any, low: int, high: int | None = None) -> int:
    """The value as an int: any integer, also a NumPy one or an array without axes.

    Raises:
        TypeError: no integer; True and False are none.
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
    """The value as a float: any finite real number, also a NumPy one.

    Raises:
        TypeError: no real number; True and False are none.
        ValueError: infinite or not a number.
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name}: expected a number, got {shown(value)}")
    number = float(value)
    if not isfinite(number):
        raise ValueError(f"{name}: expected a finite number, got {number}")
    return number


def as_flag(name: str, value: Any) -> bool:
    """The value as a bool; TypeError for what is neither True nor False, of Python or of NumPy."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name}: expected True or False, got {shown(value)}")
    return bool(value)


def as_seed(seed: Any) -> int:
    """The seed of a deal as an int.

    Raises:
        TypeError: no integer; True and False are none.
        ValueError: outside 0 to 2^63 - 1.
    """
    if seed.__class__ is not int:
        seed = as_integer("seed", seed, 0)
    if not 0 <= seed < SEED_LIMIT:
        raise ValueError(f"seed: expected 0 to 2**63 - 1, got {shown(seed)}")
    return int(seed)


def as_action(action: Any, num_actions: int) -> int:
    """The action as an int: any integer, also a NumPy one or an array without axes.

    Raises:
        TypeError: no integer. (An integer that is no legal action is the rules' matter.)
    """
    try:
        return index(action)
    except TypeError:
        raise TypeError(f"an action is an integer in 0..{num_actions - 1}, got {shown(action)}") from None


@dataclass(frozen=True)
class VariantOptions:
    """The options of a variant of a game: a default for each, checked in `__post_init__`."""

    @classmethod
    def from_options(cls, options: dict[str, Any]) -> Self:
        """TypeError for an option that does not exist, ValueError or TypeError for a value that it cannot have."""
        known = [field.name for field in fields(cls)]
        for option in options:
            if option not in known:
                raise UnknownOptionError.of(option, ("deck", *known))
        return cls(**options)

    def _keep(self, name: str, value: int | str) -> None:
        """Keep the option as JSON can write it: plain integers and plain booleans."""
        object.__setattr__(self, name, value)
