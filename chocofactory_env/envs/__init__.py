"""Environments for any game. They use the `Game` protocol and know no particular game."""
