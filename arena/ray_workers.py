"""Workers on a Ray cluster: actors that each hold a copy of `play`. This needs the dependency group `ray`.

The machines need the command's environment: Python, Ray, and the packages that tasks use. Code is sent along: the
packages of this checkout, and the user's loaded modules (agents, games, and their imports). Files that settings name
are not: a worker looks for them in the command's folder, if its machine has it.
"""

from __future__ import annotations

import os
import pickle
import site
import socket
import sys
import sysconfig
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from multiprocessing.spawn import prepare
from pathlib import Path
from shutil import copy2, copytree, ignore_patterns
from tempfile import TemporaryDirectory
from time import perf_counter
from traceback import format_exc
from types import ModuleType
from typing import Any, Generic, NamedTuple, Self, TypeVar

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # otherwise Ray reports usage to its makers

import ray
from ray.exceptions import RayError

from chocofactory_env._checkout import checkout
from chocofactory_env.agents.files import listed
from chocofactory_env.core.messages import shown

from .tasks import WorkersError, done_apart

T = TypeVar("T")
R = TypeVar("R")

CODE = ("agents", "arena", "chocofactory_env", "training")  # of this checkout
DECIDE = ("chocofactory_env", "numpy", "pyarrow", "torch")  # packages on which results depend
LOCAL = "local"
RESTARTS = 3  # of a worker whose process or machine is lost; its task is repeated
CALL_SECONDS = 1.0  # shorter tasks are sent in groups
QUEUE = 2  # calls per worker: the present one and the next
PATIENCE = 30.0  # seconds without a worker before a report
CONNECT_SECONDS = 10.0


# --- the connection


@contextmanager
def connected(address: str, processes: int | None = None) -> Iterator[None]:
    """See `arena.workers.cluster`."""
    if ray.is_initialized():
        yield
        return
    with TemporaryDirectory() as folder:
        copy_code(Path(folder))
        join(address, processes, folder)
    try:
        yield
    finally:
        ray.shutdown()


def join(address: str, processes: int | None, folder: str) -> None:
    """Connect, and put the folder first on every worker's path. For errors see `arena.workers.cluster`."""
    own = {"num_cpus": processes, "include_dashboard": False} if address == LOCAL else {}
    try:
        check_listens(address)
        ray.init(address=address, runtime_env={"working_dir": folder}, logging_level="error", **own)
    except (OSError, RuntimeError, ValueError, RayError) as error:
        raise WorkersError(f"no Ray cluster at {shown(address)}: {error}") from error


def check_listens(address: str) -> None:
    """OSError if nothing listens at HOST:PORT, where Ray itself would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isascii() and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECT_SECONDS).close()


def copy_code(folder: Path) -> None:
    """Copy the checkout's packages, without tests and pages, and the user's modules into the folder."""
    for path in [*code_of_checkout(), *own_modules()]:
        if path.is_dir():
            copytree(path, folder / path.name, ignore=ignore_patterns("__pycache__", ".*"), dirs_exist_ok=True)
        else:
            copy2(path, folder)


def code_of_checkout() -> list[Path]:
    """The package's own files to send; none if it is installed from a wheel, since workers then have it."""
    root = checkout()
    return [] if root is None else [*(root / name for name in CODE), root / "pyproject.toml"]


def own_modules() -> list[Path]:
    """Files and folders of loaded modules outside this checkout's packages and installed ones."""
    installed = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    installed += [*site.getsitepackages(), site.getusersitepackages()]
    elsewhere = [Path(each).resolve() for each in installed] + code_of_checkout()
    found: dict[Path, None] = {}
    for module in [module for name, module in sys.modules.items() if "." not in name]:
        path = place_of(module)
        if path is not None and not any(path.is_relative_to(each) for each in elsewhere):
            found[path] = None
    return list(found)


def place_of(module: ModuleType) -> Path | None:
    """The file or folder of a module; None if it has none."""
    folders, file = list(getattr(module, "__path__", ())), getattr(module, "__file__", None)
    path = Path(folders[0] if folders else file or "").resolve()
    there = path.is_dir() if folders else path.suffix == ".py" and path.is_file()
    return path if there else None


# --- in a worker


class Start(NamedTuple):
    """What a worker needs to load `play`, like a process spawned by `multiprocessing`."""

    play: bytes  # pickled
    main: dict[str, str]  # tells `multiprocessing.spawn` how to import `__main__`
    folder: str  # the command's working directory

    @classmethod
    def of(cls, play: Callable[[Any], Any]) -> Start:
        main = sys.modules["__main__"]
        spec, place = getattr(main, "__spec__", None), place_of(main)
        found = {"init_main_from_name": spec.name} if spec else {"init_main_from_path": place.name} if place else {}
        return cls(pickle.dumps(play), found, str(Path.cwd()))

    def load(self) -> Callable[[Any], Any]:
        prepare(dict(self.main))
        if Path(self.folder).is_dir():
            os.chdir(self.folder)
        play: Callable[[Any], Any] = pickle.loads(self.play)
        return play


