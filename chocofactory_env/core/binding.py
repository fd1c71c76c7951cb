"""Code that is written once and compiled for every game: functions whose free names are bound to a game's rules.

Numba cannot keep a function on disk that takes functions as arguments. So shared functions call rules such as
`advance` by name. `bind` makes a copy of each shared function for each game, in which these names mean that game's
rules. The copy is compiled when it is first called.

    @rule                                   # a game provides it; the body is never run
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
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any, TypeVar, cast

from .jit import jit, jit_entry

Function = TypeVar("Function", bound=Callable[..., Any])

SHARED_MODULES = (  # where they are
    "kernel.joint",
    "kernel.rules",
    "kernel.stepping",
    "search.playouts",
    "search.tree",
    "search.turns",
    "search.value",
)

RULES: dict[str, FunctionType] = {}  # what every game provides
OPTIONAL_RULES: dict[str, FunctionType] = {}  # what a game may provide; their bodies are the defaults
SHARED: dict[str, FunctionType] = {}  # what is bound to them, or replaced by a game
ENTRIES: set[str] = set()  # of the shared functions those that Python calls


def rule(function: Function) -> Function:
    """Declare a function that every game provides, with these parameters."""
    RULES[function.__name__] = cast(FunctionType, function)
    return function


def optional_rule(function: Function) -> Function:
    """Declare a function that a game may provide, with these parameters; without it this one is bound and run."""
    OPTIONAL_RULES[function.__name__] = cast(FunctionType, function)
    return function


def shared(function: Function) -> Function:
    """A function that is bound to each game, and called from compiled code only. A game may replace it by its own."""
    if function.__name__ in SHARED:
        raise ValueError(f"two shared functions are named {function.__name__}")
    SHARED[function.__name__] = cast(FunctionType, function)
    return function


def shared_entry(function: Function) -> Function:
    """The same for a function that Python calls with whole arrays of records; see `jit.jit_entry`."""
    ENTRIES.add(function.__name__)
    return shared(function)


def rules_in(*modules: ModuleType) -> dict[str, Callable[..., Any]]:
    """The functions of modules that have the names of rules.

    Raises:
        TypeError: two modules have different functions of one name.
    """
    _declare()
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


def bind(game: str, rules: Mapping[str, Callable[..., Any]]) -> SimpleNamespace:
    """All shared functions, bound to a game's rules.

    Args:
        game: its name, for messages.
        rules: a function for every name in RULES, with the same parameters; for those names in OPTIONAL_RULES that
            the game provides (`rules_in` finds both), and for those in SHARED that it replaces.

    Raises:
        TypeError: a rule is missing, unknown, or has other parameters.
    """
    _declare()
    _check(game, rules)
    bound: dict[str, Any] = dict(rules)
    spaces: dict[int, dict[str, Any]] = {}  # of each module one, so that its functions see each other
    for name, function in (OPTIONAL_RULES | SHARED).items():
        if name in rules:
            continue
        space = spaces.setdefault(id(function.__globals__), dict(function.__globals__))
        copy = FunctionType(function.__code__, space, name, function.__defaults__)
        copy.__doc__ = function.__doc__
        copy.__module__ = function.__module__
        copy.__qualname__ = f"{game}.{name}"
        bound[name] = jit_entry(copy) if name in ENTRIES else jit(copy)
    for space in spaces.values():
        space.update(bound)
    return SimpleNamespace(**bound)


def provides(kernel: SimpleNamespace, name: str) -> bool:
    """Whether a game brings this optional rule."""
    return _plain(getattr(kernel, name)).__code__ is not OPTIONAL_RULES[name].__code__


def _declare() -> None:
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
    """The Python function that a compiled one is made from."""
    return cast(FunctionType, getattr(function, "py_func", function))
