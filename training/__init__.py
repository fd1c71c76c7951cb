"""Train players: one file per algorithm. Game-specific code is in a folder per game.

This folder is the package `chocofactory_env.training`, in the wheel and in a checkout. It needs the extra `train`,
and `data` where games are recorded.
"""

from chocofactory_env.arena.needs import PACKAGES, check_command
from chocofactory_env.core.checkout import checkout

_EXTRA = '"chocofactory-env[{}]"' if checkout() is None else '-e ".[{}]"'
_TRAIN = _EXTRA.format("train"), (*PACKAGES, "safetensors", "torch", "tyro")
NEEDS = {  # by command
    **dict.fromkeys(("ppo", "tasks", "value"), _TRAIN),
    **dict.fromkeys(("dataset", "imitate", "recipes"), (_EXTRA.format("data"), (*_TRAIN[1], "pyarrow"))),
    "sb3": (
        f"{_TRAIN[0]} stable-baselines3 sb3-contrib tensorboard",
        (*_TRAIN[1], "sb3_contrib", "stable_baselines3", "tensorboard"),
    ),
}

check_command("training", NEEDS)
