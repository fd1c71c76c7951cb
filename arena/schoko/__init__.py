"""Schoko & Co. in the arena; read by `agents.by_game`."""

SCORE, UNIT = "money", "thousands"
RESULTS = ".results:RESULTS"
JUDGE = "..judge:ValueJudge"
PLAYS_ON = "manager"  # agent for the judge (`arena.judge`)
# Learning with a budget (`arena.tasks`).
TASKS = {
    "schoko-6": {
        "budget": 1_000_000,
        "about": "Invest early to earn late: hardly investing beats chance, and ends far below the opponent.",
        "opponents": "manager",
        "options": {"num_players": 2, "months": 6},
    },
}
