"""Compare agents: matches, tournaments, ratings and their statistics. Game-specific code is in a folder per game.

This folder is the package `chocofactory_env.arena`, in the wheel and in a checkout. Importing it works without the
extra `arena`; playing needs it.
"""

from .needs import check_command

check_command("arena")
