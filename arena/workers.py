"""Who does tasks: this process, or several, of which one may die or pass its time-out. `on_ray` has a cluster."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Generator, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from inspect import signature
from itertools import islice
from multiprocessing import get_context
from typing import Any, Final, NamedTuple, TypedDict

from chocofactory_env.core.checks import UnknownOptionError, as_count, as_number
from chocofactory_env.core.command import MOST, Count, Seconds
from chocofactory_env.core.messages import shown

AHEAD: Final = 2  # tasks per process: the present one and the next


class WorkersError(ValueError):
    """Workers cannot be started."""


class Workers(TypedDict, total=False):
    """Who works.

    Args:
        processes: number of processes; unless given this one alone, or as many as a cluster has CPUs.
        ray: play on a Ray cluster at this address: auto, HOST:PORT or ray://HOST:PORT; local starts one here.
        time_out: seconds after which a game fails. Games are then played in another process; not on a Ray cluster.
    """

    processes: Count | None
    ray: str | None
    time_out: Seconds | None


def check_workers(function: Callable[..., Any], workers: Mapping[str, Any]) -> None:
    """Check what `function` takes as `**workers: Unpack[Workers]`.

    Raises:
        UnknownOptionError: `function` has no such parameter.
        TypeError, ValueError: a number of processes or seconds that is none, or too small.
    """
    own = [name for name, one in signature(function).parameters.items() if one.kind is one.KEYWORD_ONLY]
    for name in workers:
        if name not in Workers.__annotations__:
            raise UnknownOptionError.of(name, [*own, *Workers.__annotations__])
    if (processes := workers.get("processes")) is not None:
        as_count("processes", processes, MOST)
    if (seconds := workers.get("time_out")) is not None and as_number("time_out", seconds) <= 0:
        raise ValueError(f"time_out: expected a number above 0, got {shown(seconds)}")


class End(NamedTuple):
    """How a task ended: with a result, or an error."""

    task: Any
    result: Any
    error: BaseException | None


Ends = Generator[End, None, None]


def here(work: Callable[[Any], Any], tasks: Iterable[Any]) -> Ends:
    for task in tasks:
        try:
            end = End(task, work(task), None)
        except (Exception, SystemExit) as error:
            end = End(task, None, error)
        yield end


def in_processes(work: Callable[[Any], Any], tasks: Iterable[Any], number: int, time_out: float | None) -> Ends:
    from pebble import ProcessPool

    pool = ProcessPool(number, context=get_context("spawn"), initializer=_begin, initargs=(work,))
    try:
        left = iter(tasks)
        running: dict[Future[Any], Any] = {}
        running |= {pool.schedule(_do, (task,), timeout=time_out): task for task in islice(left, AHEAD * number)}
        while running:
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                task, error = running.pop(future), future.exception()
                running |= {pool.schedule(_do, (each,), timeout=time_out): each for each in islice(left, 1)}
                yield End(task, None if error else future.result(), error)
    finally:
        pool.stop()  # type: ignore[no-untyped-call]  # pebble has no type there
        pool.join()


_work: Callable[[Any], Any] | None = None  # of a process that works


def _begin(work: Callable[[Any], Any]) -> None:
    global _work
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the first one ends the others
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # else torch takes all cores in each process
    _work = work


def _do(task: Any) -> Any:
    assert _work is not None
    return _work(task)
