"""Compute the regrets of a finished game: what its decisions cost.

At every decision, all legal actions are tried. If one does better than the action played, and the player did not make
up for it within the turn, play continues after both on the same fresh samples of the hidden cards. The difference is
the regret. `docs/explain.md` explains what it means.
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
from chocofactory_env.core.command import Count, Natural, Seed
from chocofactory_env.core.messages import printable, shown

from .judge import WIDTH, Judge, judge_class, known_judge
from .play import Json, Task
from .table import mean_interval

NOBODY = "–"  # an unknown agent
POINTS, LEAD = 0, 1  # columns of a judge's outlook
TRIES, DEALS, CHECK = range(3)  # random streams
Line = tuple[int, ...]  # consecutive actions
Lines = tuple[Line, Line]  # the better line, and the one it is compared with


@dataclass(frozen=True)
class Terms:
    """How decisions are judged.

    Args:
        search: agent whose choice is tried; unless given, every legal action.
        tries: samples of the hidden cards on which actions are tried.
        deals: fresh samples on which a better action is compared with the one played.
        stages: further days, months or rounds to play before judging; None: to the end of the game.
        check: further samples on which the largest regrets are played to the end of the game; 0: none.
        width: beam width of planners that play on and judge, if the game has them.
        seed: random seed of the explanation.
    """

    search: str | None = None
    tries: Count = 3
    deals: Count = 16
    stages: Natural | None = 0
    check: Natural = 16
    width: Count = WIDTH
    seed: Seed = 0

    def __post_init__(self) -> None:
        """ValueError for meaningless numbers."""
        if self.deals < 2 or self.check == 1:
            raise ValueError("deals and check: expected 2 or more, since one deal says nothing about the error")
        if self.tries < 1 or self.width < 1:
            raise ValueError("tries and width: expected 1 or more")
        if min(self.check, self.seed, self.stages or 0) < 0:
            raise ValueError("check, stages and seed: expected 0 or more")


# --- the game


@dataclass(frozen=True)
class Played:
    """A finished game, with all that is needed to replay it in any process."""

    load: Callable[[], Game]
    deal: int
    actions: tuple[int, ...]
    names: tuple[str, ...]  # of the agents, by seat

    @classmethod
    def of(cls, record: GameRecord, names: Sequence[str] = (), deck: Path | None = None) -> Played:
        """Make it from a record; without `names` the agents are those of the record.

        RecordError if the game has no judge or does not replay; ValueError unless there is one name per seat.
        """
        if judge_class(record.game) is None:
            raise RecordError(record.file, "game", shown(record.game), "a game whose positions can be judged")
        load = partial(cf.load, record.game, **{**record.options, **({} if deck is None else {"deck": str(deck)})})
        game = record.load() if deck is None else load()
        record.replay(game)
        players = game.num_players
        if names and len(names) != players:
            raise ValueError(f"{record.file} is a game of {players}, which needs as many agents; got {len(names)}")
        known = [NOBODY if name is None else printable(name) for name in record.agents or [None] * players]
        return cls(load, record.seed, tuple(record.actions), tuple(names or known))

    def steps(self, game: Game) -> Iterator[tuple[Any, int]]:
        """Yield every position with the action played in it; the state is reused."""
        state = self.begin(game)
        for action in self.actions:
            yield state, action
            game.apply(state, action)

    def begin(self, game: Game) -> Any:
        return game.new(self.deal)


# --- decisions


class Estimate(NamedTuple):
    """A mean over deals, and half of its 95 % interval."""

    mean: float
    error: float

    @classmethod
    def of(cls, values: np.ndarray) -> Estimate:
        """Estimate from values, (D,)."""
        mean, interval = mean_interval(values.tolist())
        return cls(mean, interval.high - mean)

    @property
    def least(self) -> float:
        return self.mean - self.error

    def __str__(self) -> str:
        return f"{self.mean:+.1f} ± {self.error:.1f}"


@dataclass(frozen=True)
class Decision:
    """An unforced decision. Gains are (D, 2), see `Evaluator.gains`; None if no better action was found."""

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
        """The regret in points."""
        return Estimate(0.0, 0.0) if self.gains is None else Estimate.of(self.gains[:, POINTS])


def in_sum(decisions: Iterable[Decision], deals: int, what: int) -> Estimate:
    """The sum of the gains. The k-th deals of all decisions give one draw of it; the draws are independent."""
    sums = np.zeros(deals)
    for decision in decisions:
        if decision.gains is not None:
            sums += decision.gains[:, what]
    return Estimate.of(sums)


def largest(decisions: Iterable[Decision], most: int) -> list[Decision]:
    """The decisions with the largest regret, by the lower end of its interval."""
    regretted = [decision for decision in decisions if decision.regret.mean > 0]
    return sorted(regretted, key=lambda decision: (-decision.regret.least, decision.number))[:most]


@dataclass
class Evaluator:
    """Judges positions of a game. Each process has its own."""

    played: Played
    terms: Terms

    @cached_property
    def game(self) -> Game:
        return self.played.load()

    @cached_property
    def positions(self) -> list[Any]:
        """The positions, by number of the action."""
        return [self.game.clone(state) for state, _ in self.played.steps(self.game)]

    @cached_property
    def turns(self) -> list[list[Decision]]:
        return turns_of(self.played, self.judges[DEALS])

    @cached_property
    def judges(self) -> dict[int, Judge]:
        """The judges, by random stream."""
        judge = known_judge(self.game.name)
        soon, end = (judge(self.game, self.terms.width, stages) for stages in (self.terms.stages, None))
        return {TRIES: soon, DEALS: soon, CHECK: end}

    def outlooks(self, number: int, line: Line, stream: int) -> np.ndarray:
        """(D, 2): the outlooks after a line, see `Judge.outlooks`.

        Deals are the same at every decision, so that consecutive decisions are comparable.
        """
        deals = {TRIES: self.terms.tries, DEALS: self.terms.deals, CHECK: self.terms.check}[stream]
        seeds = np.random.default_rng((self.terms.seed, stream)).integers(1 << 62, size=deals).tolist()
        state = self.positions[number]
        return self.judges[stream].outlooks(state, self.game.current_player(state), line, seeds)

    def gains(self, number: int, lines: Lines, stream: int) -> list[list[float]]:
        """(D, 2): the outlook after the better line less that after the other."""
        better, other = (self.outlooks(number, line, stream) for line in lines)
        gains: list[list[float]] = (better - other).tolist()
        return gains


class Trial(NamedTuple):
    """The actions tried at a decision, with their mean outlooks, (2,) as lists."""

    found: int  # the best action
    of_found: list[float]
    of_played: list[float]


class RegretFinder(Evaluator):
    """Examines the decisions of a turn, which the task names by its number."""

    def __call__(self, task: Task) -> Json:
        """`regretted`: for each decision with a better action, its number, the two lines, and their gains."""
        turn = task["turn"]
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
    """The phase and the regret, in points, of each of a seat's unforced decisions.

    terms: settings of `Terms`.
    """
    finder = RegretFinder(Played(load, deal, tuple(actions), ()), Terms(**terms))
    found: list[tuple[str, float]] = []
    for turn, decisions in enumerate(finder.turns):
        if decisions[0].player == seat:
            regrets = {
                number: float(np.mean(gains, axis=0)[POINTS])
                for number, _, gains in finder({"turn": turn})["regretted"]
            }
            found += [(decision.phase, regrets.get(decision.number, 0.0)) for decision in decisions]
    return found


@dataclass
class PlayoutCheck(Evaluator):
    """Plays lines to the end of the game. A task names the decision by its number."""

    lines: dict[int, Lines]

    def __call__(self, task: Task) -> Json:
        """`gains`, (D, 2)."""
        number = task["decision"]
        return {"gains": self.gains(number, self.lines[number], CHECK)}


def lines_to_compare(actions: Sequence[int], trials: Mapping[int, Trial]) -> dict[int, Lines]:
    """For each decision of a turn with a better action: the better line, and the line to compare it with.

    The latter is the best that was still open after the action played, even at a later decision of the turn. So a
    missed chance counts only once, when it is gone.
    """
    lines: dict[int, Lines] = {}
    later: tuple[list[float], int, Line] | None = None  # best outlook from the next decision on: where, how
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
    """The unforced decisions, by turn: a player's moves until another moves (`Judge.same_turn`)."""
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
    """Chapter and phase in the game's words: ("day 3", "draft")."""
    chapter, _, phase = game.when(state).partition(", ")
    return chapter, phase


def curve_of(played: Played, judge: Judge, every: Callable[[], None] = lambda: None) -> list[tuple[int, list[float]]]:
    """The number of actions played and each seat's win probability in points of 100, per stage and at the end.

    every: called before each.
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
