"""Compile each function of the rules once, to LLVM's text, in which it calls the others by name.

By itself Numba links a function with all that it calls, optimises that, and makes machine code of it, before it
compiles what calls it: half of the time. Here LLVM sees the whole alone (`core.compiler`).
"""

from __future__ import annotations

from typing import Any, Final

import numba
from numba.core.codegen import AOTCPUCodegen
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.typed_passes import NativeLowering

# Numba's types are incomplete.
untyped: Any = AOTCPUCodegen, DefaultPassBuilder, register_pass, numba.njit, numba.types
new_code, builder, register, njit, types = untyped

CODE: Final = new_code("rules")
lowered: Final[list[tuple[Any, Any]]] = []  # each function that has been compiled, and its `CodeLibrary`


@register(mutates_CFG=False, analysis_only=True)
class Declare(LoweringPass):
    """Let functions call the one just lowered by its name, and keep its code."""

    _name = "declare"

    def __init__(self) -> None:
        """Nothing to keep."""

    def run_pass(self, state: Any) -> bool:
        handle: Any = [].append  # Numba knows a function by an object, which has to be a builtin function
        state.targetctx.insert_user_function(handle, state.cr.fndesc)
        state.cr = state.cr._replace(cfunc=handle)
        lowered.append((state.func_id.func, state.library))
        return False


class Lowering(CompilerBase):
    """Numba's own pipeline up to LLVM's text."""

    def define_pipelines(self) -> list[Any]:
        self.state.flags.no_compile = True
        self.state.library = CODE.create_library(self.state.func_id.func_qualname)
        pipeline = builder.define_nopython_pipeline(self.state)
        pipeline.add_pass_after(Declare, NativeLowering)
        pipeline.finalize()
        return [pipeline]


def dispatcher(function: Any, **options: Any) -> Any:
    """The function as others compiled here call it; each call with other types compiles it for these.

    All integers but large unsigned ones arrive as `int64`, as in Python there is one kind: a third fewer functions.
    """
    made = njit(error_model="numpy", no_cpython_wrapper=True, pipeline_class=Lowering, **options)(function)
    template_for = made.get_call_template
    made.get_call_template = lambda arguments, named: template_for(
        [*map(_widened, arguments)], {name: _widened(kind) for name, kind in named.items()}
    )
    return made


def _widened(kind: Any) -> Any:
    plain = types.unliteral(kind)
    if isinstance(plain, types.IntEnumMember):
        plain = plain.dtype
    if isinstance(plain, types.Integer) and (plain.signed or plain.bitwidth < 32):
        return types.int64
    return kind


def as_c_function(function: Any, signature: Any) -> str:
    """Compile a function for C; returns the name that it has in `texts`."""
    made = dispatcher(function, no_cfunc_wrapper=False)
    made.compile(signature)
    return str(made.overloads[signature.args].fndesc.llvm_cfunc_wrapper_name)


def texts() -> list[tuple[Any, str]]:
    """Every function that has been compiled, and LLVM's text of it, with what it takes from Numba."""
    with global_compiler_lock:
        for _, code in lowered:
            code.finalize()
    return [(function, code.get_llvm_str()) for function, code in lowered]
