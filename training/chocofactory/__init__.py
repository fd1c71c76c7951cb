"""Chocolate Factory in training; read by `agents.by_game`."""

RIVAL = "greedy"  # opponent in evaluations and in a share of the training games
GOALS = ".goals:goals_of"
VALUE = ".value:DAY_ENDS"  # the subject of `training.value`
PPO = {  # presets of `training.ppo`
    "solo": {"players": (1,), "score": 0.0, "goals": 0.5},
    "duel": {  # the tutorial's: from random weights to a player that beats `greedy`, on one core
        "players": (2,),
        "games": 96,
        "steps": 96,
        "iterations": 108,
        "learning_rate": 1e-3,
        "last_learning_rate": 1e-5,
        "epochs": 2,
        "minibatch": 1024,
        "lam": 0.97,
        "entropy": 0.003,
        "last_entropy": 0.0002,
        "score": 0.01,
        "rival_share": 0.02,
        "evaluate_every": 27,
        "threads": 1,
    },
    "players": {"players": (2, 3, 4), "games": 192, "past_share": 0.25, "rival_share": 0.02},
}
