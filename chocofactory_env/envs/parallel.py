"""Any game as a PettingZoo parallel environment: every agent acts in every step; agents that are not asked wait."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from pettingzoo import ParallelEnv

from ..core.agents.agent import AnyAgent, agent_seed, decide, refusal, reset_agent
from ..core.checks import as_action
from ..core.game import IllegalActionError
from ..core.kernel.rewards import RewardFunction
from ..core.messages import shown
from ..registry import parallel_options
from .common import ILLEGAL_REWARD, check_open
from .loading import Games
from .many_seats import ManySeatsEnv
from .opponents import NamedAgents, check_agent, made_by_name
from .pictures import DEFAULT_SIZE, RenderSize

Observations = dict[str, dict[str, Any]]
MOST = 2**31  # larger actions are as illegal


def make_parallel_env(games: Games, **options: Any) -> ParallelGameEnv:
    """Make the parallel environment of any games, with the options of `ParallelGameEnv` and of the game."""
    return ParallelGameEnv(games, **options)


class ParallelGameEnv(ManySeatsEnv, ParallelEnv[str, dict[str, Any], Any]):
    """A game of any number of players. Each step takes one decision from every agent that is asked.

    The game says which seats are asked at the same time (`core.kernel.joint`), for example all seats in a simultaneous
    phase, or the seats that make sealed bids. Otherwise one agent is asked. A game loaded by name gets its registered
    options for parallel environments, unless you give others.

    The actions are those of the game, 0 to A - 1, and `wait`, A. An observation is
    `{"observation": (O,) float32 in [0, 1], "action_mask": (A + 1,) int8}`, both fresh arrays. An agent that is not
    asked may only `wait`. The end of the game terminates all agents at once.

    Args:
        games: as in `AECGameEnv`.
        reward: as in `AECGameEnv`.
        render_mode: as in `AECGameEnv`.
        render_size: as in `AECGameEnv`.
        illegal_action: `"terminate"`: the game ends, offenders get -1, and the others get 0; or `"raise"`. The default
            follows PettingZoo's own games, because its tests sample actions without masks.
        partners: agents, or their names, that play some of the seats inside `step`: `{"player_2": "flat_mc"}`. These
            seats are not in `possible_agents`. While a partner decides alone, all other agents wait.
        options: as in `AECGameEnv`.

    Infos hold a copy of the observation's `action_mask`. At the end they also hold `score` (int), `rank` (0 = first),
    and `won` (bool), or `illegal_action` (True) for offenders.

    Raises:
        ValueError: an invalid option, partners in no seat or in every seat, or an unknown name.
        TypeError: a partner is not an agent, or was made for another game or number of players.
    """

    def __init__(
        self,
        games: Games,
        *,
        reward: str | RewardFunction = "win",
        illegal_action: str = "terminate",
        partners: Mapping[str, AnyAgent | str] | None = None,
        render_mode: str | None = None,
        render_size: RenderSize = DEFAULT_SIZE,
        **options: Any,
    ) -> None:
        self._set_up(
            games,
            {**parallel_options(games), **options} if isinstance(games, str) else options,
            choices=lambda game: game.num_actions + 1,
            reward=reward,
            illegal_action=illegal_action,
            render_mode=render_mode,
            render_size=render_size,
            parallelizable=True,
        )
        self.wait = self.game.num_actions
        self._masks = np.zeros((self.games.most_players, self.wait + 1), np.int8)
        self._actions = np.zeros(self.games.most_players, np.int64)
        self._named = NamedAgents(self.games)
        self._partners = self._partners_of(partners or {})
        self._seat_of = {agent: seat for agent, seat in self._seat_of.items() if seat not in self._partners}
        self.possible_agents = list(self._seat_of)

    def _partners_of(self, partners: Mapping[str, AnyAgent | str]) -> dict[int, AnyAgent]:
        """The partners by seat, made and checked."""
        agents = self.possible_agents
        if not isinstance(partners, Mapping):
            raise TypeError(
                f'partners: expected an agent by seat, as {{"{agents[-1]}": "random"}}, got {shown(partners)}'
            )
        if not set(partners) < set(agents) or set(agents[: self.games.fewest_players]) <= set(partners):
            got = ", ".join(map(str, partners))
            raise ValueError(f"partners: expected some, but not all, of {', '.join(agents)}, got {got}")
        made: dict[int, AnyAgent] = {}
        for agent, partner in partners.items():
            named = isinstance(partner, str)
            player = made_by_name(partner, self.games, self._named.make) if isinstance(partner, str) else partner
            check_agent(f"partner {agent}", player, self.games, refusal, named=named)
            made[self._seat_of[agent]] = player
        return made

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, dict[str, Any]]]:
        """Deal `game.new(seed)`; without `seed`, a game drawn by the last game's generator.

        `options` choose among the games of the list, or give a position to begin with, as in `SeatEnv.reset`.
        PettingZoo requires that any key be accepted, so an unknown key only warns, once.

        Raises:
            TypeError, ValueError: `seed` is not an integer in 0 to 2^63 - 1, `options` is not a dictionary, a key of it
                is an option of the constructor, or its position cannot be played on from; nothing has changed.
            ClosedEnvironmentError: after `close()`.
        """
        self._deal(seed, options)
        self._playing = {
            seat: self._named.for_game(partner, self.game)
            for seat, partner in self._partners.items()
            if seat < self.game.num_players
        }
        for seat, partner in self._playing.items():
            reset_agent(partner, agent_seed(self.game, self._state, seat))
        self.game.write_joint_masks(self._state, self._masks)
        self.agents = list(self._seats)
        observations = self._observations()
        return observations, self._infos(observations, {})

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[Observations, dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Play the actions of all agents.

        Raises:
            IllegalActionError: an action outside the space, or with `illegal_action="raise"` any illegal one, or a
                partner's; nothing has changed.
            TypeError: `actions` is not a dictionary, or an action is not an integer.
            ValueError: an agent has no action.
            ResetNeeded: no game is under way.
            ClosedEnvironmentError: after `close()`.
        """
        if self._state is None or not self.agents:
            check_open(self.closed, "step()")
            raise ResetNeeded("no game is under way: call reset() before step()")
        try:
            complete = actions.keys() == set(self.agents)
        except AttributeError:
            raise TypeError(
                f"step(actions): expected an action by agent, as a dictionary, got {shown(actions)}"
            ) from None
        if not complete:
            agents, got = ", ".join(self.agents), ", ".join(map(str, actions)) or "none"
            raise ValueError(f"step(actions): expected one of each of {agents}, got {got}")
        for agent, seat in self._seats.items():
            try:
                self._actions[seat] = max(-1, min(as_action(actions[agent], self.wait + 1), MOST))
            except TypeError as error:
                raise TypeError(f"{agent}: {error}") from None
        offenders = [agent for agent, seat in self._seats.items() if not self._is_legal(seat)]
        if offenders:
            return self._illegal(offenders)
        if self._partners:
            self._ask_partners()
        over = self._advance_jointly() < 0
        paid = self.reward.at_the_end(self._state) if over else None
        if self._shaped and not over:  # other rewards pay only at the end
            paid = self.reward.so_far(self._state)
        rewards = {agent: 0.0 if paid is None else float(paid[seat]) for agent, seat in self._seats.items()}
        return self._step_result(over, rewards, self._results() if over else {})

    def close(self) -> None:
        super().close()
        self.agents = []

    def _ask_partners(self) -> None:
        game, state = self.game, self._state
        first = game.current_player(state)
        for seat, partner in self._playing.items():
            self._actions[seat] = self.wait
            if not self._masks[seat, self.wait]:
                game.ask_seat(state, seat)
                try:
                    self._actions[seat] = decide(game, partner, state)
                finally:
                    game.ask_seat(state, first)
                if not self._is_legal(seat):
                    raise self._illegal_action(seat, f"player_{seat}, the partner {partner!r}")

    def _advance_jointly(self) -> int:
        """Play the actions and write the next masks. Returns the next seat, or -1 when the game is over."""
        if self._display is None:
            return self.game.advance_jointly(self._state, self._actions, self._masks)
        self._display.note_jointly(self._state, self._actions)
        seat = self.game.advance_jointly(self._state, self._actions, self._masks)
        self._display.show(self._state)
        return seat

    def _is_legal(self, seat: int) -> bool:
        action = self._actions[seat]
        return 0 <= action <= self.wait and bool(self._masks[seat, action])

    def _observations(self) -> Observations:
        state, game = self._state, self.game
        first, seen = game.current_player(state), {}
        for agent, seat in self._seats.items():
            if first >= 0:  # a seat that is not asked sees the position as it stands
                game.ask_seat(state, first if self._masks[seat, self.wait] else seat)
            seen[agent] = {"observation": self.observer(state, seat), "action_mask": self._masks[seat].copy()}
        if first >= 0:
            game.ask_seat(state, first)
        return seen

    def _step_result(
        self, over: bool, rewards: dict[str, float], results: Mapping[str, Mapping[str, Any]]
    ) -> tuple[Observations, dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        agents, observations = self.agents, self._observations()
        if over:
            self.agents = []
        ends, cuts = dict.fromkeys(agents, over), dict.fromkeys(agents, False)
        return observations, rewards, ends, cuts, self._infos(observations, results)

    def _infos(self, observations: Observations, results: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
        """Masks, for libraries that look for them here; the deck, if there are several; and results at the end."""
        return {
            agent: {"action_mask": seen["action_mask"].copy(), **self._labels, **results.get(agent, {})}
            for agent, seen in observations.items()
        }

    def _illegal(
        self, offenders: list[str]
    ) -> tuple[Observations, dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        outside = [agent for agent in offenders if not 0 <= self._actions[self._seats[agent]] <= self.wait]
        refused = outside or (offenders if self.illegal_action == "raise" else [])
        if refused:
            raise self._illegal_action(self._seats[refused[0]], refused[0])
        self._masks[:] = 0
        self._masks[:, self.wait] = 1
        rewards = {agent: ILLEGAL_REWARD if agent in offenders else 0.0 for agent in self.agents}
        return self._step_result(True, rewards, {agent: {"illegal_action": True} for agent in offenders})

    def _illegal_action(self, seat: int, player: str) -> IllegalActionError:
        legal = ", ".join(map(self._in_words, np.flatnonzero(self._masks[seat]).tolist()))
        return IllegalActionError(f"illegal action {self._actions[seat]} of {player}; legal: {legal}")

    def _in_words(self, action: int) -> str:
        return f"{action} ({'wait' if action == self.wait else self.game.describe(action)})"
