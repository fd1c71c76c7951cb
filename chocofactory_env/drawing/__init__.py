"""Pictures of positions: a game says what lies where (`scene`), and one drawer makes SVG and frames of it.

Knows the contract of a game (`core.game`), no game, and nothing of the rules. Nothing in `core` knows it.
"""
