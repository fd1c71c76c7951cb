"""Compare agents: matches, tournaments, ratings and their statistics. Game-specific code is in a folder per game.

This folder is the package `chocofactory_env.arena`, in the wheel and in a checkout. From a checkout it has the short
name `arena` too (`chocofactory_env._checkout`). Importing it works without the extra `arena`; playing needs it.
"""

import sys
from importlib import import_module

if __name__ == "arena":
    sys.modules[__name__] = import_module("chocofactory_env.arena")

from .needs import INSTALL, PACKAGES, check_command

check_command("arena", {"": (INSTALL, PACKAGES)})
