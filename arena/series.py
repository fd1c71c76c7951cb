"""Long series of games: workers play them, a journal keeps them, and a second start plays the rest.

A series is a list of tasks, tuples of integers that say which game is meant (the first is the seed of the deal), and a
function that plays one. What it returns must follow from the task alone, times aside, so that neither who plays it
(`arena.workers`) nor an interruption changes a result.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self, TypedDict

from chocofactory_env.agents.files import check, listed, read_lines
from chocofactory_env.core.files import held
from chocofactory_env.core.messages import shortened

from .tasks import hides
from .workers import results_of

Task = tuple[int, ...]
Json = dict[str, Any]  # JSON-able
Play = Callable[[Task], Json]

JOURNAL = "games.jsonl"
RESULT = "result.json"


class Series(Protocol):
    """What is played: the tasks, and what they have in common, JSON-able."""

    @property
    def tasks(self) -> list[Task]: ...

    def settings(self) -> dict[str, Any]: ...

    def check_record(self, task: Task, record: Json) -> None:
        """ValueError, naming the field, if a record that was read cannot be what a task gave."""


class JournalError(ValueError):
    """A journal that cannot be resumed: damaged, begun with other settings, or in use by another process."""


class _Game(TypedDict):
    """What every line of a journal has after the first."""

    task: list[int]


@dataclass(frozen=True)
class Outcome:
    """What was played, in this run and before, in the order of the tasks; not all of it if `interrupted`."""

    records: dict[Task, Json]
    interrupted: bool

    def of_whole_deals(self, games: int) -> list[Json]:
        """The games of those deals of which all `games` were played, so that nobody had better cards than others."""
        played = Counter(deal for deal, *_ in self.records)
        return [record for (deal, *_), record in self.records.items() if played[deal] == games]


def play_series(
    folder: Path,
    series: Series,
    play: Play,
    *,
    processes: int | None = None,
    ray: str | None = None,
    progress: bool | None = True,
) -> Outcome:
    """Play those tasks of the series that the journal in `folder` does not hold yet, and add them to it.

    Ctrl-C ends the series early. `processes` and `ray` say who plays: see `results_of`. progress: whether a bar is
    drawn; None: on a terminal.

    Raises:
        JournalError: the journal is damaged or was begun with other settings, another process is at work in the
            folder, or it holds something else.
        WorkersError: see `results_of`.
    """
    from tqdm import tqdm

    with held(folder, JournalError, own=(JOURNAL,)), Journal(folder / JOURNAL, series) as journal:
        tasks = series.tasks
        left = [task for task in tasks if task not in journal.records]
        bar = tqdm(total=len(tasks), initial=len(tasks) - len(left), unit="game", disable=hides(progress))
        interrupted = False
        try:
            with bar, results_of(play, left, processes, ray) as results:
                for task, record in results:
                    journal.add(task, record)
                    bar.update()
        except KeyboardInterrupt:
            interrupted = True
        played = {task: journal.records[task] for task in tasks if task in journal.records}
    return Outcome(played, interrupted)


class Journal:
    """A file of JSON lines: first the settings of the series, then a game each, in the order in which they ended.

    A last line without an end is what a killed process leaves behind. It is dropped, with a warning on stderr.
    One process at a time may have it open: see `held`.
    """

    def __init__(self, path: Path, series: Series) -> None:
        self.records: dict[Task, Json] = {}
        self._path = path
        settings = series.settings()  # before the file is made: it may refuse
        lines, end = read_lines(path, JournalError, "its game is played again") if os.path.lexists(path) else ([], 0)
        if lines:
            self._check_settings(lines[0], settings)
            tasks = set(series.tasks)
            for number, line in enumerate(lines[1:], start=2):
                self._take(line, number, series, tasks)
        self._file = path.open("a", encoding="utf-8")
        self._file.truncate(end)
        if not lines:
            self._write(settings)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def add(self, task: Task, record: Json) -> None:
        """What is remembered is what the file says, so that a later start computes with the same values."""
        self._keep(json.loads(self._write({"task": list(task), **record})))

    def _keep(self, line: Json) -> None:
        self.records[tuple(line.pop("task"))] = line

    def _write(self, data: Mapping[str, Any]) -> str:
        line = json.dumps(data, allow_nan=False)
        self._file.write(line + "\n")
        self._file.flush()
        return line

    def _check_settings(self, there: Json, settings: Mapping[str, Any]) -> None:
        if "task" in there:
            raise JournalError(f"{self._path}, line 1 is a game; expected the settings of the series")
        found = differences(there, json.loads(json.dumps(settings)))
        if found:
            raise JournalError(f"{self._path} was begun with other settings: {listed(found)}")

    def _take(self, line: Json, number: int, series: Series, tasks: set[Task]) -> None:
        try:
            check(line, _Game)
            task = tuple(line["task"])
            if task not in tasks:
                raise ValueError(f"is of task {list(task)}, which the series does not have")
            if task in self.records:
                raise ValueError(f"is of task {list(task)}, as a line before it is")
            series.check_record(task, line)
        except ValueError as error:
            raise JournalError(f"{self._path}, line {number} {error}; expected a game of the series") from error
        self._keep(line)


def differences(there: Any, here: Any, name: str = "") -> list[str]:
    """How two JSON values differ, one text for each entry that does."""
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


# --- what is written at the end


def stopped_message(outcome: Outcome, planned: int) -> str:
    return f"stopped after {len(outcome.records)} of {planned} games; run the same command again to resume"


def text_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Columns as wide as they must be: the first to the left, the others to the right."""
    lines = [head, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    form = "  ".join([f"{{:<{widths[0]}}}", *(f"{{:>{width}}}" for width in widths[1:])])
    return "\n".join(form.format(*line).rstrip() for line in lines)


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]], text_columns: Sequence[int] = (0,)) -> list[str]:
    """Lines; the other columns are of numbers and stand to the right."""
    rule = ["---" if column in text_columns else "---:" for column in range(len(head))]
    lines = [[cell.replace("|", r"\|") for cell in cells] for cells in (head, rule, *rows)]
    return ["| " + " | ".join(cells) + " |" for cells in lines]
