"""Moves as words for one viewer, a seat or None for a spectator: lines of a log, and turns summed up as stories."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from ..core.agents.agent import REDEAL_SEED
from ..core.agents.moves import Move, moves_of
from ..core.game import Game, State
from ..core.text.events import Event, News, Story, StoryWords, line_of, told, turns_of
from ..view.views import named

FORCED: Final = " (forced)"  # ends the line of a forced move
Viewer = int | None


@dataclass(frozen=True)
class LogLine:
    """Words with seats as "Player 0". gains: what the move changed in every purse, besides the news.

    seat, event: None for news.
    """

    number: int  # of the action
    seat: int | None
    words: str
    gains: tuple[int, ...] = ()
    event: Event | None = None


class Step(NamedTuple):
    """A move and what came of it; `gains` as in `LogLine`."""

    move: Move
    gains: tuple[int, ...]
    news: tuple[News, ...]


def steps_of(game: Game, state: State, action: int, after: State) -> list[Step]:
    """A legal action, and the forced moves that follow it. after: the position after the last of them."""
    moves = moves_of(game, state, action)
    afters = [move.state for move in moves[1:]] + [after]
    words: StoryWords | None = getattr(game, "story", None)
    if words is None:
        return [Step(move, (), ()) for move in moves]
    return [_step(game, words, move, there) for move, there in zip(moves, afters, strict=True)]


def _step(game: Game, words: StoryWords, move: Move, after: State) -> Step:
    news = tuple(words.news(game, move.state, move.action, after))
    told_of = [line.gains for line in news if line.gains]
    gains = (
        words.purse(after, seat) - words.purse(move.state, seat) - sum(each[seat] for each in told_of)
        for seat in range(game.num_players)
    )
    return Step(move, tuple(gains), news)


def lines_of(game: Any, steps: Sequence[Step], number: int, viewer: Viewer) -> list[LogLine]:
    """Lines that the viewer reads of an action, with its number, of the forced ones after it, and of their news.

    A line says that a move was forced if the viewer may know the choices.
    """
    found = []
    for move, gains, news in steps:
        event = game.event(move.state, move.action, viewer)
        if event is not None:
            is_told = move.forced and game.choices_lie_open(move.state, viewer)
            said = line_of(move.seat, event) + FORCED * is_told
            found.append(LogLine(number, move.seat, said, gains, event))
        found += [LogLine(number, None, line.words) for line in news]
    return found


def stories_of(game: Any, lines: Sequence[LogLine]) -> list[Story]:
    """A log, turn by turn; none if the game tells no stories."""
    words: StoryWords | None = getattr(game, "story", None)
    if words is None:
        return []
    found = []
    for first, last in turns_of([line.seat for line in lines]):
        turn, seat = lines[first : last + 1], lines[first].seat
        said = turn[0].words if seat is None else _turn_in_words(turn, seat, words)
        if said:
            found.append(Story(first, last, seat, said))
    return found


def _turn_in_words(turn: Sequence[LogLine], seat: int, words: StoryWords) -> str:
    """The seat's moves and money, and what others gained or lost by them; "" if the game tells none of the moves."""
    gained = [sum(amounts) for amounts in zip(*(line.gains for line in turn), strict=True)]
    said = told([line.event for line in turn if line.event], words, gained[seat])
    others = (
        f"; Player {other}: {words.change(amount)}" for other, amount in enumerate(gained) if amount and other != seat
    )
    return f"Player {seat} {said}{''.join(others)}" if said else ""


# --- words of moves to come


def words_of_move(game: Game, state: State, action: int, viewer: Viewer, names: Sequence[str] = ()) -> str:
    """The move about to be made in `state`, as the viewer may know it; "" if the move itself is secret."""
    words = game.move_in_words(state, action, viewer)
    return named(words, names) if names else words


def line_in_words(
    game: Game, state: State, line: Iterable[int], viewer: int, names: Sequence[str]
) -> list[dict[str, Any]]:
    """A line of actions in words, as far as it is legal, in a redeal of what the viewer cannot know."""
    found = []
    dealt = game.redeal(state, viewer, REDEAL_SEED)
    for action in line:
        if game.is_over(dealt) or not game.legal_mask(dealt)[action]:
            break
        words = words_of_move(game, dealt, action, viewer, names) or game.describe(action)
        found.append({"action": int(action), "words": words})
        game.apply(dealt, action)
    return found


def legal_of(game: Game, state: State) -> list[int]:
    found: list[int] = np.flatnonzero(game.legal_mask(state)).tolist()
    return found
