"""The results of Chocolate Factory in the documentation; made by `python -m chocofactory_env.arena.results`."""

from __future__ import annotations

from functools import partial

from chocofactory_env.games.chocofactory.vocabulary import NAME

from ..results import Results, Shown

# FLAT and TREE search every decision, so they search less than by default; their games would take most of the time.
FLAT, TREE, WIDE = "flat_mc:playouts=50", "mcts:simulations=50", "planner:width=400"
ASSISTED = "expert:network=true"
AGENTS = ("random", "greedy", FLAT, "learned", TREE, "planner", WIDE, "expert", ASSISTED)

tournament = partial(Shown, agents=AGENTS, notes=("sources", "days"))

RESULTS = Results(
    NAME,
    "Chocolate Factory",
    (
        tournament("two-players", "Two players", "2 players"),
        tournament("three-players", "Three players", "3 players", players=3),
        tournament("four-players", "Four players", "4 players", players=4),
        tournament(
            "expansion",
            "Two players with Master Chocolatier, sides drawn",
            "2 players, expansion",
            options={"expansion": "master_chocolatier", "sides": "random"},
        ),
    ),
    what_follows=(
        "The learned value makes the difference for every number of players and with the expansion: `expert` searches",
        "less than `planner:width=400`, yet beats every agent without this value. `expert:network=true` takes as long",
        "as `expert`, and is the strongest with two, three, and four players, and with the expansion. The network",
        "`learned` needs a single forward pass. With two and three players, and with the expansion, only the two",
        "kinds of `expert` are stronger; with four players it is as strong as `planner:width=400`. `flat_mc`, which",
        "plays random games from each position, is far below `greedy`. Do not compare ratings across columns, as each",
        "has its own mean.",
        "",
        "**The solo game** is part of the benchmark ([entries](../entries.md)). In it `expert` searches more widely on",
        "the last day until a plan wins, and `learned` plays the network `solo`. It wins 4 to 10 percentage points",
        "more than `planner`; at difficulties 0 and 1 the intervals overlap.",
        "",
        "**Best responses.** A win rate against an agent is a lower bound on how exploitable the agent is. We trained",
        "`learned` further, at two players and against one agent alone, and then played 400 games on other deals.",
        "Only the response to `expert` started from the present `learned`:",
        "",
        "- `greedy`: the best response wins 94.2 % [91.5, 96.1], before this training 92.5 %;",
        "- `planner`: 72.0 % [67.4, 76.2], before 68.2 %. The present `learned`, which has also trained against it,",
        "  wins 76.0 % [71.6, 79.9];",
        "- `learned`: 50.2 % [45.4, 55.1] against the version from which it started;",
        "- `expert`: 32.0 % [27.6, 36.7], before 37.5 % [32.9, 42.3]: this training found no weakness. The best",
        "  bound is that of `expert:network=true`, which wins 62.5 % [55.6, 68.9] of 200 games.",
        "",
        "No trained best response wins significantly more than it did at the start. Longer training may find more.",
    ),
    how_made=(
        "All games shared the machine with other work, so their times are too long. The",
        "[benchmark](../benchmark.md#entries) has a better one for `planner`: 2 ms.",
    ),
)
