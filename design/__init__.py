"""Cards designed: how balanced the shipped cards and seats are. What knows a game is in a folder of its name."""

from arena import PACKAGES
from arena.needs import check_command

check_command("design", {"": ("--group arena", PACKAGES)})
