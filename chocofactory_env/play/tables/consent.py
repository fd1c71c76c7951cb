"""Take back a decision after others have moved or something hidden came out, if the other persons agree.

Agents always agree. Persons keep what they have seen, and the same cards come again.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from ...core.game import Game, State
from .pictures import open_mover
from .undo import Step, shows_nothing_new


@dataclass
class Request:
    """A request to take back the last decision of `seat`, so that `kept` actions stay.

    waits_for: persons who have not answered. refused_by: the person who did not agree.
    """

    seat: int
    kept: int
    waits_for: set[int] = field(default_factory=set)
    refused_by: int | None = None


def kept_before(game: Game, state: State, seat: int, movers: Sequence[int]) -> int | None:
    """The number of actions that stay if the seat to move takes its last one back; None if it has none or plays alone.

    Also None while the seat to move is secret, because the request would reveal it.
    """
    if game.num_players == 1 or seat not in movers or open_mover(game, state) is None:
        return None
    return len(movers) - 1 - movers[::-1].index(seat)


def is_final(game: Game, state: State, action: int, persons: Collection[int]) -> bool:
    """Whether the seat to move cannot take this action back without the consent of others.

    Only choices are final, and only if another person must agree or the seat plays alone: those that show it something
    new or pass the turn on. persons: the other persons' seats.
    """
    if game.legal_mask(state).sum() == 1 or (not persons and game.num_players > 1):
        return False
    seat, after = game.current_player(state), game.clone(state)
    game.apply(after, action)
    passes_on = game.num_players > 1 and game.current_player(after) != seat
    return passes_on or not shows_nothing_new(game, Step(state, action, ""), after, seat)
