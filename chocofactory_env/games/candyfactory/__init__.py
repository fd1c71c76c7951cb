"""Chocolate Factory by Dan Manfredini: from the plantation to the candy shops.

Read `constants` and `state` first, then `rules/` and `actions`. `observation` is what a seat sees; `game` puts all
together. Apart from them: `positions/`, which reads and checks positions; `display/`, which shows them.
"""
