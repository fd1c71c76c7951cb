"""One seat of any game as a Gymnasium environment; opponents play the other seats, if there are any."""

from __future__ import annotations

from collections.abc import Iterable
from copy import Error as CopyError
from copy import copy, deepcopy
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from ..core.agents.agent import LEAVING, AnyAgent, agent_seed, choose_blindly, left, refusal, searches, staying
from ..core.agents.moves import listeners_among, tell
from ..core.checks import as_action, as_seed, check_choice
from ..core.game import IllegalActionError
from ..core.kernel.rewards import RewardFunction
from ..core.kernel.rng import WORDS, draw_seat, opponent_seed
from .common import (
    ILLEGAL_PENALTY,
    ILLEGAL_REWARD,
    OneGameEnv,
    check_open,
    display_of,
    observation_space,
    refuse,
    seat_of,
)
from .loading import STATE, Games, Start, check_reset_options, games_of, start_of, with_players
from .opponents import NamedAgents, RandomOpponent, rivals_of
from .pictures import DEFAULT_SIZE, RENDER_FPS, RENDER_MODES, RenderSize

Opponent: TypeAlias = AnyAgent
StepResult: TypeAlias = tuple[np.ndarray, float, bool, bool, dict[str, Any]]


class _Rival(RandomOpponent):
    """The environment's own random rival: it draws from the deal's generator, as in compiled batches."""


def make_solo(games: Games, **options: Any) -> SeatEnv:
    """`SeatEnv` of one player, if games are given by name."""
    return SeatEnv(games, **with_players(games, options, 1))


def make_versus(games: Games, **options: Any) -> SeatEnv:
    """`SeatEnv` of two players, if games are given by name and `num_players` is not."""
    return SeatEnv(games, **with_players(games, options, 2))


