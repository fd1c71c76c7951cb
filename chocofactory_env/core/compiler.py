"""Make machine code of entries, with Numba and llvmlite: `python -m chocofactory_env.core.compiler --help`.

Every entry becomes a C function (`core.lowering`). LLVM links them and all that they call into one module, hides
everything but the entries, and optimises the whole. Only this process imports Numba; `core.build` starts it.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import llvmlite.binding as llvm
from numba import carray, types
from numba.core import cgutils
from numba.extending import intrinsic

from .compile_errors import explained, place_of
from .errors import CompileError
from .jit import Entry, compiled
from .library import entries_of, symbol_of
from .lowering import as_c_function, texts
from .seal import sealed
from .signature import ArrayOf, is_tuple, signature_of
from .symbols import symbols_in
from .targets import BUILD, TARGETS, Target, here, known

# What only Numba's error paths call, and what counts references. The rules raise and allocate nothing.
NEVER_CALLED: Final = re.compile(r"NRT_|Py|_Py|numba_")
ALLOCATION: Final = re.compile(r"call [^\n]*@NRT_MemInfo_(?:alloc|new)")  # of an array, list, set, dictionary or text
MESSAGE: Final = re.compile(r"numba[^\n]*(?:unicode|raise_with_shape)")  # functions that write the messages of errors
ABSENT: Final = re.compile(
    r'^declare (?P<head>[^@\n]*@"?(?P<name>[\w.$]+)"?\([^\n]*?\))(?P<rest>[^\n]*)$', re.MULTILINE
)
TRAP: Final = "call void @llvm.trap()\n unreachable"
SCALARS: Final[Mapping[Any, Any]] = MappingProxyType(
    {int: types.int64, float: types.float64, bool: types.boolean, None: types.void}
)


def whole_module(entries: Sequence[Entry]) -> llvm.ModuleRef:
    """All entries in one module without a target. CompileError names a function that does not compile."""
    symbols = {_as_c_function(entry): symbol_of(entry) for entry in entries}
    whole: Any = None
    for function, text in texts():
        portable = _portable(text)
        _check_allocations(function, portable)
        module = llvm.parse_assembly(portable)
        whole = module if whole is None else (whole.link_in(module), whole)[1]
    for each in (*whole.functions, *whole.global_variables):
        if each.name in symbols:
            each.name = symbols[each.name]
        elif not each.is_declaration:
            each.linkage = "internal"
    return llvm.parse_assembly(_with_traps(str(whole)))


@intrinsic
def _address(typing_context: Any, arrays: Any, field: Any) -> Any:
    """The address in a field of eight bytes, of which it may take four."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = builder.gep(arguments[0], [arguments[1]])
        return builder.load(builder.bitcast(place, cgutils.voidptr_t.as_pointer()))

    return types.voidptr(arrays, field), generate


def _as_c_function(entry: Entry) -> str:
    """Compile the entry as the C function of `library.declaration`; returns its name in LLVM's text."""
    signature = signature_of(entry.plain, entry.game)
    space: dict[str, Any] = {"entry": compiled[entry], "address": _address, "carray": carray}
    taken: dict[str, Any] = {}
    sources: list[str] = []  # of each parameter
    fields = 0
    for parameter in signature.parameters:
        kind = parameter.kind
        if isinstance(kind, ArrayOf):
            space[f"kind_{fields}"] = kind.dtype
            lengths = "".join(f"arrays[{fields + 1 + axis}], " for axis in range(kind.ndim))
            sources.append(f"carray(address(arrays, {fields}), ({lengths}), kind_{fields})")
            fields += 1 + kind.ndim
        else:
            sources.append(f"given_{len(taken)}")
            taken[sources[-1]] = SCALARS[kind]
    if fields:
        taken = {"arrays": types.CPointer(types.int64), **taken}
    in_order = iter(sources)
    arguments = [_argument(hint, in_order, space) for hint in signature.hints.values()]
    exec(f"def in_c({', '.join(taken)}):\n    return entry({', '.join(arguments)})\n", space)
    with explained():
        return as_c_function(space["in_c"], SCALARS[signature.result](*taken.values()))


def _argument(hint: Any, sources: Iterator[str], space: dict[str, Any]) -> str:
    """The source of an argument, from the next sources of parameters."""
    if not is_tuple(hint):
        return next(sources)
    kind = f"tuple_{len(space)}"
    space[kind] = hint
    return f"{kind}({', '.join(_argument(inner, sources, space) for inner in fields_of(hint).values())})"


def fields_of(hint: Any) -> Mapping[str, Any]:
    """The annotations of a NamedTuple's fields."""
    from typing import get_type_hints

    return get_type_hints(hint, include_extras=True)


