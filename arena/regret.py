"""What decisions of a game that was played cost: its regrets.

At every decision all legal actions are tried. Where one does better than what was played, and the player did not make
up for it within the turn, both are played on from, on the same fresh deals of the hidden cards; the difference is the
regret. `docs/explain.md` says what it means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import chocofactory_env as cf
from chocofactory_env import Game, GameRecord, RecordError
from chocofactory_env.agents.protocol import AnyAgent, decide, make_agent, reset

from .judge import WIDTH, Judge, judge_class
from .match import mean_interval
from .series import Json, Task

NOBODY = "–"  # an agent that is not known
POINTS, LEAD = 0, 1  # columns of what a judge says
TRIES, DEALS, CHECK = range(3)  # streams of chance
Line = tuple[int, ...]  # actions, one after the other
Lines = tuple[Line, Line]  # the better one and the other


@dataclass(frozen=True)
class Terms:
    """How decisions are judged.

    search: the agent that says what it would have done; None: every legal action is tried.
    tries: deals of the hidden cards on which actions are tried.
    deals: fresh ones, on which what did better is compared with what was played.
    stages: so many days, months or rounds more are played before the table is judged; None: to the end of the game.
    check: further deals, on which the largest regrets are played to the end of the game; 0: they are not.
    width: of the planners that play on and judge, where they do.
    """

    search: str | None = None
    tries: int = 3
    deals: int = 16
    stages: int | None = 0
    check: int = 16
    width: int = WIDTH
    seed: int = 0

    def __post_init__(self) -> None:
        """ValueError for numbers that say nothing."""
        if self.deals < 2 or self.check == 1:
            raise ValueError("deals and check: expected 2 or more, since one deal says nothing about the error")
        if self.tries < 1 or self.width < 1:
            raise ValueError("tries and width: expected 1 or more")
        if min(self.check, self.seed, self.stages or 0) < 0:
            raise ValueError("check, stages and seed: expected 0 or more")


# --- the game


@dataclass(frozen=True)
class Played:
    """A game that was played: what it takes to go through it again, in any process."""

    load: Callable[[], Game]
    deal: int
    actions: tuple[int, ...]
    names: tuple[str, ...]  # of the agents, by seat

    @classmethod
    def of(cls, record: GameRecord, names: Sequence[str] = (), deck: Path | None = None) -> Played:
        """RecordError for a record of another game, or that does not replay; ValueError for not a name a seat."""
        header = record.header
        if judge_class(header["game"]) is None:
            raise RecordError(record.file, 1, f"game {header['game']!r}", "a game whose positions can be judged")
        if deck is None:
            record.replay()
            load = partial(cf.load, header["game"], **header["options"])
        else:
            load = partial(cf.load, header["game"], **{**header["options"], "deck": str(deck)})
            record.replay(load())
        players = header["options"]["num_players"]
        if names and len(names) != players:
            raise ValueError(f"{record.file} is a game of {players}, which needs as many agents; got {len(names)}")
        actions = tuple(each.action for each in record.actions)
        return cls(load, header["seed"], actions, tuple(names) or (NOBODY,) * players)

    def record(self, game: Game) -> GameRecord:
        """Of a game that was dealt."""
        record, state = GameRecord.begin(game, self.deal), self.begin(game)
        for action in self.actions:
            record.add(game, state, action)
            game.apply(state, action)
        if game.is_over(state):
            record.finish(game, state)
        return record

    def steps(self, game: Game) -> Iterator[tuple[Any, int]]:
        """Every position with the action that was played in it; the state is reused."""
        state = self.begin(game)
        for action in self.actions:
            yield state, action
            game.apply(state, action)

    def begin(self, game: Game) -> Any:
        return game.new(self.deal)


# --- decisions


class Estimate(NamedTuple):
    """A mean over deals, and half of its interval at 95 %."""

    mean: float
    error: float

    @classmethod
    def of(cls, values: np.ndarray) -> Estimate:
        """values: (D,)"""
        mean, interval = mean_interval(values.tolist())
        return cls(mean, interval.high - mean)

    @property
    def least(self) -> float:
        return self.mean - self.error

    def __str__(self) -> str:
        return f"{self.mean:+.1f} ± {self.error:.1f}"


@dataclass(frozen=True)
class Decision:
    """A decision that was not forced. Gains are (D, 2), see `Evaluator.gains`; None where nothing better was found."""

    number: int  # of the action in the record
    chapter: str  # "day 3"
    phase: str
    player: int
    played: int
    lines: Lines | None = None
    gains: np.ndarray | None = None
    played_out: np.ndarray | None = None

    @property
    def regret(self) -> Estimate:
        """In points."""
        return Estimate(0.0, 0.0) if self.gains is None else Estimate.of(self.gains[:, POINTS])


def in_sum(decisions: Iterable[Decision], deals: int, what: int) -> Estimate:
    """The sum of the gains: one draw of it from the k-th deal of every decision, and these draws are independent."""
    sums = np.zeros(deals)
    for decision in decisions:
        if decision.gains is not None:
            sums += decision.gains[:, what]
    return Estimate.of(sums)


def largest(decisions: Iterable[Decision], most: int) -> list[Decision]:
    """Those with the largest regret that is sure: by the lower end of its interval."""
    regretted = [decision for decision in decisions if decision.regret.mean > 0]
    return sorted(regretted, key=lambda decision: (-decision.regret.least, decision.number))[:most]


@dataclass
class Evaluator:
    """Positions of a game and what it takes to judge them; every process has its own."""

    played: Played
    terms: Terms

    @cached_property
    def game(self) -> Game:
        return self.played.load()

    @cached_property
    def positions(self) -> list[Any]:
        """By number of the action."""
        return [self.game.clone(state) for state, _ in self.played.steps(self.game)]

    @cached_property
    def turns(self) -> list[list[Decision]]:
        return turns_of(self.played, self.judges[DEALS])

    @cached_property
    def judges(self) -> dict[int, Judge]:
        """By stream."""
        judge = judge_class(self.game.name)
        if judge is None:
            raise ValueError(f"nobody judges positions of {self.game.name!r}")
        soon, end = (judge(self.game, self.terms.width, stages) for stages in (self.terms.stages, None))
        return {TRIES: soon, DEALS: soon, CHECK: end}

    def outlooks(self, number: int, line: Line, stream: int) -> np.ndarray:
        """(D, 2): what `Judge.outlooks` says of a line.

        Deals are the same at every decision, so that what can follow one is compared with what can follow the next.
        """
        deals = {TRIES: self.terms.tries, DEALS: self.terms.deals, CHECK: self.terms.check}[stream]
        seeds = np.random.default_rng((self.terms.seed, stream)).integers(1 << 62, size=deals).tolist()
        state = self.positions[number]
        return self.judges[stream].outlooks(state, self.game.current_player(state), line, seeds)

    def gains(self, number: int, lines: Lines, stream: int) -> list[list[float]]:
        """(D, 2): by how much more is in sight after the better line than after the other."""
        better, other = (self.outlooks(number, line, stream) for line in lines)
        gains: list[list[float]] = (better - other).tolist()
        return gains


class Trial(NamedTuple):
    """What was tried at a decision: the means of what is in sight, (2,) as a list."""

    found: int  # the action that did best
    of_found: list[float]
    of_played: list[float]


class RegretFinder(Evaluator):
    """Looks at the decisions of a turn; a task is its number."""

    def __call__(self, task: Task) -> Json:
        """`regretted`: of each decision at which something did better its number, the lines, and their gains."""
        [turn] = task
        trials = {one.number: self._tried(one) for one in self.turns[turn]}
        lines = lines_to_compare(self.played.actions, trials)
        return {"regretted": [[number, pair, self.gains(number, pair, DEALS)] for number, pair in lines.items()]}

    def _tried(self, decision: Decision) -> Trial:
        candidates = {*self._candidates(decision.number), decision.played}
        means = {action: self._mean(decision.number, action) for action in candidates}
        found = max(means, key=lambda action: (means[action], action == decision.played, -action))
        return Trial(found, means[found], means[decision.played])

    def _candidates(self, number: int) -> list[int]:
        state = self.positions[number]
        if self._search is None:
            return self.judges[TRIES].candidates(self.game.redeal(state, self.game.current_player(state), 0))
        reset(self._search, cf.agent_seed(self.game, state, self.game.current_player(state), self.terms.seed))
        return [decide(self.game, self._search, state)]

    def _mean(self, number: int, action: int) -> list[float]:
        mean: list[float] = self.outlooks(number, (action,), TRIES).mean(axis=0).tolist()
        return mean

    @cached_property
    def _search(self) -> AnyAgent | None:
        return None if self.terms.search is None else make_agent(self.terms.search, self.game)


def judged(
    load: Callable[[], Game], deal: int, actions: Sequence[int], seat: int, terms: Mapping[str, Any]
) -> list[tuple[str, float]]:
    """The phase and the regret, in points, of every decision of a seat that was not forced.

    terms: settings of `Terms`.
    """
    finder = RegretFinder(Played(load, deal, tuple(actions), ()), Terms(**terms))
    found: list[tuple[str, float]] = []
    for turn, decisions in enumerate(finder.turns):
        if decisions[0].player == seat:
            regrets = {
                number: float(np.mean(gains, axis=0)[POINTS]) for number, _, gains in finder((turn,))["regretted"]
            }
            found += [(decision.phase, regrets.get(decision.number, 0.0)) for decision in decisions]
    return found


@dataclass
class PlayoutCheck(Evaluator):
    """Plays lines to the end of the game; a task is the number of the decision."""

    lines: dict[int, Lines]

    def __call__(self, task: Task) -> Json:
        """`gains`, (D, 2)."""
        [number] = task
        return {"gains": self.gains(number, self.lines[number], CHECK)}


def lines_to_compare(actions: Sequence[int], trials: Mapping[int, Trial]) -> dict[int, Lines]:
    """By decision of a turn, where something did better than what was played: both.

    As played counts also what did best at a later decision of the turn: a chance that stays open is missed only once,
    when it is gone.
    """
    lines: dict[int, Lines] = {}
    later: tuple[list[float], int, Line] | None = None  # the best from the next decision on, and that decision
    for number in sorted(trials, reverse=True):
        trial = trials[number]
        sight, line = trial.of_played, Line([actions[number]])
        if later is not None and later[0] >= sight:
            sight, line = later[0], Line([*actions[number : later[1]], *later[2]])
        if trial.of_found > sight:
            lines[number] = (Line([trial.found]), line)
            sight, line = trial.of_found, Line([trial.found])
        later = (sight, number, line)
    return lines


def turns_of(played: Played, judge: Judge) -> list[list[Decision]]:
    """The decisions that were not forced, by turn: what a player does until another moves (`Judge.same_turn`)."""
    game = judge.game
    turns: list[list[Decision]] = [[]]
    before: tuple[Any, int] | None = None
    for number, (state, action) in enumerate(played.steps(game)):
        if before is not None and not judge.same_turn(*before, state):
            turns.append([])
        if game.legal_mask(state).sum() > 1:
            chapter, phase = when(game, state)
            turns[-1].append(Decision(number, chapter, phase, game.current_player(state), action))
        before = game.clone(state), action
    return [turn for turn in turns if turn]


def when(game: Game, state: Any) -> tuple[str, str]:
    """As the game says it: ("day 3", "draft")."""
    chapter, _, phase = game.when(state).partition(", ")
    return chapter, phase


def curve_of(played: Played, judge: Judge, every: Callable[[], None] = lambda: None) -> list[tuple[int, list[float]]]:
    """Each seat's chance to win, in points of 100, at the beginning of every stage and at the end.

    With the number of actions played. every: called before each.
    """
    found: list[tuple[int, list[float]]] = []
    stage, game, state = -1, judge.game, played.begin(judge.game)
    for number, action in enumerate([*played.actions, None]):
        if game.is_over(state) or judge.stage(state) != stage:
            every()
            found.append((number, judge.chances(state).tolist()))
            stage = -1 if game.is_over(state) else judge.stage(state)
        if action is not None:
            game.apply(state, action)
    return found
