"""Work that takes long, in threads beside the event loop; whoever waits for it may give up at any time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import Any, Final, TypeVar

T = TypeVar("T")
MOST_ABANDONED: Final = 8  # threads at work that nobody waits for


class Thinker:
    """Runs at most so many pieces of work at once.

    Compiled code lets other threads run. Nobody can end a thread from outside: work that is abandoned goes on to its
    end unseen, and new work takes its place. The threads do not keep the process from ending.
    """

    def __init__(self, workers: int) -> None:
        self._places = asyncio.Semaphore(workers)
        self._threads = asyncio.Semaphore(workers + MOST_ABANDONED)

    async def run(self, work: Callable[[], T]) -> T:
        """What `work` returns or raises. Cancelling this gives up waiting."""
        async with self._places:
            await self._threads.acquire()
            loop = asyncio.get_running_loop()
            answer: asyncio.Future[T] = loop.create_future()

            def finish(result: Any, error: BaseException | None) -> None:
                self._threads.release()
                if answer.cancelled():
                    return
                if error is None:
                    answer.set_result(result)
                else:
                    answer.set_exception(error)

            def at_work() -> None:
                result, error = None, None
                try:
                    result = work()
                except Exception as problem:
                    error = problem
                with suppress(RuntimeError):  # the loop is closed
                    loop.call_soon_threadsafe(finish, result, error)

            Thread(target=at_work, daemon=True).start()
            return await answer
