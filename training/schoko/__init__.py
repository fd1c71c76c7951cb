"""What training knows of Schoko & Co.; read by `agents.by_game`."""

RIVAL = "manager"  # against whom networks are evaluated, and play a share of their games
VALUE = ".value:DECISIONS"  # what `training.value` fits
