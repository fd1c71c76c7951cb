"""Any game as a PettingZoo AEC environment."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from pettingzoo import AECEnv

from ..core.checks import as_action, as_seed, check_choice
from ..core.game import Game, State
from ..core.observers import ObservationForm, make_observer
from ..core.rewards import Reward, RewardFunction
from .common import (
    ILLEGAL_REWARD,
    SharesGame,
    display_of,
    game_of,
    observation_space,
    refuse,
    where_it_belongs,
)
from .pictures import DEFAULT_SIZE, RENDER_FPS, RENDER_MODES, RenderSize

_SET_BY_RESET = frozenset(
    ("agents", "agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos")
)


def make_env(name: Game | str, **options: Any) -> AECGameEnv:
    """The AEC environment of any game; options as in `AECGameEnv`, and those of the game."""
    return AECGameEnv(name, **options)


class NotResetError(ResetNeeded, AttributeError):
    """What this asks for exists only after `reset()`."""


class AECGameEnv(SharesGame, AECEnv[str, dict[str, Any], Any]):
    """A game of any number of players, one decision a step; the same agent may decide many times in a row.

    An observation is `{"observation": ..., "action_mask": (A,) int8}`, both fresh arrays; the mask of an agent who is
    not to move is all zeros. Rewards come as `reward` says; the end of the game terminates all agents at once.

    Order, bounds and legality are checked here: PettingZoo's wrappers check the same at ten times the cost.

    Args:
        name: of a game, or a loaded game; a name is loaded with `options`.
        reward: `"win"`, `"rank"`, `"score"`, `"margin"`, `"shaped"`, or a function of your own; see
            `chocofactory_env.core.rewards.Reward`.
        illegal_action: `"raise"`, or `"terminate"`: the game ends, the offender gets -1 and the others nothing more.
        observation: `"flat"` (O,) float32, or `"named"`, a dictionary. Flat is the default: it is what learners take
            as it is, and `game.observation_layout.views(vector)` names its parts without copying.
        render_mode: None, `"ansi"` (text), `"rgb_array"` (frames) or `"human"` (a window that shows all moves), seen by
            a spectator. Frames and windows need the extra `render`.
        render_size: (width, height) of frames and windows in pixels.
        options: those of the game.

    `infos` are empty until the end, then `score` (int), `rank` (0 = first) and `won` (bool), or `illegal_action` (True)
    for an offender.

    Raises:
        ValueError: a bad option.
    """

    def __init__(
        self,
        name: Game | str,
        *,
        reward: str | RewardFunction = "win",
        illegal_action: str = "raise",
        observation: ObservationForm = "flat",
        render_mode: str | None = None,
        render_size: RenderSize = DEFAULT_SIZE,
        **options: Any,
    ) -> None:
        super().__init__()
        check_choice("illegal_action", illegal_action, ("raise", "terminate"))
        self.game = game = game_of(name, options, type(self))
        self._display = display_of(game, render_mode, render_size)
        self._advance = game.advance if self._display is None else self._display.advance
        self.illegal_action = illegal_action
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{game.name}_v0",
            "render_modes": list(RENDER_MODES),
            "render_fps": RENDER_FPS,
            "is_parallelizable": False,
        }
        self.reward = Reward(game, reward)
        self.observer = make_observer(game, observation)
        self.possible_agents = [f"player_{seat}" for seat in range(game.num_players)]
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": observation_space(game, observation),
                    "action_mask": spaces.Box(0, 1, (game.num_actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(game.num_actions) for agent in self.possible_agents}
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._num_actions = game.num_actions
        self._shaped = self.reward.shaped
        self._mask = np.zeros(game.num_actions, np.int8)
        self._state: State = None
        self._seat = -1  # to move; -1 before the first reset and when the game is over
        self._warned_of: set[Any] = set()  # keys of `reset(options=...)`

    def __getattr__(self, name: str) -> Any:
        # Reached only for what is not there: the step path pays nothing for this check of order. It always raises, but
        # is not NoReturn: type checkers know no attribute of AECEnv, and would take code after its use for unreachable.
        if name in _SET_BY_RESET:
            raise NotResetError(f"no game is under way: call reset() before using {name}")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    @property
    def game_state(self) -> State:
        """The position itself, for search and tools; `game.clone` it before changing it."""
        return self._state

    def observation_space(self, agent: str) -> spaces.Dict:
        """The same object at every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The same object at every call."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a game: with `seed` that of `game.new(seed)`, without it the next one of the generator of the last game.

        `options` means nothing here, and PettingZoo wants any key accepted; one that is an option of the constructor
        is warned of once.

        Raises:
            TypeError, ValueError: `seed` is no integer in 0 to 2^63 - 1; nothing has changed.
        """
        if options:
            self._warn_of(options)
        if seed is not None:
            seed = as_seed(seed)
        if seed is not None or self._state is None:
            self._state = self.game.new(seed)
        else:
            self.game.renew(self._state)
        self.game.write_mask(self._state, self._mask)
        self._seat = self.game.current_player(self._state)
        self.reward.begin(self._state)
        if self._display is not None:
            self._display.begin(self._state, None)
        agents = self.possible_agents
        self.agents = agents[:]
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        self._skip_agent_selection = None
        self.agent_selection = agents[self._seat]

    def observe(self, agent: str) -> dict[str, Any]:
        """What this agent sees now; see the class."""
        seat = self._seat_of[agent]
        if seat == self._seat:
            mask = self._mask.copy()
        elif self._state is None:
            raise NotResetError("no game is under way: call reset() before observe()")
        else:
            mask = np.zeros(self._num_actions, np.int8)
        return {"observation": self.observer(self._state, seat), "action_mask": mask}

    def last(self, observe: bool = True) -> tuple[dict[str, Any] | None, float, bool, bool, dict[str, Any]]:
        """Observation, rewards since its last action, terminated, truncated and info of `agent_selection`."""
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def step(self, action: Any) -> None:
        """Play `action` for `agent_selection`; for agents of a finished game it is None.

        Raises:
            IllegalActionError: with `illegal_action="raise"`; nothing has changed.
            TypeError: `action` is no integer.
            ValueError: anything but None for an agent whose game is over.
            ResetNeeded: no game is under way.
        """
        if self._seat < 0:
            self._step_after_the_end(action)
            return
        if action.__class__ is not int:
            action = as_action(action, self._num_actions)
        mask = self._mask
        if not (0 <= action < self._num_actions and mask[action]):
            self._illegal(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        seat = self._seat = self._advance(self._state, action, mask)
        if seat < 0:
            self._finish()
            return
        self.agent_selection = self.possible_agents[seat]
        if self._shaped:  # no other reward pays before the end, and until then all entries are zero
            self._pay(self.reward.so_far(self._state))

    def render(self) -> Any:
        """What lies open: with `"ansi"` text, with `"rgb_array"` (height, width, 3) uint8, otherwise None.

        With `"human"` a window has shown it already.

        Raises:
            NotResetError: no game is under way.
            ImportError: a package of the extra `render` is missing.
        """
        if self.render_mode is None:
            gymnasium.logger.warn('render() without a render mode: pass render_mode="rgb_array"')
            return None
        if self._state is None:
            raise NotResetError("no game is under way: call reset() before render()")
        return self.game.render(self._state) if self._display is None else self._display.frame(self._state)

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._display is not None:
            self._display.close()

    def _warn_of(self, options: dict[str, Any]) -> None:
        for key in options.keys() - self._warned_of:
            belongs = where_it_belongs(key, self.game, type(self))
            if belongs:
                self._warned_of.add(key)
                warnings.warn(f"reset(options=...) ignores {key!r}{belongs}", UserWarning, stacklevel=3)

    def _pay(self, amounts: np.ndarray | Sequence[float]) -> None:
        self.rewards = dict(zip(self.possible_agents, map(float, amounts), strict=True))
        self._accumulate_rewards()

    def _end(self, amounts: np.ndarray | Sequence[float]) -> None:
        self._seat = -1
        self._pay(amounts)
        self.terminations = dict.fromkeys(self.possible_agents, True)
        self.agent_selection = self.possible_agents[0]

    def _finish(self) -> None:
        state, game = self._state, self.game
        self._end(self.reward.at_the_end(state))
        results = zip(self.possible_agents, game.scores(state), game.ranking(state), game.won(state), strict=True)
        for agent, score, rank, won in results:
            self.infos[agent] = {"score": int(score), "rank": int(rank), "won": bool(won)}

    def _illegal(self, action: int) -> None:
        if self.illegal_action == "raise":
            refuse(self.game, self._state, action)
        offender = self.agent_selection
        self._cumulative_rewards[offender] = 0.0
        self._end([ILLEGAL_REWARD if agent == offender else 0.0 for agent in self.possible_agents])
        self.infos[offender] = {"illegal_action": True}

    def _step_after_the_end(self, action: Any) -> None:
        if self._state is None or not self.agents:
            raise ResetNeeded("no game is under way: call reset() before step()")
        self._was_dead_step(action)
