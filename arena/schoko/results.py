"""What the documentation shows of the agents of this game; made by `python -m arena.results --game schoko`."""

from __future__ import annotations

from typing import Final

from chocofactory_env.games.schoko.vocabulary import NAME

from ..results import Results, TournamentSeries

# Those that search every decision search less than by default: else their games would take most of the time.
FLAT, TREE = "flat_mc:playouts=2", "mcts:simulations=60"
VALUED_TREE, EXPERT = "mcts:simulations=100,learned=true,exploration=0.2", "expert:simulations=100"
AGENTS: Final = ("random", FLAT, TREE, "manager", VALUED_TREE, EXPERT)

RESULTS: Final = Results(
    NAME,
    "Schoko & Co.",
    (
        TournamentSeries("two-players", "Two players", "2 players", AGENTS, 2, neighbour_games=120),
        TournamentSeries("three-players", "Three players", "3 players", AGENTS, 3, games=18, neighbour_games=90),
        TournamentSeries("four-players", "Four players", "4 players", AGENTS, 4, games=24, neighbour_games=96),
    ),
)
