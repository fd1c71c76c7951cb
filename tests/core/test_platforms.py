"""Libraries for other platforms: what each exports and imports is read after linking."""

from __future__ import annotations

from pathlib import Path

import pytest

from chocofactory_env.core.build import missing
from chocofactory_env.core.errors import CompileError
from chocofactory_env.core.symbols import symbols_in
from chocofactory_env.core.targets import TARGETS, known

pytestmark = [
    pytest.mark.programs,  # links with zig, which compiles its own runtime the first time
    pytest.mark.skipif(bool(missing()), reason="no library is linked here"),
]
SOURCE = """
define i32 @game_answer(i32 %number) {{
    %answer = call i32 @{called}(i32 %number)
    ret i32 %answer
}}
define {linkage} i32 @inner(i32 %number) noinline {{
    ret i32 %number
}}
declare i32 @elsewhere(i32)
"""


def link(target: str, out: Path, called: str = "inner", linkage: str = "internal") -> None:
    from llvmlite import binding as llvm

    from chocofactory_env.core import compiler

    platform = TARGETS[target]
    module = llvm.parse_assembly(SOURCE.format(called=called, linkage=linkage))
    compiler.link(compiler.object_code(module, platform), platform, out, {"game_answer"})


@pytest.mark.parametrize("target", TARGETS)
def test_a_library_exports_its_entries_alone_and_imports_nothing_of_its_own(target: str, tmp_path: Path) -> None:
    link(target, tmp_path / "game")
    symbols = symbols_in((tmp_path / "game").read_bytes())
    assert symbols.exported == {"game_answer"}
    assert symbols.imported <= {"dyld_stub_binder"}


@pytest.mark.parametrize("target", TARGETS)
def test_a_library_that_exports_more_is_refused(target: str, tmp_path: Path) -> None:
    with pytest.raises(CompileError, match=r"exports other names than it should: \['inner'\]"):
        link(target, tmp_path / "game", linkage="")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("target", TARGETS)
def test_a_library_that_takes_a_function_from_nowhere_is_refused(target: str, tmp_path: Path) -> None:
    with pytest.raises(CompileError, match="elsewhere"):
        link(target, tmp_path / "game", called="elsewhere")
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_another_format_is_refused() -> None:
    with pytest.raises(ValueError, match=r"expected a library of ELF, Mach-O, PE or WebAssembly, got b'!<ar'"):
        symbols_in(b"!<arch>\n")


def test_a_name_that_is_no_platform_is_refused() -> None:
    with pytest.raises(CompileError, match="no library can be built for plan9-mips: expected one of linux-x86_64, "):
        known("plan9-mips")
