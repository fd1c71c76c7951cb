"""Find a game's C library, and call it: the wheel brings one, a checkout builds its own (`core.build`).

A library of a part of a game is kept in the user's cache under a digest of the functions that it was made of. Where
there is none and none can be built, the rules run as plain Python, after one line on stderr that says so.

An entry is called through cffi with a structure of the addresses and lengths of its arrays, and with its numbers. What
is called is written out as Python's source, once for an entry: checks of types and shapes first, so that no C code sees
a wrong argument. For each argument cffi takes as long as C for a whole step; so arrays are one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cache, partial, reduce, wraps
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


def caller(entry: Entry, first: tuple[Any, ...], *, remembers: bool) -> Callable[..., Any]:
    """The entry with its first arguments fixed, in the library or as plain Python; see `Entry.bind`."""
    library = None if RULES == PYTHON else library_of(entry.game, entry.part)
    if library is None:
        return plain(entry.plain, first)
    (signature, known), make = _opened(entry, library), _factory(entry, library, len(first), remembers)
    values = dict(zip(_names(entry), first, strict=False))
    arrays: list[Any] = []
    numbers: list[Any] = []
    for parameter in signature.parameters:
        if parameter.root in values:
            value = _reach(entry, parameter, values)
            kind = _checked(entry, parameter, value)
            if isinstance(kind, ArrayOf):
                arrays += [known["_address"](known["_bytes"], value, kind.written), *value.shape]
            else:
                numbers.append(value)
    call = make(arrays, *numbers)
    call.__defaults__, call.__doc__ = entry.plain.__defaults__, entry.__doc__
    return call


# --- finding


def library_of(game: str, part: str) -> Path | None:
    """The library that has this part of a game; None if the rules must run as plain Python."""
    with _lock:
        return _found(game, part)


@cache
def _found(game: str, part: str) -> Path | None:
    shipped = SHIPPED / f"{game}{SUFFIX}"
    if not shipped.exists():
        from .build import built

        return built(game, part)
    if is_whole(shipped):
        return shipped
    raise OSError(f"the library of {game} is damaged: {shipped}; install the package again")


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
    """The entry in C: a structure of its arrays, if it has any, and the function that takes its address, and numbers.

    An array is its address and the length of each axis. So each field has eight bytes, whatever the size of an address.
    """
    name, fields, taken = symbol_of(entry), [], []
    for parameter in signature.parameters:
        kind = parameter.kind
        if isinstance(kind, ArrayOf):
            lengths = ", ".join(f"{parameter.name}_{axis}" for axis in range(kind.ndim))
            item = kind.dtype.name if kind.dtype.names is None else f"records of {kind.dtype.itemsize} bytes"
            fields.append(f"  {'' if kind.written else 'const '}void *{parameter.name}; int64_t {lengths}; // {item}\n")
        else:
            taken.append(f"{C_TYPES[kind]} {parameter.name}")
    structure = f"struct {name} {{\n{''.join(fields)}}};\n" if fields else ""
    taken = [f"const struct {name} *arrays", *taken] if fields else taken
    return f"{structure}{C_TYPES[signature.result]} {name}({', '.join(taken)});"


def symbol_of(entry: Entry) -> str:
    """The name that the library exports."""
    return f"{entry.game}_{entry.symbol}"


@cache
def _opened(entry: Entry, library: Path) -> tuple[Signature, Mapping[str, Any]]:
    """The entry's signature, and what a function that calls it needs by name."""
    import _cffi_backend
    from cffi import FFI

    signature, ffi = signature_of(entry.plain, entry.game), FFI()
    text = declaration(entry, signature)
    ffi.cdef(text)
    try:
        opened = ffi.dlopen(str(library))
    except OSError as error:
        raise OSError(f"the library of {entry.game} cannot be loaded: {error}") from None
    # Every name begins with `_`, so that it is none of the entry or of its parameters.
    return signature, {
        "_absent": object(),  # what nobody passes
        "_address": _cffi_backend.FFI().from_buffer,  # twice as fast as that of `ffi`, which is Python
        "_array": np.ndarray,
        "_bytes": ffi.typeof("char[]"),
        "_call": getattr(opened, symbol_of(entry)),
        "_checked": partial(_checked, entry),
        "_library": opened,  # which is closed when nobody knows it
        "_new": partial(ffi.new, f"struct {symbol_of(entry)} *") if text.startswith("struct") else None,
    }


INDENT: Final = "\n            "


