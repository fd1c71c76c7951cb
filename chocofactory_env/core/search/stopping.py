"""Stop a search from another thread: long searches check between slices of work if their result is still wanted.

    with stoppable(stop):           # in the searching thread; `stop` is a `threading.Event`
        agent.choose(state, player)

Without `stoppable` nothing is checked. Slicing changes no result.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event

_stop: ContextVar[Event | None] = ContextVar("_stop", default=None)


class StoppedError(BaseException):
    """The result is no longer wanted. Not an `Exception`, so that an agent's fallback does not catch it."""


@contextmanager
def stoppable(stop: Event) -> Iterator[None]:
    """A context in which searches of this thread raise StoppedError soon after `stop` is set."""
    token = _stop.set(stop)
    try:
        yield
    finally:
        _stop.reset(token)


def check_stop() -> None:
    """Check between slices of work if the search must stop.

    Raises:
        StoppedError: the result is no longer wanted.
    """
    stop = _stop.get()
    if stop is not None and stop.is_set():
        raise StoppedError


def slices(first: int, end: int, size: int) -> Iterator[tuple[int, int]]:
    """Yield the bounds of each slice from `first` to `end`, after a `check_stop`; at least one slice, maybe empty."""
    for begin in range(first, max(end, first + 1), size):
        check_stop()
        yield begin, min(end, begin + size)
