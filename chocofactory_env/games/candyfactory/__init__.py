"""Chocolate Factory by Dan Manfredini: from the plantation to the candy shops.

Read `constants` and `state` first, then `rules/` and `actions`. `observation` writes what a seat sees, and `game` puts
everything together. `display/` shows positions.
"""
