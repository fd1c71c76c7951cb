"""One seat of a multiplayer game as a Gymnasium environment; opponents play the other seats."""

from __future__ import annotations

from collections.abc import Iterable
from copy import Error as CopyError
from copy import copy, deepcopy
from typing import Any

import numpy as np

from ..core.agents.agent import LEAVING, AnyAgent, agent_seed, choose_blindly, left, refusal, searches, staying
from ..core.agents.moves import listeners_among, tell
from ..core.checks import as_action, as_seed
from ..core.game import Game, IllegalActionError
from ..core.kernel.rewards import RewardFunction
from ..core.kernel.rng import WORDS, choose_legal, draw_seat, opponent_seed, seed_generator
from ..core.kernel.views import Blocks, ObservationForm
from ..core.observation.layout import Tensors
from .common import NamedAgents, OneSeatEnv, Start, rivals_of, seat_of
from .loading import Decks, versus_games_of
from .pictures import DEFAULT_SIZE, RenderSize

Opponent = AnyAgent


class RandomOpponent:
    """Plays a uniformly random legal action."""

    def __init__(self) -> None:
        self._words = np.zeros(WORDS, np.uint32)
        self.reset(None)

    def reset(self, seed: int | None = None) -> None:
        if seed is None:
            seed = int(np.random.SeedSequence().generate_state(1, np.uint32)[0])
        seed_generator(self._words, as_seed(seed))

    def __call__(self, observation: Tensors, mask: np.ndarray) -> int:
        return choose_legal(self._words, mask)

    def __repr__(self) -> str:
        return "RandomOpponent()"


class _Rival(RandomOpponent):
    """The environment's own random rival: it draws from the deal's generator, as in compiled batches."""


