"""Manfredini's Chocolate Factory in the arena; read by `agents.by_game`."""

SCORE, UNIT = "points", "points"
RESULTS = ".results:RESULTS"
DEMO = {"challenger": "greedy", "opponent": "random", "deals": {2: 50, 3: 33, 4: 25}}
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
