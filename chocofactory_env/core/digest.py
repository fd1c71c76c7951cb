"""Digests of functions of which a library is made: of a function's bytecode and the values of all its names.

The digest includes the functions called, recursively. So an edit in any of them changes it, and an edit elsewhere does
not: adding a game builds no other anew, and a game outside the package is never stale. Comments, docstrings,
annotations, line numbers, and paths do not count. Assertions do, so `python -O` changes the digest of a function that
has any.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from dis import EXTENDED_ARG, hasconst, opmap
from enum import Enum
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from .jit import Entry

# What the contents of these do is not expected to change.
VERSIONED = {"builtins", "numpy", *sys.stdlib_module_names}
HAS_DOCSTRING = getattr(inspect, "CO_HAS_DOCSTRING", 0)  # a flag since Python 3.13
BEGIN, NOTHING = (bytes([opmap[name], 0]) for name in ("RESUME", "NOP"))
PLAIN = (int, float, complex, str, bytes, type(None), type(Ellipsis), np.generic, np.dtype)


class UnknownContentError(ValueError):
    """A function uses something whose effect on the compiled code is unknown."""


_known: WeakKeyDictionary[FunctionType, str] = WeakKeyDictionary()
_under_way: list[FunctionType] = []  # each is called by the one before
_in_cycles: set[FunctionType] = set()  # functions under way whose digest depends on where their cycle was entered


def digest_of(function: Callable[..., Any]) -> str:
    """The digest of a Python function to compile.

    Raises:
        UnknownContentError: names the function and what it uses.
    """
    if not isinstance(function, FunctionType):
        raise UnknownContentError(f"expected a Python function, got {function!r}")
    if function in _under_way:
        _in_cycles.update(_under_way[_under_way.index(function) :])
        return f"recursive {function.__qualname__}"
    if function in _known:
        return _known[function]
    _under_way.append(function)
    try:
        digest = _hash(_of_function(function))
        if function not in _in_cycles:
            _known[function] = digest
    finally:
        _under_way.pop()
        _in_cycles.discard(function)
    return digest


def _hash(parts: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(f"{len(part)} {part}".encode())
    return digest.hexdigest()


def _of_function(function: FunctionType) -> Iterator[str]:
    code = function.__code__
    yield from _of_code(code)
    names, space = set(_names(code)), _space(function)
    for name in sorted(names & space.keys()):
        try:
            yield f"{name}: {_of_value(space[name], names)}"
        except UnknownContentError as error:
            raise UnknownContentError(f"{function.__module__}.{function.__qualname__} uses {name}, {error}") from None
    yield _of_value(function.__defaults__ or (), names)


def _space(function: FunctionType) -> dict[str, Any]:
    """The values of the names that a function can use."""
    cells = (cell.cell_contents for cell in function.__closure__ or ())
    return function.__globals__ | dict(zip(function.__code__.co_freevars, cells, strict=True))


def _of_code(code: CodeType) -> Iterator[str]:
    """Hash constants with the instructions that load them. No instruction loads a docstring, so it does not count.

    The traces that `python -OO` leaves of a docstring, renumbered constants and an initial `NOP`, do not count either.
    """
    instructions = bytearray(code.co_code.replace(BEGIN + NOTHING, BEGIN, 1))
    extended = 0
    for at in range(0, len(instructions), 2):
        operation, argument = instructions[at], instructions[at + 1] | extended
        extended = argument << 8 if operation == EXTENDED_ARG else 0
        if operation in hasconst:
            instructions[at + 1] = 0
            constant = code.co_consts[argument]
            if isinstance(constant, CodeType):
                yield from _of_code(constant)
            else:
                yield _of_value(constant, set())
    yield instructions.hex()
    yield repr((code.co_argcount, code.co_kwonlyargcount, code.co_flags & ~HAS_DOCSTRING))
    yield repr((code.co_names, code.co_varnames, code.co_cellvars, code.co_freevars))


def _names(code: CodeType) -> Iterator[str]:
    """Global names, attributes, and free variables, including those of inner functions."""
    yield from code.co_names
    yield from code.co_freevars
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _of_value(value: Any, names: set[str]) -> str:
    """`names`: the attributes to include if the value is a module."""
    if isinstance(value, Entry):
        return digest_of(value.plain)
    if isinstance(value, FunctionType):
        return value.__qualname__ if _is_versioned(value.__module__) else digest_of(value)
    if isinstance(value, ModuleType):
        if _is_versioned(value.__name__):
            return value.__name__
        return _hash(f"{name}: {_of_value(getattr(value, name), names)}" for name in sorted(names & vars(value).keys()))
    if isinstance(value, type):
        return _of_class(value)
    if isinstance(value, Enum):
        return f"{type(value).__qualname__} {value.value!r}"
    if isinstance(value, np.ndarray):
        return f"{value.dtype!r} {value.shape} {value.tobytes().hex()}"
    if isinstance(value, PLAIN):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, tuple):
        return f"({', '.join(_of_value(one, names) for one in value)})"
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(_of_value(one, names) for one in value))}}}"
    versioned = _is_versioned(getattr(value, "__module__", None)) and not hasattr(value, "__wrapped__")
    if versioned or isinstance(value, (BuiltinFunctionType, np.ufunc)):
        return f"{getattr(value, '__module__', '')}.{getattr(value, '__name__', repr(value))}"
    raise UnknownContentError(f"of type {type(value).__module__}.{type(value).__qualname__}")


def _of_class(kind: type) -> str:
    if issubclass(kind, Enum):
        return f"{kind.__qualname__} {[(name, member.value) for name, member in kind.__members__.items()]}"
    if _is_versioned(kind.__module__):
        return f"{kind.__module__}.{kind.__qualname__}"
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return f"{kind.__qualname__} {kind._fields}"
    raise UnknownContentError(f"the class {kind.__module__}.{kind.__qualname__}")


def _is_versioned(module: str | None) -> bool:
    return module is not None and module.partition(".")[0] in VERSIONED
