"""Compile functions that only compiled code calls as parts of their callers, without machine code of their own.

Numba optimises and translates each function on its own, and again inside every caller. That is half of a game's compile
time. `LinkingCompiler` keeps its functions in LLVM's intermediate form. They are optimised and translated once, as part
of the entry that Python calls (`core.jit`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import llvmlite.binding as llvm
from numba.core import compiler
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.errors import UnsupportedError

CompileResult: Any = compiler.CompileResult  # untyped, because its fields have no types


class LinkedLibrary(JITCodeLibrary):
    """The intermediate form of a function and of all that it calls, to be linked into its callers."""

    @classmethod
    def of(cls, codegen: Any, name: str, bitcode: bytes) -> LinkedLibrary:
        """Make a library from its kept form."""
        library = cls(codegen, name)
        library._final_module = llvm.parse_bitcode(bitcode)
        library._conclude()
        return library

    def finalize(self) -> None:
        """Link what the function calls; nothing can be added afterwards."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._conclude()

    def _conclude(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        """The form to keep. It has no object code."""
        kept: tuple[str, str, bytes] = self.serialize_using_bitcode()
        return kept

    def get_pointer_to_function(self, name: str) -> int:
        """0, as for a function that the library does not define."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> LinkedLibrary:
        """The object that Numba asks to set the function's environment."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing: the entry's machine code holds the environment. See `EntryCompiler`."""


class LinkingCompiler(compiler.Compiler):
    """Numba's compiler, for functions that only compiled code calls."""

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        self.state.library = LinkedLibrary(self.state.targetctx.codegen(), func.__qualname__)
        return without_recursion(super().compile_extra(func))


class EntryCompiler(compiler.Compiler):
    """Numba's compiler, for functions into which others are linked."""

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """Also set the environments of all functions in the machine code, as Numba does when it loads kept code."""
        result = without_recursion(super().compile_extra(func))
        for environment in result._find_referenced_environments():
            result.codegen.set_env(environment.env_name, environment)
        return result


def without_recursion(result: Any) -> Any:
    """Return the result. UnsupportedError if it calls itself with other types: processes that load it would crash."""
    if any(each.name.startswith(RuntimeLinker.PREFIX) for each in result.library._final_module.global_variables):
        function = result.fndesc
        name = f"{function.modname}.{function.qualname}"
        raise UnsupportedError(f"{name} calls itself with arguments of other types. Write it as a loop")
    return result


def rebuilt_linked(
    target: Any,
    library: tuple[str, str, bytes],
    fndesc: Any,
    environment: Any,
    signature: Any,
    objectmode: bool,
    lifted: Any,
    annotation: str,
    reload_init: Sequence[Callable[[], None]],
    environments: Sequence[Any],
) -> Any:
    """Rebuild a linked function's compile result from its kept parts, in the order of `CompileResult._reduce`."""
    for initialise in reload_init:
        initialise()
    name, _, bitcode = library
    linked = LinkedLibrary.of(target.codegen(), name, bitcode)
    return CompileResult(
        typing_context=target.typing_context,
        target_context=target,
        entry_point=target.get_executable(linked, fndesc, environment),
        typing_error=None,
        type_annotation=annotation,
        signature=signature,
        objectmode=objectmode,
        lifted=lifted,
        fndesc=fndesc,
        library=linked,
        call_helper=None,
        environment=environment,
        metadata=None,
        reload_init=reload_init,
        referenced_envs=environments,
    )
