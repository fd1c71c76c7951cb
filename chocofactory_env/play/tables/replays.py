"""A finished game, to view at any position and from any seat."""

from __future__ import annotations

from itertools import chain
from typing import Any

from ...core.game import Game, State
from ...core.text.stories import Story
from ...record import GameRecord
from ..protocol import Message
from .offers import without_files
from .pictures import Scenes, chapter_of, phases_of, picture_of, rules_of
from .stories import LogLine, lines_of, steps_of, stories_of
from .table import MOST_EARLIER, Viewer, outcome


class Replay:
    """Positions of a record, by the number of actions played. It takes a while to make, perhaps in a thread.

    names: of the seats. analysis: the last message `regrets` about the game, if any.
    """

    def __init__(self, game: Game, record: GameRecord, names: list[str]) -> None:
        self.game = game
        self.names = names
        self.record = record
        self.actions = record.actions
        self.states: list[State] = [game.new(record.seed)]
        for action in self.actions:
            state = game.clone(self.states[-1])
            game.apply(state, action)
            self.states.append(state)
        played = zip(self.states, self.actions, self.states[1:], strict=False)
        self.steps = [steps_of(game, *one) for one in played]
        self.analysis: Message | None = None
        self._scenes = Scenes(game)
        self._logs: dict[Viewer, list[LogLine]] = {}

    def chapters(self) -> list[dict[str, Any]]:
        """The starts of days, months, or halves."""
        found: list[dict[str, Any]] = []
        for at, state in enumerate(self.states[:-1]):
            words = chapter_of(self.game, state)
            if not found or found[-1]["words"] != words:
                found.append({"at": at, "words": words})
        return found

    def log(self, viewer: Viewer, at: int) -> list[LogLine]:
        """Up to the position."""
        if viewer not in self._logs:
            lines = [lines_of(self.game, steps, number, viewer, self.names) for number, steps in enumerate(self.steps)]
            self._logs[viewer] = list(chain.from_iterable(lines))
        return [line for line in self._logs[viewer] if line.number < at]

    def stories(self, viewer: Viewer, at: int) -> list[Story]:
        """Up to the position."""
        return stories_of(self.game, self.log(viewer, at), self.names)

    def outcome(self, at: int) -> Message | None:
        """The result at the position; None before the end."""
        return outcome(self.game, zip(self.states, self.actions[:at], strict=False), self.states[at])

    def view(self, viewer: Viewer, at: int) -> Message:
        game, state = self.game, self.states[at]
        earlier = reversed(self.states[max(0, at - MOST_EARLIER) : at])
        picture = picture_of(self._scenes, state, viewer, self.names, earlier)
        return {
            "type": "view",
            "table": None,
            "seat": viewer,
            "decision": None,
            "at": at,
            "title": picture.title,
            "panels": picture.panels,
            "phases": phases_of(game, state, viewer),
            "actions": [],
            "undo": [],
            "back": False,
            "over": self.outcome(at),
            "mover": None if game.is_over(state) else game.current_player(state),
            "played": self.actions[at] if at < len(self.actions) else None,
        }

    def description(self, regrets: str | None) -> Message:
        """The message `replay`. regrets: why there are none, or None."""
        return {
            "type": "replay",
            "game": self.game.name,
            "options": without_files(self.game.options),
            "actions": len(self.actions),
            "chapters": self.chapters(),
            "seats": self.names,
            "rules": rules_of(self.game),
            "regrets": regrets is None,
            "why_no_regrets": regrets,
        }
