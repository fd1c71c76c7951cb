"""What the environments share. O = size of an observation, A = number of actions, P = number of players."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from copy import deepcopy
from operator import index
from typing import Any, NoReturn, Self

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from ..core.game import Game, IllegalActionError, State
from ..core.observers import Observation, ObservationForm, check_choice, make_observer
from ..core.rewards import Reward
from ..registry import load

RENDER_MODES = ("ansi",)
ILLEGAL_REWARD = -1.0  # of whoever ends a game by an illegal action


class SharesGame:
    """Deep copies share the game, which holds no state of a play, and copy everything else."""

    game: Game

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        memo[id(self.game)] = self.game
        copied = object.__new__(type(self))
        memo[id(self)] = copied
        copied.__dict__.update({name: deepcopy(value, memo) for name, value in self.__dict__.items()})
        return copied


def game_of(game: Game | str, options: Mapping[str, Any]) -> Game:
    """The game itself, or the one of that name loaded with `options`.

    Raises:
        TypeError: options beside a game that is loaded already.
    """
    if isinstance(game, str):
        return load(game, **options)
    if options:
        raise TypeError(f"unknown options {sorted(options)}: the game was given loaded, with its own options")
    return game


def observation_space(game: Game, form: ObservationForm) -> spaces.Space[Any]:
    """`"flat"`: Box [0, 1] (O,) float32. `"raw"`: Box (O,) of integers from 0 to the declared highs. `"named"`: a Dict
    of float32 Boxes, one per block, in the layout's order.
    """
    layout = game.observation_layout
    if form == "raw":
        high = layout.high.astype(layout.raw_dtype)
        return spaces.Box(np.zeros_like(high), high, dtype=layout.raw_dtype.type)
    if form == "flat":
        return spaces.Box(0.0, 1.0, (layout.size,), np.float32)
    boxes: OrderedDict[str, spaces.Space[Any]] = OrderedDict()  # keeps its order; Gymnasium sorts a plain dict
    for block in layout.blocks:
        boxes[block.name] = spaces.Box(0.0, 1.0, block.shape, np.float32)
    return spaces.Dict(boxes)


def as_action(action: Any, num_actions: int) -> int:
    """The action as an int: any integer, also a NumPy one or an array without axes.

    Raises:
        TypeError: no integer. (An integer that is no legal action is the rules' matter.)
    """
    try:
        return index(action)
    except TypeError:
        raise TypeError(f"an action is an integer in 0..{num_actions - 1}, got {action!r}") from None


def refuse(game: Game, state: State, action: int) -> NoReturn:
    """Raise the game's own `IllegalActionError`, which says what is legal."""
    game.apply(state, action)
    raise IllegalActionError(f"{game.name} applied action {action}, which its own mask forbids")


def solo_game_of(game: Game | str, options: Mapping[str, Any]) -> Game:
    """As `game_of`, for one player.

    Raises:
        ValueError: the game has more.
    """
    game = game_of(game, {"num_players": 1, **options} if isinstance(game, str) else options)
    if game.num_players != 1:
        raise ValueError(f"this environment is for one player, the game has {game.num_players}: use Versus or AEC")
    return game


def versus_game_of(game: Game | str, options: Mapping[str, Any], seat: int | None) -> Game:
    """As `game_of`, for several players, two unless `options` say otherwise, of whom `seat` is one or None.

    Raises:
        ValueError: the game has one player, or no such seat.
    """
    game = game_of(game, {"num_players": 2, **options} if isinstance(game, str) else options)
    if game.num_players < 2:
        raise ValueError("this environment is for two players or more, the game has one: use FactoryManager")
    if seat is not None and (not hasattr(seat, "__index__") or not 0 <= seat < game.num_players):
        raise ValueError(f"seat must be None or in 0..{game.num_players - 1}, got {seat!r}")
    return game


def rivals_of(game: Game, opponents: Any) -> list[Any]:
    """P - 1 opponents: those given, or the one given in every place.

    Raises:
        ValueError: a wrong number.
        TypeError: one that cannot be called.
    """
    rivals = game.num_players - 1
    chosen = [opponents] * rivals if callable(opponents) else list(opponents)
    if len(chosen) == 1:
        chosen *= rivals
    if len(chosen) != rivals:
        raise ValueError(f"a game of {rivals + 1} needs {rivals} opponents, or one for all; got {len(chosen)}")
    for number, opponent in enumerate(chosen):
        if not callable(opponent):
            raise TypeError(f"opponent {number} must be a callable (observation, mask) -> action, got {opponent!r}")
    return chosen


class OneSeatEnv(SharesGame, gymnasium.Env[Any, Any]):
    """One seat of any game as a Gymnasium environment; the other seats, if any, move inside `step`.

    `info["action_mask"]` is (A,) int8, `action_masks()` the same as bool; all ones when the game is over, so that code
    which samples from the mask of a final state does not fail.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012 - as Gymnasium's

    def __init__(
        self,
        game: Game,
        *,
        reward: str,
        illegal_action: str,
        illegal_penalty: float,
        observation: ObservationForm,
        render_mode: str | None,
    ) -> None:
        check_choice("illegal_action", illegal_action, ("penalty", "raise", "terminate"))
        check_choice("render_mode", render_mode, (None, *RENDER_MODES))
        self.game = game
        self.seat = 0
        self.illegal_action = illegal_action
        self.illegal_penalty = float(illegal_penalty)
        self.render_mode = render_mode
        self.reward = Reward(game, reward)
        self.observer = make_observer(game, observation)
        self.observation_space = observation_space(game, observation)
        self.action_space = spaces.Discrete(game.num_actions)
        self._num_actions = game.num_actions
        self._shaped = self.reward.shaped
        self._mask = np.ones(game.num_actions, np.int8)
        self._state: State = None
        self._over = True

    @property
    def game_state(self) -> State:
        """The position itself, for search and tools; `game.clone` it before changing it."""
        return self._state

    def action_masks(self) -> np.ndarray:
        """(A,) bool: what is legal now."""
        return self._mask.astype(np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal a game: with `seed` that of `game.new(seed)`, without it the next one of the generator of the last game.

        `options` is accepted and means nothing here; the variant's options are those of the constructor.
        """
        super().reset(seed=seed)
        if seed is not None:
            self._state = self.game.new(seed)
        elif self._state is None:
            self._state = self.game.new(int(self.np_random.integers(2**63)))
        else:
            self.game.renew(self._state)
        self.game.write_mask(self._state, self._mask)
        self.reward.begin()
        self._over = True
        self._begin()
        self._over = False
        return self.observer(self._state, self.seat), {"action_mask": self._mask.copy()}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play `action`, then the other seats up to this seat's next decision or the end of the game.

        Raises:
            IllegalActionError: with `illegal_action="raise"`; nothing has changed.
            TypeError: `action` is no integer.
            ResetNeeded: no game is under way.
        """
        if self._over:
            raise ResetNeeded("no game is under way: call reset() before step()")
        if action.__class__ is not int:
            action = as_action(action, self._num_actions)
        mask = self._mask
        if not (0 <= action < self._num_actions and mask[action]):
            return self._illegal(action)
        seat = self.game.advance(self._state, action, mask)
        if seat != self.seat and seat >= 0:
            self._over = True  # where an opponent fails, nobody can go on from here
            seat = self._play_others(seat)
            self._over = False
        if seat < 0:
            return self._finish()
        due = float(self.reward.so_far(self._state)[seat]) if self._shaped else 0.0
        return self.observer(self._state, seat), due, False, False, {"action_mask": mask.copy()}

    def render(self) -> str | None:
        """With `render_mode="ansi"` the table as text."""
        if self.render_mode is None:
            gymnasium.logger.warn('render() without a render mode: pass render_mode="ansi" to make()')
            return None
        if self._state is None:
            raise ResetNeeded("no game is under way: call reset() before render()")
        return self.game.render(self._state)

    def _begin(self) -> None:
        """Bring a game just dealt to this seat's first decision."""

    def _play_others(self, seat: int) -> int:
        """Move the other seats, `seat` first; returns this seat, or -1 when the game is over."""
        raise NotImplementedError

    def _result(self) -> dict[str, Any]:
        """What `info` tells at the end."""
        return {
            "score": int(self.game.scores(self._state)[self.seat]),
            "won": bool(self.game.won(self._state)[self.seat]),
        }

    def _finish(self) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        self._over = True
        self._mask.fill(1)
        due = float(self.reward.at_the_end(self._state)[self.seat])
        info = {"action_mask": self._mask.copy(), **self._result()}
        return self.observer(self._state, self.seat), due, True, False, info

    def _illegal(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if self.illegal_action == "raise":
            refuse(self.game, self._state, action)
        self._over = self.illegal_action == "terminate"
        if self._over:
            self._mask.fill(1)
        due = ILLEGAL_REWARD if self._over else self.illegal_penalty
        info = {"action_mask": self._mask.copy(), "illegal_action": True}
        return self.observer(self._state, self.seat), due, self._over, False, info
