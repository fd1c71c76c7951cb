"""The game's results in the documentation; made by `python -m chocofactory_env.arena.results --game schoko`."""

from __future__ import annotations

from functools import partial
from typing import Final

from chocofactory_env.games.schoko.vocabulary import NAME

from ..results import Results, TournamentShown

# These search every decision, so they search less than by default; their games would take most of the time.
FLAT, TREE = "flat_mc:playouts=2", "mcts:simulations=60"
VALUED_TREE, EXPERT = "mcts:simulations=100,learned=true,exploration=0.2", "expert:simulations=100"
AGENTS: Final = ("random", FLAT, TREE, "manager", VALUED_TREE, EXPERT, "learned")

tournament = partial(TournamentShown, games=24, neighbour_games=72)

RESULTS: Final = Results(
    NAME,
    "Schoko & Co.",
    (
        tournament("two-players", "Two players", "2 players", AGENTS, 2),
        tournament("three-players", "Three players", "3 players", AGENTS, 3),
        tournament("four-players", "Four players", "4 players", AGENTS, 4),
    ),
    what_follows=(
        "The network `learned` is the best agent for every number of players, in a third of the time of `expert`. It",
        "imitated `expert:simulations=100`, then improved by a million decisions of self-play. `expert` is a tree",
        "search by a learned value that tries the advice of `manager` first. With two and three players tree search",
        "without the advice stays below `manager`, with playouts and with the value, because few of the many bids and",
        "staff sizes are good. Neighbours played 72 games, too few to separate agents of similar strength.",
    ),
    how_made=(
        "The games were played beside other work, so the times are too long. The learned values for three and four",
        "players were fitted under rules 1 of the game.",
    ),
)
