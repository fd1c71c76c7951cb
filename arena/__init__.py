"""Agents compared: matches, tournaments, ratings and their statistics. What knows a game is in a folder of its name."""

from .needs import check_command

PACKAGES = ("choix", "filelock", "matplotlib", "scipy", "tqdm")

check_command("arena", {"": ("--group arena", PACKAGES)})
