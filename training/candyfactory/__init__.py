"""Manfredini's Chocolate Factory in training; read by `agents.by_game`."""

RIVAL = "greedy"  # opponent in evaluations and in a share of the training games
VALUE = ".value:TURN_ENDS"  # the subject of `training.value`
