"""Compiled code in a platform wheel, so that a first use compiles nothing.

The package's folder `machine_code` holds a compressed archive for each game, one for shared code, and a manifest of
what they were compiled for. Functions of a game have much in common, so an archive is a third as long as its functions
alone. `tools.machine_code` writes them for a portable processor (`target`). Numba checks nothing when it loads machine
code, so a function is loaded only if all of the manifest fits this process and the function's digest is unchanged.
Otherwise it is compiled for this machine, and a line says why.
"""

from __future__ import annotations

import json
import pickle
import platform
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple, TypedDict

import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core.serialize import dumps

from .code_cache import CodeCache, read, report_once, settings, who_can_change, words_of, write

FOLDER: Final = Path(__file__).parents[2] / "machine_code"
MANIFEST: Final = "manifest.json"
# Numba keeps no code on disk with a global of this name, and LLVM does not drop a `weak_odr` global.
NOT_KEPT: Final = 'target triple = "{}"\n@numba.dynamic.globals.shipped = weak_odr global i8 0'
HERE: Final = "It is compiled for this machine instead"
# Features of x86-64 level 3, as listed by the psABI, in LLVM's names.
LEVEL_3 = (
    *("64bit", "cmov", "cx8", "fxsr", "mmx", "sse", "sse2"),
    *("cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3"),
    *("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"),
)


class Target(NamedTuple):
    """A portable processor: LLVM's name for it, and the features required to run its code."""

    name: str
    features: tuple[str, ...] = ()


class Manifest(TypedDict):
    """The machine and versions that the shipped code was compiled for."""

    made_for: dict[str, str]  # `versions` of the process that compiled it
    features: list[str]  # required of the processor
    functions: dict[str, str]  # name of the function -> its digest
    archives: dict[str, str]  # name of the function -> the file with its code


def target() -> Target | None:
    """The portable processor of this kind of machine; None if no code is shipped for it."""
    machine = platform.machine().lower()
    if machine in ("x86_64", "amd64"):
        return Target("x86-64-v3", LEVEL_3)
    if machine in ("aarch64", "arm64"):  # all support "generic"; every such Mac is at least an M1
        return Target("apple-m1" if sys.platform == "darwin" else "generic")
    return None


def versions() -> dict[str, str]:
    """Name, for messages -> what machine code depends on besides the processor's features and the functions."""
    return {
        "Python": EXTENSION_SUFFIXES[0],  # its minor version, build, and system
        "machine": f"{sys.platform} {platform.machine()}",
        "Numba": numba.__version__,
        "layout of NumPy's arrays": f"{np.__version__.partition('.')[0]}, {np.ndarray.__basicsize__} bytes",
        **settings(),
    }


def misfit(manifest: Manifest) -> str | None:
    """The reason why code with this manifest cannot run in this process; None if it can."""
    here = versions()
    for name, wanted in manifest["made_for"].items():
        if here.get(name) != wanted:
            return f"it is made for {name} {wanted}, and here is {here.get(name)}"
    if find_spec("_lzma") is None:
        return "this Python was built without lzma"
    missing = [name for name in manifest["features"] if not llvm.get_host_cpu_features().get(name)]
    return f"the processor lacks {', '.join(missing)}" if missing else None


@cache
def shipped(folder: Path) -> Manifest | None:
    """The manifest of the code in a folder, or None if this process cannot use it; the reason is printed to stderr."""
    try:
        content = (folder / MANIFEST).read_bytes()
    except FileNotFoundError:
        return None  # a checkout or a pure wheel
    except OSError as error:
        _say(f"{folder / MANIFEST}: {error.strerror or error}")
        return None
    reason = who_can_change(folder)
    if reason is None:
        try:
            manifest: Manifest = json.loads(content)
            reason = misfit(manifest)
        except (ValueError, TypeError, AttributeError, KeyError):
            reason = f"{folder / MANIFEST} is damaged"
    if reason is None:
        return manifest
    _say(reason)
    return None