class SeatEnv(OneGameEnv, gymnasium.Env[Any, Any]):
    """One seat of a game. Opponents move inside `step`, so no reward is lost if another seat moves last.

    Observations are flat, (O,) float32 in [0, 1]; `env.unwrapped.observation_layout.views(vector)` names their parts.

    Args:
        games: a game, a list of games (`cf.games`), or a name, which is loaded with `options`. The seed of a deal
            chooses a game of the list, and `game` is the one in play.
        opponents: P - 1 agents for the seats clockwise from this one, or one agent for all of them; random by default.
            A name as for `cf.make_agent` ("mcts:simulations=50") makes an agent for each seat. An agent is a callable
            `(observation, mask) -> action`. It gets its seat's observation as `core.observation.layout.Tensors`
            (`np.asarray` of it is the flat vector) and a mask (A,) int8, both fresh. A searching agent has
            `choose(state, player) -> action` instead, and gets a position in which everything that its seat cannot know
            is redealt. If an agent defines `reset(seed)`, every reset calls it. Give agents that look at cards by name,
            so that they are made for each game's deck.
        seat: the learner's seat; None draws one for every game from the game's seed, or takes the seat to move if
            `reset` is given a position.
        reward: `"win"`, `"rank"`, `"score"`, `"margin"`, `"shaped"`, or your own function; see
            `chocofactory_env.core.kernel.rewards.Reward`.
        illegal_action: `"penalty"` (nothing changes, the reward is -0.01, `info["illegal_action"]` is True), `"raise"`,
            or `"terminate"` (the game ends with -1). The default suits learners without masks, and the checkers of
            Gymnasium and SB3, which draw actions from the whole space. A policy without randomness may then repeat an
            illegal action forever: evaluate it with `"terminate"`, or with `max_episode_steps`.
        render_mode: None, `"ansi"` (text), `"rgb_array"` (frames), or `"human"` (a window that shows every move), as
            the learner sees the game. Frames and windows need the extra `render`.
        render_size: (width, height) of frames and windows in pixels.
        options: as for `cf.games`, if `games` is a name: options of the game, with lists of values, and `decks`.

    `info` holds `action_mask`, (A,) int8, `illegal_action` (bool), `score` (int), `won` (bool), and the value of each
    option that has a list. With several players also `seat`, `rank` (0 = first), and `scores`, (P,) int64 by seat.
    Before the end, and in a game that an illegal action ended, `score` and `scores` are 0, `won` False, and `rank` -1.
    The keys are the same at every step. When the game is over the mask is all ones, so that code that samples from a
    final mask does not fail. `action_masks()` is the mask as bool.

    The attribute `seat` is the learner's seat in the current game. In a list of games with several numbers of players,
    P is that of the largest; smaller games use the first opponents only, and seats that they lack score 0.

    Raises:
        ValueError: an invalid option, the wrong number of opponents, or an unknown name.
        TypeError: an opponent is not an agent, or was made for another game or number of players.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as Gymnasium's
        "render_modes": list(RENDER_MODES),
        "render_fps": RENDER_FPS,
    }

    def __init__(
        self,
        games: Games,
        *,
        opponents: Opponent | str | Iterable[Opponent | str] | None = None,
        seat: int | None = None,
        reward: str | RewardFunction = "win",
        illegal_action: str = "penalty",
        render_mode: str | None = None,
        render_size: RenderSize = DEFAULT_SIZE,
        **options: Any,
    ) -> None:
        check_choice("illegal_action", illegal_action, ("penalty", "raise", "terminate"))
        listed = games_of(games, options, type(self))
        self._display = display_of(listed.first, render_mode, render_size)
        self._set_games(listed, reward)
        self._several = listed.most_players > 1
        self._fixed_seat = seat_of(listed, seat)
        self.seat = 0
        self.illegal_action = illegal_action
        self.render_mode = render_mode
        self.observation_space = observation_space(self.observation_layout)
        self._num_actions = self.game.num_actions
        self.action_space = spaces.Discrete(self._num_actions)
        self._shaped = self.reward.shaped
        self._mask = np.ones(self._num_actions, np.int8)
        self._state = None
        self._no_scores = np.zeros(listed.most_players, np.int64)
        self.listener: Any = None  # receives moves as this seat may know them, from the next reset on
        self._listeners: dict[int, Any] = {}  # by seat: `listener`, and the opponents that receive moves
        self._over = True
        self.set_opponents(opponents)

    def set_opponents(self, opponents: Opponent | str | Iterable[Opponent | str] | None) -> None:
        """Replace the opponents from the next reset on; arguments as in the constructor."""
        named = NamedAgents(self.games)
        if opponents is None:
            made: list[Opponent] = [_Rival() for _ in range(self.games.most_players - 1)]
        else:
            made = rivals_of(self.games, opponents, refusal, by_name=named.make)
        self._named, self._next_opponents = named, made

    @property
    def _viewer(self) -> int:
        return self.seat

    @property
    def is_over(self) -> bool:
        """Whether no game is under way."""
        return self._over

    def action_masks(self) -> np.ndarray:
        """(A,) bool: the actions that are legal now."""
        return self._mask.astype(np.bool_)

    def close(self) -> None:
        super().close()
        self._over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Deal `game.new(seed)`; without `seed`, a game drawn by the last game's generator.

        `options` choose among the games of the list, for this and later games: one value of an option as
        `{"decks": "generated:7"}`, several in a list, or None for all again. `{"state": state}` begins this game with a
        copy of a position instead of dealing; the game of the position is looked for in the list. Positions are as
        trusted as the environment's own: an array whose fields you changed may crash the process (`from_dict` checks).

        Raises:
            TypeError: `seed` is not an integer, or `options` has an unknown key, or something beside a position.
            ValueError: `seed` is outside 0 to 2^63 - 1, a value was not declared, or the position is of another variant
                or of a finished game, or leaves a fixed seat no decision. Nothing has changed.
            ClosedEnvironmentError: after `close()`.
        """
        check_open(self.closed, "reset()")
        places = check_reset_options(options, (STATE,), self.games, type(self))
        if seed is not None:
            seed = as_seed(seed)
        start = start_of(self.games, self._number, options, seed)
        if start is not None:
            self._check_start(start)
        self._choose(places)
        super().reset(seed=seed)
        if seed is None and self._state is None:
            seed = int(self.np_random.integers(2**63))
        self._start(seed, start)
        self.game.write_mask(self._state, self._mask)
        self.reward.begin(self._state)
        self._over = True
        self._begin(dealt=start is None)
        self._blank = self._unfinished()
        self._over = False
        return self.observer(self._state, self.seat), self.present_info()

    def step(self, action: Any) -> StepResult:
        """Play `action`, then the other seats up to this seat's next decision or the end of the game.

        Raises:
            IllegalActionError: an action outside the space, or with `illegal_action="raise"` any illegal one; nothing
                has changed.
            TypeError: `action` is not an integer.
            ResetNeeded: no game is under way.
            ClosedEnvironmentError: after `close()`.
        """
        if self._over:
            check_open(self.closed, "step()")
            raise ResetNeeded("no game is under way: call reset() before step()")
        if action.__class__ is not int:
            action = as_action(action, self._num_actions)
        game, state, mask, display = self.game, self._state, self._mask, self._display
        if not (0 <= action < self._num_actions and mask[action]):
            return self._illegal(action)
        if self._listeners:
            tell(game, self._listeners, state, action)
        seat = game.advance(state, action, mask) if display is None else self._advance_and_show(display, action)
        if seat != self.seat and seat >= 0:
            self._over = True  # if an opponent fails, the game cannot continue
            seat = self._play_others(seat)
            self._over = False
        if seat < 0:
            return self._finish()
        reward = float(self.reward.so_far(state)[seat]) if self._shaped else 0.0
        return self.observer(state, seat), reward, False, False, self.present_info()

    def _check_start(self, start: Start) -> None:
        """Let copies of the opponents play up to this seat's first decision."""
        game = self.games[start.number]
        if self._fixed_seat in (None, game.current_player(start.state)):
            return
        trial = copy(self)
        trial._display = trial.listener = None
        trial.reward = copy(self.reward)
        trial._mask = game.legal_mask(start.state)
        shared = {id(each): each for each in (self.game, game, self.games, self.games.first)}
        try:
            trial._next_opponents, trial._named = deepcopy((self._next_opponents, self._named), shared)
        except (TypeError, CopyError):
            return  # they cannot be copied; `_begin` finds out
        trial._start(None, Start(start.number, game.clone(start.state)))
        trial._begin(dealt=False)

    def _begin(self, *, dealt: bool) -> None:
        """Choose the seat, reset the opponents, and let them play up to the seat's first decision.

        dealt: False if the game begins with a given position.
        """
        game, players = self.game, self.game.num_players
        seed, scratch = game.seed_of(self._state), np.zeros(WORDS, np.uint32)
        if self._fixed_seat is not None:
            self.seat = self._fixed_seat
        else:
            self.seat = draw_seat(scratch, seed, players) if dealt else game.current_player(self._state)
        if self._display is not None:
            self._display.begin(self._state, self._viewer)
        self.opponents = [self._named.for_game(each, game) for each in self._next_opponents[: players - 1]]
        self._searching = [searches(opponent) for opponent in self.opponents]
        begun: set[int] = set()
        for number, opponent in enumerate(self.opponents):
            reset = getattr(opponent, "reset", None)
            if reset is not None and id(opponent) not in begun:  # reset an opponent of several seats only once
                own = isinstance(opponent, _Rival)
                seat = (self.seat + 1 + number) % players
                with staying(opponent):
                    reset(opponent_seed(scratch, seed, number) if own else agent_seed(game, self._state, seat))
                begun.add(id(opponent))
        by_seat = {(self.seat + 1 + number) % players: opponent for number, opponent in enumerate(self.opponents)}
        self._listeners = listeners_among({**by_seat, self.seat: self.listener})
        first = game.current_player(self._state)
        if first != self.seat and self._play_others(first) < 0:
            if dealt:
                raise RuntimeError(f"{game.name} was over before seat {self.seat} had any decision")
            raise ValueError(
                f"reset(options=...): expected a position in which seat {self.seat} has decisions left, got one from "
                "which the other seats end the game"
            )

    def _play_others(self, seat: int) -> int:
        """Move the other seats, beginning with `seat`. Returns this seat, or -1 when the game is over."""
        game, state, mask, display, mine = self.game, self._state, self._mask, self._display, self.seat
        while seat != mine and seat >= 0:
            number = (seat - mine) % game.num_players - 1
            opponent: Any = self.opponents[number]
            if self._searching[number]:
                action = choose_blindly(game, opponent, state, seat)
            else:
                try:
                    action = opponent(game.observe(state, seat), mask.copy())
                except LEAVING as end:
                    raise left(self._name(opponent, seat), end) from end
            if action.__class__ is not int:
                action = self._checked(action, opponent, seat)
            if not (0 <= action < self._num_actions and mask[action]):
                self._opponent_failed(action, opponent, seat)
            if self._listeners:
                tell(game, self._listeners, state, action)
            seat = game.advance(state, action, mask) if display is None else self._advance_and_show(display, action)
        return seat

    def _checked(self, action: Any, opponent: Opponent, seat: int) -> int:
        try:
            return as_action(action, self._num_actions)
        except TypeError as error:
            raise TypeError(f"{self._name(opponent, seat)}: {error}") from None

    def _opponent_failed(self, action: int, opponent: Opponent, seat: int) -> None:
        try:
            self.game.apply(self.game.clone(self._state), action)
        except IllegalActionError as error:
            raise IllegalActionError(f"{self._name(opponent, seat)} chose an illegal action: {error}") from None
        raise IllegalActionError(f"{self._name(opponent, seat)} chose action {action}, which the mask forbids")

    def _name(self, opponent: Opponent, seat: int) -> str:
        number = (seat - self.seat) % self.game.num_players - 1
        return f"opponent {number} ({opponent!r}) in seat {seat}"

    def present_info(self) -> dict[str, Any]:
        """The info of a game under way, with the keys that it has at the end: recorders reject steps that differ."""
        info = self._blank.copy()
        info["action_mask"] = self._mask.copy()
        if self._several:
            info["scores"] = self._no_scores.copy()
        return info

    def _unfinished(self) -> dict[str, Any]:
        """The part of it that stays the same throughout a game, and is immutable."""
        of_several = {"rank": -1, "seat": self.seat} if self._several else {}
        return {"illegal_action": False, "score": 0, "won": False, **self._labels, **of_several}

    def _result(self) -> dict[str, Any]:
        """What replaces those values at the end of a game."""
        game, state, seat = self.game, self._state, self.seat
        scores = np.asarray(game.scores(state), np.int64)
        result: dict[str, Any] = {"score": int(scores[seat]), "won": bool(game.won(state)[seat])}
        if self._several:
            result["rank"] = int(game.ranking(state)[seat])
            result["scores"] = np.pad(scores, (0, self.games.most_players - len(scores)))
        return result

    def _finish(self) -> StepResult:
        self._over = True
        self._mask.fill(1)
        reward = float(self.reward.at_the_end(self._state)[self.seat])
        return self.observer(self._state, self.seat), reward, True, False, {**self.present_info(), **self._result()}

    def _illegal(self, action: int) -> StepResult:
        outside = not 0 <= action < self._num_actions
        if self.illegal_action == "raise" or outside or not self._mask.any():  # where nobody can act, no penalty helps
            refuse(self.game, self._state, action)
        if self.illegal_action == "terminate":
            return self.lose()
        info = {**self.present_info(), "illegal_action": True}
        return self.observer(self._state, self.seat), ILLEGAL_PENALTY, False, False, info

    def lose(self) -> StepResult:
        """End the game under way as an illegal action does with `illegal_action="terminate"`."""
        self._over = True
        self._mask.fill(1)
        info = {**self.present_info(), "illegal_action": True}
        return self.observer(self._state, self.seat), ILLEGAL_REWARD, True, False, info
