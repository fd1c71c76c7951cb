"""The overhead of the interfaces: environments that do nothing, called like ours. Time above theirs is the game's."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from .interfaces import play_aec, play_gymnasium
from .measure import Play, Row, main

ACTIONS, SIZE, LENGTH = 107, 400, 200


class NothingAEC(AECEnv):
    """Four agents in turn, with only the bookkeeping of rewards and dead agents that PettingZoo requires."""

    metadata: dict[str, Any] = {"name": "nothing_v0", "render_modes": []}  # noqa: RUF012 - as PettingZoo's

    def __init__(self) -> None:
        super().__init__()
        self.possible_agents = [f"player_{seat}" for seat in range(4)]
        self._space = spaces.Discrete(ACTIONS)
        mask = np.ones(ACTIONS, np.int8)
        self._shown: dict[str, Any] = {"observation": np.zeros(SIZE, np.float32), "action_mask": mask}

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._space

    def observe(self, agent: str) -> dict[str, Any]:
        return self._shown

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._steps = 0

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._steps += 1
        self.agent_selection = self.possible_agents[self._steps % 4]
        if self._steps == LENGTH:
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()


class NothingEnv(gymnasium.Env[np.ndarray, int]):
    """One player. Every step returns the same objects."""

    def __init__(self) -> None:
        self.observation_space = spaces.Box(0.0, 1.0, (SIZE,), np.float32)
        self.action_space = spaces.Discrete(ACTIONS)  # type: ignore[assignment]
        self._shown = np.zeros(SIZE, np.float32)
        self._info = {"action_mask": np.ones(ACTIONS, np.int8)}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        super().reset(seed=seed)
        self._steps = 0
        return self._shown, self._info

    def step(self, action: int) -> Any:
        self._steps += 1
        return self._shown, 0.0, self._steps == LENGTH, False, self._info


def nothing_aec() -> Play:
    return play_aec(NothingAEC())


def nothing_gymnasium() -> Play:
    gymnasium.logger.min_level = gymnasium.logger.ERROR  # silences warnings about shared objects, which are intended
    gymnasium.register("Nothing-v0", lambda **_: NothingEnv())
    return play_gymnasium(gymnasium.make("Nothing-v0"))


ROWS = [
    Row("AEC that does nothing, 4 players", nothing_aec),
    Row("solo that does nothing, through gymnasium.make", nothing_gymnasium),
]

if __name__ == "__main__":
    main("floor", ROWS, __doc__)
