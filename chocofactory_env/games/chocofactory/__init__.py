"""Chocolate Factory: parts on a conveyor, orders, and department stores.

Read `constants` and `state` first, then `rules/` and `actions`. `observation` is what a seat sees; `game` puts all
together. Apart from them: `search/`, its own searches; `positions/`, which reads and checks positions; `display/`,
which shows them.
"""
