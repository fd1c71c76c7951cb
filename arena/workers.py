"""Do the tasks of a series in this process, in several processes, or on the machines of a Ray cluster.

A result must depend on the task alone. Then it is the same wherever, and in whatever order, tasks are done.
"""

from __future__ import annotations

import argparse
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib.util import find_spec
from itertools import islice
from multiprocessing import active_children, get_context
from typing import Any, TypedDict, TypeVar

from chocofactory_env._checkout import checkout
from chocofactory_env.core.command import count
from chocofactory_env.core.messages import shown

from .tasks import WorkersError, done, done_apart

AHEAD = 2  # tasks per process: the present one and the next

T = TypeVar("T")
R = TypeVar("R")


class Workers(TypedDict, total=False):
    """The arguments of `results_of` that a command line sets."""

    processes: int | None
    ray: str | None


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Add `--processes` and `--ray`."""
    parser.add_argument("--processes", type=count, help="how many play (1; on a Ray cluster as many as it has CPUs)")
    add_ray(parser)


def add_ray(parser: argparse.ArgumentParser) -> None:
    """Add `--ray`."""
    parser.add_argument(
        "--ray",
        metavar="ADDRESS",
        help="play on a Ray cluster: auto, HOST:PORT or ray://HOST:PORT; local starts one of this machine",
    )


def workers_of(chosen: argparse.Namespace) -> Workers:
    """Read the options of workers."""
    return Workers(processes=chosen.processes, ray=chosen.ray)


@contextmanager
def results_of(
    play: Callable[[T], R], tasks: Sequence[T], processes: int | None = None, ray: str | None = None
) -> Iterator[Iterable[tuple[T, R]]]:
    """Yield each task with its result, as they finish. Leaving ends the workers.

    An error of `play` is raised here, with a note that names the task. Other workers are pickled copies of `play`, each
    of which loads its game at its first task.

    processes: number of workers. None: one, or as many as a cluster has CPUs.
    ray: the address of a cluster; see `cluster`.

    Raises:
        WorkersError: there is no such cluster, Ray is not installed, or workers were lost.
    """
    if ray is not None and tasks:
        with cluster(ray, processes):
            from .ray_workers import RayWorkers

            with RayWorkers(play, tasks, processes) as workers:
                yield ((tasks[number], result) for number, result in workers)
    elif processes in (None, 1) or len(tasks) < 2:
        yield ((task, done(play, task)) for task in tasks)
    else:
        number = min(processes or 1, len(tasks))
        with _processes(play, number) as pool:
            yield _as_they_end(pool, tasks, AHEAD * number)


def cluster(address: str | None, processes: int | None = None) -> AbstractContextManager[None]:
    """Connect to the Ray cluster at `address`, for all `results_of` inside; None: do nothing.

    Inside another connection it does nothing either, so a command that calls `results_of` many times connects once. The
    code loaded so far is sent to the cluster, see `arena.ray_workers`.

    address: as `ray.init` takes it, or "local" for a Ray on this machine, which ends with the connection.
    processes: CPUs of a local Ray; None: all of the machine.

    Raises:
        WorkersError: no cluster answers there, or Ray is not installed.
    """
    if address is None:
        return nullcontext()
    if find_spec("ray") is None:
        install = "ray" if checkout() is None else "-e . --group ray"
        raise WorkersError(f"--ray needs ray, not installed here: pip install {install}")
    from .ray_workers import connected

    return connected(address, processes)


@contextmanager
def _processes(play: Callable[[Any], Any], number: int) -> Iterator[ProcessPoolExecutor]:
    """Start processes that each hold a copy of `play`. Leaving ends them at once."""
    others = set(active_children())
    pool = ProcessPoolExecutor(number, get_context("spawn"), _start_worker, (play,))
    try:
        yield pool
    finally:
        for process in set(active_children()) - others:
            process.terminate()
        pool.shutdown(cancel_futures=True)


def _as_they_end(pool: ProcessPoolExecutor, tasks: Sequence[T], most: int) -> Iterator[tuple[T, Any]]:
    """Yield each task with its result, as they finish. most: tasks submitted at a time."""
    left = iter(tasks)
    given = {pool.submit(_work, task): task for task in islice(left, most)}
    while given:
        for ended in wait(given, return_when=FIRST_COMPLETED).done:
            task = given.pop(ended)
            try:
                result = ended.result()
                given |= {pool.submit(_work, following): following for following in islice(left, 1)}
            except BrokenProcessPool as error:
                raise WorkersError(
                    f"a process that played was lost (killed, or out of memory); {shown(task)} was not finished"
                ) from error
            yield task, result


_play: Callable[[Any], Any] | None = None  # a worker's own


def _start_worker(play: Callable[[Any], Any]) -> None:
    global _play
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the parent ends the others
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # else torch takes all cores in each process
    _play = play


def _work(task: Any) -> Any:
    assert _play is not None
    return done_apart(_play, task)
