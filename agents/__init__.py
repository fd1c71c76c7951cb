"""Players for the games of `chocofactory_env`, by name: `make_agent("planner", game)`.

This folder is the package `chocofactory_env.agents`, in the wheel and in a checkout. From a checkout it has the short
name `agents` too, as in `python -m arena.demo`: the same modules, not copies of them (`chocofactory_env._checkout`).
"""

import sys
from importlib import import_module

if __name__ == "agents":
    sys.modules[__name__] = import_module("chocofactory_env.agents")

from .protocol import decide, make_agent, reset

__all__ = ["decide", "make_agent", "reset"]
