"""Code that the environments share. O = size of an observation, A = number of actions, P = number of players."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, NoReturn, Self

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ClosedEnvironmentError, ResetNeeded

from ..core.agents.agent import AnyAgent, one_for_each, reads_cards
from ..core.agents.moves import tell
from ..core.agents.observers import make_observer
from ..core.checks import as_action, as_integer, as_number, as_seed, check_choice
from ..core.game import Game, IllegalActionError, State
from ..core.kernel.batch import Batch
from ..core.kernel.rewards import Reward, RewardFunction
from ..core.kernel.variants import GameSet, Places
from ..core.kernel.views import Observation, View, ViewOptions
from ..core.messages import hint, shown
from ..core.observation.layout import ObservationLayout
from .loading import own_options, places_of, reset_names
from .pictures import PICTURES, RENDER_FPS, RENDER_MODES, Display, RenderSize, as_size

STATE = "state"  # key of `reset(options=...)`: the position with which the game begins
ILLEGAL_REWARD = -1.0  # of the player who ends a game by an illegal action


class SharesGame:
    """Deep copies share the game objects, which hold no position, and copy everything else."""

    game: Game
    games: GameSet
    view: View

    @property
    def observation_layout(self) -> ObservationLayout:
        """The layout of what is shown: `views(vector)` names the parts of an observation."""
        return self.view.layout

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        for shared in (self.game, self.games, self.games.first, getattr(self, "_padded", None)):
            memo[id(shared)] = shared
        copied = object.__new__(type(self))
        memo[id(self)] = copied
        copied.__dict__.update({name: deepcopy(value, memo) for name, value in self.__dict__.items()})
        return copied


def check_reset_options(
    options: Mapping[str, Any] | None, own: tuple[str, ...], games: GameSet, environment: type
) -> Places:
    """Return which declared values `reset(options=...)` chooses. `own` are the other keys that it takes.

    Raises:
        TypeError: not a dictionary or None, or an unknown key; the message says where the option belongs.
        TypeError, ValueError: a value that was not declared.
    """
    check_is_mapping(options)
    known = (*own, *reset_names(games))
    for key in options or ():
        if key not in known:
            belongs = where_it_belongs(key, games.first, environment) or hint(key, known)
            there_are = ", ".join(known) or "no options"
            raise TypeError(f"reset(options=...): unknown key {shown(key)}{belongs}; reset() takes {there_are}")
    return places_of(games, options)


class Start(NamedTuple):
    """The position with which a game begins."""

    number: int  # of its game in the set
    state: State  # a copy


def start_of(games: GameSet, number: int, options: Mapping[str, Any] | None, seed: Any) -> Start | None:
    """The start that `reset(options={"state": ...})` asks for; None without one. `number`: of the present game.

    Raises:
        TypeError: no position; or a seed, or a choice of values, beside it.
        ValueError: the position is of no game of the set, or its game is over.
    """
    if not options or options.get(STATE) is None:
        return None
    beside = [name for name in reset_names(games) if name in options] + ["a seed"] * (seed is not None)
    if beside:
        raise TypeError(f"reset(): a position fixes the game, so expected nothing beside it, got {', '.join(beside)}")
    state = options[STATE]
    number = games.number_of(state, number)
    if games[number].is_over(state):
        raise ValueError("reset(options=...): expected a position to play on from, got one whose game is over")
    return Start(number, games[number].clone(state))


def check_is_mapping(options: Any) -> None:
    """TypeError unless the `options` of a reset are a dictionary or None."""
    if not (options is None or isinstance(options, Mapping)):
        raise TypeError(f"reset(options=...): expected a dictionary or None, got {shown(options)}")


def where_it_belongs(key: Any, game: Game, environment: type) -> str:
    """Advice if a key of `reset(options=...)` is an option of the constructor, else an empty string."""
    if key in (*own_options(environment), *game.options):
        return f", which is an option of the environment: make(..., {key}=...)"
    return ""


def observation_space(view: View) -> spaces.Space[Any]:
    """A Box from 0 to 1, or to the layout's highs; for a named view a Dict of one Box per block, in the layout's order.

    With several frames, the first axis numbers them.
    """
    layout = view.layout
    high = np.ones(layout.size, np.float32) if view.scaled else layout.raw_high
    if not view.named:
        return _box(view, high)
    boxes: OrderedDict[str, spaces.Space[Any]] = OrderedDict()  # keeps its order; Gymnasium sorts a plain dict
    for name, highest in layout.views(high).items():
        boxes[name] = _box(view, highest)
    return spaces.Dict(boxes)


def _box(view: View, high: np.ndarray) -> spaces.Box:
    high = high if view.stack == 1 else np.stack([high] * view.stack)
    return spaces.Box(np.zeros_like(high), high, dtype=high.dtype.type)


def refuse(game: Game, state: State, action: int) -> NoReturn:
    """Raise the game's `IllegalActionError`, which says what is legal, by trying the action."""
    game.apply(state, action)
    raise IllegalActionError(f"{game.name} applied action {action}, which its own mask forbids")