class Reply(NamedTuple):
    """The results of a call, by number of the task, up to an error."""

    results: list[tuple[int, Any]]
    error: Exception | None
    seconds: float


class Worker:
    """The actor."""

    def __init__(self, start: Start) -> None:
        self._start = start

    def about(self) -> tuple[str, dict[str, str | None]]:
        """The machine, and versions of packages."""
        return socket.gethostname(), versions()

    def work(self, tasks: Sequence[tuple[int, Any]]) -> Reply:
        began = perf_counter()
        results: list[tuple[int, Any]] = []
        error = None
        try:
            for number, task in tasks:
                results.append((number, done_apart(self._play, task, f", on {socket.gethostname()}")))
        except Exception as failure:  # raised by the command, whatever it is
            error = sendable(failure)
        return Reply(results, error, perf_counter() - began)

    @cached_property
    def _play(self) -> Callable[[Any], Any]:
        return self._start.load()


def sendable(error: Exception) -> Exception:
    """The error with its traceback as a note, or a replacement if it cannot be pickled."""
    error.add_note(format_exc())
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError("\n".join([f"{type(error).__name__}: {error}", *error.__notes__]))
    return error


def versions() -> dict[str, str | None]:
    """Versions of the packages in DECIDE; None: not installed."""
    return {name: version_of(name) for name in DECIDE}


def version_of(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


# --- in the command


class RayWorkers(Generic[T, R]):
    """Iterates over the numbers of tasks with their results, as they finish.

    Workers run on the cluster that the process is connected to. Each starts when a CPU is free, while those already
    started do the tasks. Leaving ends them.
    """

    def __init__(self, play: Callable[[T], R], tasks: Sequence[T], processes: int | None = None) -> None:
        self._left = deque(enumerate(tasks))
        self._open = len(tasks)
        self._task_seconds = CALL_SECONDS  # of the last call
        count = processes or int(ray.cluster_resources().get("CPU", 1))
        worker = ray.remote(num_cpus=1, max_restarts=RESTARTS, max_task_retries=RESTARTS)(Worker)
        start = Start.of(play)
        self._workers = [worker.remote(start) for _ in range(min(count, len(tasks)))]
        self._starting = {each.about.remote(): each for each in self._workers}
        self._calls: dict[Any, tuple[Any, list[tuple[int, T]]]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for worker in self._workers:
            ray.kill(worker)

    def __iter__(self) -> Iterator[tuple[int, R]]:
        while self._open:
            finished = self._wait()
            if finished in self._starting:
                worker = self._starting.pop(finished)
                check_versions(*self._get(finished))
                for _ in range(QUEUE):
                    self._give(worker)
                continue
            worker, tasks = self._calls[finished]
            reply: Reply = self._get(finished)
            del self._calls[finished]
            self._open -= len(reply.results)
            self._task_seconds = reply.seconds / len(tasks)
            self._give(worker)
            yield from reply.results
            if reply.error is not None:
                raise reply.error

    def _give(self, worker: Any) -> None:
        """Give a worker its next call: as many tasks as take about CALL_SECONDS, fewer when few are left.

        The last tasks go to idle workers.
        """
        busy = any(other is worker for other, _ in self._calls.values())
        if busy and len(self._left) <= len(self._workers):
            return
        fair = len(self._left) // (2 * len(self._workers))
        size = max(1, min(fair, int(CALL_SECONDS / max(self._task_seconds, 1e-6))))
        tasks = [self._left.popleft() for _ in range(min(size, len(self._left)))]
        if tasks:
            self._calls[worker.work.remote(tasks)] = worker, tasks

    def _wait(self) -> Any:
        """Wait for the next finished call."""
        reported = False
        while True:
            finished, _ = ray.wait([*self._calls, *self._starting], timeout=PATIENCE)
            if finished:
                return finished[0]
            if not self._calls and not reported:
                free = ray.available_resources().get("CPU", 0)
                print(f"waiting for the Ray cluster to start a worker; it has {free:g} CPUs free", file=sys.stderr)
                reported = True

    def _get(self, call: Any) -> Any:
        try:
            return ray.get(call)
        except RayError as error:
            worker, _ = self._calls.get(call, (None, []))
            tasks = [shown(task) for other, some in self._calls.values() if other is worker for _, task in some]
            lost = f"was lost again and again; it had the tasks {listed(tasks)}" if tasks else "did not start"
            raise WorkersError(f"a worker of the Ray cluster {lost}: {error}") from error


def check_versions(machine: str, there: dict[str, str | None]) -> None:
    """WorkersError if a machine's versions differ from those loaded here, since results might differ."""
    loaded = {name: here for name, here in versions().items() if name in sys.modules}
    found = [f"{name} is {there[name]} there and {here} here" for name, here in loaded.items() if there[name] != here]
    if found:
        raise WorkersError(f"{machine} of the Ray cluster has other versions: {listed(found)}")
