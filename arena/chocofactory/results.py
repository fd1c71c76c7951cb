"""The results of Chocolate Factory in the documentation; made by `python -m chocofactory_env.arena.results`."""

from __future__ import annotations

from functools import partial

from chocofactory_env.games.chocofactory.vocabulary import NAME

from ..results import Results, Shown

AGENTS = ("random", "greedy", "learned", "planner", "expert", "expert:network=true")

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
        "The learned value makes the difference for every number of players and with the expansion: both kinds of",
        "`expert` are hundreds of rating points above the others. `expert:network=true` takes as long as `expert`,",
        "and earns more money in each series. The network `learned` needs a single forward pass. With two or three",
        "players it is stronger than `planner`, which searches, and with four about as strong. Do not compare ratings",
        "across columns, as each has its own mean.",
        "",
        "**The solo game** is part of the benchmark ([entries](../entries.md)). In it `expert` searches more widely on",
        "the last day until a plan wins, and `learned` plays the network `solo`, about as strong as `planner`.",
    ),
    how_made=("All games shared the machine with other work, so their times are too long.",),
)
