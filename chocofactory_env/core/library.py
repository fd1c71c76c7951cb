"""Find a game's C library, and call it: the wheel brings one, a checkout builds its own (`core.build`).

A library of a part of a game is kept in the user's cache under a digest of the functions that it was made of. Where
there is none and none can be built, the rules run as plain Python, after one line on stderr that says so.

An entry is called through cffi with the addresses and lengths of its arrays. What is called is written out as Python's
source, once for an entry: checks of types and shapes first, so that no C code sees a wrong argument.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping
from functools import cache, reduce, wraps
from pathlib import Path
from threading import Lock
from typing import Any, Final, cast

import numpy as np

from .jit import PYTHON, RULES, Entry, entries, here
from .messages import shown
from .seal import is_whole
from .signature import ArrayOf, Parameter, Signature, signature_of

SHIPPED: Final = Path(__file__).parents[1] / "libraries"
SUFFIX: Final = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
C_TYPES: Final[Mapping[type | None, str]] = {int: "int64_t", float: "double", bool: "_Bool", None: "void"}

_lock = Lock()


def caller(entry: Entry, first: tuple[Any, ...], remembered: Collection[str]) -> Callable[..., Any]:
    """The entry with its first arguments fixed, in the library or as plain Python; see `Entry.bind`."""
    library = None if RULES == PYTHON else library_of(entry.game, entry.part)
    if library is None:
        return plain(entry.plain, first)
    signature, make = _factory(entry, library, len(first), frozenset(remembered))
    values = dict(zip(_names(entry), first, strict=False))
    fixed: list[Any] = []
    for parameter in signature.parameters:
        if parameter.root in values:
            fixed += _as_in_c(entry, parameter, _reach(entry, parameter, values))
    return _keeping(make(*fixed), first)


def _keeping(call: Any, first: tuple[Any, ...]) -> Callable[..., Any]:
    """`call`, which has the addresses of these arrays, so that they live as long."""
    call.alive = first
    return cast(Callable[..., Any], call)


# --- finding


@cache
def _ffi() -> Any:
    from cffi import FFI

    return FFI()


def library_of(game: str, part: str) -> Any:
    """The library that has this part of a game, as cffi opens it; None if the rules must run as plain Python."""
    with _lock:
        return _opened(game, part)


@cache
def _opened(game: str, part: str) -> Any:
    shipped = SHIPPED / f"{game}{SUFFIX}"
    if not shipped.exists():
        from .build import built

        path = built(game, part)
    elif is_whole(shipped):
        path = shipped
    else:
        raise OSError(f"the library of {game} is damaged: {shipped}; install the package again")
    try:
        return None if path is None else _ffi().dlopen(str(path))
    except OSError as error:
        raise OSError(f"the library of {game} cannot be loaded: {error}") from None


def parts_of(game: str) -> list[str]:
    """The parts of a game's library, with the entries that are known."""
    return list(dict.fromkeys(entry.part for entry in entries.values() if entry.game == game))


def entries_of(game: str, part: str | None = None) -> list[Entry]:
    """The known entries of a part of a game (None: of all), by name."""
    found = [each for each in entries.values() if each.game == game and part in (None, each.part)]
    return sorted(found, key=lambda each: each.symbol)


# --- plain Python


def plain(function: Callable[..., Any], first: tuple[Any, ...] = ()) -> Callable[..., Any]:
    """A plain function of the rules that takes arrays of records as they are: their rows need attributes."""
    fixed = tuple(map(_with_attributes, first))

    @wraps(function)
    def call(*arguments: Any) -> Any:
        before, here.plain = here.plain, True
        try:
            return function(*fixed, *map(_with_attributes, arguments))
        finally:
            here.plain = before

    return call


def _with_attributes(argument: Any) -> Any:
    if isinstance(argument, np.ndarray):
        return argument if argument.dtype.names is None else argument.view(np.recarray)
    if isinstance(argument, tuple) and hasattr(argument, "_fields"):
        return type(argument)(*map(_with_attributes, argument))
    return argument


# --- calling


def declaration(entry: Entry, signature: Signature) -> str:
    """The entry's declaration in C. Every array is its address and the length of each axis."""
    arguments = []
    for parameter in signature.parameters:
        name, kind = parameter.name, parameter.kind
        if isinstance(kind, ArrayOf):
            arguments.append(f"{'' if kind.written else 'const '}void *{name}")
            arguments += [f"int64_t {name}_{axis}" for axis in range(kind.ndim)]
        else:
            arguments.append(f"{C_TYPES[kind]} {name}")
    return f"{C_TYPES[signature.result]} {symbol_of(entry)}({', '.join(arguments)});"


def symbol_of(entry: Entry) -> str:
    """The name that the library exports."""
    return f"{entry.game}_{entry.symbol}"


def _as_in_c(entry: Entry, parameter: Parameter, value: Any) -> list[Any]:
    """An argument as C takes it: of an array its address, which does not keep it alive, and the length of each axis."""
    kind = _checked(entry, parameter, value)
    if not isinstance(kind, ArrayOf):
        return [value]
    return [_ffi().cast("void *", _ffi().from_buffer("char[]", value, kind.written)), *value.shape]


