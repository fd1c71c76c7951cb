"""Agents of Schoko & Co., and what those that play any game know of it; read by `agents.by_game`."""

AGENTS = {"manager": ".manager:ManagerAgent"}  # beside those that play any game, or in their place
