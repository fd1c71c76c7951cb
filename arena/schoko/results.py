"""The game's results in the documentation; made by `python -m arena.results --game schoko`."""

from __future__ import annotations

from functools import partial
from typing import Final

from chocofactory_env.games.schoko.vocabulary import NAME

from ..results import Results, TournamentSeries

# These search every decision, so they search less than by default; their games would take most of the time.
FLAT, TREE = "flat_mc:playouts=2", "mcts:simulations=60"
VALUED_TREE, EXPERT = "mcts:simulations=100,learned=true,exploration=0.2", "expert:simulations=100"
AGENTS: Final = ("random", FLAT, TREE, "manager", VALUED_TREE, EXPERT, "learned")

tournament = partial(TournamentSeries, games=24, neighbour_games=72)

RESULTS: Final = Results(
    NAME,
    "Schoko & Co.",
    (
        tournament("two-players", "Two players", "2 players", AGENTS, 2),
        tournament("three-players", "Three players", "3 players", AGENTS, 3),
        tournament("four-players", "Four players", "4 players", AGENTS, 4),
    ),
    what_follows=(
        "`expert` is the best agent with three and four players. It is a tree search by a learned value that tries the",
        "advice of `manager` first. With two players the network that imitates it plays as well in a quarter of its",
        "time. With two and three players tree search without the advice stays below `manager`, with playouts and with",
        "the value, because few of the many bids and staff sizes are good. Neighbours played 72 games, too few to",
        "separate agents of similar strength.",
    ),
    how_made=(
        "These games predate a change of `flat_mc`: it now redraws, for each playout, what an action turns up. Learned",
        "values were fitted under the same rules as the games.",
    ),
)
