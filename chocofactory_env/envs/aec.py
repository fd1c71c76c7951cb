"""Any game as a PettingZoo AEC environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, overload

import numpy as np
from pettingzoo import AECEnv

from ..core.checks import as_action
from ..core.kernel.rewards import RewardFunction
from ..core.messages import shown
from .common import ILLEGAL_REWARD, NotResetError, check_open, refuse
from .loading import Games
from .many_seats import ManySeatsEnv
from .pictures import DEFAULT_SIZE, RenderSize


def make_env(games: Games, **options: Any) -> AECGameEnv:
    """Make the AEC environment of any games, with the options of `AECGameEnv` and of the game."""
    return AECGameEnv(games, **options)


class AECGameEnv(ManySeatsEnv, AECEnv[str, dict[str, Any], Any]):
    """A game of any number of players, one decision per step. An agent may decide many times in a row.

    An observation is `{"observation": (O,) float32 in [0, 1], "action_mask": (A,) int8}`, both fresh arrays;
    `env.observation_layout.views(vector)` names the parts of a flat one without copying. The mask of an agent that is
    not to move is all zeros. The end of the game terminates all agents at once.

    The environment itself checks order, bounds, and legality; PettingZoo's wrappers would do so at ten times the cost.

    Args:
        games: a game, a list of games (`cf.games`), or a name, which is loaded with `options`. The seed of a deal
            chooses a game of the list, and `game` is the one in play.
        reward: `"win"`, `"rank"`, `"score"`, `"margin"`, `"shaped"`, or a function of your own; see
            `chocofactory_env.core.kernel.rewards.Reward`.
        illegal_action: `"raise"`, or `"terminate"`: the game ends, the offender gets -1, and the others get 0.
        render_mode: None, `"ansi"` (text), `"rgb_array"` (frames), or `"human"` (a window that shows every move), as a
            spectator sees the game. Frames and windows need the extra `render`.
        render_size: (width, height) of frames and windows in pixels.
        options: as for `cf.games`, if `games` is a name: options of the game, with lists of values, and `decks`.

    `possible_agents` are those of the largest game of the list, `agents` those of the current one.

    `infos` hold every agent's `action_mask`. At the end they also hold `score` (int), `rank` (0 = first), and `won`
    (bool), or `illegal_action` (True) for an offender. Games of lists with values also tell theirs, such as `deck`.

    Raises:
        ValueError: an invalid option.
    """

    def __init__(
        self,
        games: Games,
        *,
        reward: str | RewardFunction = "win",
        illegal_action: str = "raise",
        render_mode: str | None = None,
        render_size: RenderSize = DEFAULT_SIZE,
        **options: Any,
    ) -> None:
        super().__init__()
        self._set_up(
            games,
            options,
            choices=lambda game: game.num_actions,
            reward=reward,
            illegal_action=illegal_action,
            render_mode=render_mode,
            render_size=render_size,
            parallelizable=False,
        )
        self._num_actions = self.game.num_actions
        self._mask = np.zeros(self._num_actions, np.int8)
        self._seat = -1  # to move; -1 before the first reset and when the game is over

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal `game.new(seed)`; without `seed`, a game drawn by the last game's generator.

        `options` choose among the games of the list, or give a position to begin with, as in `SeatEnv.reset`.
        PettingZoo requires that any key be accepted, so an unknown key only warns, once.

        Raises:
            TypeError, ValueError: `seed` is not an integer in 0 to 2^63 - 1, `options` is not a dictionary, a key of it
                is an option of the constructor, or its position cannot be played on from; nothing has changed.
            ClosedEnvironmentError: after `close()`.
        """
        self._deal(seed, options)
        self.game.write_mask(self._state, self._mask)
        self._seat = self.game.current_player(self._state)
        self.agents = agents = list(self._seats)
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self._infos: dict[str, dict[str, Any]] | None = None
        self._info: dict[str, Any] | None = None  # of the agent to move
        self.agent_selection = agents[self._seat]

    def observe(self, agent: str) -> dict[str, Any]:
        """The agent's current observation, as described in the class.

        Raises:
            NotResetError: before the first reset, or after all agents of a finished game have been stepped.
            ValueError: no such agent.
        """
        seat = self._seat_of[self._known(agent)]
        if seat == self._seat:
            mask = self._mask.copy()
        else:
            self._check_agents("observe()")
            if agent not in self._seats:
                raise ValueError(
                    f"agent: expected one of {', '.join(self._seats)} in this game, got {agent} of a larger game; "
                    "a library that asks all possible agents needs an environment of one number of players"
                )
            mask = np.zeros(self._num_actions, np.int8)
        return {"observation": self.observer(self._state, seat), "action_mask": mask}

    @overload
    def last(self, observe: Literal[True] = True) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]: ...

    @overload
    def last(self, observe: bool) -> tuple[dict[str, Any] | None, float, bool, bool, dict[str, Any]]: ...

    def last(self, observe: bool = True) -> tuple[dict[str, Any] | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward since its last action, terminated, truncated, and info of `agent_selection`.

        Raises:
            NotResetError: as in `observe`.
        """
        seat, agent = self._seat, self.agent_selection
        if seat >= 0:  # faster than `observe` and `infos`
            copy = self._mask.copy
            seen = {"observation": self.observer(self._state, seat), "action_mask": copy()} if observe else None
            info = self._info
            if info is None:
                info = self._info = {"action_mask": copy()}
                if self._labels:
                    info.update(self._labels)
        else:
            self._check_agents("last()")
            seen, info = self.observe(agent) if observe else None, self.infos[agent]
        return seen, self._cumulative_rewards[agent], self.terminations[agent], self.truncations[agent], info

    @property
    def infos(self) -> dict[str, dict[str, Any]]:
        """Info by agent, as described in the class."""
        if self._infos is None:  # made on demand, so that steps do not pay for them
            self._infos = self._empty_infos()
            if self._seat >= 0:
                self._info = self._info or {"action_mask": self._mask.copy(), **self._labels}
                self._infos[self.possible_agents[self._seat]] = self._info
        return self._infos

    def _empty_infos(self) -> dict[str, dict[str, Any]]:
        """Infos for agents that are not to move."""
        nothing = np.zeros(self._num_actions, np.int8)
        return {agent: {"action_mask": nothing.copy(), **self._labels} for agent in self._seats}

    def step(self, action: Any) -> None:
        """Play `action` for `agent_selection`. In a finished game `action` must be None.

        Raises:
            IllegalActionError: an action outside the space, or with `illegal_action="raise"` any illegal one; nothing
                has changed.
            TypeError: `action` is not an integer.
            ValueError: `action` is not None although the game is over.
            ResetNeeded: no game is under way.
            ClosedEnvironmentError: after `close()`.
        """
        if self._seat < 0:
            self._step_after_the_end(action)
            return
        if action.__class__ is not int:
            action = as_action(action, self._num_actions)
        game, state, mask, display = self.game, self._state, self._mask, self._display
        if not (0 <= action < self._num_actions and mask[action]):
            self._illegal(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        seat = game.advance(state, action, mask) if display is None else self._advance_and_show(display, action)
        self._seat = seat
        if seat < 0:
            self._finish()
            return
        self.agent_selection = self.possible_agents[seat]
        self._infos = self._info = None
        if self._shaped:  # other rewards pay only at the end, and until then all entries are zero
            self._pay(self.reward.so_far(state))

    def _pay(self, amounts: np.ndarray | Sequence[float]) -> None:
        self.rewards = dict(zip(self._seats, map(float, amounts), strict=True))
        self._accumulate_rewards()

    def _end(self, amounts: np.ndarray | Sequence[float]) -> None:
        self._seat = -1
        self._infos = self._empty_infos()
        self._pay(amounts)
        self.terminations = dict.fromkeys(self._seats, True)
        self.agent_selection = self.possible_agents[0]

    def _finish(self) -> None:
        self._end(self.reward.at_the_end(self._state))
        for agent, result in self._results().items():
            self.infos[agent].update(result)

    def _illegal(self, action: int) -> None:
        if self.illegal_action == "raise" or not 0 <= action < self._num_actions:
            refuse(self.game, self._state, action)
        offender = self.agent_selection
        self._cumulative_rewards[offender] = 0.0
        self._end([ILLEGAL_REWARD if agent == offender else 0.0 for agent in self._seats])
        self.infos[offender]["illegal_action"] = True

    def _step_after_the_end(self, action: Any) -> None:
        """Remove the agent, and select the next one that is left. PettingZoo wants this of every agent, with None."""
        self._check_agents("step()")
        if action is not None:
            raise ValueError(f"action: expected None, because the game is over, got {shown(action)}")
        agent = self.agent_selection
        self.agents.remove(agent)
        for by_agent in (self.rewards, self._cumulative_rewards, self.terminations, self.truncations, self.infos):
            del by_agent[agent]
        if self.agents:
            self.agent_selection = self.agents[0]
        self._clear_rewards()

    def _check_agents(self, call: str) -> None:
        """Raise NotResetError if `call` needs an agent and none is left."""
        check_open(self.closed, call)
        if self._state is None or not self.agents:
            raise NotResetError(f"no game is under way: call reset() before {call}")

    def close(self) -> None:
        super().close()
        self._seat = -1
