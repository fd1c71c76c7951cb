"""The platforms for which libraries are built: how LLVM and the linker call them."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from .errors import CompileError


class Target(NamedTuple):
    """A platform: LLVM's triple and processor, the linker's words, and what a library may take from outside.

    `{name}` in a word is the library's name.
    """

    triple: str
    cpu: str
    suffix: str
    link: tuple[str, ...]
    imports: frozenset[str] = frozenset()


MEMORY: Final = frozenset({"memcpy", "memmove", "memset"})  # which every C library has
OF_MACOS: Final = MEMORY | {"bzero", "dyld_stub_binder"}
LD: Final = ("ld.lld", "-shared", "--gc-sections", "--strip-all")
BUILD: Final = "build-lib"  # zig's own command, which adds what the platform needs
ZIG: Final = (BUILD, "-dynamic", "-fstrip", "-O", "ReleaseFast", "-target")
# Libraries for macOS take these functions from the system, as every one must. Windows has none, so zig's are linked in.
MACOS: Final = (*ZIG, "aarch64-macos.11.0", "-fno-compiler-rt", "-install_name", "@rpath/lib{name}.dylib")
WINDOWS: Final = (*ZIG, "x86_64-windows-gnu", "-fno-entry", "-fcompiler-rt", "-fno-emit-implib", "--gc-sections")
WASM: Final = ("wasm-ld", "--no-entry", "--export-dynamic", "--gc-sections", "--strip-all", "--stack-first")
TARGETS: Final[Mapping[str, Target]] = MappingProxyType(  # by system and machine, as `platform` names them
    {
        "linux-x86_64": Target("x86_64-unknown-linux-gnu", "x86-64-v2", ".so", LD, MEMORY),
        "linux-aarch64": Target("aarch64-unknown-linux-gnu", "generic", ".so", LD, MEMORY),
        "darwin-arm64": Target("arm64-apple-macosx11.0.0", "apple-m1", ".dylib", MACOS, OF_MACOS),
        "windows-amd64": Target("x86_64-pc-windows-gnu", "x86-64-v2", ".dll", WINDOWS),
        "wasm32": Target("wasm32-unknown-unknown", "generic", ".wasm", WASM),
    }
)


def here() -> str:
    """The name of this machine's platform, which TARGETS may lack."""
    return f"{platform.system()}-{platform.machine()}".lower()


def known(name: str) -> str:
    """The name of a platform; CompileError unless TARGETS has it."""
    if name not in TARGETS:
        raise CompileError(f"no library can be built for {name}: expected one of {', '.join(TARGETS)}")
    return name
