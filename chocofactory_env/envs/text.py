"""One seat of any game as a Gymnasium environment with text as observations and actions."""

from __future__ import annotations

import string
from dataclasses import asdict, dataclass
from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium import spaces

from ..core.agents.moves import SeenMove
from ..core.checks import UnknownOptionError, as_flag, as_integer, as_number, check_choice
from ..core.game import Game, State
from ..core.messages import shown
from ..core.text.answers import LONGEST, MoveError
from .common import ILLEGAL_REWARD
from .loading import Games, with_players
from .seat import SeatEnv

CHARACTERS: Final = string.printable + "".join(map(chr, range(0xA0, 0x100))) + "–—…→"  # ASCII, Latin-1, and some
KNOWN: Final = frozenset(CHARACTERS)
LONGEST_PROMPT: Final = 50_000  # characters
OWN: Final = ("corrections", "ask_forced", "rules", "fallback", "lost_reward")
RULES: Final = ("always", "changed", "never")
LOST_SCORE: Final = -2000.0  # less than any game with the shipped cards pays, as score or as margin
IN_POINTS: Final = ("score", "margin", "shaped")


@dataclass
class AnswerCounts:
    """Decisions by how they were made: `forced`, `planned`, `first_try`, `corrected`, or `fallbacks`."""

    decisions: int = 0
    forced: int = 0  # the only legal move, played without asking
    planned: int = 0  # by an earlier answer
    first_try: int = 0
    corrected: int = 0  # legal after one or more corrections
    fallbacks: int = 0  # never legal: the first legal move was played
    answers: int = 0  # including those to corrections


