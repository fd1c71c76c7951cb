"""Compile the machine code of platform wheels: `python -m tools.machine_code FOLDER`.

This calls every entry of all games and agents once, in a process that compiles for a portable processor
(`core.compiling.shipped_code`). It uses the package that Python finds, so a release runs it where the wheel is
installed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import warnings
from collections import defaultdict
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from chocofactory_env import warm_up
from chocofactory_env.core.compiling.code_cache import read
from chocofactory_env.core.compiling.shipped_code import MANIFEST, manifest_of, packed, target, write_archive
from chocofactory_env.core.jit import entries
from chocofactory_env.registry import GAMES

from . import installed


def compile_all(games: Sequence[str], parts: Sequence[str], quick: bool) -> None:
    """Call the chosen parts of the games, so that they are compiled and cached."""
    warnings.simplefilter("ignore")
    for name in games:
        for part in parts:
            print(f"{name}, {part}: {warm_up.warm_up(name, part):.1f} s", flush=True)
    if not quick:
        installed.check_agents(["learned"] if find_spec("torch") else [])
        installed.check_games()  # reaches functions that only rare positions call


def pack(folder: Path) -> int:
    """Write all code compiled or loaded by this process, and the manifest. Returns the number of signatures.

    Raises:
        ValueError: there is no code, or none is shipped for this kind of machine.
    """
    portable = target()
    if portable is None:
        raise ValueError("no code is shipped for this kind of machine")
    functions, archives, entries_of = {}, {}, defaultdict[str, dict[str, bytes]](dict)
    for entry in entries:
        kept = entry._cache
        archives[kept.name] = archive_of(kept.name)
        for signature in entry.overloads:
            file = kept.file(signature, entry.targetctx.codegen())
            code = None if file is None else read(file)
            if code is None or kept.digest is None:
                raise ValueError(f"{kept.name}: its code was not kept")
            entries_of[archives[kept.name]][kept.portable_name(signature)] = packed(code, linked=is_linked(entry))
            functions[kept.name] = kept.digest
    if not functions:
        raise ValueError("nothing was compiled")
    for archive, contents in entries_of.items():
        write_archive(folder / archive, contents)
    (folder / MANIFEST).write_bytes(manifest_of(functions, archives, portable.features))
    return sum(map(len, entries_of.values()))


def archive_of(function: str) -> str:
    """The archive for a function: its game's, or that of shared code."""
    return f"{next((game for game in GAMES if game in function.split('.')), 'shared')}.xz"


def is_linked(entry: Any) -> bool:
    """Whether other games' compiled code calls it: true of small functions of the core not bound to a game."""
    function = entry.py_func
    return ".core." in function.__module__ and "." not in function.__qualname__


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.machine_code", description=__doc__)
    parser.add_argument("folder", type=Path, help="new, or empty")
    parser.add_argument("--games", nargs="+", choices=sorted(GAMES), default=sorted(GAMES), help="games (all)")
    parser.add_argument("--parts", nargs="+", choices=warm_up.PARTS, default=list(warm_up.PARTS), help="parts (all)")
    parser.add_argument("--quick", action="store_true", help="leave out agents and rarely called functions")
    chosen = parser.parse_args(arguments)
    portable = target()
    if portable is None:
        parser.exit(1, "no code is shipped for this kind of machine\n")
    if os.environ.get("NUMBA_CPU_NAME") != portable.name:  # Numba reads it on import
        setting = {"NUMBA_CPU_NAME": portable.name, "NUMBA_CPU_FEATURES": ""}
        words = [sys.executable, "-m", "tools.machine_code", *(sys.argv[1:] if arguments is None else arguments)]
        sys.exit(subprocess.run(words, env={**os.environ, **setting}, check=False).returncode)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    if any(chosen.folder.iterdir()):
        parser.error(f"{chosen.folder} is not empty")
    compile_all(chosen.games, chosen.parts, chosen.quick)
    number = pack(chosen.folder)
    size = sum(file.stat().st_size for file in chosen.folder.iterdir())
    print(f"{number} compiled signatures, {size / 1e6:.1f} MB in {chosen.folder}")


if __name__ == "__main__":
    main()
