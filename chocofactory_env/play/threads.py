"""Long work in threads beside the event loop. Whoever waits for it can give up at any time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from typing import Any, TypeVar

from ..core.search.stopping import stoppable

T = TypeVar("T")


async def in_thread(work: Callable[[], T]) -> T:
    """Return or raise what `work` does, in a daemon thread. Cancelling asks it to stop (`core.search.stopping`).

    A thread cannot be ended from outside: work that ignores the request runs on unseen. RuntimeError replaces
    exceptions that would end the event loop, such as SystemExit.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()
    stop = Event()

    def finish(result: Any, error: Exception | None) -> None:
        if answer.cancelled():
            return
        if error is None:
            answer.set_result(result)
        else:
            answer.set_exception(error)

    def at_work() -> None:
        result, error = None, None
        try:
            with stoppable(stop):
                result = work()
        except BaseException as problem:  # a user's agent may raise anything
            error = harmless(problem)
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(finish, result, error)

    Thread(target=at_work, daemon=True).start()
    try:
        return await answer
    finally:
        stop.set()


def harmless(problem: BaseException) -> Exception:
    """The exception, or a replacement that is safe to raise in the event loop."""
    if isinstance(problem, Exception) and not isinstance(problem, StopIteration):
        return problem
    return RuntimeError(f"it raised {problem!r}")