def seat_of(games: GameSet, seat: Any) -> int | None:
    """The seat as an int, or None; TypeError or ValueError if a game has no such seat."""
    return None if seat is None else as_integer("seat", seat, 0, games.fewest_players - 1)


@dataclass(frozen=True)
class MakeByName:
    """Makes agents by name. Imports `cf.make_agent` late, because environments do not depend on agents."""

    text: str
    game: Game

    def __call__(self) -> AnyAgent:
        from .. import make_agent

        agent: AnyAgent = make_agent(self.text, self.game)
        return agent

    def __repr__(self) -> str:
        return repr(self.text)


class NamedAgents:
    """An environment's agents that were made by name, and so can be remade for another game of the set."""

    def __init__(self, games: GameSet) -> None:
        self._games = games
        self._made: list[tuple[AnyAgent, MakeByName]] = []

    def make(self, maker: MakeByName) -> AnyAgent:
        agent = maker()
        self._made.append((agent, maker))
        return agent

    def for_game(self, agent: AnyAgent, game: Game) -> AnyAgent:
        """The agent, remade for this game if it looks at the cards, or if shapes differ."""
        if self._games.varies or (len(self._games) > 1 and reads_cards(agent)):
            for made, maker in self._made:
                if made is agent:
                    return replace(maker, game=game)()
        return agent


def made_by_name(text: str, games: GameSet, make: Callable[[MakeByName], Any]) -> Any:
    """Make a named agent for the first game, after checking that the other shapes have such an agent, too."""
    for game in games.shapes[1:]:
        MakeByName(text, game)()
    return make(MakeByName(text, games.first))


def check_agent(
    player: str, agent: Any, games: GameSet, refusal: Callable[[Any, Game], str | None], *, named: bool
) -> None:
    """Raise TypeError if an agent cannot play all games. A `named` agent is made for each of them."""
    for game in [games.first] if named else games.shapes:
        reason = refusal(agent, game)
        if reason is not None:
            raise TypeError(f"{player}: {reason}, got {shown(agent)}")
    if len(games) > 1 and not named and reads_cards(agent):
        raise TypeError(
            f"{player}: it looks at the cards of the game it was made for, and games differ; give its name "
            f"instead, which makes one for each, got {shown(agent)}"
        )


def rivals_of(
    games: GameSet,
    opponents: Any,
    refusal: Callable[[Any, Game], str | None],
    by_name: Callable[[MakeByName], Any],
) -> list[Any]:
    """Return P - 1 opponents: the given ones, or a single one repeated.

    `refusal` returns why an opponent cannot play the game, or None. `by_name` makes an opponent for one place.

    Raises:
        ValueError: the wrong number of opponents, or an unknown name or setting.
        TypeError: an opponent cannot play the game.
        ImportError: a named agent needs a package that is not installed.
    """
    rivals = games.most_players - 1
    chosen = one_for_each(opponents, rivals)
    if len(chosen) == 1:
        chosen *= rivals
    named = [isinstance(each, str) for each in chosen]
    chosen = [made_by_name(each, games, by_name) if isinstance(each, str) else each for each in chosen]
    for number, opponent in enumerate(chosen):
        check_agent(f"opponent {number}", opponent, games, refusal, named=named[number])
    if len(chosen) != rivals:
        raise ValueError(f"a game of {rivals + 1} needs {rivals} opponents, or one for all; got {len(chosen)}")
    return chosen


