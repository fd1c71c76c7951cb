"""Measurements of Chocolate Factory alone: the solo game, the balance of the cards, decisions in hindsight.

`agents.by_game` reads the names below.
"""

SCORE, UNIT = "money", "£"
NOTES = ".money:notes_of"
DRAW_NOTES = ".money:draw_means"
RESULTS = ".results:RESULTS"
# Opponents' names spell out every setting, so that a new default does not change the protocol. Deals 0 to 99,999 are
# held out for measurement, never trained on; so are generated decks 0 to 99,999, see `arena.decks`.
BENCHMARK = {
    "protocol": 2,
    "tracks": {
        **{
            f"solo-{difficulty}": {
                "options": {"num_players": 1, "difficulty": difficulty},
                "first_deal": 0,
                "deals": 400,
            }
            for difficulty in range(4)
        },
        **{
            f"two-{name}": {"options": {"num_players": 2}, "opponent": opponent, "first_deal": 90_000, "deals": 100}
            for name, opponent in {"greedy": "greedy", "planner": "planner:width=64"}.items()
        },
        "four-planner": {
            "options": {"num_players": 4},
            "opponent": "planner:width=64",
            "first_deal": 90_000,
            "deals": 50,
        },
        **{
            f"{kind}-{column}": {
                "options": {"num_players": players},
                "opponent": opponent,
                "first_deal": first,
                "deals": deals,
                "decks": f"generated:0-99{stray}",
                "like": like,
            }
            for kind, players, opponent, first, deals, like in (
                ("solo", 1, "", 0, 200, "solo-0"),
                ("two", 2, "planner:width=64", 90_000, 100, "two-planner"),
            )
            for column, stray in (("near", ""), ("far", ",stray=1"))
        },
        # Few games, since they cost a language model's tokens. Every decision is compared with `expert`'s choice.
        **{
            f"text-{name}": {
                "options": {"num_players": 2},
                "opponent": opponent,
                "first_deal": 95_000,
                "deals": 5,
                "text": True,
                "judge": {"search": "expert", "tries": 1, "deals": 8, "width": 8, "check": 0},
            }
            for name, opponent in {"greedy": "greedy", "planner": "planner:width=64"}.items()
        },
    },
}
JUDGE = ".judge:PlannerJudge"
OBJECTIVES = ".judge:objectives"
# Learning with a budget (`arena.tasks`), as `LearningTask` takes it.
TASKS = {
    "first": {
        "version": 1,
        "budget": 500_000,
        "about": "Learn to play the whole game of two players better than chance; shows that a loop works.",
        "opponents": "random",
        "options": {"num_players": 2, "reward": "shaped"},
        "solved": 0.9,
    },
    "duel": {
        "version": 1,
        "budget": 1_000_000,
        "about": "Beat hand-written play in the whole game of two players.",
        "opponents": "greedy",
        "options": {"num_players": 2, "reward": "shaped"},
    },
    "duel-planner": {
        "version": 1,
        "budget": 1_000_000,
        "about": "Beat search through the own day in the whole game of two players.",
        "opponents": "planner:width=64",
        "options": {"num_players": 2, "reward": "shaped"},
    },
    "decks": {
        "budget": 1_000_000,
        "about": "Beat hand-written play with cards that nobody has seen in training.",
        "opponents": "greedy",
        "options": {"num_players": 2, "reward": "shaped", "decks": "generated:100000-100999"},
        "unseen": "generated:0-49",
    },
    "solo-money": {
        "version": 1,
        "budget": 1_000_000,
        "about": "Earn money over six days without an opponent; winning the solo game is far beyond this budget.",
        "alone": True,
        "options": {"reward": "shaped"},
        "primary": "score",
    },
    "summit": {
        "version": 1,
        "budget": 25_000_000,
        "about": "Beat the strongest shipped agent, a search that asks a network, in the whole game of two players.",
        "opponents": "expert:width=128,draft_width=16,network=true",  # with another shipped network, raise the version
        "options": {"num_players": 2, "reward": "shaped"},
        "solved": 0.5,
    },
}
