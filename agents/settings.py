"""Check an agent's settings against the type hints of its factory:

    def __init__(self, game: Game, width: Annotated[int, between(1, 100)] = 64, time_s: Seconds | None = None)

Hints for integers, floats, strings, paths, booleans and None are checked, with their range if they have one. A factory,
shipped or the user's own, checks anything else itself.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from math import inf, isfinite
from pathlib import Path
from typing import Annotated, Any, Concatenate, NamedTuple, ParamSpec, TypeVar, get_origin, get_type_hints

import numpy as np
from msgspec import Meta

from chocofactory_env.core.messages import shown
from chocofactory_env.core.reading import LARGEST, SIMPLE, ReadError, alternatives, in_words, read

P = ParamSpec("P")
Self = TypeVar("Self")

TIMES_DEFAULT = 32  # the largest setting that a stranger may ask for, as a multiple of its default ...
MOST_OF_SMALL = 60  # ... or this number, if that is more
SEEDS = 1 << 62  # seeds of searches and playouts are drawn below this
KINDS = {int: "whole", float: "number", bool: "flag"}
Seconds = Annotated[float, Meta(gt=0)]
SECRET = {"secret": True}
# a setting that holds the name of a variable that holds a secret; messages show no other value, which may be the secret
Variable = Annotated[
    str,
    Meta(pattern=r"^[A-Za-z_][A-Za-z0-9_]*\Z", description="text that names an environment variable", extra=SECRET),
]


SECRETS = re.compile(  # a key given where the name of its variable belongs; a user and a query of an address
    r"((?:key|token|secret|password)\s*=).*?(?=,\s*\w+\s*=|$)|(//).*@|(\?)[^,]*", re.IGNORECASE | re.DOTALL
)


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
        for kind, metas in alternatives(hints.get(name)):
            if kind in KINDS:
                least, most = _ends(metas)
                default = None if one.default is one.empty else one.default
                found.append(Setting(name, KINDS[kind], default, least, most))
                break
    return found


def _ends(metas: Iterable[Meta]) -> tuple[float | None, float | None]:
    """The least and the largest number, None where there is no end."""
    for meta in metas:
        return meta.gt if meta.ge is None else meta.ge, None if meta.le == LARGEST else meta.le
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
    value = value.item() if isinstance(value, np.generic) else value
    return any(_is(kind, metas, value) for kind, metas in alternatives(hint))


def _is(kind: Any, metas: Iterable[Meta], value: Any) -> bool:
    if kind not in SIMPLE:
        if kind is Path:
            return isinstance(value, (str, Path))
        return isinstance(value, kind) if inspect.isclass(kind) and get_origin(kind) is None else True
    try:
        read(Annotated[kind, *metas] if metas else kind, value)
    except ReadError:
        return False
    return not isinstance(value, float) or isfinite(value)


def _is_secret(hint: Any) -> bool:
    return any(meta.extra == SECRET for _, metas in alternatives(hint) for meta in metas)


def _words(hint: Any) -> str:
    found = (
        in_words(kind, metas) if kind in SIMPLE else "a path" if kind is Path else str(getattr(kind, "__name__", kind))
        for kind, metas in alternatives(hint)
    )
    return " or ".join(dict.fromkeys(found))


def blanked(text: str) -> str:
    """The name of an agent, or an address, without secrets."""
    return SECRETS.sub(lambda found: f"{found[1] or found[2] or found[3]}…{'@' if found[2] else ''}", text)