def display_of(game: Game, render_mode: str | None, render_size: RenderSize) -> Display | None:
    """The display of an environment, or None if its render mode needs no pictures.

    Raises:
        TypeError, ValueError: an invalid mode or size.
    """
    check_choice("render_mode", render_mode, (None, *RENDER_MODES))
    size = as_size(render_size)
    return Display(game, size, window=render_mode == "human") if render_mode in PICTURES else None


def check_open(closed: bool, call: str) -> None:
    """Raise ClosedEnvironmentError for a `call` after `close()`."""
    if closed:
        raise ClosedEnvironmentError(f"{call}: the environment has been closed; make a new one")


def warn_of_no_render_mode(environment: object) -> None:
    """Warn that `render()` was called without a render mode."""
    modes = ", ".join(map(repr, RENDER_MODES))
    name = type(environment).__name__
    gymnasium.logger.warn(f"{name}.render() without a render mode: expected render_mode to be one of {modes}, got None")


def position_of(batch: Batch, row: int) -> State:
    """The position of a row of a batch, as a view.

    Raises:
        TypeError, IndexError: as in `Batch.state`.
        ResetNeeded: no game has been dealt in this row, so it would be a position that no game reaches.
    """
    state = batch.state(row)
    if batch.row_info["dealt"][row] < 0:
        raise ResetNeeded("no games are under way: call reset() before state()")
    return state


class NotResetError(ResetNeeded, AttributeError):
    """The requested value exists only after `reset()`."""


class OneGameEnv(SharesGame):
    """Holds the position of one game, and shows it."""

    render_mode: str | None
    closed = False
    reward: Reward
    observer: Any
    view: View
    _display: Display | None
    _state: State
    _advance: Any

    def _set_games(self, games: GameSet, reward: str | RewardFunction, view: ViewOptions) -> None:
        self.games, self.game = games, games.first
        self.view = View(games.observation_layout, *view)
        self.reward = Reward(self.game, reward)
        self._number, self._labels = 0, games.labels(0)
        self._places: Places = {}  # of the values that resets choose
        self._numbers: np.ndarray | None = None  # of the games that have them
        self._use_game()

    def _use_game(self) -> None:
        """Make everything that plays and shows use `game`."""
        self.reward.game = self.game
        self._padded = self.games.padded(self.game)
        self.observer, self._stacked = make_observer(self._padded, self.view)
        if self._display is not None:
            self._display.log.game = self.game
        self._advance = self._stepper()

    def _stepper(self) -> Any:
        return self.game.advance if self._display is None else self._display.advance

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
        if self._stacked is not None:
            self._stacked.begin()
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


