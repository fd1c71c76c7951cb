"""One seat of a game of several as a Gymnasium environment; the other seats are played by given opponents."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..core.game import Game, IllegalActionError
from ..core.layout import Tensors
from ..core.observers import ObservationForm
from .common import OneSeatEnv, as_action, game_of

Opponent = Callable[[Tensors, np.ndarray], Any]


class RandomOpponent:
    """Plays any legal action, each as likely as the others."""

    def __init__(self) -> None:
        self._rng = np.random.default_rng()

    def reset(self, seed: int | None = None) -> None:
        self._rng = np.random.default_rng(seed)

    def __call__(self, observation: Tensors, mask: np.ndarray) -> int:
        legal = mask.nonzero()[0]
        return int(legal[int(self._rng.random() * len(legal))])

    def __repr__(self) -> str:
        return "RandomOpponent()"


class VersusEnv(OneSeatEnv):
    """One seat against opponents, who move inside `step`: no reward is lost when another seat makes the last move.

    Args:
        game: a loaded game of two or more, or a name, loaded with `num_players` (2 unless given) and `options`.
        opponents: P - 1 callables `(observation, mask) -> action` for the seats clockwise from this one, or one for
            all; RandomOpponent if none is given. They see their own seat's observation, always as `core.layout.Tensors`
            (named, and `np.asarray` of it is the flat vector), and a (A,) int8 mask, both fresh. Whoever has a method
            `reset(seed)` is told at every reset.
        seat: the seat played; None draws one for every game.
        reward: `"win"`, `"rank"`, `"score"`, `"margin"` or `"shaped"`, see `chocofactory_env.core.rewards`.
        illegal_action, illegal_penalty, observation, render_mode, options: as in `SoloEnv`.

    `seat` of this object tells the seat of the game under way. The `info` of the last step has `score`, `won`, `rank`
    (0 = first), `seat` and `scores`, (P,) int64 by seat.

    Raises:
        ValueError: a bad option, a game of one player, a wrong number of opponents.
        TypeError: an opponent that cannot be called.
    """

    def __init__(
        self,
        game: Game | str,
        *,
        opponents: Opponent | Iterable[Opponent] | None = None,
        seat: int | None = None,
        reward: str = "win",
        illegal_action: str = "penalty",
        illegal_penalty: float = -0.01,
        observation: ObservationForm = "flat",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if isinstance(game, str):
            options = {"num_players": 2, **options}
        game = game_of(game, options)
        if game.num_players < 2:
            raise ValueError("this environment is for two players or more, the game has one: use FactoryManager")
        if seat is not None and not 0 <= seat < game.num_players:
            raise ValueError(f"seat must be None or in 0..{game.num_players - 1}, got {seat!r}")
        super().__init__(
            game,
            reward=reward,
            illegal_action=illegal_action,
            illegal_penalty=illegal_penalty,
            observation=observation,
            render_mode=render_mode,
        )
        self._fixed_seat = seat
        self.set_opponents(opponents)

    def set_opponents(self, opponents: Opponent | Iterable[Opponent] | None) -> None:
        """Who plays from the next reset on: as in the constructor."""
        rivals = self.game.num_players - 1
        if opponents is None:
            chosen: list[Opponent] = [RandomOpponent() for _ in range(rivals)]
        elif callable(opponents):
            chosen = [opponents] * rivals
        else:
            chosen = list(opponents)
            if len(chosen) == 1:
                chosen *= rivals
        if len(chosen) != rivals:
            raise ValueError(f"a game of {rivals + 1} needs {rivals} opponents, or one for all; got {len(chosen)}")
        for number, opponent in enumerate(chosen):
            if not callable(opponent):
                raise TypeError(f"opponent {number} must be a callable (observation, mask) -> action, got {opponent!r}")
        self._next_opponents = chosen

    def _begin(self) -> None:
        game, players = self.game, self.game.num_players
        self.seat = int(self.np_random.integers(players)) if self._fixed_seat is None else self._fixed_seat
        self.opponents = self._next_opponents
        seeds = self.np_random.integers(2**31, size=len(self.opponents)).tolist()
        told: set[int] = set()
        for opponent, seed in zip(self.opponents, seeds, strict=True):
            tell = getattr(opponent, "reset", None)
            if tell is not None and id(opponent) not in told:  # one that plays several seats begins once
                tell(seed)
                told.add(id(opponent))
        first = game.current_player(self._state)
        if first != self.seat and self._play_others(first) < 0:
            raise RuntimeError(f"{game.name} was over before seat {self.seat} had any decision")

    def _play_others(self, seat: int) -> int:
        state, mask, mine, players = self._state, self._mask, self.seat, self.game.num_players
        advance, observe = self.game.advance, self.game.observe
        while seat != mine and seat >= 0:
            opponent = self.opponents[(seat - mine) % players - 1]
            action = opponent(observe(state, seat), mask.copy())
            if action.__class__ is not int:
                action = self._checked(action, opponent, seat)
            if not (0 <= action < self._num_actions and mask[action]):
                self._opponent_failed(action, opponent, seat)
            seat = advance(state, action, mask)
        return seat

    def _checked(self, action: Any, opponent: Opponent, seat: int) -> int:
        try:
            return as_action(action, self._num_actions)
        except TypeError as error:
            raise TypeError(f"{self._name(opponent, seat)}: {error}") from None

    def _opponent_failed(self, action: int, opponent: Opponent, seat: int) -> None:
        self._over = True  # nobody can go on from here
        try:
            self.game.apply(self.game.clone(self._state), action)
        except IllegalActionError as error:
            raise IllegalActionError(f"{self._name(opponent, seat)} chose an illegal action: {error}") from None
        raise IllegalActionError(f"{self._name(opponent, seat)} chose action {action}, which the mask forbids")

    def _name(self, opponent: Opponent, seat: int) -> str:
        number = (seat - self.seat) % self.game.num_players - 1
        return f"opponent {number} ({opponent!r}) in seat {seat}"

    def _result(self) -> dict[str, Any]:
        return {
            **super()._result(),
            "rank": int(self.game.ranking(self._state)[self.seat]),
            "seat": self.seat,
            "scores": np.asarray(self.game.scores(self._state), np.int64),
        }
