"""Keep the games of a published result, so that a later one plays only what has changed.

A game counts for a later series if the settings and the digests of its agents' networks and values are the same there.
A digest does not reveal changed code of an agent, so whoever changes that names the agent. `docs/<game>/results/` has a
packed journal beside each result.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from chocofactory_env.agents.files import listed

from .play import JournalError, Json, Outcome, Series, Task, differences, key, read_packed, write_packed

OF_ONE_SERIES: Final = ("agents", "tables", "seeds", "sources")  # settings in which series with common games may differ


@dataclass(frozen=True)
class Published:
    """The games in a file, which need not exist yet.

    path: None has no games, and keeps none.
    anew: agents whose games do not count.
    """

    path: Path | None = None
    anew: Sequence[str] = ()

    def known(self, series: Series) -> Callable[[Task], Json | None]:
        """A function that finds a task's result, or None.

        Raises:
            JournalError: the file is damaged, or a result cannot be the task's.
        """
        results = self.results(series)

        def found(task: Task) -> Json | None:
            result = results.get(key(task))
            if result is not None:
                try:
                    series.check_result(task, result)
                except ValueError as error:
                    raise JournalError(f"{self.path}: the game of task {key(task)} {error}") from error
            return result

        return found

    def results(self, series: Series) -> dict[str, Json]:
        """The results that count for this series, by `key`.

        Files with other settings have none, which is said on stderr.

        Raises:
            JournalError: the file is damaged.
        """
        if self.path is None or not self.path.exists():
            return {}
        here: Json = json.loads(json.dumps(series.settings()))
        settings, games = read_packed(self.path)
        if found := differences(_shared(settings), _shared(here)):
            print(f"{self.path}: these games do not count: {listed(found)}", file=sys.stderr)
            return {}
        there, now = settings.get("sources", {}), here.get("sources", {})
        same = {name for name in here.get("agents", ()) if there.get(name) == now.get(name)} - set(self.anew)
        return {key(task): result for task, result in games if same.issuperset(task["agents"])}

    def keep(self, rounds: Sequence[tuple[Series, Outcome]]) -> None:
        """Write the games of these series, and those of the file that count for the first series.

        The first has all agents of the others. A series that was interrupted does not replace a file with other
        settings, as its own games are still in its journal.
        """
        if self.path is None:
            return
        first, _ = rounds[0]
        results = self.results(first)
        if self.path.exists() and not results and any(outcome.interrupted for _, outcome in rounds):
            return
        for _, outcome in rounds:
            results |= {key(task): result for task, result in outcome.done}
        write_packed(self.path, first.settings(), results)


NOWHERE: Final = Published()


def _shared(settings: Mapping[str, Any]) -> Json:
    return {name: value for name, value in settings.items() if name not in OF_ONE_SERIES}
