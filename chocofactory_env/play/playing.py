"""A game, under way or over, at any of its positions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Final

from msgspec import Struct

from ..core.game import Game, State
from ..core.text.events import Story
from ..record import GameRecord
from ..view.tree import Tree
from ..view.views import Told, view_of
from .told import LogLine, Step, Viewer, legal_of, lines_of, steps_of, stories_of

LINES: Final = 80  # of the log, in a view


class Seat(Struct):
    """agent: its text; None for a person."""

    name: str
    agent: str | None = None


class Playing:
    """All positions of a game so far.

    Attributes:
        states: by the number of actions played.
        analysis: the last message `regrets` about the game, if any.
    """

    def __init__(self, game: Game, seed: int, seats: Sequence[Seat], actions: Iterable[int] = ()) -> None:
        """Plays the actions, which takes a while if there are many. IllegalActionError if one is illegal."""
        self.game, self.seed, self.seats = game, seed, list(seats)
        self.states: list[State] = [game.new(seed)]
        self.actions: list[int] = []
        self.analysis: dict[str, Any] | None = None
        self._steps: list[list[Step]] = []
        self._logs: dict[Viewer, list[LogLine]] = {}
        for action in actions:
            self.add(action)

    @classmethod
    def of(cls, game: Game, record: GameRecord, names: Sequence[str]) -> Playing:
        """A record, to look through."""
        return cls(game, record.seed, [Seat(name) for name in names], record.actions)

    # --- the game

    @property
    def state(self) -> State:
        return self.states[-1]

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.seats]

    @property
    def persons(self) -> list[int]:
        return [seat for seat, one in enumerate(self.seats) if one.agent is None]

    @property
    def over(self) -> bool:
        return self.game.is_over(self.state)

    @property
    def mover(self) -> int | None:
        return None if self.over else self.game.current_player(self.state)

    def add(self, action: int) -> None:
        """Play an action. IllegalActionError if it is illegal."""
        after = self.game.clone(self.state)
        self.game.apply(after, action)
        steps = steps_of(self.game, self.state, action, after)
        for viewer, log in self._logs.items():
            log.extend(lines_of(self.game, steps, len(self.actions), viewer))
        self._steps.append(steps)
        self.states.append(after)
        self.actions.append(action)

    def cut(self, number: int) -> None:
        """Keep the first `number` actions."""
        del self.actions[number:], self._steps[number:], self.states[number + 1 :]
        for viewer, lines in self._logs.items():
            self._logs[viewer] = [line for line in lines if line.number < number]
        self.analysis = None

    def before_decision(self, seat: int) -> int | None:
        """The number of actions before the seat's last choice; None if it had none."""
        for number in range(len(self.actions) - 1, -1, -1):
            state = self.states[number]
            if self.game.current_player(state) == seat and len(legal_of(self.game, state)) > 1:
                return number
        return None

    def record(self) -> GameRecord:
        return GameRecord.of(self.game, self.seed, self.actions, self.state, [seat.agent for seat in self.seats])

    # --- what can be seen

    def view(self, viewer: Viewer, at: int) -> Tree:
        """The position after `at` actions."""
        log = self.told(viewer, at)
        return view_of(self.game, self.states[at], viewer, names=self.names, log=log, accounts=self.accounts(at))

    def accounts(self, at: int) -> Mapping[str, Sequence[int]]:
        """Where the scores came from, at the end of the game."""
        game: Any = self.game
        if not game.is_over(self.states[at]) or not hasattr(game, "accounts"):
            return {}
        found: Mapping[str, Sequence[int]] = game.accounts(
            zip(self.states, self.actions[:at], strict=False), self.states[at]
        )
        return found

    def log(self, viewer: Viewer, at: int) -> list[LogLine]:
        if viewer not in self._logs:
            lines = (lines_of(self.game, steps, number, viewer) for number, steps in enumerate(self._steps))
            self._logs[viewer] = list(chain.from_iterable(lines))
        return [line for line in self._logs[viewer] if line.number < at]

    def stories(self, viewer: Viewer, at: int) -> list[Story]:
        return stories_of(self.game, self.log(viewer, at))

    def told(self, viewer: Viewer, at: int) -> list[Told]:
        """The last lines of the log, a line for each turn if the game tells stories."""
        lines = self.log(viewer, at)[-LINES:]
        return [Told(one.seat, one.words) for one in stories_of(self.game, lines) or lines]

    def chapters(self) -> list[dict[str, Any]]:
        """The starts of days, months, or halves."""
        found: list[dict[str, Any]] = []
        for at, state in enumerate(self.states):
            words = self.game.when(state).partition(",")[0]
            if not found or found[-1]["words"] != words:
                found.append({"at": at, "words": words})
        return found
