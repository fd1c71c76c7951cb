"""Schoko & Co., a game of firms that buy cocoa, make chocolate and sell it by contracts.

Read `constants` and `state` first, then `rules/` and `actions`. `observation` writes what a seat sees, and `game` puts
everything together. `display/` shows positions.
"""
