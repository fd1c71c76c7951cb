"""Code that the environments share. O = size of an observation, A = number of actions, P = number of players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, NoReturn, Self

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ClosedEnvironmentError, ResetNeeded

from ..core.checks import as_integer, check_choice
from ..core.game import Game, IllegalActionError, State
from ..core.kernel.batch import Batch
from ..core.kernel.rewards import Reward, RewardFunction
from ..core.kernel.variants import GameSet, Places
from ..core.observation.layout import ObservationLayout
from ..drawing.frames import as_size
from .loading import Start, check_reset_options
from .pictures import PICTURES, RENDER_MODES, Display, RenderSize

ILLEGAL_REWARD = -1.0  # of the player who ends a game by an illegal action
ILLEGAL_PENALTY = -0.01  # of an illegal action that changes nothing


class SharesGame:
    """Deep copies share the game objects, which hold no position, and copy everything else."""

    game: Game
    games: GameSet

    @property
    def observation_layout(self) -> ObservationLayout:
        """The layout of observations: `views(vector)` names the parts of one."""
        return self.games.observation_layout

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        for shared in (self.game, self.games, self.games.first, getattr(self, "_padded", None)):
            memo[id(shared)] = shared
        copied = object.__new__(type(self))
        memo[id(self)] = copied
        copied.__dict__.update({name: deepcopy(value, memo) for name, value in self.__dict__.items()})
        return copied


def observation_space(layout: ObservationLayout, scaled: bool = True) -> spaces.Box:
    """A Box (O,) from 0 to 1, or of raw bytes from 0 to the layout's highs."""
    high = np.ones(layout.size, np.float32) if scaled else layout.raw_high
    return spaces.Box(np.zeros_like(high), high, dtype=high.dtype.type)


def refuse(game: Game, state: State, action: int) -> NoReturn:
    """Raise the game's `IllegalActionError`, which says what is legal, by trying the action."""
    game.apply(state, action)
    raise IllegalActionError(f"{game.name} applied action {action}, which its own mask forbids")


def seat_of(games: GameSet, seat: Any) -> int | None:
    """The seat as an int, 0 for the only one of a game, or None; TypeError or ValueError if a game has no such seat."""
    if seat is None:
        return 0 if games.most_players == 1 else None
    return as_integer("seat", seat, 0, games.fewest_players - 1)


def display_of(game: Game, render_mode: str | None, render_size: RenderSize) -> Display | None:
    """The display of an environment, or None if its render mode needs no pictures.

    Raises:
        TypeError, ValueError: an invalid mode or size.
    """
    check_choice("render_mode", render_mode, (None, *RENDER_MODES))
    size = as_size("render_size", render_size)
    return Display(game, size, window=render_mode == "human") if render_mode in PICTURES else None


def check_open(closed: bool, call: str) -> None:
    """Raise ClosedEnvironmentError for a `call` after `close()`."""
    if closed:
        raise ClosedEnvironmentError(f"{call}: the environment has been closed; make a new one")


def warn_of_no_render_mode(environment: object, modes: Sequence[str] = RENDER_MODES) -> None:
    """Warn that `render()` was called without a render mode."""
    there_are = ", ".join(map(repr, modes))
    name = type(environment).__name__
    gymnasium.logger.warn(
        f"{name}.render() without a render mode: expected render_mode to be one of {there_are}, got None"
    )


class ManyGames:
    """What environments of many games share: the games in play, and the choice among those that are dealt."""

    games: GameSet
    _batch: Batch

    def set_options(self, options: Mapping[str, Any]) -> None:
        """Choose as `reset(options=...)` does, for all games that are dealt from now on. Games under way continue.

        Raises:
            TypeError, ValueError: an unknown key, or a value that was not declared; nothing has changed.
        """
        self._batch.choose(None, check_reset_options(options, (), self.games, type(self)))

    def state(self, row: int) -> State:
        """The position of a row, as a view for the methods of `game_of(row)`. Copy it before changing it.

        Raises:
            TypeError, IndexError: there is no such row.
            ResetNeeded: before the first `reset`.
        """
        state = self._batch.state(row)
        if self._batch.row_info["dealt"][row] < 0:
            raise ResetNeeded("no games are under way: call reset() before state()")
        return state

    def game_of(self, row: int) -> Game:
        """The game in play in a row. IndexError: no such row."""
        return self._batch.game_of(row)


