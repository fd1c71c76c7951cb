"""Moves as a seat may know them, and telling agents of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..game import Game, State
from .agent import staying


class Move(NamedTuple):
    """An action in its position. forced: it was the only legal action, and nobody was asked."""

    state: State
    action: int
    seat: int
    forced: bool


class SeenMove(NamedTuple):
    """A move as one seat, the viewer, may know it.

    seat: the seat that moved. words: as from `game.move_in_words`. forced: as in `Move`.
    action: its number, if the viewer may know the choices and the choice. Otherwise None, as for a sealed bid or a card
        from a hidden hand, whose number may reveal its place in the hand.
    """

    viewer: int
    seat: int
    words: str
    forced: bool
    action: int | None


def moves_of(game: Game, state: State, action: int) -> list[Move]:
    """A legal action, and the forced actions that follow it."""
    found = getattr(game, "forced_moves", None)
    forced = found(state, action) if found is not None else []
    return [
        Move(there, chosen, game.current_player(there), number > 0)
        for number, (there, chosen) in enumerate([(state, action), *forced])
    ]


def seen_moves(game: Game, state: State, action: int, viewer: int) -> list[SeenMove]:
    """What the viewer may know of a legal action and of the forced moves after it. Call it before `game.apply`.

    Empty if the viewer may not even know that there was a move.
    """
    open_choices = getattr(game, "choices_lie_open", lambda _state, _viewer: False)  # few games lack it
    seen = []
    for move in moves_of(game, state, action):
        words = game.move_in_words(move.state, move.action, viewer)
        if words:
            in_full = words == game.move_in_words(move.state, move.action, move.seat)
            lies_open = in_full and open_choices(move.state, viewer)
            seen.append(SeenMove(viewer, move.seat, words, move.forced, move.action if lies_open else None))
    return seen


def listens(agent: object) -> bool:
    """Whether the agent has `observe_move(move)` and so is told of moves."""
    return callable(getattr(agent, "observe_move", None))


def listeners_among(agents: Mapping[int, Any]) -> dict[int, Any]:
    """The agents that are told of moves, by seat."""
    return {seat: agent for seat, agent in agents.items() if listens(agent)}


def tell(game: Game, agents: Mapping[int, Any], state: State, action: int) -> None:
    """Tell agents, by seat, of a legal action as their seats may know it, before it is played in `state`.

    Only agents with `observe_move` are told. Call it in your own loops.
    """
    for seat, agent in listeners_among(agents).items():
        for move in seen_moves(game, state, action, seat):
            with staying(agent):
                agent.observe_move(move)
