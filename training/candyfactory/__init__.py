"""What training knows of Manfredini's Chocolate Factory; read by `agents.by_game`."""

RIVAL = "greedy"  # against whom networks are evaluated, and play a share of their games
EXPERT = "expert"  # whom `training.expert_iteration` asks
VALUE = ".value:TURN_ENDS"  # what `training.value` fits
