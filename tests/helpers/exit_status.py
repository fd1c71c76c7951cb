"""Run a command in this process."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def status_of(main: Callable[[Sequence[str]], None], *words: object) -> int:
    """The exit status with which the command ends."""
    try:
        main([str(word) for word in words])
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0
