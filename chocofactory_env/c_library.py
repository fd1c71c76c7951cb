"""Write a game's C library, with its header and the data of a variant, for programs in other languages.

chocofactory c-library schoko --out DIR                                         # for this machine
chocofactory c-library candyfactory --option num_players=3 --target wasm32 --out DIR
chocofactory c-library toyrace.game:ToyRace --out DIR                           # a game of one's own
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Sequence
from pathlib import Path
from textwrap import wrap
from typing import Annotated, Any, Final

import numpy as np

from .core.build import built_for, know
from .core.command import Command, Options, OutFolder, one_of
from .core.compiled import CompiledGame
from .core.errors import CompileError
from .core.jit import Entry
from .core.library import declaration, entries_of
from .core.safe_folder import CacheFolderError
from .core.seal import unsealed
from .core.signature import signature_of
from .core.targets import TARGETS, here
from .registry import load

Target = Annotated[str, one_of(TARGETS)]
HEADER: Final = """\
/* The rules of {game} as C functions. Written by `chocofactory c-library`.

   A function takes its arrays in a structure of the same name, which may be filled once for many calls. An array is the
   address of its first item and the length of each axis; items follow one another without gaps, the last axis fastest.
   A function reads arrays that are const, and writes into the others. The caller owns all memory: a function allocates
   nothing and keeps no address after it returns. Nothing is checked. A wrong length, an illegal action, a null pointer,
   or a position of another variant makes a function read or write outside the arrays. Threads may call at the same time
   if none writes what another one uses.

   `tables` and `states` are bytes that only the rules read: {game}_tables, and copies of {game}_blank_state
   from {game}_variant.h. Functions of one position take one of each: lengths 1.
   P = players, A = actions, O = numbers of an observation, R = bytes of a raw one, N = games, S and V = variants. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {{
#endif

{functions}

#ifdef __cplusplus
}}
#endif
"""
VARIANT: Final = """\
/* A variant of {game}, for {game}.h. Written by `chocofactory c-library`.
   Options: {options}

   To deal a game, copy the blank state, write its seed (int64_t, at the byte seed_at), and call {game}_new_game. */
#pragma once
#include <stdint.h>

enum {{
{numbers}
}};
{arrays}
"""


def header(game: str) -> str:
    """The C header of a game's library: one comment and one declaration for each entry."""
    return HEADER.format(game=game, functions="\n\n".join(map(_with_comment, entries_of(game))))


def _with_comment(entry: Entry) -> str:
    comment = "\n".join(f"   {line}".rstrip() for line in (inspect.getdoc(entry) or "").splitlines()).strip()
    *structure, function = declaration(entry, signature_of(entry.plain, entry.game)).splitlines()
    function = function.replace(" ", "~").replace(",~", ", ")  # lines break between parameters
    lines = wrap(function, 120, subsequent_indent="    ")
    return "\n".join([f"/* {comment} */", *structure, *lines]).replace("~", " ")


def variant_of(game: CompiledGame) -> dict[str, Any]:
    """What the library does not know of a variant: numbers, and arrays of bytes (uint8) and of float32."""
    layout, blank = game.observation_layout, game.blank_states(1)
    return {
        "num_players": game.num_players,
        "num_actions": game.num_actions,
        "observation_size": layout.size,
        "raw_size": layout.raw_size,
        "seed_at": int(blank["seed"].ctypes.data - blank.ctypes.data),
        "tables_size": game.tables.nbytes,
        "state_size": blank.nbytes,
        "tables": game.tables.view(np.uint8),
        "blank_state": blank.view(np.uint8),
        "scale": np.asarray(layout.scale, np.float32),  # (O,): an observation's number is its integer times this
    }


def variant_header(game: CompiledGame) -> str:
    """The variant as C: an enumeration, and constant arrays."""
    numbers, arrays = [], []
    for name, value in variant_of(game).items():
        if isinstance(value, int):
            numbers.append(f"  {game.name}_{name} = {value},")
            continue
        kind, form = ("uint8_t", "d") if value.dtype == np.uint8 else ("float", ".9g")
        items = "\n".join(wrap(", ".join(format(item, form) for item in value.tolist()), 118))
        arrays.append(f"static const {kind} {game.name}_{name}[{len(value)}] = {{\n{items}\n}};")
    options = json.dumps(dict(game.options))
    return VARIANT.format(game=game.name, options=options, numbers="\n".join(numbers), arrays="\n".join(arrays))


def variant_json(game: CompiledGame) -> str:
    """The variant as JSON, with lists for arrays."""
    values = {"game": game.name, "options": dict(game.options), **variant_of(game)}
    return json.dumps(values, default=np.ndarray.tolist)


def write(game: CompiledGame, targets: Sequence[str], out: Path) -> None:
    """Write the headers, the variant and the libraries for these platforms into a folder.

    Raises:
        CacheFolderError: see `core.safe_folder.library_folder`.
        CompileError: a function of the rules does not compile, or a platform's library cannot be built here.
    """
    libraries = built_for(game.name, targets)
    know(game.name)
    for target, library in libraries.items():
        folder, suffix = out / target, library.suffix
        folder.mkdir(parents=True, exist_ok=True)
        prefix = "lib" if suffix in (".so", ".dylib") else ""
        (folder / f"{prefix}{game.name}{suffix}").write_bytes(unsealed(library.read_bytes()))
    texts = {".h": header(game.name), "_variant.h": variant_header(game), "_variant.json": variant_json(game)}
    for ending, text in texts.items():
        (out / f"{game.name}{ending}").write_text(text, encoding="utf-8")


def write_library(game: str, *, out: OutFolder, target: Sequence[Target] = (), option: Options = {}) -> None:  # noqa: B006
    """Write a game's C library, with its header and the data of a variant, for programs in other languages.

    The folder gets GAME.h, GAME_variant.h, the same variant as GAME_variant.json, and PLATFORM/ with the library: see
    docs/c-library.md. A wheel brings the library for its machine; others are built, which needs the extra `compile`.

    Args:
        game: its name, or MODULE:ATTRIBUTE for a game of your own.
        out: output folder.
        target: platforms; this one unless given.
        option: an option of the game; repeat it for more.

    Raises:
        TypeError, ValueError: there is no such game, option or platform, or the game's rules cannot be compiled.
        CacheFolderError, CompileError: see `write`.
    """
    loaded = load(game, **option)
    if not isinstance(loaded, CompiledGame):
        raise TypeError(f"expected a game whose rules can be compiled, got {game}")
    write(loaded, target or [here()], Path(out))


COMMAND: Final = Command(
    "chocofactory c-library",
    write_library,
    ("schoko --out DIR", "candyfactory --option num_players=3 --target wasm32 --out DIR"),
    positional=("game",),
    failures=(CacheFolderError, CompileError),
)
main = COMMAND.run

if __name__ == "__main__":
    main()
