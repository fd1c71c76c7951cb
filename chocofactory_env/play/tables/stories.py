"""The log of a table as stories, turn by turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.game import Game, State
from ...core.text.stories import Story, told, turns_of


def purses_of(game: Any, state: State) -> tuple[int, ...]:
    """The money of every seat, as far as all may see it; empty if the game does not tell."""
    words = getattr(game, "story", None)
    return tuple(words.purse(state, seat) for seat in range(game.num_players)) if words else ()


def stories_of(game: Game, lines: Sequence[Any], purses: Sequence[Sequence[int]], names: Sequence[str]) -> list[Story]:
    """Stories of a log (lines: `table.LogLine`). purses: before the first action, and after each."""
    words = getattr(game, "story", None)
    if words is None:
        return []
    found = []
    for first, last in turns_of([line.seat for line in lines]):
        turn, seat = lines[first : last + 1], lines[first].seat
        earned = purses[turn[-1].number + 1][seat] - purses[turn[0].number][seat]
        said = told([line.words.removeprefix(names[seat]).lstrip(" ,") for line in turn], words, earned)
        found.append(Story(first, last, seat, f"{names[seat]} {said}"))
    return found
