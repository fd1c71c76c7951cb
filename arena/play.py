"""Do the tasks of a series, and keep their results: in this process, in several, or on a Ray cluster.

A task is a dictionary that JSON can hold. Its result must depend on the task alone, times aside. So it is the same
wherever, and in whatever order, tasks are done. Results are written to a journal as they come; a series that was
stopped, even killed, goes on with the tasks that the journal lacks. A task that raises, whose process dies, or that
passes its time-out fails alone, by name, and is tried again when the series goes on.
"""

from __future__ import annotations

import json
import lzma
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from traceback import print_exception
from typing import Any, Final, Protocol, Self, TypedDict

from chocofactory_env.agents.files import check, listed, read_lines
from chocofactory_env.core.files import held, whole
from chocofactory_env.core.messages import shortened, shown

from .workers import Ends, WorkersError, here, in_processes

Json = dict[str, Any]  # JSON-able
Task = Json
Work = Callable[[Task], Json]

JOURNAL: Final = "games.jsonl"
MOST_TOLD: Final = 3  # failed tasks in a message


class JournalError(ValueError):
    """A journal cannot be resumed: it is damaged, has other settings, or is in use by another process."""


class TaskError(RuntimeError):
    """A task could not be done; says which, and why."""


class Series(Protocol):
    """Tasks, no two of them the same, and their common settings, JSON-able."""

    @property
    def tasks(self) -> list[Task]: ...

    def settings(self) -> Json: ...

    def check_result(self, task: Task, result: Json) -> None:
        """ValueError, naming the field, if a saved result cannot be the task's."""


@dataclass(frozen=True)
class Outcome:
    """What was done: tasks with results in the order of the series, those that failed, and whether it was stopped."""

    done: list[tuple[Task, Json]]
    failed: dict[str, str] = field(default_factory=dict)  # by `key`: why
    planned: int = 0
    interrupted: bool = False
    partial: frozenset[int] = frozenset()  # deals of which some games are missing
    kept: bool = False  # in a journal, so that the same call goes on

    @property
    def records(self) -> list[Json]:
        """Each task with its result, as one dictionary."""
        return [task | result for task, result in self.done]

    def of_whole_deals(self) -> list[Json]:
        """The records of deals of which all games were played, so that no agent had better cards."""
        return [record for record in self.records if record["deal"] not in self.partial]

    def message(self) -> str:
        """What is missing, in words; "" if nothing is."""
        lines = [f"failed: {task}: {why}" for task, why in islice(self.failed.items(), MOST_TOLD)]
        if len(self.failed) > MOST_TOLD:
            lines.append(f"failed: {len(self.failed) - MOST_TOLD} more")
        if self.interrupted or self.failed:
            further = "; run the same command again to go on" if self.kept else ""
            lines.append(f"{len(self.done)} of {self.planned} games are played{further}")
        return "\n".join(lines)


def key(task: Task) -> str:
    """The task as text, by which results are found."""
    return json.dumps(task, sort_keys=True)


# --- playing


def play(
    series: Series,
    work: Work,
    folder: Path | None = None,
    *,
    progress: bool | None = True,
    ends: tuple[type[BaseException], ...] = (),
    **workers: Any,
) -> Outcome:
    """Do the tasks that the journal in `folder` lacks, and write their results to it.

    Ctrl-C ends the series early. The first task that fails leaves its traceback on stderr.

    Args:
        series: the tasks.
        work: does a task. Other processes and machines work with pickled copies.
        folder: of the journal; None: results are not kept.
        progress: whether to show a progress bar; None: on a terminal.
        ends: errors of a task that end the series, and are raised here; as a `TaskError` if its process died, or it
            passed its time-out.
        workers: see `Workers`.

    Raises:
        JournalError: the journal is damaged or has other settings, another process uses the folder, or the folder
            holds something else.
        WorkersError: there is no such cluster.
    """
    from tqdm import tqdm

    tasks, failed, interrupted = series.tasks, dict[str, str](), False
    holding = nullcontext() if folder is None else held(folder, JournalError, own=(JOURNAL,))
    with holding, Journal.open(None if folder is None else folder / JOURNAL, series) as journal:
        left = [task for task in tasks if key(task) not in journal.results]
        bar = tqdm(total=len(tasks), initial=len(tasks) - len(left), unit="game", disable=hides(progress))
        try:
            with bar, closing(ends_of(work, left, **workers)) as found:
                for task, result, error in found:
                    if isinstance(error, ends):
                        if lost := _lost(error):
                            raise TaskError(f"{key(task)}: {lost}") from error
                        raise error
                    if error is None:
                        journal.add(task, result)
                    else:
                        if not failed:
                            print_exception(error)
                        failed[key(task)] = described(error)
                    bar.update()
        except KeyboardInterrupt as stop:
            for note in getattr(stop, "__notes__", ()):  # an agent may have raised it
                print(note, file=sys.stderr)
            interrupted = True
    done = [(task, journal.results[key(task)]) for task in tasks if key(task) in journal.results]
    partial = frozenset(task.get("deal", -1) for task in tasks if key(task) not in journal.results)
    return Outcome(done, failed, len(tasks), interrupted, partial, folder is not None)


