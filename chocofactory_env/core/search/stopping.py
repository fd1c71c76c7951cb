"""Stop a search from another thread: long work checks between two slices whether its result is still wanted.

    with stoppable(stop):           # in the thread that works; `stop` is a `threading.Event`
        agent.choose(state, player)

Without `stoppable` nothing is checked. Slices change no result.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event

_stop: ContextVar[Event | None] = ContextVar("_stop", default=None)


class StoppedError(BaseException):
    """The result is no longer wanted. It is not an `Exception`, so that a fallback in an agent does not catch it."""


@contextmanager
def stoppable(stop: Event) -> Iterator[None]:
    """Searches in this thread raise StoppedError soon after `stop` is set."""
    token = _stop.set(stop)
    try:
        yield
    finally:
        _stop.reset(token)


def check_stop() -> None:
    """Check between two slices of work whether to stop.

    Raises:
        StoppedError: the result is no longer wanted.
    """
    stop = _stop.get()
    if stop is not None and stop.is_set():
        raise StoppedError


def slices(first: int, end: int, size: int) -> Iterator[tuple[int, int]]:
    """Yield the begin and end of each slice from `first` to `end`, after a `check_stop`; at least one, maybe empty."""
    for begin in range(first, max(end, first + 1), size):
        check_stop()
        yield begin, min(end, begin + size)
