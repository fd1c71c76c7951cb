"""Generated decks in the user's cache folder: to draw and to check one takes longer than to read it.

A deck is kept as it is laid out for play, by name. Its folder's name has a digest of all that makes a deck: the code
and the data of the game. Compiled rules trust its numbers, so the folder is one that only this user can change.
"""

from __future__ import annotations

import shutil
import sys
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np

from ..files import whole
from ..safe_folder import LONGEST_UNUSED_S, library_folder, mark_used
from ..seal import is_sealed, sealed, unsealed

SHARED: Final = Path(__file__).parents[1]
_keeping: Final = ContextVar("whether decks that are drawn are kept", default=False)


@contextmanager
def keeping() -> Iterator[None]:
    """Keep the decks that are drawn in this context. A single deck is not worth a file."""
    token = _keeping.set(True)
    try:
        yield
    finally:
        _keeping.reset(token)


def is_keeping() -> bool:
    return _keeping.get()


@cache
def deck_folder(game: str, data: Path) -> Path | None:
    """The folder of a game's decks, made at the first call; None if none can be made. `data`: its folder of cards."""
    folder = library_folder()
    if folder is None:
        return None
    code = [*sorted(data.parent.glob("*.py")), *sorted(Path(__file__).parent.glob("*.py")), SHARED / "reading.py"]
    digest = sha256(repr(sys.byteorder).encode())
    for file in [*code, *sorted(data.rglob("*.toml"))]:
        digest.update(sha256(file.read_bytes()).digest())
    own = folder / f"decks-{game}-{digest.hexdigest()[:16]}"
    try:
        own.mkdir(mode=0o700, exist_ok=True)
    except OSError:
        return None
    mark_used(own)
    remove_unused_decks(folder, game)
    return own


def remove_unused_decks(folder: Path, game: str) -> None:
    """Remove decks that no version of the package has used for a month."""
    for other in folder.glob(f"decks-{game}-*"):
        with suppress(OSError):  # another process may have removed it
            if time.time() - other.stat().st_mtime > LONGEST_UNUSED_S:
                shutil.rmtree(other)


def read_kept(file: Path, kind: type[Any], cards: np.dtype[Any]) -> Any:
    """The deck of a file, of the class `kind` with an array of `cards`; None if there is none, or it is damaged."""

    def as_array(_: Any, content: bytes) -> np.ndarray:
        return np.frombuffer(content, cards)

    try:
        content = file.read_bytes()
        if not is_sealed(content):
            return None
        return msgspec.msgpack.decode(zlib.decompress(unsealed(content)), type=kind, dec_hook=as_array)
    except (OSError, zlib.error, msgspec.MsgspecError):
        return None


def keep(file: Path, deck: Any) -> None:
    """Write a deck for `read_kept`. A full or read-only disk is no fault: the deck is drawn again."""
    content = zlib.compress(msgspec.msgpack.encode(deck, enc_hook=np.ndarray.tobytes), level=1)
    with suppress(OSError), whole(file) as unfinished:
        unfinished.write_bytes(sealed(content))