def _portable(text: str) -> str:
    """LLVM's text without its target. Functions that count references are emptied: there are none to count."""
    kept, skipped = [], False
    for line in text.splitlines():
        if line.startswith("define") and re.search(r'@"?NRT_', line):
            body = "ret void" if " void @" in line else TRAP
            kept.append(re.sub(r"\{\s*$", "{", line) + f"\n {body}\n}}")
            skipped = True
        elif skipped:
            skipped = line != "}"
        elif not line.startswith(("target datalayout", "target triple")):
            kept.append(line.replace("= common ", "= linkonce_odr "))  # WebAssembly has no common symbols
    return "\n".join(kept)


def _check_allocations(function: Any, text: str) -> None:
    """CompileError if a function of the rules, or one of Numba's that it calls, makes an array or the like."""
    for each in text.split("\ndefine ")[1:]:
        head, _, body = each.partition("\n")
        if ALLOCATION.search(body) and not MESSAGE.search(head):
            raise CompileError(
                f"{place_of(function)}: {function.__qualname__} makes an array, list, set, dictionary or text: "
                f"a library has no memory of its own, so expected one among the arguments"
            )


def _with_traps(text: str) -> str:
    """The module's text with traps for what only Numba's error paths call."""

    def trap(found: re.Match[str]) -> str:
        if not NEVER_CALLED.match(found["name"]):
            return found[0]
        head = re.sub(r"^(?:extern_weak |dllimport )", "", found["head"])
        return f"define internal {head} {{\n {TRAP}\n}}"

    return ABSENT.sub(trap, text)


def object_code(module: llvm.ModuleRef, target: Target) -> bytes:
    """The module, optimised for a platform, as an object file."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, opt=3, reloc="static" if target.triple.startswith("wasm") else "pic", codemodel="default"
    )
    own = llvm.parse_bitcode(module.as_bitcode())
    own.triple, own.data_layout = target.triple, str(machine.target_data)
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=2))
    builder.getModulePassManager().run(own, builder)
    _name(own, target)
    return bytes(machine.emit_object(own))


def _name(module: llvm.ModuleRef, target: Target) -> None:
    """Number the functions inside, whose names Mach-O keeps, and mark the entries where a linker exports by mark."""
    for number, each in enumerate(module.functions):
        if each.linkage in (llvm.Linkage.internal, llvm.Linkage.private):
            each.name = f"f{number}"
        elif not each.is_declaration and target.suffix == ".dll":
            each.storage_class = "dllexport"


def link(code: bytes, target: Target, out: Path, exported: AbstractSet[str]) -> None:
    """Link an object file into a library, which is written whole or not at all.

    Raises:
        CompileError: the linker refused; or the library exports other names than `exported`, or takes something from
            outside that it should not.
    """
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".") as folder:
        name = out.stem.partition("-")[0]  # which a library keeps, for what is linked with it
        given, made = Path(folder, "rules.o"), Path(folder, f"{name}{target.suffix}")
        given.write_bytes(code)
        own = ["-o", str(made)]
        if target.link[0] == BUILD:
            own = [f"-femit-bin={made}", "--name", name, "--cache-dir", folder]
        run = [sys.executable, "-m", "ziglang", *(word.format(name=name) for word in target.link), str(given), *own]
        done = subprocess.run(run, capture_output=True, text=True, check=False)
        if done.returncode:
            raise CompileError(f"the library could not be linked: {' '.join(run)}: {done.stderr.strip()}")
        library = made.read_bytes()
        check(library, target, exported)
        made.write_bytes(sealed(library))
        made.replace(out)


def check(library: bytes, target: Target, exported: AbstractSet[str]) -> None:
    """CompileError unless a library exports these names, and imports nothing but what its platform always has."""
    symbols = symbols_in(library)
    for what, wrong in (
        ("exports", symbols.exported ^ exported),
        ("imports", symbols.imported - target.imports),
    ):
        if wrong:
            raise CompileError(f"the library for {target.triple} {what} other names than it should: {sorted(wrong)}")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Make the library of a game, or of a part of one.")
    parser.add_argument("game", help="the game's name")
    parser.add_argument("--part", help="the part; all unless given")
    parser.add_argument("--modules", nargs="+", required=True, help="what must be imported to know the entries")
    parser.add_argument("--target", action="append", choices=TARGETS, help="a platform; this one unless given")
    parser.add_argument("--out", action="append", type=Path, required=True, help="the library, one for each platform")
    chosen = parser.parse_args(arguments)
    for module in chosen.modules:
        import_module(module)
    entries = entries_of(chosen.game, chosen.part)
    try:
        targets = [TARGETS[name] for name in chosen.target or [known(here())]]
        whole = whole_module(entries)
        for target, out in zip(targets, chosen.out, strict=True):
            link(object_code(whole, target), target, out, {symbol_of(entry) for entry in entries})
    except CompileError as error:
        parser.exit(3, f"{error}\n")


if __name__ == "__main__":
    main()
