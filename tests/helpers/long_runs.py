"""The amount that tests marked `long` play: a sample by default, and far more in `make test-long`."""

from __future__ import annotations

import os

AT_LENGTH = bool(os.environ.get("CF_LONG"))


def amount(name: str, usual: int, at_length: int) -> int:
    """The environment variable `name`, else `usual`, or `at_length` with `CF_LONG`."""
    return int(os.environ.get(name) or (at_length if AT_LENGTH else usual))
