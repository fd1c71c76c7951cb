"""Keep the games of a published result, so that a later one plays only what has changed.

`arena.results` writes such a file beside each series of a results page: JSON Lines, compressed by xz. The first line
has the settings that all games share, and the digests of the agents' networks and values. Each other line is a game.
A game counts for a later series if settings and digests are the same there. A digest does not reveal changed code of an
agent, so whoever changes that names the agent.
"""

from __future__ import annotations

import json
import lzma
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypedDict

from chocofactory_env.agents.files import MOST_TEXT, listed, parsed
from chocofactory_env.core.files import read_file, whole

from .series import JournalError, Json, Outcome, Recall, Series, Task, differences

OF_ONE_SERIES = ("agents", "tables", "seeds", "sources")  # settings in which series with common games may differ
MOST_BYTES = 2**26  # of a file; a game takes about 50


class KeptSeries(Series, Protocol):
    """A series whose games may be kept."""

    def identity(self, task: Task) -> Json:
        """What tells the task's game from others with the same settings; its agents as `agents` or `agent`, if any."""


class _Line(TypedDict):
    game: Json  # its identity
    record: Json


@dataclass(frozen=True)
class Kept:
    """The games in a file, which need not exist yet.

    path: None has no games, and keeps none.
    anew: agents whose games do not count.
    """

    path: Path | None = None
    anew: Sequence[str] = ()

    def recall(self, series: KeptSeries) -> Recall:
        """A function that finds a task's game, or None.

        Raises:
            JournalError: the file is damaged, or a game cannot be the task's.
        """
        games = self.games(series)

        def recalled(task: Task) -> Json | None:
            record = games.get(_key(series.identity(task)))
            if record is not None:
                try:
                    series.check_record(task, record)
                except ValueError as error:
                    raise JournalError(f"{self.path}: the game of task {list(task)} {error}") from error
            return record

        return recalled

    def games(self, series: KeptSeries) -> dict[str, Json]:
        """The records that count for this series, by identity.

        Files with other settings have none, which is said on stderr.

        Raises:
            JournalError: the file is damaged.
        """
        if self.path is None or not self.path.exists():
            return {}
        here = _plain(series.settings())
        if found := self._differs_from(here):
            print(f"{self.path}: these games do not count: {listed(found)}", file=sys.stderr)
            return {}
        settings, lines = _read(self.path)
        there, now = settings.get("sources", {}), here.get("sources", {})
        same = {name for name in here.get("agents", ()) if there.get(name) == now.get(name)} - set(self.anew)
        return {_key(line["game"]): line["record"] for line in lines if same.issuperset(_agents(line["game"]))}

    def keep(self, played: Sequence[tuple[KeptSeries, Outcome]]) -> None:
        """Write the games of these series, and those of the file that count for the first series.

        The first has all agents of the others. A series that was interrupted does not replace a file with other
        settings, as its own games are still in its journal.
        """
        if self.path is None:
            return
        first, _ = played[0]
        if any(outcome.interrupted for _, outcome in played) and self._differs_from(_plain(first.settings())):
            return
        games = self.games(first)
        for series, outcome in played:
            games |= {_key(series.identity(task)): record for task, record in outcome.records.items()}
        lines = [{"game": json.loads(key), "record": games[key]} for key in sorted(games)]
        _write(self.path, [_plain(first.settings()), *lines])

    def _differs_from(self, settings: Json) -> list[str]:
        """What differs between the file's settings and these, apart from `OF_ONE_SERIES`; nothing without a file."""
        if self.path is None or not self.path.exists():
            return []
        return differences(_shared(_read(self.path)[0]), _shared(settings))


NOWHERE = Kept()


def _read(path: Path) -> tuple[Json, list[_Line]]:
    """Settings and games."""
    number, values = 0, []
    try:
        for number, line in enumerate(_unpacked(read_file(path, MOST_BYTES)).splitlines(), start=1):
            values.append(parsed(line, _Line if number > 1 else Json))
    except (OSError, ValueError, lzma.LZMAError) as error:
        where = f", line {number}" if number else ""
        raise JournalError(f"{path}{where}: {error}; expected kept games, compressed by xz") from error
    settings, *lines = values
    return settings, lines


def _shared(settings: Mapping[str, Any]) -> Json:
    return {name: value for name, value in settings.items() if name not in OF_ONE_SERIES}


def _agents(identity: Json) -> list[str]:
    agents: list[str] = identity["agents"] if "agents" in identity else [identity["agent"]]
    return agents


def _key(identity: Json) -> str:
    return json.dumps(identity)


def _plain(data: Json) -> Json:
    """The data as JSON gives it back."""
    plain: Json = json.loads(json.dumps(data))
    return plain


def _unpacked(data: bytes) -> bytes:
    unpacker = lzma.LZMADecompressor()
    text = unpacker.decompress(data, MOST_TEXT)
    if not unpacker.eof or not text:
        raise ValueError(f"is empty, unfinished, or larger than {MOST_TEXT:,} bytes")
    return text


def _write(path: Path, lines: Iterable[Json]) -> None:
    text = "".join(json.dumps(line) + "\n" for line in lines)
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole(path) as unfinished:
        unfinished.write_bytes(lzma.compress(text.encode(), preset=9))