class OneSeatEnv(OneGameEnv, gymnasium.Env[Any, Any]):
    """One seat of any game as a Gymnasium environment; the other seats, if any, move inside `step`.

    `info["action_mask"]` is (A,) int8, and `action_masks()` the same as bool. When the game is over the mask is all
    ones, so that code that samples from a final mask does not fail. `info` has the same keys at every step.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as Gymnasium's
        "render_modes": list(RENDER_MODES),
        "render_fps": RENDER_FPS,
    }

    def __init__(
        self,
        games: GameSet,
        *,
        reward: str | RewardFunction,
        illegal_action: str,
        illegal_penalty: float,
        view: ViewOptions,
        render_mode: str | None,
        render_size: RenderSize,
    ) -> None:
        check_choice("illegal_action", illegal_action, ("penalty", "raise", "terminate"))
        game = games.first
        self._display = display_of(game, render_mode, render_size)
        self._set_games(games, reward, view)
        self.seat = 0
        self.illegal_action = illegal_action
        self.illegal_penalty = as_number("illegal_penalty", illegal_penalty)
        self.render_mode = render_mode
        self.observation_space = observation_space(self.view)
        self.action_space = spaces.Discrete(game.num_actions)
        self._num_actions = game.num_actions
        self._shaped = self.reward.shaped
        self._mask = np.ones(game.num_actions, np.int8)
        self._state = None
        self.listener: Any = None  # receives moves as this seat may know them, from the next reset on
        self._listeners: dict[int, Any] = {}  # by seat: `listener`, and the opponents that receive moves
        self._over = True

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
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal `game.new(seed)`; without `seed`, a game drawn by the last game's generator.

        `options` choose among the values of lists given to the constructor, for this and later games: one value as
        `{"decks": "generated:7"}`, several in a list, or None for all again. `{"state": state}` begins this game with a
        copy of a position instead of dealing. With lists, the game of the position is looked for. Positions are as
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

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play `action`, then the other seats up to this seat's next decision or the end of the game.

        Raises:
            IllegalActionError: with `illegal_action="raise"`; nothing has changed.
            TypeError: `action` is not an integer.
            ResetNeeded: no game is under way.
            ClosedEnvironmentError: after `close()`.
        """
        if self._over:
            check_open(self.closed, "step()")
            raise ResetNeeded("no game is under way: call reset() before step()")
        if action.__class__ is not int:
            action = as_action(action, self._num_actions)
        mask = self._mask
        if not (0 <= action < self._num_actions and mask[action]):
            return self._illegal(action)
        if self._listeners:
            tell(self.game, self._listeners, self._state, action)
        if self._stacked is not None:
            self._stacked.keep(self._state, self.seat)
        seat = self._advance(self._state, action, mask)
        if seat != self.seat and seat >= 0:
            self._over = True  # if an opponent fails, the game cannot continue
            seat = self._play_others(seat)
            self._over = False
        if seat < 0:
            return self._finish()
        reward = float(self.reward.so_far(self._state)[seat]) if self._shaped else 0.0
        return self.observer(self._state, seat), reward, False, False, self.present_info()

    def _check_start(self, start: Start) -> None:
        """Raise ValueError if this seat has no decision from the position on."""

    def _begin(self, *, dealt: bool) -> None:
        """Advance a new game to this seat's first decision. dealt: False if it begins with a given position."""
        self._show_deal()

    def _show_deal(self) -> None:
        if self._display is not None:
            self._display.begin(self._state, self._viewer)

    def _play_others(self, seat: int) -> int:
        """Move the other seats, beginning with `seat`. Returns this seat, or -1 when the game is over."""
        raise NotImplementedError

    def present_info(self) -> dict[str, Any]:
        """The info of a game under way, with the keys that it has at the end: recorders reject steps that differ."""
        info = self._blank.copy()
        info["action_mask"] = self._mask.copy()
        return info

    def _unfinished(self) -> dict[str, Any]:
        """The part of it that stays the same throughout a game, and is immutable."""
        return {"illegal_action": False, "score": 0, "won": False, **self._labels}

    def _result(self) -> dict[str, Any]:
        """What replaces those values at the end of a game."""
        return {
            "score": int(self.game.scores(self._state)[self.seat]),
            "won": bool(self.game.won(self._state)[self.seat]),
        }

    def _finish(self) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        self._over = True
        self._mask.fill(1)
        reward = float(self.reward.at_the_end(self._state)[self.seat])
        return self.observer(self._state, self.seat), reward, True, False, {**self.present_info(), **self._result()}

    def _illegal(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if self.illegal_action == "raise" or not self._mask.any():  # where nobody can act, no penalty helps
            refuse(self.game, self._state, action)
        if self.illegal_action == "terminate":
            return self.lose()
        info = {**self.present_info(), "illegal_action": True}
        return self.observer(self._state, self.seat), self.illegal_penalty, False, False, info

    def lose(self) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """End the game under way as an illegal action does with `illegal_action="terminate"`."""
        self._over = True
        self._mask.fill(1)
        info = {**self.present_info(), "illegal_action": True}
        return self.observer(self._state, self.seat), ILLEGAL_REWARD, True, False, info
