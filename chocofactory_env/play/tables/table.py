"""A table: a game under way, its seats, and what each viewer sees.

Everything here runs in the event loop and is quick, except that a table of many moves takes time to make. Agents think
in threads (`background`).
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Protocol

from ...core.agents.agent import AnyAgent, decide
from ...core.agents.moves import listens, tell
from ...core.game import Game, State
from ...core.text.stories import Story
from ...drawing.names import named
from ..protocol import Message, Refusal
from .agents import TableAgents
from .background import WorkerThreads
from .consent import Request, is_final, kept_before
from .pace import Pace
from .pictures import Scenes, actions_of, chapter_of, open_mover, phases_of, picture_of, words_of_move
from .seats import Seat
from .stories import LogLine, lines_of, steps_of, stories_of
from .undo import Run, Step

MOST_EARLIER: Final = 64  # positions to look back, because a viewer may have seen nothing of the last moves
Viewer = int | None  # a seat, or None for a spectator


class Watcher(Protocol):
    """Gets a call when something has changed."""

    def wake(self) -> None: ...


class Store(Protocol):
    """Keeps tables on file."""

    def keep(self, table: Table) -> None: ...


@dataclass
class Mind:
    """The agent of a seat, made when it is first asked. told: the number of actions it has been told."""

    agent: AnyAgent | None = None
    told: int = 0


@dataclass
class Table:
    """name: of the table, public. watch: the spectators' secret. seed: of the deal.

    problem: why an agent has stopped. unkept: why the file is not up to date.
    request: a person's request to take a decision back.
    began: in seconds since 1970; None if unknown, at a table of release 0.1.0.
    """

    name: str
    game: Game
    seats: list[Seat]
    watch: str
    seed: int
    agents: TableAgents
    threads: WorkerThreads
    store: Store
    pace: Pace = field(default_factory=Pace)
    actions: list[int] = field(default_factory=list)
    problem: str | None = None
    unkept: str | None = None
    request: Request | None = None
    began: int | None = field(default_factory=lambda: int(time.time()))

    def __post_init__(self) -> None:
        self.state = self.game.new(self.seed)
        self.when = time.time()
        self.run = Run()
        self.watchers: dict[Watcher, frozenset[int]] = {}  # with the seats they hold
        self.asked = [1] * self.game.num_players  # the number of each seat's present or next decision
        self.secrets = self.game.observation_layout.has_private
        self.scenes = Scenes(self.game)
        self.closed = False
        self._logs: dict[Viewer, list[LogLine]] = {viewer: [] for viewer in (None, *range(self.game.num_players))}
        self._views: dict[Viewer, Message] = {}
        self._over: Message | None = None  # the result, once computed
        self.minds = [Mind() for _ in self.seats]
        self._hurried = asyncio.Event()  # set to end a pause
        self._thinking = 0  # the seat that `_task` is for
        self._task: asyncio.Task[None] | None = None
        self.movers: list[int] = []  # the seat of each action
        self.earlier: deque[State] = deque(maxlen=MOST_EARLIER)  # positions before the last actions
        played, self.actions = self.actions, []
        for action in played:
            self._apply(action)

    # --- the present state

    @property
    def mover(self) -> int | None:
        seat = self.game.current_player(self.state)
        return None if seat < 0 else seat

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.seats]

    @property
    def over(self) -> bool:
        return self.game.is_over(self.state)

    @property
    def chapter(self) -> str:
        return chapter_of(self.game, self.state)

    @property
    def persons(self) -> int:
        return sum(seat.is_person for seat in self.seats)

    def asks(self, seat: int) -> bool:
        """Whether the seat is to act and a person sits in it."""
        return self.mover == seat and self.seats[seat].is_person

    def log(self, viewer: Viewer) -> list[LogLine]:
        return self._logs[viewer]

    def stories(self, viewer: Viewer) -> list[Story]:
        return stories_of(self.game, self._logs[viewer], self.names)

    def view(self, viewer: Viewer) -> Message:
        """The message `view`."""
        if viewer not in self._views:
            self._views[viewer] = self._look(viewer)
        return self._views[viewer]

    def _look(self, viewer: Viewer) -> Message:
        picture = picture_of(self.scenes, self.state, viewer, self.names, reversed(self.earlier))
        is_asked = viewer is not None and self.asks(viewer)
        return {
            "type": "view",
            "table": self.name,
            "seat": viewer,
            "decision": self.asked[viewer] if viewer is not None and is_asked else None,
            "at": None,
            "title": picture.title,
            "panels": picture.panels,
            "phases": phases_of(self.game, self.state, viewer),
            "actions": actions_of(self.game, self.state, self.names) if is_asked else [],
            "undo": [named(step.words, self.names) for step in self.retractable(viewer)],
            "back": viewer is not None and self.kept_before(viewer) is not None,
            "over": self._outcome(),
            "mover": viewer if is_asked else open_mover(self.game, self.state),
            "played": None,
        }

    def _outcome(self) -> Message | None:
        if self._over is None and self.over:
            self._over = outcome(self.game, self._steps(), self.state)
        return self._over

    def _steps(self) -> Iterator[tuple[State, int]]:
        state = self.game.new(self.seed)
        for action in self.actions:
            yield self.game.clone(state), action
            self.game.apply(state, action)

    def retractable(self, viewer: Viewer) -> list[Step]:
        """The steps that the person in this seat can take back, latest first."""
        if viewer is None or viewer != self.run.seat or not self.seats[viewer].is_person:
            return []
        return self.run.retractable(self.game, self.state)

    def kept_before(self, seat: int) -> int | None:
        """The number of actions that stay if the person to move takes back its last decision and all that followed.

        None if it cannot, or if `retractable` has steps: then nobody needs to agree.
        """
        if not self.asks(seat) or self.retractable(seat):
            return None
        return kept_before(self.game, self.state, seat, self.movers)

    # --- persons

    def check_offered(self, seat: int, decision: int, action: int) -> None:
        """Raise Refusal if it is not this seat's turn, the decision is another one, or the action is illegal."""
        if not self.asks(seat):
            raise Refusal("the game is over" if self.over else f"it is not the turn of seat {seat}", "seat")
        if decision != self.asked[seat]:
            raise Refusal(f"this was about decision {decision}; now it is {self.asked[seat]}", "decision")
        if action >= self.game.num_actions or not self.game.legal_mask(self.state)[action]:
            raise Refusal(f"action {action} is not legal now", "action")

    def act(self, seat: int, decision: int, action: int) -> None:
        """Play an action. Refusal as in `check_offered`."""
        self.check_offered(seat, decision, action)
        if words_of_move(self.game, self.state, action, None):  # waits must not depend on secret moves
            self.pace.waited = 0.0
        self._apply(action)
        self._changed()

    def is_final(self, seat: int, action: int) -> bool:
        """Whether a legal action of the seat could not be taken back unless others agree."""
        others = [place for place, one in enumerate(self.seats) if one.is_person and place != seat]
        return is_final(self.game, self.state, action, others)

    def undo(self, seat: int, steps: int, of: int) -> None:
        """Take back steps; Refusal if that many cannot be taken back."""
        there_are = len(self.retractable(seat))
        if of != there_are:
            raise Refusal(f"what can be taken back has changed: {there_are} steps", "of")
        if steps > there_are:
            raise Refusal(f"steps: expected at most {there_are}, got {steps}", "steps")
        self.state = self.run.take_back(steps)
        self.asked[seat] += 1
        self._forget(steps)
        self._changed()

    def ask_back(self, seat: int, held: frozenset[int]) -> None:
        """Take back the seat's last decision and all that followed, once the persons in other seats agree.

        held: seats of the same browser, whose persons sit together. Refusal if nothing can be taken back.
        """
        kept = self.kept_before(seat)
        if kept is None:
            raise Refusal("nothing can be taken back now", "seat")
        others = {place for place, one in enumerate(self.seats) if one.is_person} - held
        self.request = Request(seat, kept, others)
        self._go_back_if_agreed()

    def answer_back(self, seat: int, agree: bool) -> None:
        """Answer the request; Refusal if the seat is not asked."""
        if self.request is None or seat not in self.request.waits_for:
            raise Refusal("nobody asks this seat to take something back", "seat")
        if agree:
            self.request.waits_for.remove(seat)
        else:
            self.request.waits_for, self.request.refused_by = set(), seat
        self._go_back_if_agreed()

    def _go_back_if_agreed(self) -> None:
        request = self.request
        assert request is not None
        if request.waits_for or request.refused_by is not None:
            self.wake()
            return
        self.state = self.game.new(self.seed)
        for action in self.actions[: request.kept]:
            self.game.apply(self.state, action)
        self.run = Run()
        self.asked = [number + 1 for number in self.asked]
        self._forget(len(self.actions) - request.kept)
        self._changed()

    def _forget(self, steps: int) -> None:
        """Drop the last actions, and what depends on them."""
        for _ in range(min(steps, len(self.earlier))):
            self.earlier.pop()
        del self.actions[-steps:], self.movers[-steps:]
        for lines in self._logs.values():
            while lines and lines[-1].number >= len(self.actions):
                lines.pop()
        self.minds = [Mind() if mind.told > len(self.actions) else mind for mind in self.minds]

    def set_pace(self, delay: float | None, paused: bool | None) -> None:
        if delay is not None:
            self.pace.delay = delay
            self._hurried.set()
        if paused is not None and paused != self.pace.paused:
            self.pace.paused, self.pace.steps = paused, 0
            if paused:
                self._interrupt()
        self._look_around()

    def step(self) -> None:
        """Let agents move until everyone may know of a move; Refusal if the game is over or agents are not paused.

        They move now or when they are asked. It does not tell which: that is secret while seats answer in secret.
        """
        if self.over:
            raise Refusal("the game is over")
        if not self.pace.paused:
            raise Refusal("agents move on their own; pause first")
        self.pace.steps = 1
        self._look_around()

    # --- watchers

    def join(self, watcher: Watcher, held: frozenset[int]) -> None:
        self.watchers[watcher] = held
        self._look_around()

    def leave(self, watcher: Watcher) -> None:
        self.watchers.pop(watcher, None)
        if not self.watchers:
            self._interrupt()  # nobody watches
        self._look_around()

    def close(self) -> None:
        self.closed = True
        self._interrupt()
        self.wake()

    # --- changes, and moves of agents

    def _apply(self, action: int) -> bool:
        """Play a legal action; returns whether everyone may know that something has happened."""
        before, game = self.state, self.game
        seat, number = game.current_player(before), len(self.actions)
        after = game.clone(before)
        game.apply(after, action)
        steps = steps_of(game, before, action, after)
        lines = {viewer: lines_of(game, steps, number, viewer, self.names) for viewer in self._logs}
        self.run.add(game, before, action)
        for viewer, new in lines.items():
            self._logs[viewer] += new
        self.earlier.append(before)
        self.state = after
        self.actions.append(action)
        self.movers.append(seat)
        self.asked[seat] += 1
        seen = bool(lines[None])
        if seen:  # the time of a secret move would reveal it
            self.when = time.time()
        return seen

    def _changed(self) -> None:
        """After a change of the position: agents think anew, and watchers are woken."""
        self._views.clear()
        self._over = None
        self._interrupt()
        self.problem = self.request = None
        self.store.keep(self)
        self._look_around()

    def _look_around(self) -> None:
        self.wake()
        seat = self.mover
        if self._task is not None or seat is None or self.seats[seat].is_person or self.closed or self.problem:
            return
        if self.watchers and (not self.pace.paused or self.pace.steps):
            self._thinking = seat
            self._task = asyncio.get_running_loop().create_task(self._move_agent(seat))

    def wake(self) -> None:
        """Wake all watchers."""
        for watcher in tuple(self.watchers):
            watcher.wake()

    def _interrupt(self) -> None:
        """Stop waiting for a thinking agent. It may go on for a while, so a fresh one takes its place."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
            self.minds[self._thinking] = Mind()

    async def _move_agent(self, seat: int) -> None:
        begun = time.monotonic()
        try:
            state = self.game.clone(self.state)
            action = await self.threads.run(partial(self._choose, seat, self.minds[seat], state, tuple(self.actions)))
            shown = words_of_move(self.game, self.state, action, None)
        except Exception as error:  # a user's agent may fail in any way
            self._task, self.problem = None, f"{self.seats[seat].agent}: {error}"[:500]
            self.minds[seat] = Mind()
            self.wake()
            return
        if shown and not self.pace.steps:  # a pause would reveal a secret move
            told = self._told_of_turn_before(seat)
            await self._pause(self.pace.wait(told, self.persons > 0) - (time.monotonic() - begun))
        self._task = None
        if self._apply(action):  # the number of steps would reveal secret moves
            self.pace.steps = 0
        self._changed()

    async def _pause(self, seconds: float) -> None:
        """Wait; a new pace ends the wait."""
        self._hurried.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._hurried.wait(), max(0.0, seconds))

    def _told_of_turn_before(self, seat: int) -> str:
        """The public story of the turn that ended before this move, with the news after it.

        Without the turn itself if it was a person's, or is still going on.
        """
        told: list[str] = []
        for story in reversed(self.stories(None)):
            if story.seat is None:
                told.insert(0, story.words)
                continue
            if story.seat != seat and not self.seats[story.seat].is_person:
                told.insert(0, story.words)
            break
        return ". ".join(told)

    def _choose(self, seat: int, mind: Mind, state: State, played: Sequence[int]) -> int:
        """Let the agent choose, in a thread; returns a legal action."""
        if mind.agent is None:
            start = self.game.new(self.seed)
            mind.agent = self.agents.make(str(self.seats[seat].agent), self.game, start, seat)
        self._tell(seat, mind, played)
        action = decide(self.game, mind.agent, state)
        self.game.apply(state, action)  # on a copy; raises if the action is illegal
        return action

    def _tell(self, seat: int, mind: Mind, played: Sequence[int]) -> None:
        """Tell the agent, if it listens, of the actions played since it was last told."""
        if not listens(mind.agent):
            return
        there = self.game.new(self.seed)
        for number, action in enumerate(played):
            if number >= mind.told:
                tell(self.game, {seat: mind.agent}, there, action)
            self.game.apply(there, action)
        mind.told = len(played)


def outcome(game: Any, steps: Iterable[tuple[State, int]], state: State) -> Message | None:
    """The result; None before the end. steps: the earlier positions, with their actions."""
    if not game.is_over(state):
        return None
    accounts = game.accounts(steps, state) if hasattr(game, "accounts") else {}
    return {
        "accounts": [{"source": source, "amounts": list(amounts)} for source, amounts in accounts.items()],
        "scores": game.scores(state).tolist(),
        "ranking": game.ranking(state).tolist(),
        "won": game.won(state).tolist(),
    }
