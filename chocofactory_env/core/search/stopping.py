"""Giving up a search from another thread: long work looks between two slices whether anybody still waits for it.

    with stoppable(stop):           # in the thread that works; `stop` is a `threading.Event`
        agent.choose(state, player)

Nothing is looked at where nobody asked for it, and slices change no result.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event

_stop: ContextVar[Event | None] = ContextVar("_stop", default=None)


class StoppedError(BaseException):
    """Nobody waits any longer. It is no `Exception`: an agent that falls back on another one does not catch it."""


@contextmanager
def stoppable(stop: Event) -> Iterator[None]:
    """Searches in this thread raise StoppedError soon after `stop` is set."""
    token = _stop.set(stop)
    try:
        yield
    finally:
        _stop.reset(token)


def check_stop() -> None:
    """Between two slices of work.

    Raises:
        StoppedError: the work is to be given up.
    """
    stop = _stop.get()
    if stop is not None and stop.is_set():
        raise StoppedError


def slices(first: int, end: int, size: int) -> Iterator[tuple[int, int]]:
    """The beginning and end of each slice from `first` to `end`, after a `check_stop`; at least one, maybe empty."""
    for begin in range(first, max(end, first + 1), size):
        check_stop()
        yield begin, min(end, begin + size)