class NotResetError(ResetNeeded, AttributeError):
    """The requested value exists only after `reset()`."""


class Observer:
    """`observer(state, seat)`: the scaled observation, a fresh (O,) float32."""

    def __init__(self, game: Game) -> None:
        self._write = game.write_observation
        self._flat = np.empty(game.observation_layout.size, np.float32)  # its address is taken once; a copy is cheaper
        self._scratch = np.empty(game.observation_layout.raw_size, game.observation_layout.raw_dtype)

    def __call__(self, state: State, seat: int) -> np.ndarray:
        self._write(state, seat, self._flat, self._scratch)
        return self._flat.copy()


class OneGameEnv(SharesGame):
    """Holds the position of one game, and shows it."""

    render_mode: str | None
    closed = False
    reward: Reward
    observer: Observer
    _display: Display | None
    _state: State
    _mask: np.ndarray

    def _set_games(self, games: GameSet, reward: str | RewardFunction) -> None:
        self.games, self.game = games, games.first
        self.reward = Reward(self.game, reward)
        self._number, self._labels = 0, games.labels(0)
        self._places: Places = {}  # of the values that resets choose
        self._numbers: np.ndarray | None = None  # of the games that have them
        self._use_game()

    def _use_game(self) -> None:
        """Make everything that plays and shows use `game`."""
        self.reward.game = self.game
        self._padded = self.games.padded(self.game)
        self.observer = Observer(self._padded)
        if self._display is not None:
            self._display.game = self.game

    def _advance_and_show(self, display: Display, action: int) -> int:
        """`Game.advance` with a log of the move and, if there is a window, its picture."""
        display.note(self._state, action)
        seat = self.game.advance(self._state, action, self._mask)
        display.show(self._state)
        return seat

    def _choose(self, places: Places) -> None:
        """Restrict future deals to games with the values at these places of the sets."""
        if places:
            self._places = {**self._places, **places}
            self._numbers = self.games.numbers(self._places)

    def _play_game(self, number: int) -> None:
        """Play this game of the set."""
        if number != self._number:
            self._number, self.game, self._labels = number, self.games[number], self.games.labels(number)
            self._use_game()

    def _start(self, seed: int | None, start: Start | None) -> None:
        """Begin with the position `start`, else deal."""
        if start is None:
            self._deal_from(seed)
        else:
            self._play_game(start.number)
            self._state = start.state

    def _deal_from(self, seed: int | None) -> None:
        """Deal the game of `seed`, which also draws the deck. None: the last game's generator draws the seed."""
        if seed is None:
            self.game.renew(self._state)
            if len(self.games) == 1:
                return
            seed = self.game.seed_of(self._state)
        if len(self.games) > 1:
            self._play_game(self.games.draw(seed, self._numbers))
        self._state = self.game.new(seed)

    @property
    def game_state(self) -> State:
        """The current position, for search and tools. Copy it with `game.clone` before changing it."""
        return self._state

    @property
    def _viewer(self) -> int | None:
        """The seat whose view is shown, or None for a spectator."""
        return None

    def render(self) -> Any:
        """Show the position: text for `"ansi"`, (height, width, 3) uint8 for `"rgb_array"`, otherwise None.

        The view is the learner's, or that of a spectator, who sees only open cards. With `"human"` a window has already
        shown the position.

        Raises:
            NotResetError: no game is under way.
            ImportError: a package of the extra `render` is missing.
        """
        if self.render_mode is None:
            warn_of_no_render_mode(self)
            return None
        if self._state is None:
            raise NotResetError("no game is under way: call reset() before render()")
        if self._display is not None:
            return self._display.frame(self._state)
        return self.game.render(self._state, self._viewer)

    def close(self) -> None:
        """Close the window, if there is one. `reset` and `step` then raise ClosedEnvironmentError."""
        self.closed = True
        if self._display is not None:
            self._display.close()
