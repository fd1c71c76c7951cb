"""The log of a table, and its lines summed up as stories, turn by turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...core.agents.moves import Move, moves_of
from ...core.game import Game, State
from ...core.text.stories import News, Story, StoryWords, told, turns_of
from ...drawing.names import named
from .pictures import FORCED, line_of_move


@dataclass(frozen=True)
class LogLine:
    """seat: None for news. gains: what the move changed in every purse, besides what the news tell.

    plain: the words with seats, as "Player 0", in place of the names that people typed.
    """

    number: int  # of the action
    seat: int | None
    words: str
    gains: tuple[int, ...] = ()
    plain: str = ""


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


def lines_of(game: Game, steps: Sequence[Step], number: int, viewer: int | None, names: Sequence[str]) -> list[LogLine]:
    """Lines that the viewer reads of an action, with its number, of the forced ones after it, and of their news."""
    found = []
    for move, gains, news in steps:
        said = line_of_move(game, move, viewer)
        if said:
            found.append(LogLine(number, move.seat, named(said, names), gains, said))
        found += [LogLine(number, None, named(line.words, names), plain=line.words) for line in news]
    return found


def stories_of(game: Any, lines: Sequence[LogLine], names: Sequence[str]) -> list[Story]:
    """Stories of a log."""
    words: StoryWords | None = getattr(game, "story", None)
    if words is None:
        return []
    found = []
    for first, last in turns_of([line.seat for line in lines]):
        turn, seat = lines[first : last + 1], lines[first].seat
        said = turn[0].words if seat is None else _turn_in_words(turn, seat, words, names)
        if said:
            found.append(Story(first, last, seat, said))
    return found


def _turn_in_words(turn: Sequence[LogLine], seat: int, words: StoryWords, names: Sequence[str]) -> str:
    """The seat's moves and money, and what others gained or lost by them; "" if the game tells none of the moves."""
    gained = [sum(amounts) for amounts in zip(*(line.gains for line in turn), strict=True)]
    lines = [line.words.removeprefix(names[seat]).lstrip(" ,").removesuffix(FORCED) for line in turn]
    said = told(lines, words, gained[seat])
    others = (
        f"; {names[other]}: {words.change(amount)}" for other, amount in enumerate(gained) if amount and other != seat
    )
    return f"{names[seat]} {said}{''.join(others)}" if said else ""
