"""Learning tasks: how well does an algorithm learn with a budget of decisions?

    task = cf.task("duel")
    envs = task.make_vec(num_envs=64)  # learn for at most task.budget decisions; self-play counts those of all seats
    result = task.evaluate(policy)  # the likeliest actions, on deals that nobody trains on
    print(task.figure(result))

A task is versioned as environments are: what changes its figures gets a new number (CONTRIBUTING.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import chocofactory_env as cf
from chocofactory_env import Game, registry
from chocofactory_env.agents.by_game import addition
from chocofactory_env.core.messages import hint, shown

from .evaluate import DEALS, evaluate
from .notes import ARENA
from .report import percent

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
        options: of the environment; they make the game, and the reward that is proposed.
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
    primary: str = "won"
    solved: float | None = None
    version: int = 0

    @property
    def id(self) -> str:
        """The name with the version, as `"first-v0"`."""
        return f"{self.name}-v{self.version}"

    @property
    def env(self) -> str:
        """The name of its Gymnasium environment."""
        game = registry.GAMES[self.of]
        return registry.environment_id(game.solo if self.alone and game.solo else game.versus)

    @property
    def game(self) -> Game:
        """The game that is played."""
        alone = {"num_players": 1} if self.alone else {}
        return cf.load(self.of, **alone, **{key: value for key, value in self.options.items() if key != "reward"})

    def make(self, **options: Any) -> Env[Any, Any]:
        """One environment to learn in. options: in place of those of the task, as `reward="score"`."""
        import gymnasium

        return gymnasium.make(self.env, **{**self.options, **options})

    def make_vec(self, num_envs: int, **options: Any) -> VectorEnv[Any, Any, Any]:
        """A native batch of `num_envs` environments to learn in."""
        import gymnasium

        return gymnasium.make_vec(self.env, num_envs=num_envs, **{**self.options, **options})

    def evaluate(self, policy: Any, **options: Any) -> Result:
        """Play the deals of `evaluate.DEALS` from each seat against `opponents`; see `cf.evaluate`.

        policy: as `cf.evaluate` takes it; or an agent's name.
        options: `name`, `scaled` and `progress` of `cf.evaluate`.
        """
        return evaluate(policy, self.game, deals=DEALS, opponents=self.opponents or (), **options)

    def figure(self, result: Result) -> Figure:
        """The primary figure of a result of `evaluate`."""
        found = result.agents()[0]
        value, interval = ("win_rate", "win_rate_interval") if self.primary == "won" else ("score", "score_interval")
        return Figure(self.primary, found[value], *found[interval])


def tasks() -> list[LearningTask]:
    """All learning tasks, those of a game one after the other. A game lists its own in `arena/<game>/__init__.py`."""
    by_game: dict[str, dict[str, Any]] = {game: addition(ARENA, game, "TASKS", {}) for game in registry.GAMES}
    return [LearningTask(name, game, **task) for game, tasks in by_game.items() for name, task in tasks.items()]


def task(name: str) -> LearningTask:
    """The learning task of this name, as `"first"` or `"first-v0"`.

    Raises:
        ValueError: there is no such task, or not in this version.
    """
    known = tasks()
    found = next((each for each in known if name in (each.name, each.id)), None)
    if found is None:
        names = [each.name for each in known]
        raise ValueError(f"unknown task {shown(name)}{hint(name, names)}; there are: {', '.join(names)}")
    return found
