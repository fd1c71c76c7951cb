"""Cards designed: how balanced the shipped cards and seats are. What knows a game is in a folder of its name."""

from arena.needs import INSTALL, PACKAGES, check_command

check_command("design", {"": (INSTALL, PACKAGES)})
