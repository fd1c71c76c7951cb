"""Agents compared: matches, tournaments, ratings and their statistics. What knows a game is in a folder of its name."""

from pathlib import Path

from .needs import check_command

ROOT = Path(__file__).resolve().parents[1]  # the checkout

PACKAGES = ("choix", "filelock", "matplotlib", "scipy", "tqdm")

check_command("arena", {"": ("--group arena", PACKAGES)})
