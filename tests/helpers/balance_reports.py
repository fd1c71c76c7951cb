"""Balance reports for the tests of all games: the games watched, and their page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any

from design.candyfactory import balance as candyfactory
from design.candyfactory import watch as candyfactory_watch
from design.chocofactory import balance as chocofactory
from design.chocofactory import watch as chocofactory_watch
from design.schoko import balance as schoko
from design.schoko import watch as schoko_watch
from design.watch import GameWatch, watch_all

GAMES = 2


@dataclass(frozen=True)
class Report:
    """A report of as many games as tests play. `options`: the command line's options that choose the agents."""

    module: ModuleType
    watch: GameWatch[Any]
    options: tuple[str, ...] = ()

    @property
    def arguments(self) -> list[str]:
        return ["--games", str(GAMES), *self.options]

    @cached_property
    def settings(self) -> Sequence[Any]:
        settings: Sequence[Any] = self.module.settings_for(GAMES)
        return settings

    @cached_property
    def logs(self) -> dict[Any, list[Any]]:
        """The logs by setting."""
        return self.watched()

    @cached_property
    def text(self) -> str:
        return self.page(self.logs)

    def watched(self) -> dict[Any, list[Any]]:
        """All games, played again."""
        return watch_all(self.watch, self.settings, progress=False)

    def page(self, logs: dict[Any, list[Any]]) -> str:
        page: str = self.module.report(logs, self.watch, next(iter(logs)).load())
        return page


REPORTS = {
    "chocofactory": Report(chocofactory, chocofactory_watch.Watch("greedy")),
    "candyfactory": Report(
        candyfactory,
        candyfactory_watch.Watch("random", "random"),
        ("--agent", "random", "--plantation-agent", "random"),
    ),
    "schoko": Report(schoko, schoko_watch.Watch("manager"), ("--agent", "manager")),
}