@cache
def _factory(
    entry: Entry, library: Any, bound: int, remembered: frozenset[str]
) -> tuple[Signature, Callable[..., Callable[..., Any]]]:
    """The entry's signature, and what makes a function of its remaining arguments from the first ones, as C takes them.

    The source is written for speed: a step of one game takes less than a microsecond.
    """
    ffi, signature = _ffi(), signature_of(entry.plain, entry.game)
    with _lock:
        ffi.cdef(declaration(entry, signature), override=True)
    names = _names(entry)
    fixed, given = names[:bound], names[bound:]
    outer, lines, passed, kept = [], [], [], []
    # Every name begins with `_`, so that it is none of the entry or of its parameters.
    space: dict[str, Any] = {"_address": ffi.from_buffer, "_bytes": ffi.typeof("char[]"), "_array": np.ndarray}
    space |= {"_cast": ffi.cast, "_pointer": ffi.typeof("void *")}
    for number, parameter in enumerate(signature.parameters):
        kind = parameter.kind
        own = f"_{number}"
        sizes = [f"{own}_{axis}" for axis in range(kind.ndim)] if isinstance(kind, ArrayOf) else []
        if parameter.root in fixed:
            outer += [own, *sizes]
            passed += [own, *sizes]
            continue
        name = parameter.path if parameter.path == parameter.root else own
        if name == own:
            lines.append(f"{own} = {parameter.path}")
        if not isinstance(kind, ArrayOf):
            passed.append(name)
            if kind is int:  # C would take the whole part of a fraction
                space[f"{own}_parameter"] = parameter
                lines += [f"if {name}.__class__ is not int:", f"    _checked({own}_parameter, {name})"]
            continue
        space[f"{own}_dtype"], space[f"{own}_parameter"] = kind.dtype, parameter
        kept += [f"{own}_last"] if name in remembered else []
        taking, taken = _taken(name, own, kind, sizes, remembered=name in remembered)
        lines += taking
        passed += taken
    space |= {
        "_absent": object(),  # what nobody passes
        "_call": getattr(library, symbol_of(entry)),
        "_checked": lambda parameter, value: _checked(entry, parameter, value),
        "_explained": lambda error, *values: _explained(entry, signature, dict(zip(given, values, strict=True)), error),
    }
    source = [
        f"def _make({', '.join(outer)}):",
        *(f"    {held} = (_absent,)" for held in kept),
        f"    def {entry.symbol}({', '.join(given)}):",
        *([f"        nonlocal {', '.join(kept)}"] if kept else []),
        "        try:",
        *(f"            {line}" for line in [*lines, f"return _call({', '.join(passed)})"]),
        "        except (AttributeError, BufferError, OverflowError, TypeError, ValueError) as _error:",
        f"            raise _explained(_error, {', '.join(given)}) from None",
        f"    return {entry.symbol}",
    ]
    exec("\n".join(source), space)
    return signature, _with_defaults(entry, space["_make"])


def _taken(name: str, own: str, kind: ArrayOf, sizes: list[str], *, remembered: bool) -> tuple[list[str], list[str]]:
    """Source that takes an array, and what C gets of it. A remembered array is not looked at when it comes again."""
    address = f"_address(_bytes, {name}, {kind.written})"
    lines = [
        f"if {name}.__class__ is not _array or {name}.dtype is not {own}_dtype or {name}.ndim != {kind.ndim}:",
        f"    _checked({own}_parameter, {name})",  # looks closer
    ]
    if not remembered:
        return [*lines, f"{', '.join(sizes)}, = {name}.shape"], [address, *sizes]
    last, at = f"{own}_last", f"{own}_at"
    lines.append(f"{at} = {last} = {name}, _cast(_pointer, {address}), *{name}.shape")  # cffi passes it on faster
    inner = [f"    {line}" for line in lines]
    return [f"{at} = {last}", f"if {at}[0] is not {name}:", *inner], [
        f"{at}[{place}]" for place in range(1, 2 + kind.ndim)
    ]


def _with_defaults(entry: Entry, make: Callable[..., Any]) -> Callable[..., Any]:
    def made(*fixed: Any) -> Any:
        call = make(*fixed)
        call.__defaults__, call.__doc__ = entry.plain.__defaults__, entry.__doc__
        return call

    return made


def _names(entry: Entry) -> list[str]:
    code = entry.plain.__code__
    return list(code.co_varnames[: code.co_argcount])


def _reach(entry: Entry, parameter: Parameter, values: Mapping[str, Any]) -> Any:
    given = values[parameter.root]
    try:
        return reduce(getattr, parameter.path.split(".")[1:], given)
    except AttributeError:
        raise TypeError(f"{entry.symbol}: expected a tuple with {parameter.path}, got {shown(given)}") from None


def _checked(entry: Entry, parameter: Parameter, value: Any) -> ArrayOf | type:
    """The parameter's kind; TypeError or ValueError if the value is of another one."""
    kind = parameter.kind
    error: type[Exception] = TypeError
    if isinstance(kind, ArrayOf):
        wanted, fits = f"an array of {shown(kind.dtype)} with {kind.ndim} axes", isinstance(value, np.ndarray)
        if fits:
            error, fits = ValueError, value.dtype == kind.dtype and value.ndim == kind.ndim
        if fits and not value.flags.c_contiguous:
            wanted, fits = "a C-contiguous array", False
        elif fits and kind.written and not value.flags.writeable:
            wanted, fits = "an array that may be written", False
    elif kind is float:
        wanted, fits = "a number", isinstance(value, (int, float, np.number))
    else:
        wanted, fits = (
            "an integer of 64 bits",
            isinstance(value, (int, np.integer)) and -(1 << 63) <= int(value) < 1 << 63,
        )
    if not fits:
        given = f"{shown(value.dtype)} {value.shape}" if isinstance(value, np.ndarray) else shown(value)
        raise error(f"{entry.symbol}: expected {wanted} as {parameter.path}, got {given}")
    return kind


def _explained(entry: Entry, signature: Signature, given: Mapping[str, Any], error: Exception) -> Exception:
    """The error that names the argument at fault."""
    try:
        for parameter in signature.parameters:
            if parameter.root in given:
                _checked(entry, parameter, _reach(entry, parameter, given))
    except (TypeError, ValueError) as found:
        return found
    return error
