"""The subject of `training.value`: ends of turns, in the full game and in the shorter ones."""

from __future__ import annotations

from typing import Any, Final

from chocofactory_env.agents.candyfactory.greedy import GreedyAgent

from ..turn_ends import TurnEnds

VARIANTS: Final[tuple[dict[str, Any], ...]] = ({}, {}, {}, {"game": "candy"}, {"game": "plantation"})
TURN_ENDS: Final = TurnEnds(dict.fromkeys((2, 3, 4), VARIANTS), GreedyAgent)
