"""Play long series of games that can be interrupted: workers play them, and a journal saves them.

A series is a list of tasks and a function that plays one. A task is a tuple of integers that identifies a game; the
first is the seed of the deal. Times aside, the result must depend on the task alone, so that neither the worker
(`arena.workers`) nor an interruption changes it.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self, TypedDict

from chocofactory_env.agents.files import check, listed, read_lines
from chocofactory_env.core.files import held
from chocofactory_env.core.messages import shortened, shown
from chocofactory_env.core.reading import Integer

from .tasks import hides, say_where
from .workers import results_of

Task = tuple[int, ...]
Json = dict[str, Any]  # JSON-able
Play = Callable[[Task], Json]
Recall = Callable[[Task], Json | None]  # the record of a game that was played before, see `arena.kept`

JOURNAL = "games.jsonl"
RESULT = "result.json"


class Series(Protocol):
    """The tasks, and their common settings, JSON-able."""

    @property
    def tasks(self) -> list[Task]: ...

    def settings(self) -> dict[str, Any]: ...

    def check_record(self, task: Task, record: Json) -> None:
        """ValueError, naming the field, if a saved record cannot be the result of the task."""


class JournalError(ValueError):
    """A journal cannot be resumed: it is damaged, has other settings, or is in use by another process."""


class _Game(TypedDict):
    """A line of a journal after the first."""

    task: list[Integer]


@dataclass(frozen=True)
class Outcome:
    """All games played so far, in the order of the tasks; incomplete if `interrupted`."""

    records: dict[Task, Json]
    interrupted: bool

    def of_whole_deals(self, games: int) -> list[Json]:
        """The games of deals with all `games` played, so that no agent had better cards."""
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
    recall: Recall = lambda task: None,
) -> Outcome:
    """Play the tasks that are missing from the journal in `folder`, and add them to it.

    Ctrl-C ends the series early. processes, ray: see `results_of`. progress: whether to show a progress bar; None: on a
    terminal. recall: gives records of games that need not be played.

    Raises:
        JournalError: the journal is damaged or has other settings, another process uses the folder, or the folder
            holds something else.
        WorkersError: see `results_of`.
    """
    from tqdm import tqdm

    with held(folder, JournalError, own=(JOURNAL,)), Journal(folder / JOURNAL, series) as journal:
        tasks = series.tasks
        for task in tasks:
            if task not in journal.records and (record := recall(task)) is not None:
                journal.add(task, record)
        left = [task for task in tasks if task not in journal.records]
        bar = tqdm(total=len(tasks), initial=len(tasks) - len(left), unit="game", disable=hides(progress))
        interrupted = False
        try:
            with bar, results_of(play, left, processes, ray) as results:
                for task, record in results:
                    journal.add(task, record)
                    bar.update()
        except KeyboardInterrupt as stop:
            say_where(stop)
            interrupted = True
        played = {task: journal.records[task] for task in tasks if task in journal.records}
    return Outcome(played, interrupted)


class Journal:
    """A JSON Lines file: first the settings of the series, then one game per line, as they ended.

    A killed process may leave an unfinished last line, which is dropped with a warning on stderr. Only one process may
    have the journal open: see `held`.
    """

    def __init__(self, path: Path, series: Series) -> None:
        self.records: dict[Task, Json] = {}
        self._path = path
        settings = series.settings()  # may raise, so before the file is made
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
        """Add a game, remembered as the file stores it, so that a later run computes with the same values."""
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


def check_fields(record: Json, expected: Mapping[str, Any]) -> None:
    """ValueError, naming the field, if a record has other values than these."""
    for name, value in expected.items():
        if record.get(name) != value:
            raise ValueError(f"has {name} {shown(record.get(name))}, which is not {value}")


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


# --- tables


def stopped_message(outcome: Outcome, planned: int) -> str:
    return f"stopped after {len(outcome.records)} of {planned} games; run the same command again to resume"


def text_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Format a table with its first column left-aligned and the others right-aligned."""
    lines = [head, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    form = "  ".join([f"{{:<{widths[0]}}}", *(f"{{:>{width}}}" for width in widths[1:])])
    return "\n".join(form.format(*line).rstrip() for line in lines)


CODE = r"(?<!`)`\w[\w .,:=/+-]*`(?!`)"
MARKS = r"[\\`*{}\[\]<>#!|&~$^@]|(?<![^\W_])_|_(?![^\W_])"  # an underscore inside a word is none


def as_text(text: str) -> str:
    """Somebody else's text in Markdown, in which nothing but simple code has a meaning for Markdown or HTML."""
    return re.sub(f"({CODE})|{MARKS}", lambda found: found[1] or f"&#{ord(found[0])};", text)


def as_code(text: str) -> str:
    """Somebody else's text as code in Markdown; as plain text if it would not stay inside."""
    return as_text(text) if re.search(r"[`<\\]", text) or not text.strip() else f"`{text}`"


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]], text_columns: Sequence[int] = (0,)) -> list[str]:
    """The lines of a Markdown table. Columns not listed as text are right-aligned numbers."""
    rule = ["---" if column in text_columns else "---:" for column in range(len(head))]
    lines = [[cell.replace("|", r"\|") for cell in cells] for cells in (head, rule, *rows)]
    return ["| " + " | ".join(cells) + " |" for cells in lines]