@cache
def _factory(entry: Entry, library: Path, bound: int, remembers: bool) -> Callable[..., Callable[..., Any]]:
    """What makes a function of the remaining arguments from the first ones, as C takes them: arrays, then numbers.

    The source is written for speed. `_free` has structures of addresses that no thread uses now, each in a list with
    the arrays of its last call, if the function `remembers`.
    """
    signature, known = _opened(entry, library)
    space, fixed, given = dict(known), _names(entry)[:bound], _names(entry)[bound:]
    passed = ["_structure"] if known["_new"] else []
    outer, lines, arrays = list[str](), list[str](), 0  # numbers among the first arguments; arrays of the others
    for number, parameter in enumerate(signature.parameters):
        kind, own = parameter.kind, f"_{number}"
        if parameter.root in fixed:
            if not isinstance(kind, ArrayOf):
                outer.append(own)
                passed.append(own)
            continue
        name = parameter.path if parameter.path == parameter.root else own
        lines += [] if name != own else [f"{own} = {parameter.path}"]
        space[f"{own}_parameter"] = parameter
        look = f"    _checked({own}_parameter, {name})"
        if not isinstance(kind, ArrayOf):
            passed.append(name)
            lines += [f"if {name}.__class__ is not int:", look] if kind is int else []  # C would cut a fraction
            continue
        arrays += 1
        space[f"{own}_dtype"] = kind.dtype
        lengths = "".join(f"_structure.{parameter.name}_{axis}, " for axis in range(kind.ndim))
        seen = f"{name}.__class__ is not _array or {name}.dtype is not {own}_dtype or {name}.ndim != {kind.ndim}"
        lines += [
            f"if _arrays[{arrays}] is not {name}:",
            f"    if {seen}:",
            f"    {look}",
            f"    _structure.{parameter.name} = _address(_bytes, {name}, {kind.written})",
            f"    {lengths} = {name}.shape",
            *([f"    _arrays[{arrays}] = {name}"] if remembers else []),
        ]
    space["_explained"] = lambda error, *values: _explained(
        entry, signature, dict(zip(given, values, strict=True)), error
    )
    source = f"""
def _make({", ".join(["_fixed", *outer])}):
    _free = []
    def {entry.symbol}({", ".join(given)}):
        try:
            _arrays = _free.pop()
        except IndexError:
            _arrays = [_new and _new(_fixed), *[_absent] * {arrays}]
        try:
            _structure = _arrays[0]
            {INDENT.join(lines)}
            _result = _call({", ".join(passed)})
        except (AttributeError, BufferError, OverflowError, TypeError, ValueError) as _error:
            raise _explained(_error, {", ".join(given)}) from None
        _free.append(_arrays)
        return _result
    return {entry.symbol}
"""
    exec(source, space)
    return cast(Callable[..., Callable[..., Any]], space["_make"])


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
    fault = _array_fault(kind, value) if isinstance(kind, ArrayOf) else _number_fault(kind, value)
    if fault is not None:
        error, wanted = fault
        given = f"{shown(value.dtype)} {value.shape}" if isinstance(value, np.ndarray) else shown(value)
        raise error(f"{entry.symbol}: expected {wanted} as {parameter.path}, got {given}")
    return kind


Fault = tuple[type[Exception], str]  # the error, and what was expected


def _array_fault(kind: ArrayOf, value: Any) -> Fault | None:
    if not isinstance(value, np.ndarray):
        return TypeError, _in_words(kind)
    if value.dtype != kind.dtype or value.ndim != kind.ndim:
        return ValueError, _in_words(kind)
    if not value.flags.c_contiguous:
        return ValueError, "a C-contiguous array"
    if kind.written and not value.flags.writeable:
        return ValueError, "an array that may be written"
    return None


def _in_words(kind: ArrayOf) -> str:
    return f"an array of {shown(kind.dtype)} with {kind.ndim} axes"


def _number_fault(kind: Any, value: Any) -> Fault | None:
    if kind is float:
        return None if isinstance(value, (int, float, np.number)) else (TypeError, "a number")
    whole = isinstance(value, (int, np.integer)) and -(1 << 63) <= int(value) < 1 << 63
    return None if whole else (TypeError, "an integer of 64 bits")


def _explained(entry: Entry, signature: Signature, given: Mapping[str, Any], error: Exception) -> Exception:
    """The error that names the argument at fault."""
    try:
        for parameter in signature.parameters:
            if parameter.root in given:
                _checked(entry, parameter, _reach(entry, parameter, given))
    except (TypeError, ValueError) as found:
        return found
    return error