class VersusEnv(OneSeatEnv):
    """One seat against opponents, which move inside `step`, so no reward is lost if another seat moves last.

    Args:
        name: name of a game, which is loaded with `options` (two players by default), or a loaded game of two or more.
        opponents: P - 1 agents for the seats clockwise from this one, or one agent for all of them; random by default.
            A name as for `cf.make_agent` ("mcts:simulations=50") makes an agent for each seat. An agent is a callable
            `(observation, mask) -> action`. It gets its seat's observation as `core.observation.layout.Tensors`
            (`np.asarray` of it is the flat vector) and a mask (A,) int8, both fresh. A searching agent has
            `choose(state, player) -> action` instead, and gets a position in which everything that its seat cannot know
            is redealt. If an agent defines `reset(seed)`, every reset calls it.
        seat: the learner's seat; None draws one for every game from the game's seed, or takes the seat to move if
            `reset` is given a position.
        reward: `"win"`, `"rank"`, `"score"`, `"margin"`, `"shaped"`, or your own function; see
            `chocofactory_env.core.kernel.rewards.Reward`.
        illegal_action: as in `SoloEnv`.
        illegal_penalty: as in `SoloEnv`.
        observation: as in `SoloEnv`.
        scaled: as in `SoloEnv`.
        blocks: as in `SoloEnv`.
        stack: as in `SoloEnv`.
        render_mode: as in `SoloEnv`; pictures show the learner's view.
        render_size: as in `SoloEnv`.
        decks: as in `SoloEnv`. Give opponents that look at cards by name, so that they are made for each game's deck.
        options: options of the game. A list declares a set of values: deals draw from it, `reset(options=...)` chooses.

    The attribute `seat` is the learner's seat in the current game. `info` holds what it holds in `SoloEnv`, and `seat`,
    `rank` (0 = first; -1 before the end), and `scores`, (P,) int64 by seat (0 before the end). With a list as
    `num_players`, P is that of the largest game; smaller games use the first opponents only, and seats that they lack
    score 0.

    Raises:
        ValueError: an invalid option, a game of one player, the wrong number of opponents, or an unknown name.
        TypeError: an opponent is not an agent, or was made for another game or number of players.
    """

    def __init__(
        self,
        name: Game | str,
        *,
        opponents: Opponent | str | Iterable[Opponent | str] | None = None,
        seat: int | None = None,
        reward: str | RewardFunction = "win",
        illegal_action: str = "penalty",
        illegal_penalty: float = -0.01,
        observation: ObservationForm = "flat",
        scaled: bool = True,
        blocks: Blocks = None,
        stack: int = 1,
        render_mode: str | None = None,
        render_size: RenderSize = DEFAULT_SIZE,
        decks: Decks = None,
        **options: Any,
    ) -> None:
        super().__init__(
            versus_games_of(name, options, type(self), decks),
            reward=reward,
            illegal_action=illegal_action,
            illegal_penalty=illegal_penalty,
            view=(observation, scaled, blocks, stack),
            render_mode=render_mode,
            render_size=render_size,
        )
        self._no_scores = np.zeros(self.games.most_players, np.int64)
        self._fixed_seat = seat_of(self.games, seat)
        self.set_opponents(opponents)

    def set_opponents(self, opponents: Opponent | str | Iterable[Opponent | str] | None) -> None:
        """Replace the opponents from the next reset on; arguments as in the constructor."""
        if opponents is None:
            opponents = [_Rival() for _ in range(self.games.most_players - 1)]
        named = NamedAgents(self.games)
        made: list[Opponent] = rivals_of(self.games, opponents, refusal, by_name=named.make)
        self._named, self._next_opponents = named, made

    def _check_start(self, start: Start) -> None:
        """Let copies of the opponents play up to this seat's first decision."""
        game = self.games[start.number]
        if self._fixed_seat in (None, game.current_player(start.state)):
            return
        trial = copy(self)
        trial._display = trial._stacked = trial.listener = None
        trial.reward = copy(self.reward)
        trial._mask = game.legal_mask(start.state)
        shared = {id(each): each for each in (self.game, game, self.games, self.games.first)}
        try:
            trial._next_opponents, trial._named = deepcopy((self._next_opponents, self._named), shared)
        except (TypeError, CopyError):
            return  # they cannot be copied; `_begin` finds out
        trial._start(None, Start(start.number, game.clone(start.state)))
        trial._advance = game.advance
        trial._begin(dealt=False)

    def _begin(self, *, dealt: bool) -> None:
        game, players = self.game, self.game.num_players
        seed, scratch = game.seed_of(self._state), np.zeros(WORDS, np.uint32)
        if self._fixed_seat is not None:
            self.seat = self._fixed_seat
        else:
            self.seat = draw_seat(scratch, seed, players) if dealt else game.current_player(self._state)
        self._show_deal()
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
        state, mask, mine, players = self._state, self._mask, self.seat, self.game.num_players
        advance, observe = self._advance, self.game.observe
        while seat != mine and seat >= 0:
            number = (seat - mine) % players - 1
            opponent: Any = self.opponents[number]
            if self._searching[number]:
                action = choose_blindly(self.game, opponent, state, seat)
            else:
                try:
                    action = opponent(observe(state, seat), mask.copy())
                except LEAVING as end:
                    raise left(self._name(opponent, seat), end) from end
            if action.__class__ is not int:
                action = self._checked(action, opponent, seat)
            if not (0 <= action < self._num_actions and mask[action]):
                self._opponent_failed(action, opponent, seat)
            if self._listeners:
                tell(self.game, self._listeners, state, action)
            seat = advance(state, action, mask)
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
        info = self._blank.copy()
        info["action_mask"], info["scores"] = self._mask.copy(), self._no_scores.copy()
        return info

    def _unfinished(self) -> dict[str, Any]:
        return {**super()._unfinished(), "rank": -1, "seat": self.seat}

    def _result(self) -> dict[str, Any]:
        scores = np.asarray(self.game.scores(self._state), np.int64)
        return {
            **super()._result(),
            "rank": int(self.game.ranking(self._state)[self.seat]),
            "scores": np.pad(scores, (0, self.games.most_players - len(scores))),
        }
