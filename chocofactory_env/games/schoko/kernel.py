"""The rules that the shared code is bound to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ...core.binding import bind
from .actions import advance, begin_game, write_legal_mask
from .features import stage_of, turn_goes_on, write_features
from .observation import write_observation
from .rules.end import write_payoffs, write_ranking, write_scores, write_standings, write_winners
from .rules.hidden import redeal_hidden
from .rules.sealed import ask_seat, seats_asked

RULES: Final[dict[str, Callable[..., Any]]] = {
    "begin_game": begin_game,
    "write_legal_mask": write_legal_mask,
    "advance": advance,
    "write_observation": write_observation,
    "write_scores": write_scores,
    "write_payoffs": write_payoffs,
    "write_standings": write_standings,
    "write_ranking": write_ranking,
    "write_winners": write_winners,
    "redeal_hidden": redeal_hidden,
    "write_features": write_features,
    "stage_of": stage_of,
    "turn_goes_on": turn_goes_on,
    "seats_asked": seats_asked,
    "ask_seat": ask_seat,
}
KERNEL: Final = bind("schoko", RULES)
