"""Train networks: one file per algorithm. Game-specific code is in a folder per game."""

from pathlib import Path

from arena.needs import PACKAGES, check_command

ROOT = Path(__file__).resolve().parents[1]  # the checkout

_LEARNED = '-e ".[learned]"'  # torch and safetensors
_TORCH = (*PACKAGES, "safetensors", "tensorboard", "torch")

check_command(
    "training",
    {
        "": (f"{_LEARNED} --group train", _TORCH),
        "dataset": ("-e . --group datasets", (*PACKAGES, "pyarrow")),
        "imitate": (f"{_LEARNED} --group train --group datasets", (*_TORCH, "pyarrow")),
        "sb3": (f"{_LEARNED} --group train", ("tensorboard", "torch", "sb3_contrib", "stable_baselines3")),
    },
)
