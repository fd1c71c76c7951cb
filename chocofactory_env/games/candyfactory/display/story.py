"""How a turn is told in one line, and where a score came from."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ....core.text.events import StoryWords
from ....core.text.words import counted
from ..constants import FIRST_TRUCK, NUM_RAW, Kind, Variety

STORY: Final = StoryWords(
    amount=lambda amount: counted(amount, "coin"),
    counted=lambda number, good: f"{number} {good}",
    purse=lambda state, seat: int(state["seats"]["coins"][0, seat]),
)


# --- the account at the end of the game


def sources(cards: Any, state: Any, players: int) -> dict[str, tuple[int, ...]]:
    """The points of every seat by source (SCORE-1 to SCORE-4; SHORT-1). `cards`: the tables, a record."""
    seats = state["seats"][0, :players]
    coins = ("coins", tuple(seats["coins"].tolist()))
    if state["variety"][0] == Variety.PLANTATION:
        aboard = seats["goods"][:, FIRST_TRUCK:].sum(axis=1)
        points = aboard[:, [Kind.SUGAR, Kind.CHOCOLATE]] * cards["short_points"]
        return dict([*zip(("sugar", "chocolate"), map(tuple, points.T.tolist()), strict=True), coins])
    own = np.array(cards["own"])
    own[:FIRST_TRUCK] = 0
    aboard = np.einsum("shk,h->sk", seats["goods"], own, dtype=int)
    plain, decorated = aboard[:, Kind.PLAIN : Kind.DECORATED], aboard[:, Kind.DECORATED :]
    recipes = state["recipes"][0]
    worth = np.where(recipes >= 0, cards["recipes"]["points"][np.maximum(recipes, 0)], 0)
    types = (aboard[:, :NUM_RAW] > 0).sum(axis=1) + (plain + decorated > 0).sum(axis=1)
    found = {
        "sugar, cacao, chocolate": aboard[:, :NUM_RAW].sum(axis=1),
        "candy": (plain + decorated) @ worth,
        "decorations": decorated.sum(axis=1),
        "types": types,
    }
    return dict([*((name, tuple(points.tolist())) for name, points in found.items()), coins])
