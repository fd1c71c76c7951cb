"""Long series of games: several processes play them, a journal keeps them, and a second start goes on with the rest.

A series is a list of tasks, tuples of integers that say which game is meant (the first is the seed of the deal), and a
function that plays one. What it returns must follow from the task alone, times aside, so that neither the number of
processes nor an interruption changes a result.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Protocol, Self, cast

from tqdm import tqdm

Task = tuple[int, ...]
Record = dict[str, Any]  # JSON-able
Play = Callable[[Task], Record]

JOURNAL = "games.jsonl"
RESULT = "result.json"


class Series(Protocol):
    """What is played: the tasks, and what they have in common, JSON-able."""

    @property
    def tasks(self) -> list[Task]: ...

    def settings(self) -> dict[str, Any]: ...


class JournalError(ValueError):
    """A journal that cannot be gone on with: begun with other settings, or not readable."""


@dataclass(frozen=True)
class Outcome:
    """What was played, in this run and before, in the order of the tasks; not all of it if `interrupted`."""

    records: dict[Task, Record]
    interrupted: bool

    def of_whole_deals(self, games: int) -> list[Record]:
        """The games of those deals of which all `games` were played, so that nobody had better cards than others."""
        played = Counter(deal for deal, *_ in self.records)
        return [record for (deal, *_), record in self.records.items() if played[deal] == games]


def play_series(folder: Path, series: Series, play: Play, *, processes: int = 1, progress: bool = True) -> Outcome:
    """Play those tasks of the series that the journal in `folder` does not hold yet, and add them to it.

    Ctrl-C ends the series early. With more than one process `play` is pickled, and copied into each of them.
    JournalError if the journal was begun with other settings, or cannot be read.
    """
    folder.mkdir(parents=True, exist_ok=True)
    tasks = series.tasks
    with Journal(folder / JOURNAL, series.settings()) as journal:
        left = [task for task in tasks if task not in journal.records]
        bar = tqdm(total=len(tasks), initial=len(tasks) - len(left), unit="game", disable=not progress)
        interrupted = False
        try:
            with bar, results_of(play, left, processes) as results:
                for task, record in results:
                    journal.add(task, record)
                    bar.update()
        except KeyboardInterrupt:
            interrupted = True
        played = {task: journal.records[task] for task in tasks if task in journal.records}
    return Outcome(played, interrupted)


class Journal:
    """A file of JSON lines: first the settings of the series, then a game each, in the order in which they ended.

    A last line without an end is what a killed process leaves behind. It is dropped, which is said on stderr.
    """

    def __init__(self, path: Path, settings: Mapping[str, Any]) -> None:
        self.records: dict[Task, Record] = {}
        self._path = path
        lines = self._whole_lines()
        if lines:
            self._check(lines[0], settings)
            for number, game in enumerate(lines[1:], start=2):
                self._keep(self._parse(game, number))
        self._file = path.open("a", encoding="utf-8")
        if not lines:
            self._write(dict(settings))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def add(self, task: Task, record: Record) -> None:
        """What is remembered is what the file says, so that a later start computes with the same values."""
        self._keep(json.loads(self._write({"task": list(task), **record})))

    def _keep(self, record: Record) -> None:
        self.records[tuple(record.pop("task"))] = record

    def _write(self, data: Mapping[str, Any]) -> str:
        line = json.dumps(data, allow_nan=False)
        self._file.write(line + "\n")
        self._file.flush()
        return line

    def _whole_lines(self) -> list[str]:
        """The lines of the file, from which a torn last one is cut off."""
        content = self._path.read_bytes() if self._path.exists() else b""
        end = content.rfind(b"\n") + 1
        if end < len(content):
            print(
                f"{self._path}: the last line is not whole and was dropped; its game is played again", file=sys.stderr
            )
            with self._path.open("r+b") as file:
                file.truncate(end)
        return content[:end].decode().splitlines()

    def _check(self, line: str, settings: Mapping[str, Any]) -> None:
        said = differences(self._parse(line, 1), json.loads(json.dumps(settings)))
        if said:
            raise JournalError(f"{self._path} was begun with other settings: {'; '.join(said)}")

    def _parse(self, line: str, number: int) -> dict[str, Any]:
        try:
            return cast(dict[str, Any], json.loads(line))
        except json.JSONDecodeError as error:
            raise JournalError(f"{self._path}, line {number} is not JSON: {error}") from error


def differences(there: Any, here: Any, name: str = "") -> list[str]:
    """How two JSON values differ, one text for each entry that does."""
    if isinstance(there, dict) and isinstance(here, dict):
        keys = dict.fromkeys([*there, *here])
        return [
            said
            for key in keys
            for said in differences(there.get(key), here.get(key), f"{name}.{key}" if name else str(key))
        ]
    return [] if there == here else [f"{name} is {json.dumps(there)} there and {json.dumps(here)} here"]


@contextmanager
def results_of(play: Play, tasks: Sequence[Task], processes: int) -> Iterator[Iterable[tuple[Task, Record]]]:
    """What each task gives, in the order in which they are done. Leaving ends the processes."""
    if processes == 1 or len(tasks) < 2:
        yield ((task, play(task)) for task in tasks)
    else:
        with get_context("spawn").Pool(min(processes, len(tasks)), _start_worker, (play,)) as pool:
            yield pool.imap_unordered(_work, tasks)


_play: Play | None = None  # a worker's own


def _start_worker(play: Play) -> None:
    global _play
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the first one ends the others
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # else torch takes all cores in each process, and all of them wait
    _play = play


def _work(task: Task) -> tuple[Task, Record]:
    assert _play is not None
    return task, _play(task)


# --- what is written at the end


def goes_on(outcome: Outcome, planned: int) -> str:
    return f"stopped after {len(outcome.records)} of {planned} games; the same command goes on with the rest"


def write_json(path: Path, data: Mapping[str, Any]) -> None:
    """Whole or not at all."""
    new = path.with_name(path.name + ".new")
    new.write_text(json.dumps(data, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    new.replace(path)


def text_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Columns as wide as they must be: the first to the left, the others to the right."""
    lines = [head, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    form = "  ".join([f"{{:<{widths[0]}}}", *(f"{{:>{width}}}" for width in widths[1:])])
    return "\n".join(form.format(*line).rstrip() for line in lines)
