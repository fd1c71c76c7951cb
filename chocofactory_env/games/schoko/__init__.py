"""Schoko & Co., a game of firms that buy cocoa, make chocolate and sell it by contracts.

Read `constants` and `state` first, then `rules/` and `actions`. `observation` is what a seat sees; `game` puts all
together. Apart from them: `positions/`, which reads and checks positions; `display/`, which shows them.
"""