class TextEnv(gymnasium.Env[str, str]):
    """Shows prompts as observations and takes answers as actions. Opponents and rewards are those of `env`.

    An observation is `game.prompt`, and at the end of the game the result in a sentence. Characters that are not in
    CHARACTERS are escaped, as in `\\u2603`. An action is any text that `game.parse_moves` reads, also outside the
    action space. After a wrong answer the position is unchanged, and the observation begins with a correction. A wrong
    answer after the last correction loses the game: the step returns `lost_reward` and `terminated`.

    Args:
        env: the environment of the seat that answers.
        corrections: number of consecutive wrong answers that are corrected.
        ask_forced: ask even if there is only one legal move. The first decision after a reset is always asked.
        rules: whether observations begin with the rules in brief: `"always"`, `"changed"` (if they differ
            from those of the last observation), or `"never"`. `info["rules"]` always has them.
        fallback: after the last correction, play the first legal move instead of losing the game. The last observation
            and `counts` say how often.
        lost_reward: reward of a game that is lost by wrong answers. It should be less than any game that is played to
            its end can pay, or giving up pays. None: -2000 if `env` pays the score (`"score"`, `"margin"`, `"shaped"`),
            otherwise -1.

    `info` has what the inner environment reports, `correction` (text, or "" if there is none), `counts` (`AnswerCounts`
    of the game as a dictionary), and `rules`. It has the same keys at every step. If the game was lost by wrong
    answers, that is `illegal_action` (True) and `won` (False): it was not played to its end, so nobody has a score.

    `seat_env` is the inner environment, `counts` the `AnswerCounts` of the game.

    Raises:
        TypeError, ValueError: `corrections` is not an integer from 0 on, `rules` is not one of these words, a switch is
            not a bool, or `lost_reward` is not a finite number.
    """

    metadata = SeatEnv.metadata

    def __init__(
        self,
        env: SeatEnv,
        *,
        corrections: int = 2,
        ask_forced: bool = False,
        rules: str = "always",
        fallback: bool = False,
        lost_reward: float | None = None,
    ) -> None:
        check_choice("rules", rules, RULES)
        if not isinstance(env, SeatEnv):
            raise TypeError(f"env: expected an environment of this package without wrappers, got {shown(env)}")
        self.seat_env, self.render_mode = env, env.render_mode
        self.observation_space = spaces.Text(LONGEST_PROMPT, min_length=0, charset=CHARACTERS)
        self.action_space = spaces.Text(LONGEST, min_length=0, charset=CHARACTERS)
        self._corrections = as_integer("corrections", corrections, 0)
        self._ask_forced, self._rules = as_flag("ask_forced", ask_forced), rules
        self._fallback = as_flag("fallback", fallback)
        usual = LOST_SCORE if env.reward.kind in IN_POINTS else ILLEGAL_REWARD
        self._lost_reward = as_number("lost_reward", usual if lost_reward is None else lost_reward)
        self._forget()
        env.listener = self

    def _forget(self) -> None:
        self.counts = AnswerCounts()
        self._since: list[str] = []
        self._plan: list[int] = []
        self._wrong = 0  # wrong answers at this decision
        self._rules_shown = self._asked = ""

    @property
    def game(self) -> Game:
        """The game under way, or to be dealt first."""
        return self.seat_env.game

    @property
    def game_state(self) -> State:
        """The current position. Copy it with `game.clone` before changing it."""
        return self.seat_env.game_state

    @property
    def seat(self) -> int:
        """The seat that answers."""
        return self.seat_env.seat

    def action_masks(self) -> np.ndarray:
        """(A,) bool: the actions that are legal now."""
        return self.seat_env.action_masks()

    def observe_move(self, move: SeenMove) -> None:
        """Keep the others' moves for the next observation."""
        if move.seat != move.viewer:
            self._since.append(move.words)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Deal a game. Errors are those of the inner environment; then nothing has changed."""
        before = vars(self).copy()
        self._forget()
        try:
            _, info = self.seat_env.reset(seed=seed, options=options)
        except Exception:
            vars(self).update(before)
            raise
        super().reset(seed=seed)
        return self._shown(over=False), self._informed(info)

    def render(self) -> Any:
        """Show the position, as the inner environment does."""
        return self.seat_env.render()

    def close(self) -> None:
        """Close the inner environment."""
        self.seat_env.close()

    def step(self, answer: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Play the move that `answer` names, then forced and planned moves, up to the next question.

        Raises:
            TypeError: the answer is not a string. Nothing has changed.
            ResetNeeded, ClosedEnvironmentError: see the inner environment.
        """
        if not isinstance(answer, str):
            raise TypeError(f"answer: expected text, got {type(answer).__name__}")
        if self.seat_env.is_over:
            self.seat_env.step(0)  # raises, and says why
        self.counts.answers += 1
        try:
            moves = self.game.parse_moves(self.seat_env.game_state, answer)
        except MoveError as error:
            self._wrong += 1
            if self._wrong <= self._corrections:
                words = written(f"{error}\n\n{self._asked}")
                return words, 0.0, False, False, self._informed(self.seat_env.present_info(), str(error))
            if not self._fallback:
                *_, info = self.seat_env.lose()
                words = f"The game is over. You lost: too many answers in a row named no legal move ({self._wrong})."
                return words, self._lost_reward, True, False, self._informed({**info, "won": False}, str(error))
            moves = self._legal()[:1]
            self.counts.fallbacks += 1
        else:
            self.counts.first_try += self._wrong == 0
            self.counts.corrected += self._wrong > 0
        self.counts.decisions += 1
        self._wrong, self._plan, self._since = 0, moves[1:], []
        _, reward, over, _, info = self.seat_env.step(moves[0])
        reward, over, info = self._play_unasked(reward, over, info)
        return self._shown(over), reward, over, False, self._informed(info)

    def _play_unasked(self, reward: float, over: bool, info: dict[str, Any]) -> tuple[float, bool, dict[str, Any]]:
        """Play forced and planned moves, and add their rewards."""
        while not over:
            legal = self._legal()
            if len(legal) == 1 and not self._ask_forced:
                action = legal[0]
                self.counts.forced += 1
                self._plan = self._plan[1:] if self._plan[:1] == legal else []
            elif self._plan and self._plan[0] in legal:
                action = self._plan.pop(0)
                self.counts.planned += 1
            else:
                break
            self.counts.decisions += 1
            _, more, over, _, info = self.seat_env.step(action)
            reward += more
        return reward, over, info

    def _legal(self) -> list[int]:
        legal: list[int] = np.flatnonzero(self.game.legal_mask(self.seat_env.game_state)).tolist()
        return legal

    def _shown(self, over: bool) -> str:
        env, state = self.seat_env, self.seat_env.game_state
        if over:
            result = "won" if self.game.won(state)[env.seat] else "lost"
            scores = ", ".join(map(str, self.game.scores(state).tolist()))
            played = self.counts.fallbacks
            told = f" Moves played for you, because no answer named a legal one: {played}." if played else ""
            return f"The game is over. You {result}. Scores by seat: {scores}.{told}"
        rules = self.game.prompt_rules(state, env.seat)
        shows_rules = self._rules == "always" or (self._rules == "changed" and rules != self._rules_shown)
        self._rules_shown = rules
        self._asked = written(self.game.prompt(state, env.seat, self._since, rules=shows_rules))
        return self._asked

    def _informed(self, info: dict[str, Any], correction: str = "") -> dict[str, Any]:
        rules = self.game.prompt_rules(self.seat_env.game_state, self.seat_env.seat)
        return {**info, "correction": written(correction), "counts": asdict(self.counts), "rules": written(rules)}


def written(text: str) -> str:
    """The text in the characters of observation spaces; others are escaped, as in `\\u2603`."""
    strange = set(text) - KNOWN
    return text.translate({ord(each): each.encode("ascii", "backslashreplace").decode() for each in strange})


def make_solo(games: Games, **options: Any) -> TextEnv:
    """`make_text_env` of one player, if games are given by name."""
    return make_text_env(games, **with_players(games, options, 1))


def make_versus(games: Games, **options: Any) -> TextEnv:
    """`make_text_env` of two players, if games are given by name and `num_players` is not."""
    return make_text_env(games, **with_players(games, options, 2))


def make_text_env(games: Games, **options: Any) -> TextEnv:
    """Make a `TextEnv` with its options, those of `SeatEnv`, and those of the game, which says how many play."""
    own = {option: options.pop(option) for option in OWN if option in options}
    try:
        return TextEnv(SeatEnv(games, **options), **own)
    except UnknownOptionError as error:
        raise UnknownOptionError.of(error.option, (*OWN, *error.known), error.because) from None
