"""What the documentation shows of the agents of this game; made by `python -m arena.results --game candyfactory`."""

from __future__ import annotations

from typing import Final

from chocofactory_env.games.candyfactory.vocabulary import NAME

from ..results import Results, TournamentSeries

# Those that search all decisions search less than by default: else their games would take most of the time.
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
        "The learned value carries both agents at the top: tree search by playouts loses to `greedy`. Tree search with",
        "the value plays for the win: at two players it wins as often as `expert` with three points less a game, at",
        "twenty times the time. The flat network `learned` was made later; its",
        "[card](../../agents/candyfactory/checkpoints/candyfactory-two.md) says 62 % against `greedy` as it is now,",
        "23 % against `expert`.",
    ),
    how_made=(
        "`flat_mc` played as it was before it drew anew, for every playout, what an action turns up. `greedy` played",
        "as it was before it recruited: today's, alone among those, wins 61, 44 and 37 % of 300 games of 2, 3 and 4",
        "players.",
    ),
)
