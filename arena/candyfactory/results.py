"""The game's results in the documentation; made by `python -m chocofactory_env.arena.results --game candyfactory`."""

from __future__ import annotations

from typing import Final

from chocofactory_env.games.candyfactory.vocabulary import NAME

from ..results import Results, TournamentShown

# These search every decision, so they search less than by default; their games would take most of the time.
FLAT, TREE = "flat_mc:playouts=20", "mcts:simulations=200"
VALUED_TREE = "mcts:simulations=400,learned=true,exploration=0.2,endings=100"
AGENTS: Final = ("random", "greedy", FLAT, TREE, VALUED_TREE, "expert", "learned")

RESULTS: Final = Results(
    NAME,
    "Chocolate Factory by Dan Manfredini",
    (
        TournamentShown("two-players", "Two players", "2 players", AGENTS, 2),
        TournamentShown("three-players", "Three players", "3 players", AGENTS, 3),
        TournamentShown("four-players", "Four players", "4 players", AGENTS, 4),
    ),
    what_follows=(
        "The network `learned` is the best agent for every number of players, at the price of `expert` and in a",
        "twentieth of the time of the tree search. It imitated `expert`, and then trained by self-play",
        "([card](../models.md#candyfactory-network-candyfactory)). Tree search with the learned value is about",
        "as strong as `expert`; tree search with playouts loses to `greedy`.",
    ),
)
