"""One browser's view of a table: the seat it sees with, the messages it has, and the news.

A browser with several seats shows one at a time. Before it gets another one's secrets, its page asks (`uncover`), so
that the people at the screen can change places.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from ..protocol import Message
from ..tables.offers import without_files
from ..tables.pictures import rules_of
from ..tables.seats import token_of, without_folders
from ..tables.stories import LogLine
from ..tables.table import Table, Viewer
from .changes import Pieces

HIDDEN_PROBLEM: Final = "an agent has failed; the host can read why"  # words of an agent may name files


class Sight:
    """held: the seats of this browser."""

    def __init__(self, table: Table, held: frozenset[int], host: bool) -> None:
        self.held = held
        self._table = table
        self._host = host
        self._shown: Viewer = next(iter(held)) if len(held) == 1 and table.persons else None
        self._uncovered: tuple[int, int] | None = None  # the seat asked and its decision, when last uncovered
        self._sent: dict[str, str] = {}  # the last message of each type
        self._view: Message | None = None  # as sent
        self._drawn: dict[str, str] = {}  # panels of `_view`, by key
        self._lines: list[LogLine] = []  # the log as sent
        self._lines_of: tuple[Viewer] | None = None

    def uncover(self, seat: Viewer) -> None:
        self._shown = seat
        self._uncovered = self._asked()

    def news(self) -> Iterator[str]:
        """Yield messages that differ from those sent."""
        yield from self._if_new(self._about_table())
        asked = self._asked()
        if asked is not None and asked[0] != self._shown and asked != self._uncovered:
            if self._table.secrets:
                name = self._table.seats[asked[0]].name
                yield from self._if_new({"type": "curtain", "table": self._table.name, "seat": asked[0], "name": name})
                self._view = None
                self._drawn.clear()
                self._lines_of = None
                return
            self._shown = asked[0]
        self._sent.pop("curtain", None)
        yield from self._new_view(self._table.view(self._shown))
        yield from self._new_lines()

    def _asked(self) -> tuple[int, int] | None:
        """The seat of this browser to act, and its decision."""
        seat = self._table.mover
        if seat is None or seat not in self.held or not self._table.seats[seat].is_person:
            return None
        return seat, self._table.asked[seat]

    def _if_new(self, message: Message) -> Iterator[str]:
        text = json.dumps(message)
        if self._sent.get(message["type"]) != text:
            self._sent[message["type"]] = text
            yield text

    def _new_view(self, view: Message) -> Iterator[str]:
        """Yield the view: for panels that look the same, only the keys; for others, differences from its panels."""
        if self._view == view:
            return
        before, pieces = self._drawn, Pieces(self._drawn.values())
        panels = [
            {**panel, "svg": None if panel["key"] in before else pieces.changes_to(panel["svg"])}
            for panel in view["panels"]
        ]
        self._view, self._drawn = view, {panel["key"]: panel["svg"] for panel in view["panels"]}
        yield json.dumps({**view, "panels": panels})

    def _new_lines(self) -> Iterator[str]:
        lines, kept = self._table.log(self._shown), 0
        if self._lines_of == (self._shown,):
            while kept < min(len(lines), len(self._lines)) and lines[kept] is self._lines[kept]:
                kept += 1
            if kept == len(lines) == len(self._lines):
                return
        self._lines, self._lines_of = list(lines), (self._shown,)
        new = [{"seat": line.seat, "words": line.words} for line in lines[kept:]]
        stories = self._table.stories(self._shown)
        same = max(0, sum(story.last < kept for story in stories) - 1)  # the last may have been cut or continued
        told = [story._asdict() for story in stories[same:]]
        yield json.dumps({"type": "log", "from": kept, "lines": new, "stories": {"from": same, "new": told}})

    def _request(self) -> Message | None:
        """A person's request to take something back."""
        asks = self._table.request
        if asks is None:
            return None
        return {"seat": asks.seat, "waits_for": sorted(asks.waits_for), "refused_by": asks.refused_by}

    def _about_table(self) -> Message:
        """The message `table`."""
        table = self._table
        present: set[int] = set().union(*table.watchers.values())
        seats: list[dict[str, Any]] = []
        for place, seat in enumerate(table.seats):
            shown = self._host and seat.kind == "link"
            seats.append(
                {
                    "kind": seat.kind,
                    "name": seat.name,
                    "agent": seat.agent if self._host or seat.agent is None else without_folders(seat.agent),
                    "here": place in present,
                    "token": token_of(table.name, seat.secret) if shown else None,
                }
            )
        return {
            "type": "table",
            "table": table.name,
            "game": table.game.name,
            "options": without_files(table.game.options),
            "rules": rules_of(table.game),
            "seats": seats,
            "held": sorted(self.held),
            "host": self._host,
            "delay": table.pace.delay,
            "paused": table.pace.paused,
            "over": table.over,
            "watchers": sum(not held for held in table.watchers.values()),
            "persons": table.persons,
            "request": self._request(),
            "problem": table.problem if self._host or table.problem is None else HIDDEN_PROBLEM,
            "unkept": table.unkept,
        }
