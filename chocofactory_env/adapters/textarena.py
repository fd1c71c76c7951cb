"""The games for `textarena` (0.7): importing this registers `ChocolateFactory-v0`, `CandyFactory-v0`, `Schoko-v0`.

All seats answer in text; `reset` takes their number. As usual in TextArena, a player gets a correction for up to
`error_allowance` consecutive wrong answers, and loses the game with the next one. `...-v0-raw` has no wrapper.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import textarena as ta
from gymnasium.error import ResetNeeded

from ..core.agents.moves import seen_moves
from ..core.checks import as_flag, as_integer
from ..core.messages import shown
from ..core.text.answers import MoveError
from ..registry import GAMES, load


class GameEnv(ta.Env):
    """A game whose seats all answer in text.

    name: the name of a registered game. `options` are its options, without `num_players`.
    error_allowance: number of consecutive wrong answers that are corrected. With the next one, the rewards are -1 for
        the player and 0 for the others, and nobody has a score.
    ask_forced: False plays a single legal move without asking.
    """

    state: Any = None  # of TextArena, from the first reset on

    def __init__(self, name: str, *, error_allowance: int = 2, ask_forced: bool = False, **options: Any) -> None:
        self._name, self._options = name, options
        self._error_allowance = as_integer("error_allowance", error_allowance, 0)
        self._ask_forced = as_flag("ask_forced", ask_forced)

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Deal a game; the same `seed` gives the same deal as `game.new(seed)`."""
        game = load(self._name, num_players=num_players, **self._options)
        self.position, self.game = game.new(seed), game
        self.state = ta.FFAMultiPlayerState(num_players, error_allowance=self._error_allowance)
        self.state.reset(game_state={}, player_prompt_function=self._introduction)
        self._since: list[list[str]] = [[] for _ in range(num_players)]
        self._ask()

    def step(self, action: str) -> tuple[bool, ta.Info]:
        """Play the move that the current player's answer names, then forced moves, up to the next question.

        Raises:
            TypeError: the answer is not a string.
            ResetNeeded: no game is under way. Neither changes anything.
        """
        if not isinstance(action, str):
            raise TypeError(f"action: expected text, got {shown(action)}")
        if self.state is None or self.state.done:
            raise ResetNeeded("no game is under way: call reset() before step()")
        seat = self.state.current_player_id
        self.state.add_observation(action, ta.ObservationType.PLAYER_ACTION, from_id=seat, to_id=seat)
        try:
            move = self.game.parse_move(self.position, action)
        except MoveError as error:
            self._refuse(seat, str(error))
        else:
            self._play(move)
            self._ask()
        done, info = self.state.step(rotate_player=False)
        return bool(done), info

    def _introduction(self, player_id: int, game_state: dict[str, Any]) -> str:
        title = GAMES[self._name].title or self._name
        return f"You play the board game {title} for {self.game.num_players}, as player {player_id}."

    def _refuse(self, seat: int, correction: str) -> None:
        if self.state.set_invalid_move(correction):
            rewards = {player: -1 if player == seat else 0 for player in range(self.game.num_players)}
            self.state.set_game_outcome(rewards, f"Player {seat} answered with no legal move. {correction}")
        else:
            board = f"{correction}\n\n{self._asked}"
            self.state.add_observation(board, ta.ObservationType.GAME_BOARD, to_id=seat)

    def _play(self, move: int) -> None:
        for viewer, lines in enumerate(self._since):
            lines += [seen.words for seen in seen_moves(self.game, self.position, move, viewer) if seen.seat != viewer]
        self.game.apply(self.position, move)

    def _ask(self) -> None:
        """Ask the next question, or set the result."""
        while not self.game.is_over(self.position):
            legal = np.flatnonzero(self.game.legal_mask(self.position))
            if len(legal) > 1 or self._ask_forced:
                seat = self.game.current_player(self.position)
                self._asked = self.game.prompt(self.position, seat, self._since[seat])
                self._since[seat] = []
                self.state.manually_set_current_player_id(seat)
                self.state.add_observation(self._asked, ta.ObservationType.GAME_BOARD, to_id=seat)
                return
            self._play(int(legal[0]))
        scores, won = self.game.scores(self.position).tolist(), self.game.won(self.position).tolist()
        self.state.set_winners([seat for seat, has_won in enumerate(won) if has_won], f"Scores by player: {scores}.")
        for seat, score in enumerate(scores):
            self.state.game_info[seat]["score"] = score


for _name, _game in GAMES.items():
    _entry = {"entry_point": f"{__name__}:{GameEnv.__name__}", "name": _name}
    ta.register(
        f"{_game.aec}-v0", default_wrappers=[ta.wrappers.GameMessagesAndCurrentBoardObservationWrapper], **_entry
    )
    ta.register(f"{_game.aec}-v0-raw", **_entry)