def hides(progress: bool | None) -> bool | None:
    """The argument `disable` of tqdm. progress: whether to show a progress bar; None: on a terminal."""
    return None if progress is None else not progress


def results_of(work: Callable[[Any], Any], tasks: Sequence[Any], **workers: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each task with its result, as they finish; TaskError for the first that fails. Closing ends the workers."""
    with closing(ends_of(work, tasks, **workers)) as found:
        for task, result, error in found:
            if error is not None:
                raise TaskError(f"{shown(task)}: {described(error)}") from error
            yield task, result


def ends_of(
    work: Callable[[Any], Any],
    tasks: Sequence[Any],
    processes: int | None = None,
    ray: str | None = None,
    time_out: float | None = None,
) -> Ends:
    """Yield the end of each task, as they finish. Closing ends the workers.

    Raises:
        WorkersError: there is no such cluster, Ray is not installed, or a cluster is to keep a time-out.
    """
    if ray is not None and time_out is not None:
        raise WorkersError("time_out: expected none with ray, as a cluster does not stop tasks")
    if ray is not None and tasks:
        from .on_ray import on_ray

        return on_ray(work, tasks, ray, processes)
    if not tasks or (time_out is None and (processes in (None, 1) or len(tasks) == 1)):
        return here(work, tasks)
    return in_processes(work, tasks, min(processes or 1, len(tasks)), time_out)


def described(error: BaseException) -> str:
    """An error that ended a task, with the notes that name agent, seat and deal."""
    return "; ".join([_lost(error) or f"{type(error).__name__}: {error}", *getattr(error, "__notes__", ())])


def _lost(error: BaseException) -> str:
    """What the pool of processes says of a task that did not end; "" for an error of the task's own."""
    if type(error).__name__ == "ProcessExpired":
        return f"its process died (exit status {getattr(error, 'exitcode', None)})"
    passed = isinstance(error, TimeoutError) and not hasattr(error, "__notes__")  # an agent's own has notes
    return "it passed its time-out" if passed else ""


# --- the journal


class _Line(TypedDict):
    task: Json
    result: Json


class Journal:
    """A JSON Lines file: first the settings of the series, then a task with its result a line, as they ended.

    A killed process may leave an unfinished last line, which is dropped with a warning on stderr. Only one process may
    have the journal open: see `held`.
    """

    def __init__(self, path: Path | None, results: dict[str, Json]) -> None:
        self.results = results
        self._file = None if path is None else path.open("a", encoding="utf-8")

    @classmethod
    def open(cls, path: Path | None, series: Series) -> Self:
        """Read the file if it is there, and open it to go on. None: results are only remembered."""
        if path is None:
            return cls(None, {})
        settings = json.loads(json.dumps(series.settings()))  # may raise, so before the file is made
        lines, end = read_lines(path, JournalError, "its game is played again") if os.path.lexists(path) else ([], 0)
        if lines and "task" in lines[0]:
            raise JournalError(f"{path}, line 1 is a game; expected the settings of the series")
        if lines and (found := differences(lines[0], settings)):
            raise JournalError(f"{path} was begun with other settings: {listed(found)}")
        journal = cls(path, _results(lines[1:], path, series))
        assert journal._file is not None
        journal._file.truncate(end)
        if not lines:
            journal._write(settings)
        return journal

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, task: Task, result: Json) -> None:
        """Add a result, remembered as JSON gives it back, so that a later run computes with the same values."""
        self.results[key(task)] = json.loads(self._write({"task": task, "result": result}))["result"]

    def _write(self, data: Json) -> str:
        line = json.dumps(data, allow_nan=False)
        if self._file is not None:
            self._file.write(line + "\n")
            self._file.flush()
        return line


def _results(lines: Sequence[Json], path: Path, series: Series) -> dict[str, Json]:
    """The results by task; JournalError, naming line and field, for what is none of the series."""
    tasks, results = {key(task) for task in series.tasks}, dict[str, Json]()
    for number, line in enumerate(lines, start=2):
        try:
            check(line, _Line)
            name = key(line["task"])
            if name not in tasks:
                raise ValueError(f"is of task {shortened(name)}, which the series does not have")
            if name in results:
                raise ValueError(f"is of task {name}, as a line before it is")
            series.check_result(line["task"], line["result"])
        except ValueError as error:
            raise JournalError(f"{path}, line {number} {error}; expected a game of the series") from error
        results[name] = line["result"]
    return results


def differences(there: Any, here: Any, name: str = "") -> list[str]:
    """Differences between two JSON values, one text per entry."""
    if isinstance(there, dict) and isinstance(here, dict):
        keys = dict.fromkeys([*there, *here])
        return [
            each
            for key in keys
            for each in differences(there.get(key), here.get(key), f"{name}.{key}" if name else str(key))
        ]
    if there == here:
        return []
    return [f"{shortened(name)} is {shortened(json.dumps(there))} there and {shortened(json.dumps(here))} here"]


def write_packed(path: Path, settings: Json, games: Sequence[tuple[Task, Json]]) -> None:
    """Write a journal, packed by xz, with tasks and results in the order of their keys."""
    lines = [
        settings,
        *({"task": task, "result": result} for task, result in sorted(games, key=lambda one: key(one[0]))),
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole(path) as unfinished:
        unfinished.write_bytes(lzma.compress(text.encode(), preset=9))
