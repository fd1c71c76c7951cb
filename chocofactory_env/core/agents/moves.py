"""Moves as a seat may know them, and agents that are told of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..game import Game, State


class Move(NamedTuple):
    """An action in its position. forced: it was the only legal one, and nobody was asked."""

    state: State
    action: int
    seat: int
    forced: bool


class SeenMove(NamedTuple):
    """A move as one seat, the viewer, may know it.

    seat: who moved. words: as `game.move_in_words`. forced: as of `Move`.
    action: its number, if the viewer may know what there was to choose from, and what was chosen. Else None, as for a
        sealed bid, and for a card from a hidden hand: its number may say where in the hand it lay.
    """

    viewer: int
    seat: int
    words: str
    forced: bool
    action: int | None


def moves_of(game: Game, state: State, action: int) -> list[Move]:
    """A legal action, and those that are played after it without asking anybody."""
    found = getattr(game, "forced_moves", None)
    forced = found(state, action) if found is not None else []
    return [
        Move(there, chosen, game.current_player(there), number > 0)
        for number, (there, chosen) in enumerate([(state, action), *forced])
    ]


def seen_moves(game: Game, state: State, action: int, viewer: int) -> list[SeenMove]:
    """What a seat may know of a legal action, before it is played in `state`, and of what it leads to by itself.

    Empty where the viewer may not even know that there was a move.
    """
    open_choices = getattr(game, "choices_lie_open", lambda _state, _viewer: False)  # which few games lack
    seen = []
    for move in moves_of(game, state, action):
        words = game.move_in_words(move.state, move.action, viewer)
        if words:
            in_full = words == game.move_in_words(move.state, move.action, move.seat)
            lies_open = in_full and open_choices(move.state, viewer)
            seen.append(SeenMove(viewer, move.seat, words, move.forced, move.action if lies_open else None))
    return seen


def listens(agent: object) -> bool:
    """Whether the agent wants to be told of moves: it has `observe_move(move)`."""
    return callable(getattr(agent, "observe_move", None))


def listeners_among(agents: Mapping[int, Any]) -> dict[int, Any]:
    """Of agents by seat those that want to be told of moves."""
    return {seat: agent for seat, agent in agents.items() if listens(agent)}


def tell(game: Game, agents: Mapping[int, Any], state: State, action: int) -> None:
    """Tell agents, by seat, of a legal action, before it is played in `state`, as their seats may know it.

    Of the agents only those with `observe_move` are told. Whoever plays games in a loop of his own calls it.
    """
    for seat, agent in listeners_among(agents).items():
        for move in seen_moves(game, state, action, seat):
            agent.observe_move(move)
