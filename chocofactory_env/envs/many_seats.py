"""Code that the AEC and the parallel environment share."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from gymnasium import spaces

from ..core.checks import SEED_LIMIT, as_seed, check_choice
from ..core.game import Game
from ..core.kernel.rewards import RewardFunction
from ..core.messages import shown
from .common import NotResetError, OneGameEnv, check_open, display_of, observation_space
from .loading import STATE, Games, check_is_mapping, games_of, places_of, reset_names, start_of, where_it_belongs
from .pictures import RENDER_FPS, RENDER_MODES, RenderSize

_SET_BY_RESET = {"agents", "agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos"}
_SET_BY_RESET.add("num_agents")  # PettingZoo counts `agents`


class ManySeatsEnv(OneGameEnv):
    """Agents, spaces and dealing; a subclass defines `reset` and `step`."""

    possible_agents: list[str]

    def _set_up(
        self,
        games: Games,
        options: Mapping[str, Any],
        *,
        choices: Callable[[Game], int],
        reward: str | RewardFunction,
        illegal_action: str,
        render_mode: str | None,
        render_size: RenderSize,
        parallelizable: bool,
    ) -> None:
        """Check and store the options. `choices` returns the number of an agent's actions."""
        check_choice("illegal_action", illegal_action, ("raise", "terminate"))
        listed = games_of(games, options, type(self))
        game = listed.first
        self._display = display_of(game, render_mode, render_size)
        self.illegal_action = illegal_action
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{game.name}_v0",
            "render_modes": list(RENDER_MODES),
            "render_fps": RENDER_FPS,
            "is_parallelizable": parallelizable,
        }
        self._set_games(listed, reward)
        self._seat_of = {f"player_{seat}": seat for seat in range(listed.most_players)}
        self.possible_agents = list(self._seat_of)
        actions = choices(game)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": observation_space(self.observation_layout),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self.state_space = spaces.Box(0, 1, (listed.most_players * self.observation_layout.size,), np.float32)
        self._seats: dict[str, int] = {}  # of the agents in the present game
        self._shaped = self.reward.shaped
        self._state = None
        self._warned_of: set[Any] = set()  # keys of `reset(options=...)`

    def __getattr__(self, name: str) -> Any:
        # Called only for missing attributes, so steps do not pay for this check of order. It always raises, but is not
        # NoReturn: type checkers know no attribute of AECEnv, and would take the code after a use for unreachable.
        if name in _SET_BY_RESET:
            raise NotResetError(f"no game is under way: call reset() before using {name}")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def observation_space(self, agent: str) -> spaces.Dict:
        """The agent's space, the same object at every call. Raises ValueError if there is no such agent."""
        return self.observation_spaces[self._known(agent)]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The agent's space, the same object at every call. Raises ValueError if there is no such agent."""
        return self.action_spaces[self._known(agent)]

    def state(self) -> np.ndarray:
        """What all seats know together, for a centralised critic: their observations, seat by seat, (P * O,) float32.

        P is the number of players of the largest game in the list; a seat that the present game lacks has zeros.

        Raises:
            NotResetError: before the first reset.
        """
        check_open(self.closed, "state()")
        if self._state is None:
            raise NotResetError("no game is under way: call reset() before state()")
        together = np.zeros(self.state_space.shape, np.float32)
        for seat, seen in enumerate(together.reshape(-1, self.observation_layout.size)[: self.game.num_players]):
            seen[:] = self.observer(self._state, seat)
        return together

    def _known(self, agent: str) -> str:
        """Return the agent. Raises ValueError if there is no such agent."""
        if agent not in self.action_spaces:
            raise ValueError(f"agent: expected one of {', '.join(self.action_spaces)}, got {shown(agent)}")
        return agent

    def _deal(self, seed: int | None, options: dict[str, Any] | None) -> None:
        """Begin with the position in `options`, else deal the game of `seed`, or one that the last game draws."""
        check_open(self.closed, "reset()")
        check_is_mapping(options)
        if options:
            self._check_reset_options(options)
        places = places_of(self.games, options)
        start = start_of(self.games, self._number, options, seed)
        if seed is not None:
            seed = as_seed(seed)
        elif self._state is None:
            seed = int(np.random.SeedSequence().generate_state(1, np.uint64)[0]) % SEED_LIMIT
        self._choose(places)
        self._start(seed, start)
        players = self.game.num_players  # fewer than the possible agents in some games of a set
        self._seats = {agent: seat for agent, seat in self._seat_of.items() if seat < players}
        self.reward.begin(self._state)
        if self._display is not None:
            self._display.begin(self._state, self._viewer)

    def _check_reset_options(self, options: dict[str, Any]) -> None:
        """Raise TypeError for an option of the constructor, and warn of other keys, which PettingZoo wants accepted."""
        known = (STATE, *reset_names(self.games))
        takes = ", ".join(known) or "no options"
        for key in options:
            if key in known:
                continue
            belongs = where_it_belongs(key, self.game, type(self))
            if belongs:
                raise TypeError(f"reset(options=...): unknown key {shown(key)}{belongs}; reset() takes {takes}")
            if key not in self._warned_of:
                self._warned_of.add(key)
                warnings.warn(f"reset(options=...) ignores {shown(key)}: it takes {takes}", UserWarning, stacklevel=4)

    def _results(self) -> dict[str, dict[str, Any]]:
        """Results of a finished game for every agent: `score` (int), `rank` (0 = first), and `won` (bool)."""
        state, game = self._state, self.game
        scores, ranking, won = game.scores(state), game.ranking(state), game.won(state)
        return {
            agent: {"score": int(scores[seat]), "rank": int(ranking[seat]), "won": bool(won[seat])}
            for agent, seat in self._seats.items()
        }
