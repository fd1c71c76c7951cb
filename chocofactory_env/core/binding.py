"""Write shared code once and compile it for every game, by binding its free names to the game's rules.

Shared functions call rules such as `advance` by name. For each game, `bind` copies every shared function and makes
these names refer to the game's rules, so that one compiled library holds both.

    @rule                                   # provided by each game; this body never runs
    def advance(cards, state, action, mask): ...

    @shared_entry                           # written here once, called from Python
    def step(cards, states, action, mask):
        return advance(cards[0], states[0], action, mask)

    kernel = bind("chess", rules_in(moves, ranking))  # modules with functions of these names
    kernel.step(cards, states, action, mask)
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from importlib import import_module
from types import FunctionType, MappingProxyType, ModuleType, SimpleNamespace
from typing import Any, TypeVar, cast

from . import signature
from .jit import entry, jit
from .signature import Records

Function = TypeVar("Function", bound=Callable[..., Any])

SHARED_MODULES = (  # modules with shared functions
    "kernel.joint",
    "kernel.rules",
    "kernel.stepping",
    "search.playouts",
    "search.tree",
    "search.turns",
    "search.value",
)

RULES: dict[str, FunctionType] = {}  # every game provides these
OPTIONAL_RULES: dict[str, FunctionType] = {}  # a game may provide these; their bodies are the defaults
EMPTY: Mapping[str, type] = MappingProxyType({})
SHARED: dict[str, FunctionType] = {}  # functions bound to the rules; a game may replace them
ENTRIES: dict[str, str] = {}  # shared functions that Python calls, and the part of the library that has them


def rule(function: Function) -> Function:
    """Declare a function that every game provides, with these parameters."""
    RULES[function.__name__] = cast(FunctionType, function)
    return function


def optional_rule(function: Function) -> Function:
    """Declare a function that a game may provide, with these parameters; this one is the default."""
    OPTIONAL_RULES[function.__name__] = cast(FunctionType, function)
    return function


def shared(function: Function) -> Function:
    """Declare a function that is bound to each game and called only from compiled code. A game may replace it."""
    if function.__name__ in SHARED:
        raise ValueError(f"two shared functions are named {function.__name__}")
    SHARED[function.__name__] = cast(FunctionType, function)
    return function


def shared_entry(part: str) -> Callable[[Function], Function]:
    """Like `shared`, for a function that Python calls with whole arrays of records; see `jit.jit_entry`."""

    def declare(function: Function) -> Function:
        ENTRIES[function.__name__] = part
        return shared(function)

    return declare


def rules_in(*modules: ModuleType) -> dict[str, Callable[..., Any]]:
    """The functions in these modules that are named like rules.

    Raises:
        TypeError: two modules have different functions of the same name.
    """
    declare()
    found: dict[str, tuple[str, Callable[..., Any]]] = {}
    for module in modules:
        for name in RULES.keys() | OPTIONAL_RULES.keys():
            function = getattr(module, name, None)
            if function is None:
                continue
            first, known = found.setdefault(name, (module.__name__, function))
            if known is not function:
                raise TypeError(f"{name}: `{first}` and `{module.__name__}` define different functions")
    return {name: function for name, (_, function) in found.items()}


def bind(
    game: str,
    rules: Mapping[str, Callable[..., Any]],
    *,
    module: str,
    records: Records,
    types: Mapping[str, type] = EMPTY,
    symbols: Mapping[str, str] | None = None,
) -> SimpleNamespace:
    """Bind all shared functions to a game's rules.

    Args:
        game: the game's name, which is its library's.
        rules: functions by name, with the declared parameters: all of RULES, those of OPTIONAL_RULES that the game
            provides (`rules_in` finds both), and those of SHARED that it replaces.
        module: `__name__` of the caller's module, which a process imports to build the library.
        records: dtypes of the game's records.
        types: types that replace those of the same name in annotations of shared functions.
        symbols: the entries to be had, by name, with their names in the library; None: all that the rules allow.

    Raises:
        TypeError: a rule is missing, unknown, or has other parameters.
    """
    declare()
    _check(game, rules)
    signature.records_of[game] = records
    wanted = entries_of(rules) if symbols is None else symbols
    bound: dict[str, Any] = dict(rules)
    spaces: dict[int, dict[str, Any]] = {}  # one per module, so that its functions see each other
    for name, function in (OPTIONAL_RULES | SHARED).items():
        if name in rules:
            continue
        space = spaces.setdefault(id(function.__globals__), dict(function.__globals__))
        copy = FunctionType(function.__code__, space, name, function.__defaults__)
        copy.__doc__ = function.__doc__
        copy.__module__ = function.__module__
        copy.__annotations__ = function.__annotations__
        copy.__qualname__ = f"{game}.{name}"
        bound[name] = entry(copy, game, ENTRIES[name], wanted[name], module) if name in wanted else jit(copy)
    for space in spaces.values():
        space.update(bound, **types)
    return SimpleNamespace(**bound, records=records)


def entries_of(rules: Mapping[str, Callable[..., Any]]) -> dict[str, str]:
    """All entries, with the search that judges positions only for a game with features of them."""
    return {name: name for name in ENTRIES if name != "judge_actions" or "write_features" in rules}


def provides(kernel: SimpleNamespace, name: str) -> bool:
    """Whether the game provides this optional rule."""
    return _plain(getattr(kernel, name)).__code__ is not OPTIONAL_RULES[name].__code__


def declare() -> None:
    for module in SHARED_MODULES:
        import_module(f"{__package__}.{module}")


def _check(game: str, rules: Mapping[str, Callable[..., Any]]) -> None:
    missing, unknown = RULES.keys() - rules.keys(), rules.keys() - RULES.keys() - OPTIONAL_RULES.keys() - SHARED.keys()
    for names, what in ((missing, "has no rule"), (unknown, "has a rule that no shared code asks for")):
        if names:
            raise TypeError(f"{game} {what}: {', '.join(sorted(names))}")
    for name, function in (RULES | OPTIONAL_RULES).items():
        if name not in rules:
            continue
        expected, given = (", ".join(inspect.signature(one).parameters) for one in (function, _plain(rules[name])))
        if given != expected:
            raise TypeError(f"{game}: expected {name}({expected}), got {name}({given})")


def _plain(function: Callable[..., Any]) -> FunctionType:
    """The Python function behind an entry, or behind what Numba has made of it while a library is built."""
    return cast(FunctionType, getattr(function, "plain", getattr(function, "py_func", function)))
