"""Manfredini's Chocolate Factory in the arena; read by `agents.by_game`."""

SCORE, UNIT = "points", "points"
RESULTS = ".results:RESULTS"
JUDGE = "..judge:ValueJudge"
PLAYS_ON = "expert:deals=1,endings=500"  # agent for the judge (`arena.judge`)
# Learning with a budget (`arena.tasks`).
TASKS = {
    "plantation": {
        "budget": 1_000_000,
        "about": "Play a short game of hidden hands against hand-written play.",
        "opponents": "greedy",
        "options": {"num_players": 2, "game": "plantation"},
    },
}
