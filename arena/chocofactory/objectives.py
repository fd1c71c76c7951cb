"""What the solo game asks for, and what there is."""

from __future__ import annotations

from typing import Any

import numpy as np

from chocofactory_env import Game

from .solo_benchmark import objectives_of


def objectives(game: Game, state: Any) -> list[dict[str, Any]]:
    """What target and demands ask for together, and what there is, as far as these are plain numbers."""
    seen, blocks = game.observe(state, 0), {block.name: block for block in game.observation_layout.blocks}

    def numbers(name: str) -> dict[str, int]:
        block = blocks[name]
        values = np.rint(seen[name].ravel() * block.high).astype(int).tolist()
        return dict(zip(block.entries or [""], values, strict=True))

    plain = {
        "money": ("money_needed", "money"),
        "orders": ("orders_needed", "completed"),
        "tracks": ("steps_needed", "tracks"),
    }
    return [
        {
            "objective": name,
            "asked_for": numbers(plain[name][0]) if name in plain else None,
            "there_is": numbers(plain[name][1]) if name in plain else None,
            "satisfied": bool(satisfied),
        }
        for name, satisfied in zip(objectives_of(game), seen["satisfied"], strict=True)
    ]
