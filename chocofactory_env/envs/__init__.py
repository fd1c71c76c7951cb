"""Environments over any game: they know the `Game` protocol and no game."""
