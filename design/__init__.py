"""The design of cards: how balanced the shipped cards and seats are. Each game's part is in the folder of its name."""

from arena.needs import INSTALL, PACKAGES, check_command

check_command("design", {"": (INSTALL, PACKAGES)})
