"""Players for the games of `chocofactory_env`, by name: `make_agent("planner", game)`.

This folder is the package `chocofactory_env.agents`, in the wheel and in a checkout.
"""

from .protocol import decide, make_agent, reset

__all__ = ["decide", "make_agent", "reset"]
