"""Check an agent's settings against the type hints of its factory:

    def __init__(self, game: Game, width: Annotated[int, Within(1, 100)] = 64, time_s: Seconds | None = None)

Hints for integers, floats, strings, paths, booleans and None are checked, with their range if they have one. A factory,
shipped or the user's own, checks anything else itself.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from functools import wraps
from math import inf, isfinite
from pathlib import Path
from types import UnionType
from typing import (
    Annotated,
    Any,
    Concatenate,
    NamedTuple,
    ParamSpec,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np

from chocofactory_env.core.messages import shown
from chocofactory_env.play.limits import MOST_OF_SMALL, TIMES_DEFAULT

P = ParamSpec("P")
Self = TypeVar("Self")

SEEDS = 1 << 62  # seeds of searches and playouts are drawn below this
NAMES = {int: "a whole number", float: "a number", bool: "true or false", str: "text", Path: "a path"}


KINDS = {int: "whole", float: "number", bool: "flag"}


class Within(NamedTuple):
    """A closed range of numbers: `Annotated[int, Within(0, 9)]`."""

    least: float
    most: float = inf

    def holds(self, value: float) -> bool:
        return self.least <= value <= self.most

    def __str__(self) -> str:
        return f"of at least {self.least:,}" if self.most == inf else f"from {self.least:,} to {self.most:,}"


class Above(NamedTuple):
    """A range of numbers above an excluded bound."""

    bound: float

    def holds(self, value: float) -> bool:
        return self.bound < value

    def __str__(self) -> str:
        return f"above {self.bound:,}"


class Variable(NamedTuple):
    """Names of environment variables that hold a secret. Messages do not show other values, which may be the secret."""

    def holds(self, value: str) -> bool:
        return re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", value) is not None

    def __str__(self) -> str:
        return "that names an environment variable"


RANGES = (Within, Above, Variable)
Seconds = Annotated[float, Above(0)]


class SettingError(ValueError):
    """An unknown or invalid setting of an agent. Names it, what was expected and what was given."""


def check_settings(factory: Callable[..., Any], settings: Mapping[str, Any]) -> None:
    """Check the settings for a call `factory(game, **settings)`.

    Raises:
        SettingError: an unknown or missing setting, a wrong type, or a number out of its range.
    """
    parameters = _parameters(factory)
    if not any(one.kind is one.VAR_KEYWORD for one in parameters.values()):
        unknown = [name for name in settings if name not in parameters]
        if unknown:
            there_are = ", ".join(parameters) or "none"
            raise SettingError(f"unknown setting {shown(unknown[0])}; there are: {there_are}")
    for name, one in parameters.items():
        named = one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)
        if named and one.default is one.empty and name not in settings:
            raise SettingError(f"{name}: expected a value, got none (it is called with the game and the settings)")
    hints = _hints(factory)
    for name, value in settings.items():
        if name in hints and not _fits(hints[name], value):
            got = "another one, which may be the secret itself" if _is_secret(hints[name]) else shown(value)
            raise SettingError(f"{name}: expected {_words(hints[name])}, got {got}")


def checked(init: Callable[Concatenate[Self, Any, P], None]) -> Callable[Concatenate[Self, Any, P], None]:
    """Decorate a constructor `(self, game, ...)` so that invalid settings raise SettingError."""
    signature = inspect.signature(init)

    @wraps(init)
    def checking(self: Self, game: Any, /, *arguments: P.args, **settings: P.kwargs) -> None:
        given = dict(signature.bind(self, game, *arguments, **settings).arguments)
        check_settings(checking, dict(list(given.items())[2:]))
        init(self, game, *arguments, **settings)

    return checking


class Setting(NamedTuple):
    """An agent's setting that is a number or a boolean. kind: `"whole"`, `"number"` or `"flag"`."""

    name: str
    kind: str
    default: Any
    least: float | None
    most: float | None

    @property
    def reach(self) -> float:
        """The largest value that a browser, or somebody else's file, may give."""
        default = 0 if self.default is None else self.default
        return min(max(MOST_OF_SMALL, TIMES_DEFAULT * default), inf if self.most is None else self.most)


def needs_settings(factory: Callable[..., Any]) -> bool:
    """Whether the factory has a required setting."""
    return any(one.default is one.empty and one.kind is not one.VAR_KEYWORD for one in _parameters(factory).values())


def settings_of(factory: Callable[..., Any]) -> list[Setting]:
    """The settings of a factory that are numbers or booleans; others, such as paths, are left out."""
    found, hints = [], _hints(factory)
    for name, one in _parameters(factory).items():
        for hint in _alternatives(hints.get(name)):
            kind, *ranges = get_args(hint) if get_origin(hint) is Annotated else (hint,)
            if kind in KINDS:
                least, most = _ends(ranges)
                default = None if one.default is one.empty else one.default
                found.append(Setting(name, KINDS[kind], default, least, most))
                break
    return found


def _alternatives(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def _ends(ranges: list[Any]) -> tuple[float | None, float | None]:
    for one in ranges:
        if isinstance(one, Within):
            return one.least, None if one.most == inf else one.most
        if isinstance(one, Above):
            return one.bound, None
    return None, None


def _parameters(factory: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """The parameters after the game, by name, without the `self` of a plain function `__init__`."""
    try:
        parameters = list(inspect.signature(factory).parameters.items())
    except (TypeError, ValueError):  # a builtin without a signature
        return {"settings": inspect.Parameter("settings", inspect.Parameter.VAR_KEYWORD)}
    return dict(parameters[2:] if parameters and parameters[0][0] == "self" else parameters[1:])


def _hints(factory: Callable[..., Any]) -> dict[str, Any]:
    try:
        return get_type_hints(factory.__init__ if inspect.isclass(factory) else factory, include_extras=True)
    except (NameError, TypeError):  # names for type checkers only, or an object without hints
        return {}


def _fits(hint: Any, value: Any) -> bool:
    if get_origin(hint) in (Union, UnionType):
        return any(_fits(one, value) for one in get_args(hint))
    if get_origin(hint) is Annotated:
        kind, *ranges = get_args(hint)
        ranges = [one for one in ranges if isinstance(one, RANGES)]
        return _fits(kind, value) and all(one.holds(value) for one in ranges)
    if hint is int:
        return isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if hint is float:
        number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
        return number and isfinite(value)
    if hint is None:
        return value is None
    if hint is Path:
        return isinstance(value, (str, Path))
    return isinstance(value, hint) if inspect.isclass(hint) and get_origin(hint) is None else True


def _is_secret(hint: Any) -> bool:
    return get_origin(hint) is Annotated and any(isinstance(one, Variable) for one in get_args(hint))


def _words(hint: Any) -> str:
    if get_origin(hint) in (Union, UnionType):
        return " or ".join(dict.fromkeys(_words(one) for one in get_args(hint)))
    if get_origin(hint) is Annotated:
        kind, *ranges = get_args(hint)
        return " ".join([_words(kind), *(str(one) for one in ranges if isinstance(one, RANGES))])
    if hint in (None, type(None)):
        return "null"
    return NAMES.get(hint) or str(getattr(hint, "__name__", hint))
