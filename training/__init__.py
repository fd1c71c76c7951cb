"""Train players: one file per algorithm. Game-specific code is in a folder per game.

This folder is the package `chocofactory_env.training`, in the wheel and in a checkout. It needs the extra `train`.
"""

from chocofactory_env.arena.needs import PACKAGES, check_command
from chocofactory_env.core.checkout import checkout

_EXTRA = '"chocofactory-env[train]"' if checkout() is None else '-e ".[train]"'
_NEEDED = (*PACKAGES, "pyarrow", "safetensors", "tensorboard", "torch", "tyro")

check_command(
    "training",
    {
        "": (_EXTRA, _NEEDED),
        "sb3": (f"{_EXTRA} stable-baselines3 sb3-contrib", (*_NEEDED, "sb3_contrib", "stable_baselines3")),
    },
)
