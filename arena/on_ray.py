"""Do tasks on a Ray cluster: each is one of Ray's tasks, on one CPU. This needs the dependency group `ray`.

The machines need the command's environment: Python, Ray, and the packages that tasks use. Code travels: this checkout's
packages, and the user's loaded modules. Files that settings name do not: a worker looks for them in the command's
folder, if its machine has it.
"""

from __future__ import annotations

import os
import site
import socket
import sys
import sysconfig
from collections.abc import Callable, Sequence
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any, Final

from chocofactory_env.core.checkout import checkout
from chocofactory_env.core.messages import shown

from .workers import AHEAD, End, Ends, WorkersError

LOCAL: Final = "local"
NOT_SENT: Final = ("benchmarks", "build", "docs", "examples", "notebooks", "runs", "tests", "tools", ".git")
CONNECT_SECONDS: Final = 10.0
DECIDE: Final = ("numpy", "torch")  # packages on which results depend


def on_ray(work: Callable[[Any], Any], tasks: Sequence[Any], address: str, processes: int | None) -> Ends:
    """Yield the end of each task, as they finish. Ray does a task again whose process or machine was lost, thrice.

    address: as `ray.init` takes it, or "local" for a Ray on this machine. Later calls use the same connection.
    """
    connect(address, processes)
    import ray

    number = processes or int(ray.cluster_resources().get("CPU", 1))
    there, do = [ray.put((work, str(Path.cwd()), versions()))], ray.remote(num_cpus=1)(_do)
    left = iter(tasks)
    running = {do.remote(there, task): task for task in islice(left, AHEAD * number)}
    try:
        while running:
            ended, _ = ray.wait(list(running), num_returns=1)
            task = running.pop(ended[0])
            running |= {do.remote(there, each): each for each in islice(left, 1)}
            try:
                yield End(task, ray.get(ended[0]), None)
            except Exception as error:
                cause = getattr(error, "cause", None) or error
                if cause is not error:
                    cause.__cause__ = error  # it has the traceback
                yield End(task, None, cause)
    finally:
        for each in running:
            ray.cancel(each, force=True)


def connect(address: str, processes: int | None = None) -> None:
    """Connect to the cluster, once in a process.

    Raises:
        WorkersError: no cluster answers there, or Ray is not installed.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # otherwise Ray reports usage to its makers
    try:
        import ray
    except ImportError:
        install = "ray" if checkout() is None else "-e . --group ray"
        raise WorkersError(f"--ray needs ray, not installed here: pip install {install}") from None
    if ray.is_initialized():
        return
    own = {"num_cpus": processes, "include_dashboard": False} if address == LOCAL else {}
    root = checkout()
    code: dict[str, Any] = {} if root is None else {"working_dir": str(root), "excludes": NOT_SENT}
    if modules := own_modules():  # Ray fails on an empty list
        code["py_modules"] = modules
    try:
        check_listens(address)
        ray.init(address=address, runtime_env=code, logging_level="error", **own)
    except (OSError, RuntimeError, ValueError) as error:
        raise WorkersError(f"no Ray cluster at {shown(address)}: {error}") from error


def check_listens(address: str) -> None:
    """OSError if nothing listens at HOST:PORT, where Ray itself would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isascii() and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECT_SECONDS).close()


def own_modules() -> list[str]:
    """Files and folders of the loaded modules that are neither installed nor sent with this checkout."""
    installed = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    installed += [*site.getsitepackages(), site.getusersitepackages()]
    elsewhere = [Path(each).resolve() for each in installed] + sent()
    found: dict[str, None] = {}
    for module in [module for name, module in sys.modules.items() if "." not in name]:
        folders, file = list(getattr(module, "__path__", ())), getattr(module, "__file__", None) or ""
        path = Path(folders[0] if folders else file).resolve()
        there = path.is_dir() if folders else path.suffix == ".py" and path.is_file()
        if there and not any(path.is_relative_to(each) for each in elsewhere):
            found[str(path)] = None
    return list(found)


def sent() -> list[Path]:
    """What of this checkout travels."""
    root = checkout()
    return [] if root is None else [path for path in root.iterdir() if path.name not in NOT_SENT]


def versions() -> dict[str, str]:
    """Of the loaded packages on which results depend."""
    return {name: version(name) for name in DECIDE if name in sys.modules}


_works: dict[Any, Callable[[Any], Any]] = {}  # of a process on the cluster: the latest


def _do(there: Sequence[Any], task: Any) -> Any:
    import ray

    [reference] = there
    if reference not in _works:
        work, folder, expected = ray.get(reference)
        have = {name: version(name) for name in expected}
        if have != expected:
            raise RuntimeError(f"{socket.gethostname()} has {have}; expected {expected}, the versions of the command")
        if Path(folder).is_dir():
            os.chdir(folder)
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        _works.clear()
        _works[reference] = work
    try:
        return _works[reference](task)
    except SystemExit as end:  # it would end Ray's process, and Ray would do the task again
        raise RuntimeError(f"it raised {end!r}") from end
