"""Long work in threads beside the event loop. Whoever waits for it can give up at any time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from contextlib import ExitStack, suppress
from threading import Event, Thread
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from ...core.search.stopping import stoppable
from ..limits import ABANDONED

T = TypeVar("T")


class WorkerThreads:
    """Runs a limited number of pieces of work at once.

    Compiled code lets other threads run. Abandoned work is asked to stop (`core.search.stopping`). A thread cannot be
    ended from outside: work that ignores the request runs on unseen, and new work takes its place. The threads are
    daemons.
    """

    def __init__(self, workers: int) -> None:
        self._places = asyncio.Semaphore(workers)
        self._threads = asyncio.Semaphore(workers + ABANDONED)
        self._turns: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    async def run(self, work: Callable[[], T], who: Hashable = None) -> T:
        """Return or raise what `work` does. Cancelling gives up waiting.

        who: for whom it is done. Each has one piece of work at a time, until its thread has ended; None: no limit.

        RuntimeError replaces exceptions that would end the event loop, such as SystemExit.
        """
        turn = asyncio.Lock() if who is None else self._turns.setdefault(who, asyncio.Lock())
        await turn.acquire()
        with ExitStack() as unused:
            unused.callback(turn.release)
            async with self._places:
                await self._threads.acquire()
                unused.callback(self._threads.release)
                stop = Event()
                answer = self._begin(work, turn, stop)
                unused.pop_all()  # the thread releases them when it ends
                try:
                    return await answer
                finally:
                    stop.set()

    def _begin(self, work: Callable[[], T], turn: asyncio.Lock, stop: Event) -> asyncio.Future[T]:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()

        def finish(result: Any, error: Exception | None) -> None:
            self._threads.release()
            turn.release()
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
        return answer


def harmless(problem: BaseException) -> Exception:
    """The exception, or a replacement that is safe to raise in the event loop."""
    if isinstance(problem, Exception) and not isinstance(problem, StopIteration):
        return problem
    return RuntimeError(f"it raised {problem!r}")
