"""Card tables: `data/*.toml` read, checked, and laid out as one record that the compiled rules take as an argument."""

from __future__ import annotations

import numpy as np

from .constants import (
    MAX_PLAYERS,
    NUM_HALVES,
    NUM_HOLDS,
    NUM_RECIPES,
    NUM_SPACES,
    NUM_SPECIALISTS,
)

RECIPE = np.dtype(
    [
        ("sugar", "i1"),  # cost of one use
        ("chocolate", "i1"),
        ("uses", "i1"),  # CANDY-3
        ("candies", "i1"),  # made by one use
        ("points", "i1"),  # of one candy (SCORE-2)
        ("tokens", "i1"),  # CANDY-1
    ]
)
CARDS = np.dtype(
    [
        ("abilities", "i1", (NUM_HALVES, NUM_SPACES)),  # Ability of every space (ABIL-1)
        ("outlet_coins", "i1", NUM_HALVES),  # ABIL-7, ABIL-11
        ("places", "i1", NUM_HOLDS),  # of the warehouse (ROOM-1) and of trucks 0-3, berths included (ROOM-2)
        ("berths", "i1", NUM_HOLDS),  # 0 of the warehouse
        ("own", "i1", NUM_HOLDS),  # 1 for trucks whose goods score (SCORE-1), 0 of the warehouse
        ("recipes", RECIPE, NUM_RECIPES),
        ("numbers", "i1", NUM_SPACES),  # START-3: how many worker cards of each number a player has
        ("specialists", "i1", NUM_SPECIALISTS),  # START-2: cards of each kind in the specialist deck, by Specialist
        ("lift", "i1"),  # SPEC-3: what the Lift Operator adds to the capacity
        ("turn", "i1"),  # SPEC-5: by how much the Runner may turn the die
        # START-2, START-4
        ("sugar", "i1"),
        ("cacao", "i1"),
        ("coins", "i1"),
        ("pawns", "i1"),
        ("hand", "i1"),  # TURN-1
        ("look", "i1"),  # ABIL-8
        ("open_recipes", "i1", MAX_PLAYERS + 1),  # START-7, by number of players
        ("start_sugar", "i1"),
        ("start_cacao", "i1"),
        ("start_coins", "i1"),
        # shorter games
        ("load", "i1", 2),  # SHORT-5: sugar, chocolate
        ("short_specialists", "i1"),  # SHORT-4
        ("short_points", "i1", 2),  # SHORT-1: a sugar, a chocolate
    ]
)
