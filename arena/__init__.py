"""Agents compared: matches, tournaments, ratings and their statistics. What knows a game is in a folder of its name.

This folder is the package `chocofactory_env.arena`, in the wheel and in a checkout; from a checkout it has the short
name `arena` too (`chocofactory_env._checkout`). Importing it needs nothing of the extra `arena`: what plays does.
"""

import sys
from importlib import import_module

if __name__ == "arena":
    sys.modules[__name__] = import_module("chocofactory_env.arena")

from .needs import INSTALL, PACKAGES, check_command

check_command("arena", {"": (INSTALL, PACKAGES)})
