"""Libraries end with a digest of what comes before, because to open a damaged one would end the process.

What loads a library reads only what its headers name, so the digest is in nobody's way.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Final

SIZE: Final = sha256().digest_size


def sealed(library: bytes) -> bytes:
    """The library with its digest."""
    return library + sha256(library).digest()


def unsealed(library: bytes) -> bytes:
    """The library without its digest, for programs that know nothing of it: WebAssembly ends where its sections end."""
    return library[:-SIZE]


def is_sealed(content: bytes) -> bool:
    """Whether it ends with its digest."""
    return sealed(unsealed(content)) == content


def is_whole(path: Path) -> bool:
    """Whether a library ends with its digest. OSError if it cannot be read."""
    return is_sealed(path.read_bytes())
