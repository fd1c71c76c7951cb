"""Chocolate Factory: parts on a conveyor, orders, and department stores.

Read `constants` and `state` first, then `rules/` and `actions`. `observation` writes what a seat sees, and `game` joins
the parts. `search/` has the game's own searches, and `display/` shows positions.
"""
