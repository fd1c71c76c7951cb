"""The game's results in the documentation; made by `python -m arena.results --game candyfactory`."""

from __future__ import annotations

from typing import Final

from chocofactory_env.games.candyfactory.vocabulary import NAME

from ..results import Results, TournamentSeries

# These search every decision, so they search less than by default; their games would take most of the time.
FLAT, TREE = "flat_mc:playouts=20", "mcts:simulations=200"
VALUED_TREE = "mcts:simulations=400,learned=true,exploration=0.2,endings=100"
AGENTS: Final = ("random", "greedy", FLAT, TREE, VALUED_TREE, "expert")

RESULTS: Final = Results(
    NAME,
    "Chocolate Factory by Dan Manfredini",
    (
        TournamentSeries("two-players", "Two players", "2 players", AGENTS, 2),
        TournamentSeries("three-players", "Three players", "3 players", AGENTS, 3),
        TournamentSeries("four-players", "Four players", "4 players", AGENTS, 4, games=24, neighbour_games=96),
    ),
    what_follows=(
        "The two best agents both use the learned value; tree search with playouts loses to `greedy`. With two players",
        "tree search with the value wins as often as `expert`, with three points less a game and at twenty times the",
        "time. The flat network `learned` was trained later: with two players it wins 76 % of its games against",
        "today's `greedy`, and 38 % against `expert` ([card](../../agents/candyfactory/checkpoints/candyfactory.md)).",
    ),
    how_made=(
        "These games predate two changes. `flat_mc` now redraws, for each playout, what an action turns up. `greedy`",
        "now recruits: alone among copies of the earlier one it wins 61, 44 and 37 % of 300 games (2, 3, 4 players).",
    ),
)