def _say(reason: str) -> None:
    report_once("shipped", f"the compiled code of this package is not used: {reason}. {HERE}")


class ShippedCodeCache(CodeCache):
    """Compiled code of one function: shipped with the package, or else kept on this machine."""

    is_part = False  # whether a caller is being compiled, and kept

    @contextmanager
    def as_part(self) -> Iterator[None]:
        """A context in which shipped code is not used, because a caller that contains it could not be kept."""
        self.is_part = True
        try:
            yield
        finally:
            self.is_part = False

    def find(self, sig: Any, target_context: Any) -> Any:
        """The shipped or kept compile result for a signature, or None."""
        content = self._shipped_content(sig)
        if content is not None:
            target_context.refresh()
            symbols, code = pickle.loads(content)
            target_context.codegen()._engine._defined_symbols.update(symbols)
            result = self.rebuilt(target_context, code, FOLDER, HERE)
            if result is not None:
                return result
        return super().find(sig, target_context)

    def alone(self, sig: Any, target_context: Any, waits: Callable[[], None]) -> AbstractContextManager[float]:
        """Like `CodeCache`; shipped code needs no lock."""
        return nullcontext(0.0) if self._shipped_content(sig) else super().alone(sig, target_context, waits)

    def portable_name(self, sig: Any) -> str:
        """The name under which the code for a signature is shipped, without the processor: the manifest has that."""
        return self._file_name(sig, "portable")

    def _shipped_content(self, sig: Any) -> bytes | None:
        """The packed code for a signature, if it is shipped and fits; otherwise the reason is printed to stderr."""
        manifest = shipped(FOLDER)
        if manifest is None or self.is_part or self.name not in manifest["functions"]:
            return None
        if manifest["functions"][self.name] != self.digest:
            _say(f"{self.name} is another function than was compiled")
            return None
        contents = unpacked(FOLDER / manifest["archives"][self.name])
        if contents is not None and self.portable_name(sig) not in contents:
            _say(f"it has no {self.name}({words_of(sig)})")
        return None if contents is None else contents.get(self.portable_name(sig))


def packed(code: bytes, linked: bool) -> bytes:
    """Pack code kept on disk as the entry of an archive: the symbols that it defines, and the code.

    linked: whether other compiled code can link it. If not, LLVM's form of the code is left out, and the entry is an
    eighth as long. Callers then call the machine code, and are not kept on disk, as the next process may lack it.
    """
    ((name, kind, (machine_code, bitcode)), *rest) = pickle.loads(code)
    module = llvm.parse_bitcode(bitcode)
    if not linked:
        bitcode = llvm.parse_assembly(NOT_KEPT.format(module.triple)).as_bitcode()
    symbols = [
        each.name for some in (module.functions, module.global_variables) for each in some if not each.is_declaration
    ]
    return pickle.dumps((symbols, dumps(((name, kind, (machine_code, bitcode)), *rest))))  # type: ignore[no-untyped-call]


def write_archive(file: Path, entries: Mapping[str, bytes]) -> None:
    """Write an archive of entries from `packed`, by `portable_name`."""
    import lzma

    write(file, lzma.compress(pickle.dumps(dict(sorted(entries.items()))), preset=9 | lzma.PRESET_EXTREME))


@cache
def unpacked(file: Path) -> dict[str, bytes] | None:
    """The entries of an archive. If it is damaged or unsafe, returns None and prints the reason to stderr."""
    import lzma  # a few builds of Python lack it

    content = read(file, HERE)
    return None if content is None else pickle.loads(lzma.decompress(content))


def manifest_of(functions: Mapping[str, str], archives: Mapping[str, str], features: tuple[str, ...]) -> bytes:
    """The content of the file `MANIFEST`, for code that this process has compiled."""
    content = Manifest(
        made_for=versions(),
        features=list(features),
        functions=dict(sorted(functions.items())),
        archives=dict(sorted(archives.items())),
    )
    return json.dumps(content, indent=1).encode()
