"""Schoko & Co. in training; read by `agents.by_game`."""

RIVAL = "manager"  # opponent in evaluations and in a share of the training games
VALUE = ".value:DECISIONS"  # the subject of `training.value`
