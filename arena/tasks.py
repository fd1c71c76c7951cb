"""Learning tasks: how well does an algorithm learn with a budget of decisions?

    task = cf.task("duel")
    envs = task.make_vec(num_envs=64)  # learn for at most task.budget decisions; self-play counts those of all seats
    result = task.evaluate(policy)  # the likeliest actions, on deals that nobody trains on
    print(task.figure(result))

A task is versioned as environments are: what changes its figures gets a new number (CONTRIBUTING.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import chocofactory_env as cf
from chocofactory_env import Game, registry
from chocofactory_env.agents.by_game import addition
from chocofactory_env.core.messages import hint, shown

from .evaluate import DEALS, evaluate
from .notes import ARENA
from .report import percent
from .table import bootstrap_interval, win_rate_interval
from .tracks import Protocol, Track

if TYPE_CHECKING:
    from gymnasium import Env
    from gymnasium.vector import VectorEnv

    from .match import Result


class Figure(NamedTuple):
    """The primary figure of a task: a share of games won, or a mean score, with its interval at 95 %."""

    name: str
    value: float
    low: float
    high: float

    def __str__(self) -> str:
        interval = self.low, self.high
        return (
            f"won {percent(self.value, interval)}"
            if self.name == "won"
            else "{} {:.1f} [{:.1f}, {:.1f}]".format(self.name, self.value, *interval)
        )


@dataclass(frozen=True)
class LearningTask:
    """An environment, a budget, and an evaluation.

    Attributes:
        name: as `cf.task` takes it.
        of: the name of its game.
        budget: the most decisions to learn from. Decisions of the learner count, and in self-play those of all seats.
        about: what it asks of an algorithm, in a sentence.
        alone: whether it is played in the environment for one player. False: in the one of a seat against others. A
            learner may use another interface to the same game (`game`), as for self-play.
        options: of the environment; they make the game, the reward that is proposed, and the decks to learn on.
        unseen: decks that the evaluation deals from, none of which is to learn on; empty: the shipped one.
        opponents: the agent on the other seats in the evaluation; None in a solo game.
        primary: `"won"`, the share of games won, shared victories included, or `"score"`, the mean score.
        solved: the primary figure from which on the task counts as solved.
        version: of the task.
    """

    name: str
    of: str
    budget: int
    about: str
    alone: bool = False
    opponents: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    unseen: str = ""
    primary: str = "won"
    solved: float | None = None
    version: int = 0

    @property
    def id(self) -> str:
        """The name with the version, as `"first-v1"`."""
        return f"{self.name}-v{self.version}"

    @property
    def protocol(self) -> Protocol:
        """The evaluation as a protocol of one track, by which entries are played and checked."""
        alone = {"num_players": 1} if self.alone else {}
        options = alone | {name: value for name, value in self.options.items() if name not in ("reward", "decks")}
        opponent = self.opponents or ""
        track = Track(self.id, options, DEALS[0], len(DEALS), opponent, decks=self.unseen)
        return Protocol(self.of, self.version, {self.id: track})

    @property
    def env(self) -> str:
        """The name of its Gymnasium environment."""
        game = registry.GAMES[self.of]
        return registry.environment_id(game.solo if self.alone and game.solo else game.versus)

    @property
    def game(self) -> Game:
        """The game that is played."""
        return cf.load(self.of, **self.protocol.tracks[self.id].options)

    def make(self, **options: Any) -> Env[Any, Any]:
        """One environment to learn in. options: in place of those of the task, as `reward="score"`."""
        import gymnasium

        return gymnasium.make(self.env, **{**self.options, **options})

    def make_vec(self, num_envs: int, **options: Any) -> VectorEnv[Any, Any, Any]:
        """A native batch of `num_envs` environments to learn in."""
        import gymnasium

        return gymnasium.make_vec(self.env, num_envs=num_envs, **{**self.options, **options})

    def evaluate(self, policy: Any, **options: Any) -> Result:
        """Play the deals of `evaluate.DEALS` from each seat against `opponents`, on unseen decks; see `cf.evaluate`.

        policy: as `cf.evaluate` takes it; or an agent's name.
        options: `name`, `scaled` and `progress` of `cf.evaluate`.
        """
        decks = self.unseen or None
        return evaluate(policy, self.game, deals=DEALS, opponents=self.opponents or (), decks=decks, **options)

    def figure(self, result: Result) -> Figure:
        """The primary figure of a result of `evaluate`."""
        own = [(one["won"][one["rotation"]], one["scores"][one["rotation"]]) for one in result.outcome.records]
        won, scores = zip(*own, strict=True)
        return self.figure_of(won, scores)

    def figure_of(self, won: Sequence[bool], scores: Sequence[float]) -> Figure:
        """The primary figure of the policy's own results in games, those of a deal one after the other.

        Over several decks the interval of a share treats games on one deck as dependent.
        """
        if self.primary == "won":
            decks = self.protocol.tracks[self.id].decks_of_games(len(won))
            low, high = win_rate_interval(np.array(won), decks)
            return Figure(self.primary, float(np.mean(won)), low, high)
        by_deal = np.reshape(scores, (len(DEALS), -1)).mean(axis=1)
        interval = bootstrap_interval(by_deal)
        assert interval is not None
        return Figure(self.primary, float(by_deal.mean()), *interval)


def tasks() -> list[LearningTask]:
    """All learning tasks, those of a game one after the other. A game lists its own in `arena/<game>/__init__.py`."""
    by_game: dict[str, dict[str, Any]] = {game: addition(ARENA, game, "TASKS", {}) for game in registry.GAMES}
    return [LearningTask(name, game, **task) for game, tasks in by_game.items() for name, task in tasks.items()]


def task(name: str) -> LearningTask:
    """The learning task of this name, as `"first"` or `"first-v1"`.

    Raises:
        ValueError: there is no such task, or not in this version.
    """
    known = tasks()
    found = next((each for each in known if name in (each.name, each.id)), None)
    if found is None:
        names = [each.name for each in known]
        raise ValueError(f"unknown task {shown(name)}{hint(name, names)}; there are: {', '.join(names)}")
    return found
