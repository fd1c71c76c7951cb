"""What training knows of Chocolate Factory; read by `agents.by_game`."""

RIVAL = "greedy"  # against whom networks are evaluated, and play a share of their games
EXPERT = "expert:width=16,draft_width=4"  # whom `training.expert_iteration` asks
GOALS = ".goals:goals_of"
VALUE = ".value:DAY_ENDS"  # what `training.value` fits
PPO = {  # presets of `training.ppo`
    "solo": {"players": (1,), "score": 0.0, "goals": 0.5},
    "duel": {"players": (2,), "past_share": 0.25, "rival_share": 0.02},
    "players": {"players": (2, 3, 4), "games": 192, "past_share": 0.25, "rival_share": 0.02},
}
