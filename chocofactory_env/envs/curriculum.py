"""Curricula: wrappers that choose the options of future games, such as the difficulty or the number of players."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import index
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from gymnasium.utils import RecordConstructorArgs
from gymnasium.vector import AutoresetMode, VectorEnv, VectorWrapper

from ..core.checks import as_flag, as_integer, as_number
from ..core.messages import shown
from .common import OneSeatEnv, check_reset_options
from .loading import reset_names
from .vector import OneSeatVectorEnv

Options = Mapping[str, Any]  # of `reset(options=...)`


class Episode(NamedTuple):
    """A finished game."""

    won: bool
    score: int
    reward: float  # sum
    steps: int


@dataclass
class Progress:
    """What has been played in the current stage, or since the start if a function chooses the options."""

    stage: int = 0
    episodes: int = 0
    steps: int = 0
    recent: deque[Episode] = field(default_factory=deque)  # at most `window` games, the latest last

    @property
    def win_rate(self) -> float:
        """The share of `recent` games that were won; 0 without any."""
        return sum(episode.won for episode in self.recent) / max(1, len(self.recent))


class _Stages:
    """Which options come next, and when. `env` is an environment whose `reset` takes options."""

    def __init__(
        self,
        env: Any,
        stages: Sequence[Options] | Callable[[Progress], Options],
        episodes: int | None,
        steps: int | None,
        win_rate: float | None,
        window: int,
    ) -> None:
        self._env = env
        self._function = stages if callable(stages) else None
        self._stages: Sequence[Options] = [] if callable(stages) else list(stages)
        self._episodes = None if episodes is None else as_integer("episodes", episodes, 1)
        self._steps = None if steps is None else as_integer("steps", steps, 1)
        self._win_rate = None if win_rate is None else as_number("win_rate", win_rate)
        if self._win_rate is not None and not 0 <= self._win_rate <= 1:
            raise ValueError(f"win_rate: expected a share from 0 to 1, got {win_rate}")
        self.progress = Progress(recent=deque(maxlen=as_integer("window", window, 1)))
        limits = sum(limit is not None for limit in (self._episodes, self._steps, self._win_rate))
        if self._function is None and not self._stages:
            raise ValueError("stages: expected one or more, got none")
        if self._function is not None and limits:
            raise TypeError("episodes, steps, win_rate: expected none with a function, which chooses by itself")
        if len(self._stages) > 1 and not limits:
            raise TypeError("stages: expected episodes, steps, or win_rate, which say when a stage ends")
        for number, stage in enumerate(self._stages):
            self._checked(stage, f"stages[{number}]")

    def _checked(self, options: Any, where: str) -> dict[str, Any]:
        """Check and return options for `reset`. Options not named are drawn from all declared values."""
        if not isinstance(options, Mapping):
            raise TypeError(f"{where}: expected options as a dictionary, got {shown(options)}")
        try:
            check_reset_options(options, (), self._env.games, type(self._env))
        except (TypeError, ValueError) as error:
            raise type(error)(f"{where}: {error}") from error
        return {**dict.fromkeys(reset_names(self._env.games)), **options}

    def options(self) -> dict[str, Any]:
        """The options of the next game."""
        if self._function is not None:
            return self._checked(self._function(self.progress), "stages(progress)")
        return self._checked(self._stages[self.progress.stage], f"stages[{self.progress.stage}]")

    def add(self, episode: Episode) -> None:
        """Count a finished game, and go to the next stage if this one has reached a limit."""
        progress = self.progress
        progress.episodes += 1
        progress.steps += episode.steps
        progress.recent.append(episode)
        if progress.stage + 1 < len(self._stages) and self._is_done():
            self.progress = Progress(progress.stage + 1, recent=deque(maxlen=progress.recent.maxlen))

    def _is_done(self) -> bool:
        progress = self.progress
        if self._win_rate is not None and len(progress.recent) == progress.recent.maxlen:
            if progress.win_rate >= self._win_rate:
                return True
        enough_episodes = self._episodes is not None and progress.episodes >= self._episodes
        return enough_episodes or (self._steps is not None and progress.steps >= self._steps)

    def snapshot(self) -> dict[str, Any]:
        progress = self.progress
        recent = [list(episode) for episode in progress.recent]
        return {"stage": progress.stage, "episodes": progress.episodes, "steps": progress.steps, "recent": recent}

    def restore(self, snapshot: Any) -> None:
        if not isinstance(snapshot, Mapping) or set(snapshot) != set(self.snapshot()):
            raise ValueError(f"snapshot: expected {', '.join(self.snapshot())}, got {shown(snapshot)}")
        window = self.progress.recent.maxlen
        stage = as_integer("snapshot['stage']", snapshot["stage"], 0, max(0, len(self._stages) - 1))
        episodes, steps = (as_integer(f"snapshot['{name}']", snapshot[name], 0) for name in ("episodes", "steps"))
        games = snapshot["recent"]
        try:
            recent = [
                Episode(as_flag("won", won), index(score), as_number("reward", reward), as_integer("steps", each, 0))
                for won, score, reward, each in games
            ]
        except (TypeError, ValueError):
            expected = "expected [won, score, reward, steps] of each game"
            raise ValueError(f"snapshot['recent']: {expected}, got {shown(games)}") from None
        self.progress = Progress(stage, episodes, steps, deque(recent, window))


class Curriculum(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Chooses the options of each game by `reset(options=...)`.

    Args:
        env: a Gymnasium environment of this package, made with lists of values for the options that change.
        stages: the options of each stage, as `[{"difficulty": 0}, {"difficulty": [0, 1]}, {}]`. Options that a stage
            does not name are drawn from all their declared values. Or a function from the `Progress` to the options of
            the next game.
        episodes: a stage ends after this number of games.
        steps: a stage ends with the game in which it reaches this number of steps.
        win_rate: a stage ends when at least this share of its last `window` games was won. If several limits are
            given, the first that is reached counts. The last stage does not end.
        window: the number of games in `Progress.recent`.

    Nothing is random: the same games lead to the same options. A game that is reset before its end does not count.
    Options given to `reset` take precedence in that game.

    Raises:
        TypeError, ValueError: a stage names an option or a value that was not declared, or a limit is missing.
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        stages: Sequence[Options] | Callable[[Progress], Options],
        *,
        episodes: int | None = None,
        steps: int | None = None,
        win_rate: float | None = None,
        window: int = 100,
    ) -> None:
        limits: dict[str, Any] = {"episodes": episodes, "steps": steps, "win_rate": win_rate, "window": window}
        RecordConstructorArgs.__init__(self, stages=stages, **limits)  # for `spec`
        gymnasium.Wrapper.__init__(self, env)
        if not isinstance(env.unwrapped, OneSeatEnv):
            raise TypeError(f"env: expected a Gymnasium environment of this package, got {shown(env)}")
        self._stages = _Stages(env.unwrapped, stages, episodes, steps, win_rate, window)
        self._reward, self._steps = 0.0, 0

    @property
    def progress(self) -> Progress:
        """The stage, and what has been played in it."""
        return self._stages.progress

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal a game of the current stage. Errors are those of the environment; then nothing has changed."""
        result = self.env.reset(seed=seed, options={**self._stages.options(), **(options or {})})
        self._reward, self._steps = 0.0, 0
        return result

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Step the environment, and count the game if it has ended."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        self._reward += float(reward)
        self._steps += 1
        if terminated or truncated:
            won, score = bool(info.get("won", False)), int(info.get("score", 0))
            self._stages.add(Episode(won, score, self._reward, self._steps))
            self._reward, self._steps = 0.0, 0
        return observation, reward, terminated, truncated, info

    def snapshot(self) -> dict[str, Any]:
        """The progress as JSON-able data, without the game under way."""
        return self._stages.snapshot()

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Continue from a `snapshot` with the next reset. ValueError, TypeError: it is invalid; nothing has changed."""
        self._stages.restore(snapshot)


class VectorCurriculum(VectorWrapper):
    """`Curriculum` for a native vector environment: all rows share the stage.

    Games that end in the same step count in the order of their rows. A new stage applies to games that are dealt from
    then on, automatically or by `reset`; with SAME_STEP a row whose game ended has already dealt its next one.

    Args:
        env: a native vector environment of this package, as `gymnasium.make_vec` makes it.
        stages: as in `Curriculum`.
        episodes: as in `Curriculum`, of all rows together.
        steps: as in `Curriculum`, of all rows together; counted when games end.
        win_rate: as in `Curriculum`.
        window: as in `Curriculum`.

    Raises:
        TypeError, ValueError: as in `Curriculum`.
    """

    def __init__(
        self,
        env: VectorEnv[Any, Any, Any],
        stages: Sequence[Options] | Callable[[Progress], Options],
        *,
        episodes: int | None = None,
        steps: int | None = None,
        win_rate: float | None = None,
        window: int = 100,
    ) -> None:
        super().__init__(env)
        if not isinstance(env.unwrapped, OneSeatVectorEnv):
            raise TypeError(f"env: expected a native vector environment of this package, got {shown(env)}")
        self._batch = env.unwrapped
        self._stages = _Stages(env.unwrapped, stages, episodes, steps, win_rate, window)
        self._rewards = np.zeros(env.num_envs)
        self._steps = np.zeros(env.num_envs, np.int64)
        self._over = np.zeros(env.num_envs, np.bool_)
        self._chosen: dict[str, Any] = {}

    @property
    def progress(self) -> Progress:
        """The stage, and what has been played in it."""
        return self._stages.progress

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Deal games of the current stage. Errors are those of the environment; then nothing has changed."""
        chosen = self._stages.options()
        result = self.env.reset(seed=seed, options={**chosen, **(options or {})})  # type: ignore[arg-type]
        rows = slice(None) if not options or options.get("reset_mask") is None else options["reset_mask"]
        self._rewards[rows], self._steps[rows], self._over[rows] = 0, 0, False
        if set(options or ()) - {"reset_mask"}:
            self._batch.set_options(chosen)  # those given to `reset` were for these games alone
        self._chosen = chosen
        return result

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Step the environment, count games that have ended, and choose for those that follow."""
        result = self.env.step(actions)
        _, rewards, terminations, truncations, infos = result
        self._rewards += rewards
        self._steps += ~self._over
        ended = terminations | truncations
        for row in np.flatnonzero(ended).tolist():
            final = infos.get("final_info", infos)
            won, score = (final[name][row] if name in final else 0 for name in ("won", "score"))
            self._stages.add(Episode(bool(won), int(score), float(self._rewards[row]), int(self._steps[row])))
        self._rewards[ended], self._steps[ended] = 0, 0
        self._over = ended & (self._batch.autoreset_mode == AutoresetMode.NEXT_STEP)
        if ended.any():
            self._choose()
        return result

    def _choose(self) -> None:
        chosen = self._stages.options()
        if chosen != self._chosen:
            self._batch.set_options(chosen)
            self._chosen = chosen

    def snapshot(self) -> dict[str, Any]:
        """The progress as JSON-able data, without the games under way."""
        return self._stages.snapshot()

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Continue from a `snapshot` with the games that are dealt from now on.

        Raises:
            ValueError, TypeError: it is invalid; nothing has changed.
        """
        self._stages.restore(snapshot)
        self._choose()
